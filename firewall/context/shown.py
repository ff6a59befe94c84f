"""A text as a reader would see it, where its markup joins or parts words: for looking, never for output.

A line break tag parts two words that lose their seam when the tag goes; a link's address, a footnote mark and stars
inside a word part what a reader sees as one. Terms and orders are looked for here as well.
"""

from __future__ import annotations

import re

from firewall.context.code import Code
from firewall.context.views import PLAIN, View

_EDITS = re.compile(
    # tags that begin a line or a cell of their own: a blank
    r"(?P<seam></?(?:br|p|div|li|ul|ol|td|th|tr|hr|h[1-6]|dd|dt|section|article|blockquote|pre|table|option)\b[^<>]{0,2000}>)"
    # a footnote mark, the address of a link or image, a reference's label: nothing
    r"|(?P<gone>\[\^[^\]\s]{1,40}\]"
    r"|(?<=[^\s(\[])\]\([^()\s]{0,500}(?:[ \t]{1,8}\"[^\"\n]{0,200}\")?\)"
    r"|\]\[[^\]\[\n]{0,80}\]|!?\[(?=[^\]\[\n]{1,200}\](?:\(|\[)))"
    # stars and strokes inside a word: nothing
    r"|(?P<star>(?<=\w)(?:\*{1,3}|~~)(?=\w))",
    re.IGNORECASE,
)
_ANY = re.compile(r"[<\[*~]")


def shown_view(text: str) -> View | None:
    """The view, or None where the text reads as it stands. Code is masked: what is in it is another's business."""
    if not _ANY.search(text):
        return None
    masked = Code(text).mask(text)
    edits = [(m.start(), m.end(), " " if m.group("seam") else "") for m in _EDITS.finditer(masked)]
    return View(masked, PLAIN, edits) if edits else None
