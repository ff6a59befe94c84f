"""sequenceDiagram: participants, messages, notes, blocks."""

from __future__ import annotations

import re

from latches.mermaid.lines import ACCESSIBLE, Line, Refused

_RESERVED = (
    "end|loop|alt|else|opt|par|and|critical|option|break|rect|box|note|over|left|right|participant|actor|activate|"
    "deactivate|as|title|autonumber|create|destroy|link|links"
)
_NAME = rf"(?!(?i:{_RESERVED})\b)[^\W\d][\w.]*"
_WHO = rf"{_NAME}(?: {_NAME})*"
_MESSAGE = re.compile(
    rf"^(?P<from>{_WHO})\s*(?:<<-{{1,2}}>>|-{{1,2}}(?:>>|>|x|\)))\s*(?P<turn>[+-]?)\s*(?P<to>{_WHO})\s*:\s*\S[^;#]*$"
)
_SIMPLE = re.compile(
    rf"^(?:(?:participant|actor)\s+{_WHO}(?:\s+as\s+\w[^;:#@]*)?|autonumber(?:\s+\d+){{0,2}}|title:?\s+\S.*"
    rf"|[Nn]ote\s+(?:(?:left|right)\s+of\s+{_WHO}|over\s+{_WHO}(?:\s*,\s*{_WHO})?)\s*:\s*\S[^;#]*)$"
)
_TURN = re.compile(rf"^(?P<word>(?:de)?activate)\s+(?P<who>{_WHO})$")
_OPENS = re.compile(r"^(?:loop|alt|opt|par|critical|break|rect)(?:\s+[^\s;#][^;#]*)?$")
_SILENT = re.compile(r"\w+\s*-{1,2}>>?\s*\w+|[Nn]ote\s+over\s+\w+\s+\w+")
"""A message or note without its colon."""
_INSIDE = {"else": "alt", "and": "par", "option": "critical"}


def check(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line that mermaid would refuse."""
    if rest:
        raise Refused(lines[0].number, "nothing else may stand on the line of sequenceDiagram")
    open_blocks: list[tuple[str, int]] = []
    messages = 0
    active: dict[str, int] = {}
    for line in lines[1:]:
        text = line.text
        first = text.split()[0]
        if text == "end":
            if not open_blocks:
                raise Refused(line.number, "this end closes no block", sure=True)
            open_blocks.pop()
        elif first in _INSIDE:
            if not open_blocks or open_blocks[-1][0] != _INSIDE[first]:
                raise Refused(line.number, f"{first!r} stands only inside {_INSIDE[first]!r}", sure=True)
            if ";" in text or "#" in text:
                raise Refused(line.number, f"the text of {first!r} has ; or # in it")
        elif _OPENS.match(text):
            open_blocks.append((first, line.number))
        elif message := _MESSAGE.match(text):
            messages += 1
            if message["turn"]:
                _turn(active, message["to" if message["turn"] == "+" else "from"], message["turn"] == "+", line)
        elif turn := _TURN.match(text):
            _turn(active, turn["who"], turn["word"] == "activate", line)
        elif not _SIMPLE.match(text) and not ACCESSIBLE.match(text):
            wrong = "write a message as Alice->>Bob: text, without ; or # in the text"
            raise Refused(line.number, wrong, sure=_SILENT.fullmatch(text) is not None)
    if open_blocks:
        raise Refused(open_blocks[-1][1], f"the {open_blocks[-1][0]!r} block has no end", sure=True)
    if not messages:
        raise Refused(lines[0].number, "the diagram has no message")


def _turn(active: dict[str, int], who: str, on: bool, line: Line) -> None:
    """Count who is active: nobody can be made inactive who is not active."""
    active[who] = active.get(who, 0) + (1 if on else -1)
    if active[who] < 0:
        raise Refused(line.number, f"{who!r} is made inactive and was not active", sure=True)
