"""delta-cap: a write that is not structural may change a long text by 300 words net, no more.

The article's number. Against the disk and against the mark.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example, lorem

NAME = "delta-cap"
STRUCTURAL = True


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Holds when the net change from the disk or from the mark is over the cap."""
    if facts.proposed is None or facts.disk is None:
        return []
    before = max(texts.disk_words, texts.mark_words)
    if before < facts.limits.floor_from:
        return []
    cap = facts.limits.delta_cap
    after = texts.proposed_words
    from_disk, from_mark = after - texts.disk_words, after - texts.mark_words
    worst = max(from_disk, from_mark, key=abs)
    if abs(worst) <= cap:
        return []
    message = (
        f"{facts.path}: {worst:+d} words against a cap of {cap}. "
        f"Change at most {cap} words net; a larger piece goes into a file of its own."
    )
    evidence = {"disk": from_disk, "mark": from_mark, "cap": cap}
    return [Finding(NAME, Outcome.HOLD, message, evidence)]


EXAMPLES = (
    example("a cut of 301", lorem(2500), lorem(2199), True),
    example("growth of 301", lorem(2500), lorem(2801), True),
    example("slices since the mark", lorem(2300), lorem(2150), True, mark=lorem(2500)),
    example("exactly 300", lorem(2500), lorem(2200), False),
    example("a short file may grow", lorem(400), lorem(900), False),
    example("a new file", None, lorem(5000), False),
)
