"""What a line that came stands for: the old lines that are gone between its neighbours. Pure, linear time."""

from __future__ import annotations

from firewall.text.omission import says_omitted
from firewall.text.squeeze import squeeze
from firewall.text.words import LEAST_LOST, count_words


class Beside:
    """How many words of the old lines are gone beside a new line: between the nearest ones, before and behind, that
    stand in both. Made once for all markers of a text, in linear time."""

    def __init__(self, before: str, after: str) -> None:
        self._old, self._new = before.split("\n"), after.split("\n")
        places: dict[str, int] = {}
        for i, line in enumerate(self._old):
            if line.strip():
                places.setdefault(line, i)
        found = [places.get(line) for line in self._new]
        self._above = _last_known(found)
        self._below = _last_known(found[::-1])[::-1]
        self._kept = set(self._new)
        self._gone = [0]
        for line in self._old:
            self._gone.append(self._gone[-1] + (0 if line in self._kept else count_words(line)))

    def lost(self, number: int) -> int:
        """Words gone beside the new line of this number."""
        first, last = self._between(number)
        return self._gone[last] - self._gone[first]

    def fewer(self, number: int) -> int:
        """Words gone beside the new line, less those that came there."""
        first, last = self._between(number)
        came = [line for n, line in enumerate(self._new) if n != number and line not in self._old]
        return self._gone[last] - self._gone[first] - count_words("\n".join(came))

    def swapped(self, number: int) -> bool:
        """Does the new line stand for a marker that stood there before, with next to nothing else gone beside it?"""
        first, last = self._between(number)
        gone = [line for line in self._old[first:last] if line.strip() and line not in self._kept]
        text = [line for line in gone if not says_omitted(squeeze(line))]
        if len(text) == len(gone):
            return False
        start, end = number, number + 1
        while start and self._new[start - 1] not in self._old[first - 1 : first]:
            start -= 1
        while end < len(self._new) and self._new[end] not in self._old[last : last + 1]:
            end += 1
        came = [line for n, line in enumerate(self._new[start:end], start) if n != number]
        return count_words("\n".join(text)) - count_words("\n".join(came)) < LEAST_LOST

    def _between(self, number: int) -> tuple[int, int]:
        """The old lines between the nearest that stand in both."""
        above, below = self._above[number], self._below[number]
        first = 0 if above is None else above + 1
        last = len(self._old) if below is None else below
        return (first, last) if first <= last else (0, len(self._old))


def _last_known(found: list[int | None]) -> list[int | None]:
    """For each place, the last number that stands before it."""
    out: list[int | None] = []
    last: int | None = None
    for place in found:
        out.append(last)
        last = last if place is None else place
    return out
