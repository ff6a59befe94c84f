"""emptied: a file with words may not become one without."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "emptied"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks when the disk or the mark has something to read and the proposal has nothing."""
    if facts.proposed is None or facts.disk is None:
        return []
    if facts.loss_only:
        if facts.proposed or not facts.disk:
            return []
        message = f"{facts.path}: {len(facts.disk)} -> 0 bytes. A file is not emptied."
        return [Finding(NAME, Outcome.BLOCK, message, {"before": len(facts.disk), "after": 0})]
    if not is_blank(measures.new) or (is_blank(measures.disk) and is_blank(measures.mark)):
        return []
    words = measures.before
    message = f"{facts.path}: {words} -> 0 words. A file is not emptied; change the sentence in place."
    return [Finding(NAME, Outcome.BLOCK, message, {"before": words, "after": 0})]


def is_blank(text: str) -> bool:
    """True when a reader sees nothing: blanks, controls and invisible format characters only."""
    return not any(c.isprintable() and not c.isspace() and c not in _INVISIBLE for c in text)


# Printable by Python's account, nothing to a reader: fillers, joiners and blank Braille.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(c) for c in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("a chapter wiped", lorem(1200), "", True),
        example("a note wiped", "Buy lamps.", " \n\n", True),
        example("zero-width only", "Buy lamps.", "\u200b\u200c\ufeff", True),
        example("blank Braille", "Buy lamps.", "\u2800\u2800 \u2800", True),
        example("variation selectors", "Buy lamps.", "\ufe0f\U000e0101", True),
        example("a file that was blank", " \n", "", False),
        example("one word left is another rule's case", "Buy lamps.", "Buy", False),
        example("a new file", None, "", False),
    )
