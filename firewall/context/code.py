"""Which stretches of a Markdown text are code, and so are left as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from firewall.text.markdown import OPAQUE, parse

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
        for node in parse(text).find("code_block", "code"):
            if node.kind == "code_block" and not node.attrs["fenced"]:
                self.indented.append((node.start, node.end))
            self.spans.append((node.start, node.end))
            if node.kind == "code_block" and not node.attrs["closed"]:
                self.unclosed.append(node.start)

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
