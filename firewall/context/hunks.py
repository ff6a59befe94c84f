"""Unified diffs outside a fence: their tags are a program's source and stay, if nothing hides there.

Only tags and marks stay: what is said in a hunk is judged like any other words.
"""

from __future__ import annotations

import re

from firewall.context.code import OPAQUE
from firewall.context.elements import BODY_GOES, UNSEEN

_HUNK = re.compile(r"^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@[^\n]*(?:\n[ +\\-][^\n]*)+", re.MULTILINE)
_HIDES = re.compile(
    r"<[!?]|<(?:svg|math|" + "|".join(sorted(BODY_GOES | UNSEEN)) + r")\b"
    r"|style|hidden|popover|color|sr-only|visually|screen-reader|d-none|invisible",
    re.IGNORECASE,
)


def maybe(text: str) -> bool:
    """Is there anything like a hunk in `text`?"""
    return "@@ -" in text


def mask(masked: str) -> str:
    """`masked` with the hunks of diffs masked as well, but for those where something may hide, as in every page."""
    if "<style" in masked.lower():
        return masked
    return _HUNK.sub(lambda m: m.group() if _HIDES.search(m.group()) else OPAQUE * len(m.group()), masked)
