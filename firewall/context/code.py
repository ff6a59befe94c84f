"""Which stretches of a Markdown text are code, and so are left as they are.

The same parser as firewall.text.markdown, with the same options and for the same reasons, but only code is
looked at: a text is parsed once a pass, and making nodes of all the rest is most of that module's cost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyromark

from firewall.text.markdown import _OPTIONS, OPAQUE, _fence_closed

_MAYBE = re.compile(r"`|~~~|^(?: {0,3}\t| {4})", re.MULTILINE)


class Code:
    """The code of a text: `spans` in order; `unclosed` holds the offset of each fence that nothing closes."""

    __slots__ = ("indented", "spans", "unclosed")

    def __init__(self, text: str) -> None:
        self.spans: list[tuple[int, int]] = []
        self.indented: list[tuple[int, int]] = []
        self.unclosed: list[int] = []
        if not _MAYBE.search(text):
            return
        fences: list[tuple[int, int]] = []
        safe = text if text.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", text)
        event: Any
        for event, span in pyromark.events_with_range(safe, options=_OPTIONS):
            if type(event) is not dict:
                continue
            if "Code" in event:
                self.spans.append((span["start"], span["end"]))
                continue
            start = event.get("Start")
            if type(start) is dict and "CodeBlock" in start:
                self.spans.append((span["start"], span["end"]))
                block = fences if type(start["CodeBlock"]) is dict else self.indented
                block.append(self.spans[-1])
        if not safe.isascii():
            to_char = _characters(safe, self.spans)
            self.spans = [(to_char[a], to_char[b]) for a, b in self.spans]
            self.indented = [(to_char[a], to_char[b]) for a, b in self.indented]
            fences = [(to_char[a], to_char[b]) for a, b in fences]
        self.unclosed = [a for a, b in fences if not _fence_closed(text[a:b])]

    def mask(self, text: str, inside: Sequence[tuple[int, int]] = ()) -> str:
        """`text` with OPAQUE in the place of every character of code.

        Blocks that are code by their indent alone, and stand inside one of `inside`, stay as they are: within
        an HTML element an indent is layout.
        """
        if not self.spans:
            return text
        layout = {block for block in self.indented if any(a <= block[0] and block[1] <= b for a, b in inside)}
        parts = []
        at = 0
        for start, end in self.spans:
            if (start, end) in layout:
                continue
            parts.append(text[at:start])
            parts.append(OPAQUE * (end - start))
            at = end
        parts.append(text[at:])
        return "".join(parts)


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
