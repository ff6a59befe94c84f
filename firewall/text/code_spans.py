"""Where code stands in a Markdown text, and a text less some of its stretches. Pure, linear time."""

from __future__ import annotations

import bisect

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Code:
    """Where the parser finds code in a text: offsets of its stretches, in order."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        if "`" in text or "~~~" in text or "    " in text or "\t" in text:
            self._find(text)

    def _find(self, text: str) -> None:
        from firewall.text.markdown import OPTIONS  # which brings the parser: few edits need it here
        from firewall.text.parser import events

        source = text.encode("utf-8", "replace")
        event: Any
        at = chars = 0
        for event, span in events(source.decode(), OPTIONS):
            if not isinstance(event, dict):
                continue
            start = event.get("Start")
            if "Code" not in event and not (isinstance(start, dict) and "CodeBlock" in start):
                continue
            if span["start"] < at:
                continue
            chars += len(source[at : span["start"]].decode("utf-8", "replace"))
            self._starts.append(chars)
            chars += len(source[span["start"] : span["end"]].decode("utf-8", "replace"))
            self._ends.append(chars)
            at = span["end"]

    def has(self, offset: int) -> bool:
        """Is this offset in code?"""
        return self.start_of(offset) >= 0

    def start_of(self, offset: int) -> int:
        """Where the stretch of code begins that this offset is in; -1 where it is in none."""
        number = bisect.bisect_right(self._starts, offset) - 1
        return self._starts[number] if number >= 0 and offset < self._ends[number] else -1


def less(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text less these stretches."""
    out: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            out.append(text[at : max(at, start)])
            at = end
    return "".join([*out, text[at:]])


def in_hidden(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with these stretches in hidden elements: what begins or ends in them does so still."""
    out: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            start = max(at, start)
            out += [text[at:start], "\n\n<div hidden>\n\n", text[start:end], "\n\n</div>\n\n"]
            at = end
    return "".join([*out, text[at:]])
