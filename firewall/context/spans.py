"""What a pass takes out of a text, and where what is left stood in the raw text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from operator import add, or_, sub

from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome

NOTHING: Mapping[str, object] = {}
_REDACT = Outcome.REDACT
_Spans = tuple[Sequence[int], Sequence[int]]
_new = tuple.__new__


def gone(start: int, end: int, rule: str, message: str, evidence: Mapping[str, object] = NOTHING) -> Finding:
    """The finding that `text[start:end]` goes out of the text.

    Noisy text has thousands of them, so the tuple is made without the NamedTuple's own constructor.
    """
    return _new(Finding, (rule, _REDACT, message, evidence, start, end))


def moved(finding: Finding, start: int, end: int) -> Finding:
    """`finding` at another place."""
    return _new(Finding, (*finding[:4], start, end))


class _Cut(NamedTuple):
    """What one pass took out: `at` are the places in the text after it, `shift` what was taken before each of them.

    `shift` begins with 0 and is one longer than `at`, so that `shift[i]` was taken before the place `at[i]`.
    """

    at: list[int]
    shift: list[int]


class Kept:
    """The way back from a text that was cut, pass by pass, to the raw one."""

    __slots__ = ("_cuts", "_length", "_waits", "glued")

    def __init__(self, length: int) -> None:
        self.glued = False
        """Set by whoever cuts: do letters meet where something was taken out?"""
        self._length = length
        self._cuts: list[_Cut | Callable[[], _Spans]] = []
        self._waits = False  # is one of them not made yet?

    @property
    def whole(self) -> bool:
        """True while nothing was cut: offsets are the raw ones."""
        return not self._cuts

    @property
    def depth(self) -> int:
        """How often something was cut."""
        return len(self._cuts)

    @property
    def length(self) -> int:
        """Characters of the text as it stands."""
        return self._length - sum(cut.shift[-1] for cut in self._made())

    def cut(self, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Take the spans that begin at `starts` and end at `ends`, in order and apart, out of the text."""
        if starts:
            self._cuts.append(_cut(starts, ends))

    def cut_later(self, spans: Callable[[], _Spans]) -> None:
        """As `cut` of the starts and ends, at least one, that `spans` will say when a place is asked for."""
        self._cuts.append(spans)
        self._waits = True

    def _made(self, depth: int | None = None) -> list[_Cut]:
        """The cuts, the last one first; with `depth` only the first so many."""
        if self._waits:
            for at, one in enumerate(self._cuts):
                if not isinstance(one, _Cut):
                    self._cuts[at] = _cut(*one())
            self._waits = False
        return self._cuts[:depth][::-1]  # type: ignore[return-value]  # all are made

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw span from the first to the last character of `[start, end)` of the cut text.

        What was cut out between them is inside the span. An empty span maps to an empty span.
        """
        empty = end <= start
        last = start if empty else end - 1
        for at, shift in self._made():
            start += shift[bisect_right(at, start)]
            last += shift[bisect_right(at, last)]
        return (start, start) if empty else (start, last + 1)

    def raw_all(
        self, starts: Sequence[int], ends: Sequence[int], depth: int | None = None
    ) -> Iterable[tuple[int, int]]:
        """As `raw` for the spans that begin at `starts` and end at `ends`, none of them empty.

        With `depth` they are of the text as it was after so many cuts.
        """
        for at, shift in self._made(depth):
            starts = [place + shift[bisect_right(at, place)] for place in starts]
            ends = [place + shift[bisect_right(at, place - 1)] for place in ends]
        return zip(starts, ends, strict=True)

    def were_cut(self, starts: Sequence[int], ends: Sequence[int]) -> list[bool]:
        """Of each span from `starts` to `ends` of the cut text: was anything taken out within, or at either edge?"""
        out = [False] * len(starts)
        for at, shift in self._made():
            places = [bisect_left(at, start) for start in starts]
            here = [bisect_right(at, end, place) > place for end, place in zip(ends, places, strict=True)]
            out = list(map(or_, out, here))
            if all(out):
                break
            taken = [shift[place] for place in places]  # where nothing was taken in between, both edges move alike
            starts, ends = list(map(add, starts, taken)), list(map(add, ends, taken))
        return out


def _cut(starts: Sequence[int], ends: Sequence[int]) -> _Cut:
    shift = list(accumulate(map(sub, ends, starts), initial=0))
    return _Cut(list(map(sub, starts, shift)), shift)


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`spans` in order, without overlaps and without empty ones."""
    spans.sort()
    out: list[tuple[int, int]] = []
    low = high = -1
    for start, end in spans:
        if start > high:
            if high > low:
                out.append((low, high))
            low, high = start, end
        elif end > high:
            high = end
    if high > low:
        out.append((low, high))
    return out


def stays(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """What is left of `text` around the spans that begin at `starts` and end at `ends`, in order and apart."""
    if not starts:
        return [text]
    return [text[: starts[0]], *[text[a:b] for a, b in zip(ends, starts[1:], strict=False)], text[ends[-1] :]]


class Taken:
    """Spans that do not overlap, asked in time that grows with the logarithm of their number."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        out = merged(list(spans))
        self._starts = [start for start, _ in out]
        self._ends = [end for _, end in out]

    def add(self, start: int, end: int) -> None:
        """Take `[start, end)`, which overlaps none that is there."""
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def overlaps(self, start: int, end: int) -> bool:
        """Does `[start, end)` share a character with one of the spans?"""
        at = bisect_right(self._ends, start)
        return at < len(self._starts) and self._starts[at] < end

    def around(self, start: int, end: int) -> int:
        """Where the span begins that holds all of `[start, end)`, or -1."""
        at = bisect_right(self._starts, start) - 1
        return self._starts[at] if at >= 0 and self._ends[at] >= end else -1
