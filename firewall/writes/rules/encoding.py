"""bytes: what is written to a text must be text, and no worse than it was.

Blocks NUL, invalid UTF-8, more replacement characters than before, mojibake, a lost byte-order mark.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.diff import common_ends
from firewall.text.pattern import Pattern
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.prose import BOM
from firewall.writes.rules.base import Example, example

NAME = "bytes"
STRUCTURAL = False
_FFFD = "\ufffd".encode()
# UTF-8 read as Windows-1252 or Latin-1 and saved again: a lead byte of a two- or three-byte sequence shown as a
# letter, then its continuation byte shown as one of the characters that stand at 0x80 to 0xBF there.
_MOJIBAKE = Pattern(
    "[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
    "|\u00e2[\u0080\u20ac][\u0080-\u00bf\u0153\u0152\u2018-\u201e\u02dc\u2122\u2020\u2021\u2026\u2030]"
    "|\u00ef\u00bb\u00bf|\u00ef\u00bf\u00bd"
)


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the byte and its line where there is one."""
    data = facts.proposed
    if data is None or facts.loss_only:
        return []
    findings = []
    plain = data.isascii()
    if not plain:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"0x{data[error.start]:02x}"
            findings.append(_at(facts.path, data, error.start, f"is not valid UTF-8 (byte {byte})", byte))
    nul = data.find(b"\0")
    if nul >= 0:
        findings.append(_at(facts.path, data, nul, "has a NUL byte", "0x00"))
    if facts.disk is None:
        return findings
    after = 0 if plain else data.count(_FFFD)
    before = facts.disk.count(_FFFD) if after else 0
    if after > before:
        message = (
            f"{facts.path}: {after} replacement characters (U+FFFD) where there were {before}: "
            "characters were lost in reading. Read the file as UTF-8 and write the letters themselves."
        )
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"before": before, "after": after}))
    if facts.disk.startswith(BOM) and not data.startswith(BOM):
        message = f"{facts.path} begins with a byte-order mark and the proposal does not. Begin it with U+FEFF."
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"lost": "byte-order mark"}))
    odd = _new_controls(facts, measures)
    if odd:
        message = f"{facts.path}: {odd} is new in it, which a reader cannot see and a screen may obey. Leave it out."
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"character": odd}))
    window = measures.from_disk.window
    changed = measures.new[window.start : window.new_end]
    spoilt = [] if changed.isascii() else _MOJIBAKE.findall(changed)
    had = len(_MOJIBAKE.findall(measures.disk[window.start : window.old_end])) if spoilt else 0
    if len(spoilt) > had:
        message = (
            f"{facts.path}: UTF-8 read as another encoding ({spoilt[0]!r} and the like, {len(spoilt)} times). "
            "Read the file as UTF-8 and write it again."
        )
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"examples": spoilt[:3], "count": len(spoilt)}))
    return findings


# Controls that no text needs, line separators that hide a line's end, and marks that turn a line's direction.
_CONTROLS = Pattern("[\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u2028\u2029\u202d\u202e]")
_PLAIN = bytes((9, 10, 12, 13, *range(32, 127)))


def _new_controls(facts: Facts, measures: Measures) -> str:
    """The first control character that the proposal has more of than the disk, as its code point, or ''.

    Only the stretch where the two differ is looked at; of a text that is judged by a part of it, all that differs.
    """
    assert facts.disk is not None
    assert facts.proposed is not None
    if facts.path.lower().endswith((".tex", ".ipynb")):
        start, end = common_ends(facts.disk, facts.proposed)
        start, end = max(0, start - 2), max(0, end - 2)  # a character may stand across the border
        before, after = (
            data[start : len(data) - end].decode("utf-8", "replace") for data in (facts.disk, facts.proposed)
        )
    else:
        window = measures.from_disk.window
        before, after = measures.disk[window.start : window.old_end], measures.new[window.start : window.new_end]
    if _is_plain(after) or _CONTROLS.search(after) is None:
        return ""
    had = Counter(_CONTROLS.findall(before))
    for found in _CONTROLS.findall(after):
        had[found] -= 1
        if had[found] < 0:
            return f"U+{ord(found):04X}"
    return ""


def _is_plain(text: str) -> bool:
    """Is it nothing but the printable characters of ASCII, tabs and line ends? Much cheaper to know than to search."""
    return text.isascii() and not text.encode().translate(None, _PLAIN)


def _at(path: str, data: bytes, offset: int, problem: str, byte: str) -> Finding:
    line = data.count(b"\n", 0, offset) + 1
    message = f"{path}: the proposal {problem} at offset {offset}, line {line}. Send UTF-8 text."
    return Finding(NAME, Outcome.BLOCK, message, {"offset": offset, "line": line, "byte": byte})


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("latin-1", "café", "café".encode("latin-1"), True),
        example("a NUL", "one two", "one\0two", True),
        example("half a character", "é", "é".encode()[:1], True),
        example("UTF-16", "hello", "hello".encode("utf-16"), True),
        example("letters lost", "Müller", "M\ufffdller", True),
        example("read as Latin-1", "Müller at 5 €", "Müller at 5 €".encode().decode("cp1252"), True),
        example("curly quotes read as Windows-1252", "the “night” shift", "the â€œnightâ€\x9d shift", True),
        example("byte-order mark lost", "\ufeffone", "two", True),
        example("the direction turned", "one two", "\u202eone two", True),
        example("an escape for the terminal", "one two", "one \x1b[8mtwo", True),
        example("lines that are none", "one\ntwo", "one\u2028two", True),
        example("plain", "one", "two", False),
        example("every script", "one", "ein Ü, 一, ไทย, 👩‍🚀", False),
        example("a broken letter kept as it was", "M\ufffdller was here", "M\ufffdller is here", False),
        example("a text about mojibake", "Ã¼ is ü misread.", "Ã¼ is what ü looks like misread.", False),
        example("French and Portuguese capitals", "one", "AÇÃO À PÂTE, NÃO", False),
        example("an old file in latin-1 may become UTF-8", "café".encode("latin-1"), "café", False),
    )
