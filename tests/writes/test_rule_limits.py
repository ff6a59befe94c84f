"""Each limit at its border: what stands on it passes, one word beyond is found."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from firewall.text.units import units
from firewall.verdict import Outcome
from firewall.writes.decide import decide
from firewall.writes.facts import Facts
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.rules import ALL
from firewall.writes.rules.base import example, lorem

OTHER = 50_000
"""Words from here on are in no text that begins at 0."""
RULES = {rule.name: rule for rule in ALL}


class Border(NamedTuple):
    """A limit, the rule that keeps it, and the outcome on the border and one word beyond it."""

    limit: str
    rule: str
    on: Facts
    beyond: Facts
    was: Outcome = Outcome.ALLOW
    becomes: Outcome = Outcome.HOLD


def to(old: str, new: str) -> Facts:
    return example("", old, new, False).facts


def kept(words: int, of: int, more: int = 0) -> Facts:
    """A text of `of` words of which the first `words` stay, the others are new; `more` are added."""
    return to(lorem(of), lorem(words) + "\n" + lorem(of - words + more, OTHER))


BORDERS = [
    Border("floor_from", "word-floor", to(lorem(999), lorem(600)), to(lorem(1000), lorem(600))),
    Border("word_floor", "word-floor", to(lorem(1000), lorem(850)), to(lorem(1000), lorem(849))),
    Border("block_below", "word-floor", to(lorem(1000), lorem(500)), to(lorem(1000), lorem(499)),
           Outcome.HOLD, Outcome.BLOCK),
    Border("small_from", "small-floor", to(lorem(49), lorem(9)), to(lorem(50), lorem(9))),
    Border("small_from", "survival", kept(9, 49), kept(9, 50), becomes=Outcome.BLOCK),
    Border("small_floor", "small-floor", to(lorem(100), lorem(50)), to(lorem(100), lorem(49))),
    Border("delta_cap", "delta-cap", to(lorem(3000), lorem(2700)), to(lorem(3000), lorem(2699))),
    Border("growth_keeps", "delta-cap", kept(970, 1000, 400), kept(969, 1000, 400)),
    Border("growth_cap", "growth-cap", to(lorem(300), lorem(10_300)), to(lorem(300), lorem(10_301))),
    Border("survival", "survival", kept(700, 1000), kept(699, 1000)),
    Border("small_survival", "survival", kept(40, 100), kept(39, 100)),
    Border("survival_block_below", "survival", kept(300, 1000), kept(299, 1000), Outcome.HOLD, Outcome.BLOCK),
]  # fmt: skip
ELSEWHERE = {"preset", "attempts", "window_attempts", "window_days", "max_bytes", "lock_seconds"}
"""Limits that are no word rule's; test_limits_in_use.py and test_proxy_contract.py have them."""


def outcome(rule: str, facts: Facts) -> Outcome:
    found = RULES[rule].check(facts, Measures(facts))
    return max((f.outcome for f in found), default=Outcome.ALLOW)


def test_every_limit_is_here() -> None:
    assert {border.limit for border in BORDERS} | ELSEWHERE == set(Limits._fields)


@pytest.mark.parametrize("border", BORDERS, ids=lambda b: f"{b.limit} of {b.rule}")
def test_a_limit_holds_to_the_word(border: Border) -> None:
    assert outcome(border.rule, border.on) is border.was
    assert outcome(border.rule, border.beyond) is border.becomes


@pytest.mark.parametrize("border", BORDERS, ids=lambda b: f"{b.limit} of {b.rule}")
def test_a_limit_is_the_policy_s_and_not_a_number_of_ours(border: Border) -> None:
    """With the limit drawn looser in the policy, what was one word beyond is not found any more."""
    step = {"floor_from": 1, "small_from": 1, "delta_cap": 1, "growth_cap": 1}.get(border.limit, -0.002)
    step = -0.02 if border.limit.startswith("small_") and border.limit != "small_from" else step
    limits = Limits()._replace(**{border.limit: getattr(Limits(), border.limit) + step})
    assert outcome(border.rule, border.beyond._replace(limits=limits)) is border.was


def test_a_delete_is_judged_by_all_that_was_there() -> None:
    """What is on disk stands elsewhere; what was cut from it before does not."""
    there = {unit.words: 1 for unit in units(lorem(200))}
    facts = example("", lorem(200), None, False, elsewhere=there).facts
    assert outcome("delete", facts) is Outcome.ALLOW
    assert outcome("delete", facts._replace(mark=lorem(400).encode())) is Outcome.HOLD


def test_what_is_hidden_slice_by_slice_is_measured_from_the_mark() -> None:
    def hidden(seen: int) -> str:
        return f"{lorem(seen)}\n<!--\n{lorem(1200 - seen, seen)}-->\n"

    assert outcome("hidden", to(hidden(900), hidden(780))) is Outcome.ALLOW
    facts = example("", hidden(900), hidden(780), False, mark=lorem(1200)).facts
    assert outcome("hidden", facts) is Outcome.HOLD


def test_a_file_that_is_kept_whole_is_not_judged_as_prose() -> None:
    facts = to("<p>one</p>\n" * 300, "<p>two</p>\n" * 60)._replace(path="page.html")
    assert not decide(facts).allowed
    assert decide(facts._replace(loss_only=True)).allowed
    assert decide(facts._replace(loss_only=True, proposed=b"")).rules == ("emptied",)
    assert decide(facts._replace(loss_only=True, proposed=b"<p>two</p>\n")).rules == ("emptied",)
    assert decide(facts._replace(loss_only=True, proposed=None)).rules == ("delete",)
