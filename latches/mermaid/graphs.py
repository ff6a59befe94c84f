"""stateDiagram, classDiagram and erDiagram."""

from __future__ import annotations

import re
from collections.abc import Iterator

from latches.mermaid.lines import ACCESSIBLE, Line, Refused

_NO_STATE = r"(?!(?:state|note|end|class|classDef|direction|hide|scale|as|style|click)\b)"
_STATE = rf"(?:\[\*\]|{_NO_STATE}[^\W\d]\w*)"
_TRANSITION = re.compile(rf"^{_STATE}\s*-->\s*{_STATE}(?:\s*:\s*[^;:]*\S)?$")
_STATE_LINE = re.compile(
    rf"^(?:{_STATE}(?:\s*:\s*[^\s;:][^;:]*)?|state\s+\"[^\"]+\"\s+as\s+{_STATE}|state\s+{_STATE}\s+<<(?:fork|join|choice)>>"
    rf"|direction\s+(?:TB|BT|LR|RL)|note\s+(?:left|right)\s+of\s+{_STATE}\s*:\s*[^\s;:][^;:]*"
    r"|classDef\s+\w+\s+\S.*|class\s+[\w, ]+\s+\w+)$"
)
_STATE_OPENS = re.compile(rf"^state\s+(?:\"[^\"]+\"\s+as\s+)?{_STATE}\s*\{{$")
_NOTE_OPENS = re.compile(rf"^note\s+(?:left|right)\s+of\s+{_STATE}$")

_CLASS = (
    r"(?!(?:class|note|direction|namespace|link|links|click|callback|style|cssClass|end|title)\b)[^\W\d]\w*(?:~\w+~)?"
)
_SAID = r"[^:;#{}<>\"\s-][^:;#{}<>\"-]*"
_MANY = r"(?:\s+\"[\w.*]+\")?"
_RELATION = re.compile(
    rf"^{_CLASS}{_MANY}\s+(?:<\||\*|o|<)?(?:--|\.\.)(?:\|>|\*|o|>)?{_MANY}\s+{_CLASS}(?:\s*:\s*{_SAID})?$"
)
_CLASS_LINE = re.compile(rf"^(?:class\s+{_CLASS}|{_CLASS}\s*:\s*[+]?(?=\w){_SAID}|direction\s+(?:TB|BT|LR|RL))$")
_CLASS_OPENS = re.compile(rf"^class\s+{_CLASS}\s*\{{$")
_MEMBER = re.compile(r"^(?:<<\w+>>|[+\-#~]?[\w~<>\[\], ]+(?:\([^(){}]*\)[\w~ $*]*)?[$*]?)$")

_ENTITY = r"(?:(?!(?:end|title|direction|style|class|classDef|subgraph)\b)[^\W\d][\w-]*|\"[^\"]+\")"
_ER_RELATION = re.compile(
    rf"^{_ENTITY}\s+(?:\|o|\|\||\}}o|\}}\|)(?:--|\.\.)(?:o\||\|\||o\{{|\|\{{)\s+{_ENTITY}\s*:\s*(?:\"[^\"]+\"|[A-Za-z][A-Za-z0-9_-]*)$"
)
_UNNAMED = re.compile(r"\w+\s+[|}o]{2}(?:--|\.\.)[|{o]{2}\s+\w+\s*:?")
"""A relation without the word that says what it is."""
_ER_OPENS = re.compile(rf"^{_ENTITY}(?:\[(?:\"[^\"]+\"|\w+)\])?\s*\{{$")
_ATTRIBUTE = re.compile(
    r"^[^\W\d][\w\[\]()-]*\s+\*?[^\W\d][\w-]*(?:\s+(?:PK|FK|UK)(?:\s*,\s*(?:PK|FK|UK))*)?(?:\s+\"[^\"]*\")?$"
)


def check_state(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of a state diagram that mermaid would refuse."""
    _no_rest(rest, lines)
    depth: list[int] = []
    note = 0
    found = 0
    for line in lines[1:]:
        if note:
            note = 0 if line.text == "end note" else note
        elif line.text == "}":
            _close(depth, line)
        elif _STATE_OPENS.match(line.text):
            depth.append(line.number)
        elif _NOTE_OPENS.match(line.text):
            note = line.number
        elif _TRANSITION.match(line.text):
            found += 1
        elif line.text == "--" and depth:
            continue
        elif not _STATE_LINE.match(line.text) and not ACCESSIBLE.match(line.text):
            raise Refused(line.number, "write a transition as First --> Second : text, names without spaces")
    if note:
        raise Refused(note, "the note has no end note")
    _all_closed(depth)
    _some(found, lines, "transition")


def check_class(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of a class diagram that mermaid would refuse."""
    _no_rest(rest, lines)
    found = 0
    for line in _outside(lines, _CLASS_OPENS, _MEMBER, "write a member as +type name or +name(type) type"):
        if _RELATION.match(line.text):
            found += 1
        elif not _CLASS_LINE.match(line.text) and not ACCESSIBLE.match(line.text):
            raise Refused(line.number, "write a relation as First <|-- Second or First --> Second : text")
    _some(found, lines, "relation")


def check_er(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of an entity-relationship diagram that mermaid would refuse."""
    _no_rest(rest, lines)
    found = 0
    for line in _outside(lines, _ER_OPENS, _ATTRIBUTE, "write an attribute as type name PK"):
        if _ER_RELATION.match(line.text):
            found += 1
        elif not re.fullmatch(_ENTITY, line.text) and not ACCESSIBLE.match(line.text):
            wrong = "write a relation as FIRST ||--o{ SECOND : has"
            raise Refused(line.number, wrong, sure=_UNNAMED.fullmatch(line.text) is not None)
    _some(found, lines, "relation")


def _outside(lines: list[Line], opens: re.Pattern[str], member: re.Pattern[str], wrong: str) -> Iterator[Line]:
    """The lines outside of blocks in braces. Raises Refused for a line in one that is no `member`."""
    depth: list[int] = []
    for line in lines[1:]:
        if depth:
            if line.text == "}":
                depth.pop()
            elif not member.match(line.text):
                raise Refused(line.number, wrong)
        elif opens.match(line.text):
            depth.append(line.number)
        else:
            yield line
    _all_closed(depth)


def _no_rest(rest: str, lines: list[Line]) -> None:
    if rest:
        raise Refused(lines[0].number, "nothing else may stand on the first line")


def _close(depth: list[int], line: Line) -> None:
    if not depth:
        raise Refused(line.number, "this } closes nothing")
    depth.pop()


def _all_closed(depth: list[int]) -> None:
    if depth:
        raise Refused(depth[-1], "the block that opens here is not closed with }")


def _some(found: int, lines: list[Line], what: str) -> None:
    if not found:
        raise Refused(lines[0].number, f"the diagram has no {what}")
