"""What a micro-pass left in, and where it stands while sentences around it are edited. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from firewall.verdict import Finding

Name = tuple[str, str]
"""A rule and a term."""
_PLACE = itemgetter(0, 1)


class _One(NamedTuple):
    start: int
    end: int
    finding: Finding


class Left:
    """Findings at their places, and the stretches of text in which no more is asked for the same rule and term."""

    def __init__(self) -> None:
        self._findings: dict[Name, list[_One]] = {}
        self._spans: dict[Name, list[tuple[int, int]]] = {}  # in order; none overlaps another, so the last one decides
        self._tangled: set[Name] = set()  # names of which places overlapped: their ends may be in no order

    def holds(self, name: Name, start: int, end: int) -> bool:
        """Does `start..end` lie where `name` was left in?"""
        spans = self._spans.get(name, [])
        place = bisect_right(spans, start, key=itemgetter(0)) - 1
        return place >= 0 and end <= spans[place][1]

    def add(self, name: Name, start: int, end: int, finding: Finding) -> None:
        """Leave `name` in at `start..end`."""
        insort(self._findings.setdefault(name, []), _One(start, end, finding), key=_PLACE)
        spans = self._spans.setdefault(name, [])
        place = bisect_right(spans, (start, end))
        apart = (not place or spans[place - 1][1] <= start) and (place == len(spans) or end <= spans[place][0])
        spans.insert(place, (start, end))
        if not apart:
            self._tangled.add(name)
            self._spans[name] = _joined(spans)

    def edited(self, start: int, end: int, shift: int) -> None:
        """The text `start..end` was replaced by one that is `shift` characters longer."""
        for name, found in self._findings.items():
            first = 0 if name in self._tangled else _behind(found, start)
            found[first:] = [_One(*_moved(a, b, start, end, shift), finding) for a, b, finding in found[first:]]
            spans = self._spans[name]
            first = _behind(spans, start)
            spans[first:] = _joined([_moved(*span, start, end, shift) for span in spans[first:]])

    def findings(self) -> tuple[Finding, ...]:
        """All of them at their places now, in order of place."""
        left = sorted((one for found in self._findings.values() for one in found), key=_PLACE)
        return tuple(one.finding._replace(start=one.start, end=one.end) for one in left)


def _behind(places: Sequence[tuple[Any, ...]], start: int) -> int:
    """How many of `places`, in order, an edit at `start` leaves alone: one that begins before it may reach into it."""
    number = bisect_left(places, start, key=itemgetter(0))
    while number and places[number - 1][1] > start:
        number -= 1
    return number


def _moved(start: int, end: int, first: int, last: int, shift: int) -> tuple[int, int]:
    """A span after an edit of `first..last`: behind it it moves, and one that it touches takes it in."""
    if start >= last:
        return start + shift, end + shift
    return (min(start, first), max(end, last) + shift) if end > first else (start, end)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out
