"""small-floor: a text of 50 words or more, below the long floor's size, keeps half of them."""

from __future__ import annotations

from firewall.verdict import Finding
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem
from firewall.writes.rules.word_floor import floor_finding

NAME = "small-floor"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds below half."""
    if facts.proposed is None or facts.step_back or measures.is_long:
        return []
    if measures.before < facts.limits.small_from:
        return []
    return floor_finding(NAME, facts, measures, facts.limits.small_floor, 0.0)


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("a note cut to a line", lorem(120), lorem(10), True),
        example("999 words to a stub", lorem(999), "stub", True),
        example("slices since the mark", lorem(60), lorem(49), True, mark=lorem(100)),
        example("exactly half", lorem(100), lorem(50), False),
        example("49 words are nobody's", lorem(49), "one", False),
        example("the long floor's case", lorem(1000), "one", False),
    )
