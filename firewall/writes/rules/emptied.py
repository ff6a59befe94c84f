"""emptied: a file with words may not become one without."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example, lorem

NAME = "emptied"
STRUCTURAL = True


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Blocks when the disk or the mark has words and the proposal has none, invisible ones included."""
    if facts.proposed is None:
        return []
    if not is_blank(texts.proposed) or (is_blank(texts.disk) and is_blank(texts.mark)):
        return []
    words = max(texts.disk_words, texts.mark_words)
    message = f"{facts.path}: {words} -> 0 words. A file is not emptied; change the sentence in place."
    return [Finding(NAME, Outcome.BLOCK, message, {"before": words, "after": 0})]


def is_blank(text: str) -> bool:
    """True when a reader sees nothing: blanks, controls and invisible format characters only."""
    return not any(c.isprintable() and not c.isspace() and c not in _INVISIBLE for c in text)


# Printable by Python's account, nothing to a reader: fillers and blank Braille.
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")

EXAMPLES = (
    example("a chapter wiped", lorem(1200), "", True),
    example("a note wiped", "Buy lamps.", " \n\n", True),
    example("zero-width only", "Buy lamps.", "\u200b\u200c\ufeff", True),
    example("blank Braille", "Buy lamps.", "\u2800\u2800 \u2800", True),
    example("a file that was blank", " \n", "", False),
    example("one word left is another rule's case", "Buy lamps.", "Buy", False),
    example("a new file", None, "", False),
)
