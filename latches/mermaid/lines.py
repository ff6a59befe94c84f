"""Lines of a diagram, and the way to refuse one."""

from __future__ import annotations

import re
from typing import NamedTuple

IDENTIFIER = r"[^\W_][\w]*(?:[-.][^\W_]\w*)*"
"""A name of a node, state, class or participant."""
ACCESSIBLE = re.compile(r"^acc(?:Title|Descr)\s*:\s*\S")


class Line(NamedTuple):
    """A line that says something: its number in the diagram, from 1, and its text without white space."""

    number: int
    text: str


class Refused(Exception):
    """Mermaid would refuse this line: `sure`ly, or if what it `lacks`, a pattern, is not below it either; or maybe."""

    def __init__(self, line: int, why: str, *, sure: bool = False, lacks: str = "") -> None:
        super().__init__(why)
        self.line = line
        self.why = why
        self.sure = sure
        self.lacks = lacks


def content(text: str) -> list[Line]:
    """The lines of a diagram without comments, directives, blank lines and front matter."""
    out: list[Line] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at < len(lines) and lines[at].strip() == "---":
        closing = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == "---"), None)
        if closing is None:
            raise Refused(at + 1, "the front matter is not closed with ---", sure=True)
        at = closing + 1
    for number, line in enumerate(lines[at:], at + 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%%"):
            out.append(Line(number, stripped))
    return out
