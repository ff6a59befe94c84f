"""A line as a pattern should see it: short enough that no pattern can run long on it. Pure."""

from __future__ import annotations

import re

_BLANKS = re.compile(r"[^\S\n]{2,}")
_MARKS = re.compile(r"([^\w\s])\1{3,}")


def squeeze(line: str) -> str:
    """`line` with each run of blanks as one space and each run of one mark as three of it, without blanks at its
    ends. A pattern in which two repeats may share such a run takes time that grows with its square. Linear."""
    return _MARKS.sub(r"\1\1\1", _BLANKS.sub(" ", line.strip()))
