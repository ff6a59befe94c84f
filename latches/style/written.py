"""Words as a reader sees them, where the source writes them with references, soft hyphens or markup inside. Pure.

`&#108;everage`, `lever&shy;age`, `**L**everage` and `lever<wbr>age` are one word on the page. Most documents have no
such word, and are told from the others by a few looks.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from firewall.text.markdown import MARKUP, OPAQUE, ProseBlock

INLINE_TAGS = "a|abbr|b|bdi|bdo|big|cite|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr"
"""Elements that part no word."""
_PART = rf"(?:{INLINE_TAGS})(?:\s[^<>]*)?/?>"
_IGNORED = "\u00ad\u034f\u200b\u200c\u200d\u2060\ufeff"
"""What a screen shows nothing of inside a word."""
_LEFT, _RIGHT = rf"[^\W_]|[;>*{_IGNORED}]", rf"[^\W_]|[&*{_IGNORED}]"
"""What stands beside such a sign within a word: a letter or another sign."""
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SIGNS = (
    ("*", re.compile(rf"\*(?<=(?:[^\W_]|[;>{_IGNORED}])\*)\**+(?=[^\W_]|[&<{_IGNORED}])")),
    ("~~", re.compile(rf"~~(?<=(?:{_LEFT})~~)(?={_RIGHT}|<)")),
    ("<", re.compile(rf"<(?<=(?:{_LEFT})<)(?:/?{_PART}<)*/?{_PART}(?={_RIGHT})", re.IGNORECASE)),
    ("[", re.compile(rf"\[(?<=(?:{_LEFT})\[)(?={_RIGHT}|<)(?=[^\[\]\n]{{1,80}}\]\()")),
    ("](", re.compile(rf"\]\([^()\s]*\)(?={_RIGHT}|<)")),
)
_HIDDEN = re.compile(f"[{_IGNORED}]+")
_TAG_RUN = re.compile(rf"(?:</?(?:{INLINE_TAGS})(?:\s[^<>]*)?/?>)+", re.IGNORECASE)
_MASKS = (MARKUP, OPAQUE)
_SELF = frozenset("*~<[]")
"""Signs that are markup where they are masked, and stand for themselves where they are not."""


class Odd(NamedTuple):
    """A place in Markdown, `source[start:end]`, where a reader sees `char`, or nothing."""

    start: int
    end: int
    char: str


def odd_places(source: str) -> list[Odd]:
    """Where a word may be written otherwise than it is read, in order; too many places, code among them."""
    out = [
        Odd(found.start(), found.end(), "")
        for sign, pattern in _SIGNS
        if sign in source
        for found in pattern.finditer(source)
    ]
    if "&" in source:
        for found in _REFERENCE.finditer(source):
            char = _referred(found.group())
            if char is not None:
                out.append(Odd(found.start(), found.end(), char))
    if not source.isascii() and any(char in source for char in _IGNORED):
        out += [Odd(found.start(), found.end(), "") for found in _HIDDEN.finditer(source)]
    return sorted(out)


class Window(NamedTuple):
    """A stretch of a source as it may be read, `text`, with the odd places in it and where they stand in `text`."""

    text: str
    places: list[int]
    offsets: list[int]

    def odd(self, start: int, end: int) -> list[int]:
        """Offsets in the source of the odd places within `text[start:end]` or at its borders."""
        return self.offsets[bisect_left(self.places, start) : bisect_right(self.places, end)]


def windows(source: str, odd: list[Odd], around: int) -> Iterator[Window]:
    """The source around its odd places, `around` characters on each side, as it may be read."""
    first = 0
    while first < len(odd):
        last = first
        while last + 1 < len(odd) and odd[last + 1].start - odd[last].end <= 2 * around:
            last += 1
        at = max(0, odd[first].start - around)
        text: list[str] = []
        places: list[int] = []
        size = 0
        for start, end, char in odd[first : last + 1]:
            if start >= at:
                text += (source[at:start], char)
                size += start - at
                places.append(size)
                size += len(char)
                at = end
            else:
                places.append(size)
        text.append(source[at : odd[last].end + around])
        yield Window("".join(text), places, [place.start for place in odd[first : last + 1]])
        first = last + 1


class Written(NamedTuple):
    """A prose block as it is read: `text` masked as in the block, `raw` its source, one character for one.

    `starts` and `ends` are the places in the block that each character comes from.
    """

    text: str
    raw: str
    starts: list[int]
    ends: list[int]


def written(block: ProseBlock, raw: str) -> Written:
    """`block`, whose source is `raw`, as it is read."""
    text: list[str] = []
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for first, last, char in odd_places(raw):
        seen = block.text[first:last]
        if first < at or not (seen == raw[first:last] or (not char and len(set(seen)) == 1 and seen[0] in _MASKS)):
            continue  # code, an address, or a sign that stands for itself
        if seen[0] in _SELF:
            continue
        text.append(block.text[at:first] + char)
        out.append(raw[at:first] + char)
        starts += range(at, first)
        ends += range(at + 1, first + 1)
        if char:
            starts.append(first)
            ends.append(last)
        at = last
    text.append(block.text[at:])
    out.append(raw[at:])
    starts += range(at, len(raw))
    ends += range(at + 1, len(raw) + 1)
    return Written("".join(text), "".join(out), starts, ends)


def _referred(reference: str) -> str | None:
    """What `&name;` stands for, if it is one character; nothing for one that is not seen."""
    char = html.unescape(reference)
    return None if len(char) != 1 else "" if char in _IGNORED else char


def read_as(surface: str) -> str:
    """The word or phrase that `surface`, a use in Markdown, is read as."""
    text = _REFERENCE.sub(lambda found: html.unescape(found.group()), surface)
    text = _TAG_RUN.sub("", _HIDDEN.sub("", text))
    for sign, pattern in _SIGNS:
        if sign in text:
            text = pattern.sub("", text)
    return text
