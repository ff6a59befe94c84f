"""An adversary against a real project on disk: thousands of steps, and what must hold after each.

The adversary shrinks, swaps, pads, grows, shuffles, moves text around, launders it through other files, comes under
other names, in new sessions and processes, repeats, lies about bases and ranges, and edits the policy; a person edits
and answers in between; the clock moves. `adversary_model` says, in code of its own, what a person may rely on.
"""

from __future__ import annotations

import random

import pytest
from adversary_moves import AROUND, BETWEEN, WRITES, Moves
from adversary_world import COUNT, World
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from firewall.writes.rules import ALL

RUNS, STEPS = 15, 30
"""Lives of each adversary, of which there are two: workers share them, and one alone is what the others wait for."""
SEEDS = st.integers(0, 2**40)
HONEST, OPEN = ("honest",) * 3, ("person_opens_what_is_latched",) * 2
RARE = (
    *HONEST, "repeat", "odd_path", "empty", "structural_lie", "notebook", "stale", "structural_lie", *OPEN,
    *HONEST, "structure", "create", "spoil", "too_much", "delete", "odd_path", "good_and_bad_in_one_set", *OPEN,
    *HONEST, "good_and_bad_in_one_set", "read_back", "hide", "grow", "notebook", "read_back", *OPEN,
    *HONEST, "placeholder", "stale", "delete", "too_much", "repeat", "good_and_bad_in_one_set", *OPEN,
    "an_old_version", "person_approves", "honest_again",
)  # fmt: skip


class Adversary(Moves, RuleBasedStateMachine):
    """All moves in any order, and what must hold after each."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.world.begin(seed)
        pick = random.Random(seed)
        COUNT["lives"] += 1
        turns = [
            kind[(many * COUNT["lives"] + at) % len(kind)]
            for kind, many in ((WRITES, 4), (BETWEEN, 2), (AROUND, 4))
            for at in range(many)
        ]
        for name in (*RARE, *turns):  # what chance alone would do too seldom
            self.do(name, pick.randrange(2**40))

    def teardown(self) -> None:
        self.world.end()

    @invariant()
    def what_must_hold(self) -> None:
        self.world.check(random.Random(len(self.world.tree)))

    def do(self, name: str, seed: int) -> None:
        getattr(self, name)(random.Random(seed))
        COUNT[f"did {name}"] += 1

    @rule(name=st.sampled_from(WRITES), seed=SEEDS)
    def write(self, name: str, seed: int) -> None:
        self.do(name, seed)

    @rule(name=st.sampled_from(WRITES), seed=SEEDS)
    def write_more(self, name: str, seed: int) -> None:
        self.do(name, seed)

    @rule(name=st.sampled_from(BETWEEN), seed=SEEDS)
    def between(self, name: str, seed: int) -> None:
        self.do(name, seed)

    @rule(name=st.sampled_from(AROUND), seed=SEEDS)
    def around(self, name: str, seed: int) -> None:
        self.do(name, seed)


class Another(Adversary):
    """The same with other seeds: Hypothesis takes them from the source and the name of the machine."""


@pytest.mark.parametrize("machine", [Adversary, Another])
def test_an_adversary_gets_nowhere(machine: type[Adversary]) -> None:
    COUNT.clear()
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    fired = {rule.name: COUNT[f"fired {rule.name}"] for rule in ALL}
    fired |= {
        name: COUNT[f"fired {name}"] for name in ("latched", "repeat", "structural-range", "max-bytes", "change-set")
    }
    assert COUNT["proposals"] > 1000
    assert COUNT["accepted"] >= COUNT["proposals"] / 5
    assert {name: count for name, count in fired.items() if count < 25} == {}, "both together: 50 times each"
    assert {name for name in (*WRITES, *BETWEEN, *AROUND) if COUNT[f"did {name}"] < 3} == set()
