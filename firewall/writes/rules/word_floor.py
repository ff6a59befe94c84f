"""word-floor: a text of 1,000 words or more keeps 85% of them.

The numbers are the article's (85%, 1,000). Measured against the mark as well as the disk, so that ten
small cuts may not do what one big one may not; a text that once had 1,000 words, or that took over text
from one that had, keeps its floor however small it is now.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "word-floor"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds below the floor, blocks below half."""
    if facts.proposed is None or facts.step_back or not measures.is_long:
        return []
    return floor_finding(NAME, facts, measures, facts.limits.word_floor, facts.limits.block_below)


def floor_finding(name: str, facts: Facts, measures: Measures, share: float, block_below: float) -> list[Finding]:
    """The finding for a text that falls under `share` of its words; a block below `block_below` of them."""
    worst: Finding | None = None
    short = 0
    for reference in measures.all_references:
        if not measures.is_long_text(reference) and measures.is_long:
            continue
        before, after = reference.words, reference.after
        floor = -int(-before * share // 1)  # rounded up; `math` is an import for no more than that
        if after >= floor or floor - after <= short:
            continue
        short = floor - after
        outcome = Outcome.BLOCK if after < before * block_below else Outcome.HOLD
        since = "" if reference.name == "disk" else f", counted from the {before} words accepted before"
        message = f"{facts.path}: {before} -> {after} words; the floor is {floor}{since}. Change the sentence in place."
        evidence = {"before": before, "after": after, "floor": floor, "of": reference.name}
        worst = Finding(name, outcome, message, evidence)
    return [worst] if worst else []


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("a stub over a chapter", lorem(1200), "To be continued.", True),
        example("82% left", lorem(1200), lorem(984), True),
        example("one word under", lorem(1000), lorem(849), True),
        example("small since the mark", lorem(900), lorem(800), True, mark=lorem(1000)),
        example("grown, then cut", lorem(1800), lorem(1500), True, mark=lorem(1000), high=lorem(2000)),
        example("exactly the floor", lorem(1000), lorem(850), False),
        example("a typo", lorem(1200), lorem(1200).replace("word7 ", "word-7 "), False),
        example("999 words are the small floor's", lorem(999), "stub", False),
        example("a new file", None, lorem(1200), False),
    )
