"""Headings that links lead to: a heading's words are its anchor, so an edit of them breaks the link. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection
from urllib.parse import unquote

from firewall.text.markdown import Document, parse
from latches.checks.anchors import anchors, slug, unique_anchors

_TARGET = re.compile(
    r"(?:\]\(\s{0,9}<?|\]:\s{0,9}<?|href\s{0,9}=\s{0,9}[\"']?)[^\s()<>\"'#]{0,400}#([^\s()<>\"']{1,400})"
)
_WIKI = re.compile(r"\[\[#([^\[\]|\n]{1,300})")
"""A wiki link names a heading of its own page by its words."""
_QUOTED = re.compile(r"[\"'][^\s\"'#]{0,400}#([^\s\"'#]{1,300})[\"']")
"""An anchor in quotation marks: a shortcode's, an attribute's, that of front matter."""
_IMPLICIT = re.compile(r"(?<![\]!\\])\[([^\[\]\n]{1,300})\](?!\[[^\]]|[(:])")
"""Pandoc links a heading's words in brackets to it."""
_TURN = re.compile(r"-\d+$")


def targets(source: str) -> frozenset[str]:
    """The anchors that links in the Markdown `source` lead to, in small letters; some in code may be among them."""
    if "#" not in source:
        return frozenset()
    said = (slug(m[1]) for m in _IMPLICIT.finditer(source)) if "[" in source else ()
    quoted = (unquote(m[1]).lower() for m in _QUOTED.finditer(source))
    named = (slug(m[1].rpartition("#")[2]) for m in _WIKI.finditer(source))
    return frozenset((*(unquote(m[1]).lower() for m in _TARGET.finditer(source)), *named, *said, *quoted))


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


class Twins:
    """What the headings of a document, and the links to them, say against other words of the one at `offset`."""

    def __init__(self, source: str, offset: int, wanted: Callable[[], Collection[str]]) -> None:
        doc = parse(source)
        self._offset, self._wanted = offset, wanted
        self._repeated = len(unique_anchors(doc))
        self._names = [anchor.name for anchor in anchors(doc) if not anchor.start <= offset < anchor.end]
        self._levels = [(node.attrs["level"], node.start <= offset) for node in doc.find("heading")]

    def scope(self) -> str:
        """All that `reject` hangs on: an answer that was taken for a heading is one for the same others alone."""
        return repr((self._names, self._levels, sorted(self._wanted())))

    def reject(self, after: str) -> str:
        """Why the heading may not have the words that it has in the document `after`; or empty."""
        doc = parse(after)
        name = next((a.name for a in anchors(doc) if a.start <= self._offset < a.end and not a.given), "")
        if name not in self._names:
            return ""
        linked = any(name in (other, _TURN.sub("", other)) for other in self._wanted())
        if linked or len(unique_anchors(doc)) > self._repeated:
            return f"another heading has the anchor #{name} already: use other words"
        return ""
