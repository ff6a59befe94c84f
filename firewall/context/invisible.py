"""Characters that no reader sees: zero-width, bidi overrides, tags, variation selectors, controls.

Which characters these are is Unicode's Default_Ignorable_Code_Point, General_Category Cc and a few more;
which of them a script or an emoji needs is decided by Unicode properties of the neighbours. Everything
else goes, and what it spelled is decoded into the finding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import unescape

import regex

from firewall.context.code import Code
from firewall.context.properties import HAS, JUDGED, TESTS, is_invisible
from firewall.context.spans import gone
from firewall.context.spelled import spelled
from firewall.context.variants import has_variant
from firewall.values import NamedTuple
from firewall.verdict import Finding

_RUN = regex.compile(
    r"(?V1)(?:\x1b\[[0-?]{0,40}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"  # whole ANSI sequences
    rf"|{JUDGED})+"
)
ENTITY = regex.compile(r"&(#0*[0-9]{1,7}(?![0-9])|#[xX]0*[0-9A-Fa-f]{1,6}(?![0-9A-Fa-f])|[A-Za-z][A-Za-z0-9]{1,31});?")

ZWNJ, ZWJ, BOM = "\u200c", "\u200d", "\ufeff"
_FLAGS = frozenset("".join(chr(0xE0000 + ord(c)) for c in code) + "\U000e007f" for code in ("gbeng", "gbsct", "gbwls"))
"""The tag sequences of emoji-tag-sequences.txt: the flags of England, Scotland and Wales."""


class _Unit(NamedTuple):
    """One invisible character, written as itself or as a character reference, at `[start, end)`."""

    char: str
    start: int
    end: int


def find(text: str, code: Code, special: frozenset[str]) -> Iterator[Finding]:
    """What goes out of `text`; a character reference counts as its character, but not inside `code`.

    `special` holds each character of `text` but the plainest (gate.py).
    """
    seen = not any(map(is_invisible, special))
    if seen and "&" not in special:
        return
    isolates = _balanced(text)
    for run in _runs(text, code, seen=seen):
        gone: list[_Unit] = []
        marked = False  # is the unit before a mark of direction, which another one adds nothing to?
        for unit in run:
            if not (marked and unit.char in _MARKS) and _stays(text, unit, gone, isolates):
                marked = unit.char in _MARKS
                if gone:
                    yield _removal(gone)
                    gone = []
            else:
                gone.append(unit)
        if gone:
            yield _removal(gone)


def _runs(text: str, code: Code, *, seen: bool) -> Iterator[list[_Unit]]:
    """Stretches of neighbouring invisible characters, in order. `seen`: there are only references to such."""
    units: list[_Unit] = []
    for match in () if seen else _RUN.finditer(text):
        start = match.start()
        if "\x1b" in match.group():  # a terminal sequence goes as one
            units.append(_Unit(match.group(), start, match.end()))
        else:
            units.extend(_Unit(c, start + i, start + i + 1) for i, c in enumerate(match.group()))
    if "&" in text:
        for match in ENTITY.finditer(text):
            char = decoded(match.group())
            if len(char) == 1 and is_invisible(char) and not code.covers(*match.span()):
                units.append(_Unit(char, match.start(), match.end()))
        units.sort(key=lambda u: u.start)
    run: list[_Unit] = []
    for unit in units:
        if run and unit.start != run[-1].end:
            yield run
            run = []
        run.append(unit)
    if run:
        yield run


def decoded(reference: str) -> str:
    """What a character reference stands for, itself if nothing.

    html.unescape follows the standard in dropping or replacing code points that are no characters;
    those are looked up as they are, since a model reads what is written.
    """
    char = unescape(reference)
    if char not in ("", "\ufffd") or not reference.startswith("&#"):
        return char
    body = reference[2:].rstrip(";")
    try:
        return chr(int(body[1:], 16) if body[0] in "xX" else int(body))
    except (ValueError, OverflowError):
        return char or reference


def _stays(text: str, unit: _Unit, gone: list[_Unit], isolates: frozenset[int]) -> bool:
    """Does the script or the emoji around it need this character? Never behind one that goes."""
    if gone or len(unit.char) > 1:
        return unit.start in isolates
    before = text[unit.start - 1] if unit.start else ""
    after = text[unit.end] if unit.end < len(text) else ""
    rule = _RULES.get(unit.char)
    if rule is not None:
        return rule(text, unit, before, after)
    code = ord(unit.char)
    if 0xFE00 <= code <= 0xFE0D:
        return has_variant(before, unit.char)
    if 0xE0100 <= code <= 0xE01EF:
        return HAS["han", before] and code <= 0xE011F and _few_registered(text)
    if 0xE0020 <= code <= 0xE007F:
        return _in_flag(text, unit.start)
    if code in (0x115F, 0x1160):
        alone = code == 0x115F and after == "\u1160" and HAS["jamo", text[unit.end + 1 : unit.end + 2]]
        return alone or HAS["jamo", before] or HAS["jamo", after]  # two fillers hold the place of a final by itself
    if 0x13430 <= code <= 0x1343F:
        return HAS["hieroglyph", before] or HAS["hieroglyph", after]
    if 0x180B <= code <= 0x180F:
        return HAS["mongolian", before]
    return unit.start in isolates


def _zero_width_joiner(text: str, unit: _Unit, before: str, after: str) -> bool:
    if HAS["pictograph", after]:
        base = before
        if before == "\ufe0f" and unit.start > 1:
            base = text[unit.start - 2]
        if HAS["pictograph", base] or HAS["modifier", base]:
            return True
    return _zero_width_non_joiner(text, unit, before, after)


def _zero_width_non_joiner(_text: str, unit: _Unit, before: str, after: str) -> bool:
    if HAS["joining", before] or (HAS["mark", before] and HAS["joining", after]):
        return True
    # a Persian ending keeps its distance from a foreign word or a quoted one too, as in `PDF\u200cها`
    return unit.char == ZWNJ and HAS["joining", after] and (before.isalnum() or before in _CLOSERS)


_CLOSERS = frozenset("\"'»”’)]*_`")
"""What may stand at the end of a word and before its ending."""


def _zero_width_space(_text: str, _unit: _Unit, before: str, after: str) -> bool:
    return HAS["unspaced", before] and HAS["unspaced", after]


def _emoji_selector(_text: str, unit: _Unit, before: str, after: str) -> bool:
    if before.isascii():  # digits, # and * are emoji bases only as keycaps
        return before != "" and before in "0123456789#*" and after == "\u20e3"
    return has_variant(before, unit.char)


@lru_cache(maxsize=1)
def _few_registered(text: str) -> bool:
    """Does `text` name few variants of Chinese characters? Names and old places need one here and there."""
    count = len(_REGISTERED.findall(text))
    return count <= 2 or count * 4 <= len(_HAN.findall(text))


_HAN = regex.compile(r"\p{Han}")
_REGISTERED = regex.compile(r"\p{Han}(?:[\U000e0100-\U000e01ef]|&#)")


def _bidi_mark(text: str, unit: _Unit, before: str, after: str) -> bool:
    """Is a right-to-left letter near, in the same paragraph? Within a word of one direction a mark does nothing."""
    if before.isalnum() and after.isalnum() and HAS["rtl", before] == HAS["rtl", after]:
        return False
    places = _right_to_left(text)
    place = bisect_left(places, unit.start)
    if place and places[place - 1] >= unit.start - _NEAR and text.find("\n", places[place - 1], unit.start) < 0:
        return True
    return place < len(places) and places[place] < unit.end + _NEAR and text.find("\n", unit.end, places[place]) < 0


_NEAR = 2000
_MARKS = frozenset("\u200e\u200f\u061c")


@lru_cache(maxsize=1)
def _right_to_left(text: str) -> list[int]:
    return [match.start() for match in TESTS["rtl"].finditer(text)]


def _grapheme_joiner(_text: str, _unit: _Unit, before: str, after: str) -> bool:
    return HAS["mark", before] and HAS["mark", after]


def _null_notehead(_text: str, _unit: _Unit, _before: str, after: str) -> bool:
    return "\U0001d165" <= after <= "\U0001d172"  # a stem or a flag that it carries


def _braille_blank(text: str, unit: _Unit, _before: str, _after: str) -> bool:
    """Is nothing but blanks between this one and Braille? So are the empty rows of a picture in Braille."""
    starts, ends = _braille(text)
    at = bisect_right(starts, unit.start) - 1
    return at >= 0 and unit.end <= ends[at]


@lru_cache(maxsize=1)
def _braille(text: str) -> tuple[list[int], list[int]]:
    spans = [match.span() for match in _BRAILLE.finditer(text) if TESTS["braille"].search(match.group())]
    return [start for start, _ in spans], [end for _, end in spans]


_BRAILLE = regex.compile(r"[\s\u2800-\u28ff]+")

_RULES: dict[str, Callable[[str, _Unit, str, str], bool]] = {
    ZWJ: _zero_width_joiner,
    ZWNJ: _zero_width_non_joiner,
    "\u200b": _zero_width_space,
    "\ufe0e": _emoji_selector,
    "\ufe0f": _emoji_selector,
    "\u200e": _bidi_mark,
    "\u200f": _bidi_mark,
    "\u061c": _bidi_mark,
    "\u034f": _grapheme_joiner,
    "\u2800": _braille_blank,
    "\U0001d159": _null_notehead,
}


def _in_flag(text: str, at: int) -> bool:
    """Is this tag character part of a flag that Unicode lists, right behind a black flag?"""
    low = at
    while low > 0 and 0xE0020 <= ord(text[low - 1]) <= 0xE007F and at - low < 8:
        low -= 1
    high = at
    while high < len(text) and 0xE0020 <= ord(text[high]) <= 0xE007F and high - at < 8:
        high += 1
    return low > 0 and text[low - 1] == "\U0001f3f4" and text[low:high] in _FLAGS


def _balanced(text: str) -> frozenset[int]:
    """Offsets of bidi isolates and embeddings that close in their line around something that a reader sees.

    In a text with right-to-left letters only. Overrides never count: no script needs them. Of pairs that stand
    directly around one another only the two innermost count, for the others do nothing.
    """
    if not any(c in text for c in "\u2066\u2067\u2068\u202a\u202b") or not TESTS["rtl"].search(text):
        return frozenset()
    pairs: dict[int, int] = {}  # the closer of each opener, innermost first
    start = 0
    for line in text.splitlines(keepends=True):
        stack: list[tuple[str, int, int]] = []
        visible = 0
        for at, char in enumerate(line, start):
            if char in "\u2066\u2067\u2068":
                stack.append(("\u2069", at, visible))
            elif char in "\u202a\u202b":
                stack.append(("\u202c", at, visible))
            elif char in "\u2069\u202c":
                if stack and stack[-1][0] == char:
                    _, opener, before = stack.pop()
                    close = pairs.get(opener + 1) == at - 1
                    if visible > before and not (close and pairs.get(opener + 2) == at - 2):
                        pairs[opener] = at
            elif not (char.isspace() or is_invisible(char)):
                visible += 1
        start += len(line)
    return frozenset((*pairs, *pairs.values()))


def _removal(units: list[_Unit]) -> Finding:
    chars = "".join(u.char for u in units)
    start, end = units[0].start, units[-1].end
    if chars == BOM and start == 0:
        return gone(start, end, "byte-order-mark", "A byte order mark was dropped.")
    names = dict.fromkeys(f"U+{ord(c):04X}" for c in chars)
    evidence: dict[str, object] = {"characters": len(chars), "codes": list(names)[:12]}
    said = spelled(chars)
    if said:
        evidence["decoded"] = said
    what = "control" if chars.isascii() else "invisible"
    many = "s" if len(chars) > 1 else ""
    message = f"{len(chars)} {what} character{many} removed: {', '.join(list(names)[:4])}."
    return gone(start, end, "invisible", message, evidence)
