"""Headings that links lead to: a heading's words are its anchor, so an edit of them breaks the link. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection
from urllib.parse import unquote

from firewall.text.markdown import Document
from latches.checks.anchors import anchors, slug

_TARGET = re.compile(
    r"(?:\]\(\s{0,9}<?|\]:\s{0,9}<?|href\s{0,9}=\s{0,9}[\"']?)[^\s()<>\"'#]{0,400}#([^\s()<>\"']{1,400})"
)
_WIKI = re.compile(r"\[\[#([^\[\]|\n]{1,300})")
"""A wiki link names a heading of its own page by its words."""
_TURN = re.compile(r"-\d+$")


def targets(source: str) -> frozenset[str]:
    """The anchors that links in the Markdown `source` lead to, in small letters; some in code may be among them."""
    if "#" not in source:
        return frozenset()
    named = (slug(m[1].rpartition("#")[2]) for m in _WIKI.finditer(source))
    return frozenset((*(unquote(m[1]).lower() for m in _TARGET.finditer(source)), *named))


def leads_here(doc: Document, offset: int, wanted: Callable[[], Collection[str]]) -> str:
    """The anchor of the heading at `offset` if it is made of the heading's words and one of `wanted`; or empty.

    Of headings that are alike the later ones are told by a number, which hangs on the earlier ones. `wanted` is
    asked only where a heading stands.
    """
    number = bisect_right(doc.blocks, offset, key=lambda node: node.start) - 1
    if number < 0:
        return ""
    for anchor in anchors(Document(doc.source, (doc.blocks[number],))):
        if anchor.start <= offset < anchor.end and not anchor.given:
            return min((name for name in wanted() if anchor.name in (name, _TURN.sub("", name))), default="")
    return ""
