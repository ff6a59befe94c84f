"""The clean text as a reader would see it, where its markup joins or parts words: for looking, never for output.

A line break tag and a filler part two words that lose their seam when it goes; a link's address, a footnote mark and
stars inside a word part what a reader sees as one. Terms and orders are looked for here as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firewall.context.code import Code
from firewall.context.elements import INLINE, KNOWN
from firewall.context.tags import tag_message
from firewall.context.views import PLAIN, View
from firewall.text.markdown import OPAQUE
from firewall.verdict import Finding, Outcome

# Every branch begins with a character of its own, so that the engine skips to the next one.
_EDITS = re.compile(
    # a footnote mark, the address of a link or image, a reference's label: nothing
    r"\[\^[^\]\s]{1,40}\]"
    r"|\](?<=[^\s(\[]\])\([^()\s]{0,500}(?:[ \t]{1,8}\"[^\"\n]{0,200}\")?\)"
    r"|\]\[[^\]\[\n]{0,80}\]|!\[(?=[^\]\[\n]{1,200}\](?:\(|\[))|\[(?=[^\]\[\n]{1,200}\](?:\(|\[))"
    # stars and strokes inside a word: nothing
    r"|\*(?<=\w\*)\*{0,2}(?=\w)|~(?<=\w~)~(?=\w)",
)
_PARTING = frozenset(tag_message(name) for name in KNOWN - INLINE)
"""What the finding of a removed tag says, for tags that part words: `<br>`, `<p>`, `<td>`."""


def _maybe(text: str) -> bool:
    """Is there a sign of any of these edits? `_EDITS` alone would look at each star of a long text."""
    bracket = "]" in text and any(map(text.__contains__, ("](", "][", "[^")))
    return bracket or "*" in text or "~~" in text


def shown_view(text: str, seams: Sequence[int]) -> View | None:
    """The view of a clean text, or None where the text reads as it stands.

    `seams` are offsets where a tag that parts words was removed from between two letters. Code is masked: what is
    in it is another's business.
    """
    edits = [(at, at, " ") for at in seams]
    if _maybe(text) and _EDITS.search(text):
        masked = Code(text).mask(text, sign=OPAQUE)
        edits += [(m.start(), m.end(), "") for m in _EDITS.finditer(masked)]
        edits.sort()
        return View(masked, PLAIN, edits) if edits else None
    return View(text, PLAIN, edits) if edits else None


_MET = re.compile(r"\0(?<=[^\W_]\0)(?=\0*[^\W_])")  # a look back first: many marks in a row are looked over once


def glued(parts: str) -> bool:
    """May two letters meet where `parts`, with a NUL between them, are joined? A raw NUL may make this say yes too."""
    return _MET.search(parts) is not None


def _blank(evidence: Mapping[str, object]) -> bool:
    """Do the characters that went look like blanks, though they are none?"""
    codes = evidence.get("codes")
    return isinstance(codes, list) and not _FILLERS.isdisjoint(codes)


_FILLERS = frozenset(("U+115F", "U+1160", "U+2800", "U+3164", "U+FFA0"))


def seams(raw: str, findings: Sequence[Finding]) -> list[int]:
    """Where in the clean text of `raw` two letters meet that what was removed held apart. `findings` by place."""
    out: list[int] = []
    gone = low = high = 0
    parting = False
    for rule, outcome, message, evidence, start, end in (
        *findings,
        Finding("", Outcome.REDACT, "", {}, len(raw), len(raw)),
    ):
        if outcome is not Outcome.REDACT:
            continue
        if start > high or not rule:
            if parting and raw[low - 1 : low].isalnum() and raw[high : high + 1].isalnum():
                out.append(low - gone)
            gone += high - low
            low, high, parting = start, end, False
        elif end > high:
            high = end
        parting = parting or message in _PARTING or (rule == "invisible" and _blank(evidence))
    return out
