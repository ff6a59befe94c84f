"""The pieces a text is moved in: paragraphs, list items, table rows.

A unit that is found again whole, elsewhere, has survived; a shuffle of lines or words inside one has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from firewall.text.pattern import Pattern
from firewall.text.words import words
from firewall.values import NamedTuple

_BLANKS = Pattern(r"\n[ \t]*\n+")
_ITEM = Pattern(r"(?m)^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|^[ \t]*(?=\||\\item\b)|^(?=\S.*?::[ \t])")
"""Items of Markdown, rows, `\\item` of TeX, and `term:: meaning` of AsciiDoc."""
_SIGNS = frozenset("-*+|")
_FIRSTS = _SIGNS | {" ", "\t"}
_MARKER = Pattern(r"\A\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")

TAKES_IN = Pattern(
    r"(?i)[ \t]*(?:include::|\\(?:input|include|subfile)\b|#\+?include\b|\{\{[#<%]|\{%|!include\b|\.\.[ \t]+include::)"
)
"""How a line begins that takes another file in: it has few words, and all that stands behind them."""
LEAST_WORDS = 5
"""Words a paragraph needs to count as moved to another place. List items of the same file need one."""


class Unit(NamedTuple):
    """A paragraph, list item or table row. `words` are its own, marker left out; `item` is false for a
    paragraph."""

    words: tuple[str, ...]
    item: bool

    @property
    def movable(self) -> bool:
        """Does it count as moved when it is found elsewhere in the same text?"""
        return self.item or len(self.words) >= LEAST_WORDS


def is_movable_away(words: tuple[str, ...]) -> bool:
    """Do these words, of a unit, count as moved when another file has got them?"""
    return len(words) >= LEAST_WORDS or TAKES_IN.match(" ".join(words)) is not None


def units(text: str) -> list[Unit]:
    """The units of `text` (line ends as LF) in order: all its words, less list markers."""
    return counted_units(text)[0]


def blocks(text: str) -> Iterator[tuple[list[Unit], int]]:
    """The units of each stretch between blank lines, and the number of the first of them in `units(text)`."""
    first = 0
    for block in _BLANKS.made.split(text):
        found = units(block)
        yield found, first
        first += len(found)


def counted_units(text: str) -> tuple[list[Unit], int]:
    """The units of `text` in order, and how many words it has, list markers among them: one reading for both."""
    out: list[Unit] = []
    markers = 0
    plain = _is_plain(text)
    for block in _BLANKS.made.split(text):
        starts = [] if plain or not _may_have_items(block) else [m.start() for m in _ITEM.finditer(block)]
        if not starts:
            out.append(Unit(tuple(words(block)), False))
            continue
        if starts[0] > 0:
            out.append(Unit(tuple(words(block[: starts[0]])), False))
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            piece = block[start:end]
            marker = _MARKER.match(piece)
            if marker:
                piece = piece[marker.end() :]
                markers += len(marker.group().split())
            out.append(Unit(tuple(words(piece)), True))
    return [u for u in out if u.words], markers + sum(len(u.words) for u in out)


def _is_plain(text: str) -> bool:
    """Does no line begin as one of a list or table does, nor is any indented? By the few characters that lines begin
    with, so that most chapters are asked once and not block by block."""
    if "::" in text or "\\item" in text:
        return False
    firsts = {line[:1] for line in text.split("\n")}
    return _FIRSTS.isdisjoint(firsts) and not any(map(str.isdecimal, firsts))


def _may_have_items(block: str) -> bool:
    """Does a line begin as one of a list or table does? Asked of each block, and cheaper than to search it."""
    if "::" in block or "\\item" in block:
        return True
    for line in block.split("\n"):
        first = line.lstrip(" \t")[:1]
        if first in _SIGNS or first.isdecimal():
            return True
    return False


def without(text: str, gone: Counter[tuple[str, ...]]) -> str:
    """`text` less the units counted in `gone`, each taken once, from the front; all else stays to the letter."""
    left = Counter(gone)
    numbers = set()
    for number, unit in enumerate(units(text)):
        if left[unit.words] > 0:
            left[unit.words] -= 1
            numbers.add(number)
    return without_numbers(text, numbers)


def without_numbers(text: str, gone: Collection[int]) -> str:
    """`text` less the units of these numbers in `units(text)`; all else stays to the letter."""
    number = -1
    kept: list[str] = []
    for block in _BLANKS.made.split(text):
        starts = [m.start() for m in _ITEM.finditer(block)] if _may_have_items(block) else []
        if not starts or starts[0] > 0:
            starts.insert(0, 0)
        pieces = []
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            piece = block[start:end]
            has_words = bool(words(_MARKER.sub("", piece, count=1) if _ITEM.match(piece) else piece))
            number += has_words
            if not (has_words and number in gone):
                pieces.append(piece)
        if pieces or not block:
            kept.append("".join(pieces))
    return "\n\n".join(kept)
