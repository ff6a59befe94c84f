"""Which stretches of a Markdown text are code, and so are left as they are."""

from __future__ import annotations

import re

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

    def mask(self, text: str, indented: bool = True) -> str:
        """`text` with OPAQUE in the place of every character of code.

        Without `indented`, blocks that are code by their indent alone stay as they are.
        """
        if not self.spans:
            return text
        skip = set() if indented else set(self.indented)
        parts = []
        at = 0
        for start, end in self.spans:
            if (start, end) in skip:
                continue
            parts.append(text[at:start])
            parts.append(OPAQUE * (end - start))
            at = end
        parts.append(text[at:])
        return "".join(parts)
