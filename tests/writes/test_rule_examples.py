"""Every rule's own examples, both ways, and the contract that all rules keep."""

from __future__ import annotations

import importlib
import pkgutil
import random
from types import ModuleType

import pytest

from firewall.verdict import Finding, Outcome
from firewall.writes import rules
from firewall.writes.decide import decide
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, Rule, example, lorem

MODULES = [
    importlib.import_module(f"{rules.__name__}.{found.name}")
    for found in pkgutil.iter_modules(rules.__path__)
    if found.name != "base"
]
CASES = [(m, e) for m in MODULES for e in m.examples()]


def test_every_rule_is_in_use() -> None:
    assert {m.NAME for m in MODULES} == {rule.name for rule in rules.ALL}


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.NAME)
def test_a_rule_has_examples_both_ways(module: ModuleType) -> None:
    fires = [e.fires for e in module.examples()]
    assert fires.count(True) >= 1
    assert fires.count(False) >= 1
    assert isinstance(module.STRUCTURAL, bool)


@pytest.mark.parametrize(
    ("number", "module", "case"),
    [(n, m, e) for n, (m, e) in enumerate(CASES)],
    ids=[f"{m.NAME}-{e.about}" for m, e in CASES],
)
def test_an_example_comes_out_as_it_says_whatever_the_order_of_rules(
    number: int, module: ModuleType, case: Example
) -> None:
    found = module.check(case.facts, Measures(case.facts))
    assert bool(found) is case.fires, found
    for finding in found:
        assert finding.rule == module.NAME
        assert finding.outcome in (Outcome.HOLD, Outcome.BLOCK)
        assert case.facts.path in finding.message
        assert finding.evidence, "a finding carries what was measured"
    first = decide(case.facts)
    order = list(rules.ALL)
    random.Random(number).shuffle(order)  # another one for each example: a thousand orders in all
    assert decide(case.facts, rules=order) == first
    assert first.allowed is not any(f.outcome >= Outcome.HOLD for f in first.findings)
    if case.fires:
        assert not first.allowed


def test_a_rule_that_breaks_refuses() -> None:
    def broken(facts: Facts, measures: Measures) -> list[Finding]:
        raise ZeroDivisionError("oops")

    facts = example("fine", lorem(100), lorem(101), False).facts
    assert decide(facts).allowed
    verdict = decide(facts, rules=[*rules.ALL, Rule("odd", False, True, True, broken)])
    assert verdict.outcome is Outcome.BLOCK
    assert verdict.rules == ("check-broken",)


def test_no_rules_at_all_refuse() -> None:
    assert not decide(example("fine", "a", "b", False).facts, rules=[]).allowed


@pytest.mark.parametrize(
    ("span", "new", "allowed"),
    [
        ((10, 20), lambda d: d[:10] + b"new words" + d[20:], True),
        ((10, 20), lambda d: d[:10] + d[20:], True),
        ((10, 20), lambda d: b"X" + d[1:10] + d[20:], False),
        ((10, 20), lambda d: d[:10] + b"new" + d[21:], False),
        ((0, 10_000_000), lambda d: d, False),
        ((20, 10), lambda d: d, False),
        ((-5, 10), lambda d: d, False),
    ],
)
def test_a_structural_range_lifts_size_rules_and_nothing_outside(
    span: tuple[int, int], new: object, allowed: bool
) -> None:
    disk = lorem(1200).encode()
    facts = example("structural", disk, new(disk), False).facts._replace(structural=span)  # type: ignore[operator]
    assert decide(facts).allowed is allowed


def test_a_structural_range_does_not_lift_bytes_or_placeholders() -> None:
    disk = lorem(1200).encode()
    for piece in (b"\0", b"\xff", b"[... the rest of the section remains unchanged ...]"):
        new = disk[:600] + b"\n\n" + piece + b"\n\n" + disk[3000:]
        facts = example("structural", disk, new, False).facts._replace(structural=(600, 3000))
        assert not decide(facts).allowed, piece


def test_the_article_preset_keeps_the_article_s_rules() -> None:
    from firewall.writes.limits import Limits

    article = Limits(preset="article")
    same_length = example("rewrite", lorem(1200), lorem(1200, 5000), False, limits=article)
    assert decide(same_length.facts).allowed, "the article measures words only"
    assert not decide(example("cut", lorem(1200), lorem(1000), False, limits=article).facts).allowed
    assert not decide(example("growth", lorem(1200), lorem(1501), False, limits=article).facts).allowed
    assert decide(example("999", lorem(999), "stub", False, limits=article).facts).allowed
