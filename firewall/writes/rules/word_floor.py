"""word-floor: a text of 1,000 words or more keeps 85% of them.

The numbers are the article's (85%, 1,000). Measured against the mark as well as the disk, so that ten
small cuts may not do what one big one may not; and a text that once had 1,000 words keeps its floor
however small it is now.
"""

from __future__ import annotations

import math

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example, lorem

NAME = "word-floor"
STRUCTURAL = True
BLOCK_BELOW = 0.5
"""Share of the words under which nobody wants the write; between it and the floor a person might."""


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Holds below the floor, blocks below half."""
    if facts.proposed is None:
        return []
    before = max(texts.disk_words, texts.mark_words)
    if before < facts.limits.floor_from:
        return []
    floor = math.ceil(before * facts.limits.word_floor)
    after = texts.proposed_words
    if after >= floor:
        return []
    outcome = Outcome.BLOCK if after < before * BLOCK_BELOW else Outcome.HOLD
    since = "" if before == texts.disk_words else f", counted from the {before} words a person last accepted"
    message = (
        f"{facts.path}: {before} -> {after} words; the floor is {floor}{since}. Change the sentence in place."
    )
    evidence = {"before": before, "after": after, "floor": floor, "disk": texts.disk_words}
    return [Finding(NAME, outcome, message, evidence)]


EXAMPLES = (
    example("a stub over a chapter", lorem(1200), "To be continued.", True),
    example("82% left", lorem(1200), lorem(984), True),
    example("one word under", lorem(1000), lorem(849), True),
    example("small since the mark", lorem(900), lorem(800), True, mark=lorem(1000)),
    example("exactly the floor", lorem(1000), lorem(850), False),
    example("a typo", lorem(1200), lorem(1200).replace("word7 ", "word-7 "), False),
    example("999 words are the small floor's", lorem(999), "stub", False),
    example("a new file", None, lorem(1200), False),
)
