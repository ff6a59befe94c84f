"""Word differences, on the changed window only.

Common prefix and suffix go first, by comparing slices of the two strings, so that an edit of one
sentence costs the same in a page and in a book.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import chain

from firewall.text.units import Unit, counted_units
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import AnyStr


EXACT_LIMIT = 1_000_000_000
"""Largest product of two word counts for which the longest common subsequence is computed exactly
(bit-parallel: about 0.2 s); above it, line by line, which can only find less."""

SMALL = 10_000
"""Product of two word counts up to which they are compared here: that takes less time than to import what is faster."""


class Window(NamedTuple):
    """`old[:start] == new[:start]`, and the tails from `old_end` and `new_end` are equal.

    All three stand at the border of a paragraph in both texts, so words and units can be counted in the
    window alone.
    """

    start: int
    old_end: int
    new_end: int


class Change(NamedTuple):
    """What happened to the words of `old` on the way to `new`, in words.

    `removed` and `added` are the words in the window before and after; `lost` is how many of the old ones
    are neither still there in order nor in a unit found again whole; `lost_units` are the units that were not
    found again, for a search elsewhere, and `added_units` the new ones.
    """

    window: Window
    removed: int
    added: int
    lost: int
    lost_units: tuple[Unit, ...]
    added_units: tuple[Unit, ...]


def compare(old: str, new: str) -> Change:
    """The change from `old` to `new`, both with LF line ends."""
    window = changed_window(old, new)
    before, after = old[window.start : window.old_end], new[window.start : window.new_end]
    (old_units, removed), (new_units, added) = counted_units(before), counted_units(after)
    if not removed:
        return Change(window, 0, added, 0, (), tuple(new_units))
    left, gained = _unmatched(old_units, new_units)
    lost = sum(len(u.words) for u in left)
    least = KEPT_ALONE if len(old_units) == 1 and window.start == 0 and window.old_end == len(old) else KEPT
    lost -= surviving_words([u.words for u in left], list(chain.from_iterable([u.words for u in gained])), least)
    return Change(window, removed, added, lost, tuple(left), tuple(gained))


def _unmatched(old: list[Unit], new: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    """The units of each side that have no equal on the other, in order; each equal is used once."""
    texts = {u.words for u in new}
    if texts.isdisjoint([u.words for u in old]):  # as in a rewrite, and in an edit of one paragraph
        return old, new
    spare = Counter([u.words for u in new])
    left = []
    used: Counter[tuple[str, ...]] = Counter()
    for unit in old:
        if unit.movable and spare[unit.words] > used[unit.words]:
            used[unit.words] += 1
        else:
            left.append(unit)
    gained = []
    for unit in new:
        if used[unit.words]:
            used[unit.words] -= 1
        else:
            gained.append(unit)
    return left, gained


def changed_window(old: str, new: str) -> Window:
    """The least stretch, widened to paragraph borders, outside which the two texts are the same."""
    limit = min(len(old), len(new))
    start = _common_start(old, new, limit)
    if start == len(old) == len(new):
        return Window(start, start, start)
    end = _common_end(old, new, limit - start)
    start = _border_before(old, start)
    tail = len(old) - _border_after(old, len(old) - end)
    return Window(start, len(old) - tail, len(new) - tail)


def common_ends(old: bytes, new: bytes) -> tuple[int, int]:
    """Length of the common start and, behind it, of the common end."""
    limit = min(len(old), len(new))
    start = _common_start(old, new, limit)
    return start, _common_end(old, new, limit - start)


def _border_before(text: str, at: int) -> int:
    """The start of the paragraph that `at` is in: behind the last blank line, or 0.

    One line more than strictly needed is taken along when `at` stands at the border itself, since what
    comes before may now belong to the paragraph.
    """
    found = text.rfind("\n\n", 0, max(0, at - 1))
    return 0 if found < 0 else found + 2


def _border_after(text: str, at: int) -> int:
    """The end of the paragraph that `at` is in: behind the next blank line, or the end."""
    found = text.find("\n\n", at)
    return len(text) if found < 0 else found + 2


def _common_start(old: AnyStr, new: AnyStr, limit: int) -> int:
    """Length of the common prefix, up to `limit`: whole stretches first, then halves of the one that differs."""
    low, high = 0, min(limit, _STRETCH)
    while low < high and new.startswith(old[low:high], low):
        low, high = high, min(limit, high + _STRETCH)
    while low < high - 1:
        middle = (low + high) // 2
        if new.startswith(old[low:middle], low):
            low = middle
        else:
            high = middle
    return low


def _common_end(old: AnyStr, new: AnyStr, limit: int) -> int:
    """Length of the common suffix, up to `limit`, in the same way."""
    end, new_end = len(old), len(new)
    low, high = 0, min(limit, _STRETCH)
    while low < high and new.startswith(old[end - high : end - low], new_end - high):
        low, high = high, min(limit, high + _STRETCH)
    while low < high - 1:
        middle = (low + high) // 2
        if new.startswith(old[end - middle : end - low], new_end - middle):
            low = middle
        else:
            high = middle
    return low


def common_words(old: list[str], new: list[str]) -> int:
    """How many words of `old` are still in `new` in order: the longest common subsequence."""
    start = 0
    limit = min(len(old), len(new))
    while start < limit and old[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and old[-1 - end] == new[-1 - end]:
        end += 1
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    if not left or not right:
        return start + end
    if len(left) * len(right) <= SMALL:
        return start + end + _common_in_few(left, right)
    from rapidfuzz.distance import LCSseq  # 17 ms to import, and most edits never need it

    if len(left) * len(right) > EXACT_LIMIT:
        return start + end + _common_in_stretches(left, right)
    return start + end + int(LCSseq.similarity(left, right))


def _common_in_few(left: list[str], right: list[str]) -> int:
    """The longest common subsequence of two short word lists, row by row."""
    row = [0] * (len(right) + 1)
    for word in left:
        corner = 0
        for i, other in enumerate(right, 1):
            above = row[i]
            row[i] = corner + 1 if word == other else max(above, row[i - 1])
            corner = above
    return row[-1]


def _common_in_stretches(left: list[str], right: list[str]) -> int:
    """A common subsequence of two very long word lists, not always the longest: in equal shares of each."""
    from rapidfuzz.distance import LCSseq

    shares = max(2, round((len(left) * len(right) / EXACT_LIMIT) ** 0.5) + 1)
    total = 0
    for i in range(shares):
        a = left[len(left) * i // shares : len(left) * (i + 1) // shares]
        b = right[len(right) * i // shares : len(right) * (i + 1) // shares]
        total += int(LCSseq.similarity(a, b))
    return total


_STRETCH = 32_768
"""Characters compared at once: few enough to lie in a processor's nearest memory."""
RUN = 8
"""Words in a row that are no chance, even in a paragraph of which nothing else is left."""
KEPT, KEPT_ALONE = 0.5, 0.4
"""Share of a unit's words, in order, from which all of them count: below it, they are what any two texts share. A text
of one unit alone has its own floor of two fifths."""


def surviving_words(old: Sequence[tuple[str, ...]], new: list[str], least: float = KEPT) -> int:
    """How many words of the units `old` are still in `new` in order, those of a unit where `least` of them are.

    Two texts about anything share a quarter of their words by chance, and a writer who is refused one rewrite could
    do it paragraph by paragraph on that credit. So what is left of a unit counts where it is half of it, or stands in
    a row of eight words at least.
    """
    flat = list(chain.from_iterable(old))
    if len(flat) * len(new) <= SMALL:  # where nothing is lost, no library need be imported
        total = common_words(flat, new)
        if total == len(flat) or (len(old) == 1 and total >= least * len(flat)):
            return total
    kept = bytearray(len(flat))
    for start, length in _common_runs(flat, new):
        kept[start : start + length] = (b"\x02" if length >= RUN else b"\x01") * length
    count = start = 0
    for unit in old:
        there = kept[start : start + len(unit)]
        start += len(unit)
        left = len(there) - there.count(0)
        count += left if left >= least * len(unit) else there.count(2)
    return count


def _common_runs(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """(start, length) of stretches of `old` that stand in `new`, in order, as far as a longest common subsequence
    goes."""
    import math

    from rapidfuzz.distance import LCSseq

    runs = []
    shares = max(1, math.ceil(math.sqrt(len(old) * len(new) / EXACT_LIMIT)))
    for i in range(shares):
        first, last = len(old) * i // shares, len(old) * (i + 1) // shares
        one, other = _coded(old[first:last], new[len(new) * i // shares : len(new) * (i + 1) // shares])
        runs += [(first + block.a, block.size) for block in LCSseq.opcodes(one, other).as_matching_blocks()]
    return runs


def _coded(old: list[str], new: list[str]) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    """Both lists with a character for each word, which are compared in less than half the time; as they are where
    there are more words than characters."""
    if len(old) + len(new) > sys.maxunicode:
        return old, new
    unused = map(chr, range(sys.maxunicode))
    codes: defaultdict[str, str] = defaultdict(unused.__next__)
    return "".join([codes[word] for word in old]), "".join([codes[word] for word in new])


def kept_numbers(old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> set[int]:
    """The numbers of those of `old` that are still in `new`, in order."""
    from rapidfuzz.distance import LCSseq

    if len(old) * len(new) > EXACT_LIMIT:
        return set()
    blocks = LCSseq.opcodes(list(old), list(new)).as_matching_blocks()
    return {number for block in blocks for number in range(block.a, block.a + block.size)}
