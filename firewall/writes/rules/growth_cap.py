"""growth-cap: an existing file may grow by 10,000 words in a window, then a person looks."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Counts, Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem
from firewall.writes.rules.delta_cap import is_growth

NAME = "growth-cap"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds when the proposal has more words than the baseline and the cap together."""
    if facts.proposed is None or facts.disk is None or measures.new_words <= measures.disk_words:
        return []
    baseline = facts.counts.baseline if facts.counts.baseline >= 0 else measures.disk_words
    grown = measures.new_words - baseline
    cap = facts.limits.growth_cap
    if grown <= cap or not is_growth(facts, measures):
        return []
    message = (
        f"{facts.path}: {grown:+d} words since a person last accepted it; the cap is {cap}. "
        "Put the new text into a file of its own."
    )
    return [Finding(NAME, Outcome.HOLD, message, {"baseline": baseline, "after": measures.new_words, "cap": cap})]


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("ten thousand and one", lorem(200), lorem(10_201), True),
        example("since the baseline", lorem(9000), lorem(10_500), True, counts=Counts(baseline=400)),
        example("exactly the cap", lorem(200), lorem(10_200), False),
        example("a new file of any size", None, lorem(12_000), False),
    )
