"""What a pass takes out of a text, and where what is left stood in the raw text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Removal(NamedTuple):
    """`text[start:end]` goes. `rule` names why; `message` and `evidence` become the finding's."""

    start: int
    end: int
    rule: str
    message: str
    evidence: tuple[tuple[str, object], ...] = ()


class Kept:
    """A text cut out of a raw one: which stretches of the raw text it consists of, in order."""

    __slots__ = ("_at", "_ends", "_raw_length", "_starts", "length")

    def __init__(self, length: int) -> None:
        self.length = self._raw_length = length
        self._starts = [0]  # raw offset of each stretch
        self._ends = [length]
        self._at = [0]  # offset of each stretch in the cut text

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw span from the first to the last character of `[start, end)` of the cut text.

        What was cut out between them is inside the span. An empty span maps to an empty span.
        """
        first = self._point(start)
        if end <= start:
            return first, first
        return first, self._point(end - 1) + 1

    def _point(self, offset: int) -> int:
        i = bisect_right(self._at, offset) - 1
        # the end of the text has no character of its own: it stands where the last stretch ends
        return min(self._starts[i] + offset - self._at[i], self._ends[i])

    def was_cut(self, start: int, end: int) -> bool:
        """Was anything taken out within or at either edge of `[start, end]` of the cut text?"""
        if start <= 0 and self._starts[0] > 0:
            return True
        if end >= self.length and self._ends[-1] < self._raw_length:
            return True
        first = bisect_left(self._at, start, lo=1)
        return first < len(self._at) and self._at[first] <= end

    def cut(self, spans: Sequence[tuple[int, int]]) -> None:
        """Take `spans`, merged and in order, out of the cut text."""
        starts: list[int] = []
        ends: list[int] = []
        at: list[int] = []
        total = gone = 0

        def keep(low: int, high: int, shift: int) -> None:
            nonlocal total
            if high > low:
                starts.append(low + shift)
                ends.append(high + shift)
                at.append(total)
                total += high - low

        for raw_start, raw_end, begin in zip(self._starts, self._ends, self._at, strict=True):
            finish = begin + raw_end - raw_start  # this stretch is [begin, finish) of the cut text
            here = begin
            while gone < len(spans) and spans[gone][0] < finish:
                low, high = spans[gone]
                keep(here, low, raw_start - begin)
                here = max(here, min(high, finish))
                if high > finish:
                    break
                gone += 1
            keep(here, finish, raw_start - begin)
        self._starts, self._ends, self._at = starts or [0], ends or [0], at or [0]
        self.length = total


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """`spans` sorted, without overlaps and without empty ones."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if out and start <= out[-1][1]:
            if end > out[-1][1]:
                out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` less `spans`, which are merged and in order."""
    parts = []
    at = 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    return "".join(parts)
