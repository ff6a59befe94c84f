"""pie, timeline and gantt."""

from __future__ import annotations

import re

from latches.mermaid.lines import ACCESSIBLE, Line, Refused

_PIE_HEAD = re.compile(r"^(?:showData)?\s*(?:title\s+\S.*)?$")
_SLICE = re.compile(r"^\"[^\"]+\"\s*:\s*\d+(?:\.\d+)?$")
_NO_NUMBER = re.compile(r"^\"[^\"]+\"\s*(?::\s*[A-Za-z-]|[^:]*$)")
_TITLE = re.compile(r"^title\s+\S")
_SECTION = re.compile(r"^section\s+[^:;#]*\S[^:;#]*$")
_PERIOD = re.compile(r"^(?!(?:section|title)\b)[^:;#]*[^:;#\s][^:;#]*(?:\s:\s+[^:;#\s][^:;#]*)+$")
_MORE = re.compile(r"^:\s+[^:;#\s][^:;#]*$")
_GANTT = re.compile(
    r"^(?:title\s+\S.*|dateFormat\s+[A-Za-z:\-/ .]+|axisFormat\s+\S.*|tickInterval\s+\d+\w+|excludes\s+\S.*|"
    r"todayMarker\s+\S.*|weekday\s+\w+|inclusiveEndDates)$"
)
_TASK = re.compile(r"^[^:;#]*[^:;#\s][^:;#]*:\s*[\w-]+(?:[ \w:.-]*)(?:\s*,\s*[\w: .-]+)*$")

_GANTT_WORDS = frozenset(
    "title dateFormat inclusiveEndDates topAxis axisFormat tickInterval includes excludes todayMarker weekday weekend "
    "section click accTitle accDescr displayMode".split()
)


def check_pie(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of a pie chart that mermaid would refuse."""
    if not _PIE_HEAD.match(rest):
        raise Refused(lines[0].number, "after pie may stand showData and title and its words")
    slices = 0
    for line in lines[1:]:
        if _SLICE.match(line.text):
            slices += 1
        elif not _TITLE.match(line.text) and not ACCESSIBLE.match(line.text):
            raise Refused(line.number, 'write a slice as "label" : 42', sure=_NO_NUMBER.match(line.text) is not None)
    if slices < 2:
        raise Refused(lines[0].number, "a pie has two slices or more")


def check_timeline(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of a timeline that mermaid would refuse."""
    if rest:
        raise Refused(lines[0].number, "nothing else may stand on the first line")
    periods = 0
    begun = False  # has the section a period that more events can be added to?
    for line in lines[1:]:
        if _TITLE.match(line.text) or ACCESSIBLE.match(line.text):
            continue
        if _SECTION.match(line.text):
            begun = False
            continue
        if _MORE.match(line.text) and begun:
            continue
        if not _PERIOD.match(line.text):
            raise Refused(line.number, "write a period as 2024 : what happened, without colons in the words")
        periods += 1
        begun = True
    if periods < 2:
        raise Refused(lines[0].number, "a timeline has two periods or more")


def check_gantt(rest: str, lines: list[Line]) -> None:
    """Raise Refused for the first line of a gantt chart that mermaid would refuse."""
    if rest:
        raise Refused(lines[0].number, "nothing else may stand on the first line")
    tasks = 0
    for line in lines[1:]:
        if _GANTT.match(line.text) or _SECTION.match(line.text) or ACCESSIBLE.match(line.text):
            continue
        if not _TASK.match(line.text):
            sure = ":" not in line.text and line.text.split()[0] not in _GANTT_WORDS
            raise Refused(line.number, "write a task as Its name : id, 2024-01-01, 3d", sure=sure)
        tasks += 1
    if not tasks:
        raise Refused(lines[0].number, "the chart has no task")
