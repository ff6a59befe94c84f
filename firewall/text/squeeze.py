"""A line as a pattern should see it: short enough that no pattern can run long on it. Pure."""

from __future__ import annotations

from firewall.text.pattern import Pattern

_BLANKS = Pattern(r"[^\S\n]{2,}")
_MARKS = Pattern(r"([^\w\s])\1{3,}")


def squeeze(line: str) -> str:
    """`line` with each run of blanks as one space and each run of one mark as three of it, without blanks at its
    ends. A pattern in which two repeats may share such a run takes time that grows with its square. Linear."""
    return _MARKS.sub(r"\1\1\1", _BLANKS.sub(" ", line.strip()))
