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


def shown_view(text: str, seams: Sequence[int], code: Code | None = None) -> View | None:
    """The view of a clean text, or None where the text reads as it stands.

    `seams` are offsets where a tag that parts words was removed from between two letters. Code is masked: what is
    in it is another's business; `code` is that of `text`, if it is known.
    """
    edits = [(at, at, " ") for at in seams]
    if _maybe(text) and _EDITS.search(text):
        masked = (code or Code(text)).mask(text, sign=OPAQUE)
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
    return [at for at, parting, letters in _met(raw, findings) if parting and letters]


def both_seams(raw: str, findings: Sequence[Finding]) -> tuple[list[int], ...]:
    """As `seams` for what has a form of its own, such as a key: where what was removed parted two signs.

    First those of what parts words for a reader, then those of all that was removed, unless that is the same.
    """
    met = _met(raw, findings)
    some, every = [at for at, parting, _ in met if parting], [at for at, _, _ in met]
    return tuple(one for one in (some, every if len(every) > len(some) else []) if one)


def _met(raw: str, findings: Sequence[Finding]) -> list[tuple[int, bool, bool]]:
    """Where in the clean text two signs meet that are no blanks: does what went part words, and are both letters?"""
    out: list[tuple[int, bool, bool]] = []
    gone = low = high = 0
    parting = False
    for rule, outcome, message, evidence, start, end in (
        *findings,
        Finding("", Outcome.REDACT, "", {}, len(raw), len(raw)),
    ):
        if outcome is not Outcome.REDACT:
            continue
        if start > high or not rule:
            before, after = raw[low - 1 : low] if low else "", raw[high : high + 1]
            if high > low and before.strip() and after.strip():
                out.append((low - gone, parting, before.isalnum() and after.isalnum()))
            gone += high - low
            low, high, parting = start, end, False
        elif end > high:
            high = end
        parting = parting or message in _PARTING or (rule == "invisible" and _blank(evidence))
    return out
