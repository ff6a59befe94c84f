"""emptied: a file with words may not become one without, nor one that is kept whole a stub."""

from __future__ import annotations

from firewall.text.amounts import amount
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "emptied"
STRUCTURAL = True

LEAST_KEPT, LEAST_PROSE = 0.1, 0.5
"""Share of the bytes of a file named by [protect] delete_only that must stay: pictures are made smaller and lists
shorter every day, and a tenth is neither. Of one that is prose all the same, half, as of any short text."""
FROM_BYTES = 200
"""Bytes from which on that is asked."""
_PROSE = 5
"""Words a line has in prose, at least, taken over all lines: lists of packages and settings have fewer."""
_BEGINNINGS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF", b"PK\x03\x04", b"wOF", b"\0\0\x01\0", b"BM")
"""How pictures, documents and fonts begin, whatever they are called."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks when the disk or the mark has something to read and the proposal has nothing; holds a stub in the place
    of a file that is kept whole."""
    if facts.proposed is None or facts.disk is None:
        return []
    if facts.loss_only:
        return _stub(facts)
    if not is_blank(measures.new) or (is_blank(measures.disk) and is_blank(measures.mark)):
        return []
    words = measures.before
    message = f"{facts.path}: {words} -> 0 words. A file is not emptied; change the sentence in place."
    return [Finding(NAME, Outcome.BLOCK, message, {"before": words, "after": 0})]


def _stub(facts: Facts) -> list[Finding]:
    """What is left of a file that is guarded against loss alone, and of what a person last had it be."""
    old, new = max((facts.disk or b"", facts.baseline or b""), key=len), facts.proposed or b""
    sizes = f"{facts.path}: {len(facts.disk or b'')} -> {len(new)} bytes"
    evidence: dict[str, object] = {"before": len(facts.disk or b""), "after": len(new)}
    if old.strip(b" \t\r\n\0") and not new.strip(b" \t\r\n\0"):
        return [Finding(NAME, Outcome.BLOCK, f"{sizes}. A file is not emptied.", evidence)]
    least = LEAST_PROSE if _is_prose(old) else LEAST_KEPT
    if len(old) >= FROM_BYTES and len(new) < least * len(old):
        message = f"{sizes}; at least {least:.0%} of the {amount(len(old), 'byte')} that it had must stay."
        return [Finding(NAME, Outcome.HOLD, message, {**evidence, "limit": least})]
    if old.startswith(_BEGINNINGS) and not new.startswith((*_BEGINNINGS, b"<svg", b"<?xml")):
        message = f"{sizes}. It begins like no picture, document or font any more; put back what it was."
        return [Finding(NAME, Outcome.HOLD, message, {**evidence, "begins": new[:8].hex()})]
    return []


def _is_prose(data: bytes) -> bool:
    """Are these lines of running text?"""
    if b"\0" in data or b"<" in data[:1]:
        return False
    lines = [line for line in data.split(b"\n") if line.strip() and not line.lstrip().startswith((b"#", b"//"))]
    return sum(len(line.split()) for line in lines) >= _PROSE * max(1, len(lines))


def is_blank(text: str) -> bool:
    """True when a reader sees nothing: blanks, controls and invisible format characters only."""
    return not any(c.isprintable() and not c.isspace() and c not in _INVISIBLE for c in text)


# Printable by Python's account, nothing to a reader: fillers, joiners and blank Braille.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(c) for c in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)
_PINS = "".join(f"package-{n}==1.{n}.0\n" for n in range(80))
_PICTURE = "%PDF-1.7\n" + "x" * 5000


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
        *(
            example(f"{about}, kept whole", old, new, fires, path=path, loss_only=True)
            for about, path, old, new, fires in (
                ("a list wiped", "requirements.txt", _PINS, "", True),
                ("a list of blanks", "requirements.txt", _PINS, " \n\n", True),
                ("a list that is a stub", "requirements.txt", _PINS, "x\n", True),
                ("a list that says so", "CMakeLists.txt", _PINS, "# rest unchanged\n", True),
                ("half a list", "requirements.txt", _PINS, _PINS[: len(_PINS) // 2], False),
                ("a short list emptied to one", "requirements.txt", "a==1\nb==2\n", "a==1\n", False),
                ("prose by the name of a list", "requirements.txt", lorem(600), lorem(200), True),
                ("prose, shortened", "requirements.txt", lorem(600), lorem(400), False),
                ("a document that is a byte", "a.pdf", _PICTURE, "x", True),
                ("a document that is none", "a.pdf", _PICTURE, "y" * 5000, True),
                ("a document made smaller", "a.pdf", _PICTURE, _PICTURE[:900], False),
                ("a page that says Gone", "i.html", f"<p>{lorem(600)}</p>", "<p>Gone</p>", True),
            )
        ),
    )
