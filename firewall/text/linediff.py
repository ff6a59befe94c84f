"""Which lines of a text were taken out or replaced, in time that grows with its lines, not their square. Pure."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterator, Sequence

from firewall.values import NamedTuple

EXACT_LIMIT = 100_000_000
"""Largest product of two numbers of lines that are compared exactly (bit-parallel: 12 MB, about 30 ms)."""


class Stretch(NamedTuple):
    """`old[start:end]` became `new[new_start:new_end]`; one of the two may be empty."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_lines(old: Sequence[str], new: Sequence[str]) -> list[Stretch]:
    """What stands between the lines that both have in order, as many as there are. Very long texts are compared
    between the lines that stand once in each, and there in equal shares, which can only find fewer."""
    numbers: dict[str, int] = {}
    left = [numbers.setdefault(line, len(numbers)) for line in old]
    right = [numbers.setdefault(line, len(numbers)) for line in new]
    out: list[Stretch] = []
    for a, b, c, d in _different(left, right, Stretch(0, len(old), 0, len(new))):
        if out and out[-1].end == a and out[-1].new_end == c:
            out[-1] = Stretch(out[-1].start, b, out[-1].new_start, d)
        elif a < b or c < d:
            out.append(Stretch(a, b, c, d))
    return out


def _different(old: list[int], new: list[int], whole: Stretch) -> Iterator[Stretch]:
    part = _trimmed(old, new, whole)
    if _size(part) <= EXACT_LIMIT:
        yield from _exact(old, new, part)
        return
    for gap in _between_anchors(old, new, part):
        gap = _trimmed(old, new, gap)
        shares = 1
        while _size(gap) > shares * shares * EXACT_LIMIT:
            shares += 1
        for i in range(shares):
            yield from _exact(old, new, _share(gap, i, shares))


def _size(part: Stretch) -> int:
    return (part.end - part.start) * (part.new_end - part.new_start)


def _share(part: Stretch, i: int, of: int) -> Stretch:
    lines, new_lines = part.end - part.start, part.new_end - part.new_start
    return Stretch(
        part.start + lines * i // of,
        part.start + lines * (i + 1) // of,
        part.new_start + new_lines * i // of,
        part.new_start + new_lines * (i + 1) // of,
    )


def _trimmed(old: list[int], new: list[int], part: Stretch) -> Stretch:
    start, end, new_start, new_end = part
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    return Stretch(start, end, new_start, new_end)


def _exact(old: list[int], new: list[int], part: Stretch) -> Iterator[Stretch]:
    start, end, new_start, new_end = part
    if start == end or new_start == new_end:
        yield part
        return
    from rapidfuzz.distance import LCSseq

    for step in LCSseq.opcodes(old[start:end], new[new_start:new_end]):
        if step.tag != "equal":
            yield Stretch(
                start + step.src_start, start + step.src_end, new_start + step.dest_start, new_start + step.dest_end
            )


def _between_anchors(old: list[int], new: list[int], part: Stretch) -> Iterator[Stretch]:
    """The stretches between the lines that stand once in each text, the most of them that are in order."""
    start, end, new_start, new_end = part
    here, there = Counter(old[start:end]), Counter(new[new_start:new_end])
    places = {new[j]: j for j in range(new_start, new_end)}
    pairs = [(i, places[old[i]]) for i in range(start, end) if here[old[i]] == there[old[i]] == 1]
    for i, j in _rising(pairs):
        yield Stretch(start, i, new_start, j)
        start, new_start = i + 1, j + 1
    yield Stretch(start, end, new_start, new_end)


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, which rise by their first, that rise by their second too (patience sorting)."""
    tops: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        pile = bisect.bisect_left(tops, j)
        before.append(last[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            last.append(number)
        else:
            tops[pile], last[pile] = j, number
    out = []
    at = last[-1] if last else -1
    while at >= 0:
        out.append(pairs[at])
        at = before[at]
    return out[::-1]
