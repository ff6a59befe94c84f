"""Citation marks that retrieval and chat tools leave in text. Footnotes, links and array indices are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.context.code import OPAQUE
from firewall.context.spans import gone
from firewall.verdict import Finding

# What a mark may hold: no blank line, one level of brackets, no code. Possessive, so a mark that never closes
# costs its length once.
_INSIDE = rf"(?:[^\[\]\n{OPAQUE}]{{1,400}}+|\[[^\[\]\n{OPAQUE}]{{0,80}}+\]|\n(?!\s*\n)){{1,12}}+"
# A mark is no link text, no reference label and no definition.
_NO_LINK = r"(?!\(|:|\[(?!cite|source|oaicite))"

_NUMBERS = r"\d{1,6}(?:\s?[,;–]\s?\d{1,6})*"
CARET = (
    # A regular expression begins so too: `^[0-9]+$`, `'^[3]'`. A span with a hyphen counts only close to a word.
    rf"\^(?<!['\"/|=]\^)\[{_NUMBERS}\](?![({{+$\\])"
    rf"|\^(?<=['\"/|=]\^)\[{_NUMBERS}\](?=[\s.,;:!?)\]^]|\Z)(?!\()"
    r"|\^(?<=[\w.,;:!?)\]\u201d\u2019\u00bb]\^)\[[1-9]\d{0,5}(?:\s?[,;–-]\s?\d{1,6})+\](?![({+$\\*])"
)
"""A mark such as `^[3]` or `^[1, 2]`."""

_MARK = re.compile(
    rf"""(?:
      \[(?:cite|oaicite)_(?:start|end)\](?!\(|:)
    | \[oaicite\]{_NO_LINK}
    | \[(?:cite|oaicite|source|sources)\ ?:{_INSIDE}\]{_NO_LINK}
    | :contentReference\[oaicite:\d+\](?:\{{index=\d+\}})?
    | {CARET}
    | \[\^\d+\^\]
    | 【[^【】\n{OPAQUE}]{{0,20}}†[^【】\n{OPAQUE}]{{0,300}}】
    | \ue200[a-z]{{2,20}}(?:\ue202[^\ue200\ue201\n]{{0,300}})*\ue201
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_MESSAGE = "A citation mark of a retrieval tool was removed."


def maybe(text: str) -> bool:
    """Is there anything like a mark in `text`, code or no code?"""
    return _MARK.search(text) is not None


def _opens(mark: str) -> bool:
    """Does the mark stand before what it is of? Then the blank before it parts two words."""
    return mark.lower().endswith("_start]")


def find(masked: str) -> Iterator[Finding]:
    """The marks in `masked`, whose code and math are masked. A mark takes one blank before it along."""
    if not ("[" in masked or "【" in masked or "\ue200" in masked):
        return
    for mark in _MARK.finditer(masked):
        start, end = mark.span()
        if start and masked[start - 1] in " \t" and not (_opens(mark.group()) and masked[end : end + 1].isalnum()):
            start -= 1
        yield gone(start, end, "citation", _MESSAGE)
