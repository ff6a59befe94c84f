"""Which stretches of a Markdown text are code, and so are left as they are.

The same parser as firewall.text.markdown, with the same options and for the same reasons, but only code is
looked at: a text is parsed once a pass, and making nodes of all the rest is most of that module's cost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, count
from operator import add
from typing import Any

from firewall.context import scan
from firewall.context.spans import Taken
from firewall.text.markdown import OPTIONS, fence_closed
from firewall.text.parser import events

OPAQUE = "\x1a"
"""Stands for a character of code. No reader's text holds it, since controls go out of that (invisible.py), and a text
masked with it is no wider in memory than before."""

_HTML_BLOCK = r"<(?:[?]|![^-]|[sS][cC][rR][iI]|[pP][rR][eE]|[sS][tT][yY][lL]|[tT][eE][xX][tT][aA])"


def _blocks(text: str) -> bool:
    """May there be blocks of code, or other blocks that go on over a blank line?"""
    if _fences(text) or "    " in text or "\t" in text or "\r" in text or text.lstrip().startswith(("---", "+++")):
        return True
    return "<" in text and (scan.has(_HTML_BLOCK, text) or _long_comment(text))


def _fences(text: str) -> bool:
    """May there be fences? One character is looked for before three, which takes longer."""
    return ("`" in text and "```" in text) or ("~" in text and "~~~" in text)


def _long_comment(text: str) -> bool:
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        if end < 0 or text.find("\n\n", at, end) >= 0:
            return True
        at = text.find("<!--", end)
    return False


_NOT_PLAIN = re.compile(r"``|[<>\\$|\[\]]")


def _pairs(text: str, paragraphs: Sequence[str]) -> list[tuple[int, int]] | None:
    """The code of `text` if its `paragraphs`, all with a backtick, have pairs in their lines; None if not so plain.

    Nothing binds tighter than a code span but a tag, an address, an escape or a cell, so pairs are simply counted off.
    """
    if any(map(_NOT_PLAIN.search, paragraphs)):
        return None
    parts = text.split("`")
    inside = parts[1::2]
    if len(parts) % 2 == 0 or "" in inside or "\n" in "".join(inside):
        return None
    edges = list(map(add, accumulate(map(len, parts)), count()))  # the sign itself counts behind each part
    return list(zip(edges[:-1:2], map(_NEXT, edges[1::2]), strict=True))


_NEXT = partial(add, 1)


class Code:
    """The code of a text. It is parsed when first asked, since most texts are never asked."""

    __slots__ = ("_all", "_blocks", "_closed", "_fences", "_masked", "_spans", "_unclosed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._spans: list[tuple[int, int]] | None = None
        self._blocks: list[tuple[int, int]] = []
        self._fences: list[tuple[int, int]] = []
        self._unclosed: list[int] | None = None
        self._all: Taken | None = None
        self._masked: str | None = None
        self._closed: Taken | None = None

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where code stands, in order."""
        if self._spans is None:
            self._spans = self._parse()
        return self._spans

    @property
    def indented(self) -> list[tuple[int, int]]:
        """Those of `spans` that are code by their indent alone."""
        return self._blocks if self.spans else []

    @property
    def unclosed(self) -> list[int]:
        """The offset of each fence that nothing closes."""
        if self._unclosed is None:
            found = self._fences if _fences(self.text) and self.spans else []
            self._unclosed = [a for a, b in found if not fence_closed(self.text[a:b])]
        return self._unclosed

    def covers(self, start: int, end: int) -> bool:
        """Does `[start, end)` lie in code of any kind?"""
        if self._all is None:
            self._all = Taken(self.spans)
        return self._all.around(start, end) >= 0

    def holds(self, start: int, end: int) -> bool:
        """Does `[start, end)` lie in code, and not in a fence that nothing closes?"""
        if self._closed is None:
            open_fences = set(self.unclosed)
            self._closed = Taken(span for span in self.spans if span[0] not in open_fences)
        return self._closed.around(start, end) >= 0

    @property
    def in_blocks(self) -> bool:
        """Is there a block of code, so that blank lines may be code's?"""
        return bool(self.spans) and bool(self._blocks or self._fences)

    def _parse(self) -> list[tuple[int, int]]:
        text = self.text
        if "`" not in text and "~~~" not in text and "    " not in text and "\t" not in text:
            return []  # no sign that code begins with
        if _blocks(text):
            return self._read(text)
        paragraphs = text.split("\n\n")
        spoken = [paragraph for paragraph in paragraphs if "`" in paragraph]
        spans = _pairs(text, spoken)
        if spans is not None:
            return spans
        done: list[tuple[int, int]] = []
        parts = []
        at = 0  # where no block goes on over a blank line, only paragraphs with a backtick hold code
        for paragraph in paragraphs:
            if "`" in paragraph:
                pairs = _pairs(paragraph, (paragraph,))
                if pairs is None:
                    parts.append((at, at + len(paragraph)))
                else:
                    done += [(start + at, end + at) for start, end in pairs]
            at += len(paragraph) + 2
        if not parts:
            return done
        spans = self._read("\n\n".join([text[a:b] for a, b in parts]))
        part = iter(parts)
        low, high = next(part)
        shift = low  # from the joined parts back to the text
        for start, end in spans:
            while start + shift >= high:
                after = high + 2
                low, high = next(part)
                shift += low - after
            done.append((start + shift, end + shift))
        done.sort()
        return done

    def _read(self, text: str) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        safe = text if text.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", text)
        event: Any
        for event, span in [one for one in events(safe, OPTIONS) if "Code" in one[0] or "Start" in one[0]]:
            if type(event) is not dict:
                continue
            if "Code" in event:
                spans.append((span["start"], span["end"]))
                continue
            start = event.get("Start")
            if type(start) is dict and "CodeBlock" in start:
                spans.append((span["start"], span["end"]))
                block = self._fences if type(start["CodeBlock"]) is dict else self._blocks
                block.append(spans[-1])
        if not safe.isascii():
            to_char = _characters(safe, spans)
            for places in (spans, self._fences, self._blocks):
                places[:] = [(to_char[a], to_char[b]) for a, b in places]
        return spans

    def mask(self, text: str, inside: Sequence[tuple[int, int]] = (), sign: str = OPAQUE) -> str:
        """`text` with `sign` in the place of every character of code.

        Blocks that are code by their indent alone, and stand inside one of `inside`, stay as they are: within
        an HTML element an indent is layout.
        """
        if not self.spans:
            return text
        if not inside and sign == OPAQUE and text is self.text:
            if self._masked is None:
                self._masked = _masked(text, self.spans, sign)
            return self._masked
        around = Taken(inside)
        layout = {block for block in self.indented if around.around(*block) >= 0}
        return _masked(text, [span for span in self.spans if span not in layout], sign)


def _masked(text: str, spans: Sequence[tuple[int, int]], sign: str) -> str:
    """`text` with `sign` in the place of every character of `spans`, which are in order."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], sign * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def _characters(text: str, spans: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The character offset of each byte offset in `spans`."""
    data = text.encode()
    out: dict[int, int] = {}
    previous = chars = 0
    for offset in sorted({offset for span in spans for offset in span}):
        chars += len(data[previous:offset].decode("utf-8", "replace"))
        out[offset] = chars
        previous = offset
    return out
