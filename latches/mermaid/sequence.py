"""sequenceDiagram: participants, messages, notes, blocks."""

from __future__ import annotations

import re

from latches.mermaid.lines import ACCESSIBLE, Line, Refused

_WHO = r"[^\W\d][\w.]*(?: [\w.]+)*"
_MESSAGE = re.compile(rf"^{_WHO}\s*(?:<<-{{1,2}}>>|-{{1,2}}(?:>>|>|x|\)))\s*[+-]?\s*{_WHO}\s*:\s*\S[^;#]*$")
_SIMPLE = re.compile(
    rf"^(?:(?:create\s+)?(?:participant|actor)\s+{_WHO}(?:\s+as\s+\S.*)?|destroy\s+{_WHO}|(?:de)?activate\s+{_WHO}"
    rf"|autonumber(?:\s+\d+){{0,2}}|title:?\s+\S.*|[Nn]ote\s+(?:(?:left|right)\s+of\s+{_WHO}|over\s+{_WHO}"
    rf"(?:\s*,\s*{_WHO})?)\s*:\s*\S[^;#]*)$"
)
_OPENS = re.compile(r"^(?:loop|alt|opt|par|critical|break|rect|box)(?:\s+\S[^;#]*|$)")
_INSIDE = {"else": "alt", "and": "par", "option": "critical"}


def check(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line that mermaid would refuse."""
    if rest:
        raise Refused(lines[0].number, "nothing else may stand on the line of sequenceDiagram")
    open_blocks: list[tuple[str, int]] = []
    messages = 0
    for line in lines[1:]:
        text = line.text
        first = text.split()[0]
        if text == "end":
            if not open_blocks:
                raise Refused(line.number, "this end closes no block")
            open_blocks.pop()
        elif first in _INSIDE:
            if not open_blocks or open_blocks[-1][0] != _INSIDE[first]:
                raise Refused(line.number, f"{first!r} stands only inside {_INSIDE[first]!r}")
        elif _OPENS.match(text):
            open_blocks.append((first, line.number))
        elif _MESSAGE.match(text):
            messages += 1
        elif not _SIMPLE.match(text) and not ACCESSIBLE.match(text):
            raise Refused(line.number, "write a message as Alice->>Bob: text, without ; or # in the text")
    if open_blocks:
        raise Refused(open_blocks[-1][1], f"the {open_blocks[-1][0]!r} block has no end")
    if not messages:
        raise Refused(lines[0].number, "the diagram has no message")
