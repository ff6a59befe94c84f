"""Word differences, on the changed window only.

Common prefix and suffix go first, by comparing slices of the two strings, so that an edit of one
sentence costs the same in a page and in a book.
"""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from firewall.text.words import words


class Window(NamedTuple):
    """`old[:start] == new[:start]` and the tails from `old_end` and `new_end` are equal.

    All three lie on word borders of both texts, so words can be counted in the window alone.
    """

    start: int
    old_end: int
    new_end: int


def changed_window(old: str, new: str) -> Window:
    """The least stretch, widened to blanks, outside which the two texts are the same."""
    limit = min(len(old), len(new))
    start = _common(old, new, limit, prefix=True)
    end = _common(old, new, limit - start, prefix=False)
    # A word is whole only between blanks: step back and forth until both sides stand on one.
    while start and not old[start - 1].isspace():
        start -= 1
    tail = end
    while tail and not old[len(old) - tail].isspace():
        tail -= 1
    return Window(start, len(old) - tail, len(new) - tail)


def _common(old: str, new: str, limit: int, *, prefix: bool) -> int:
    """Length of the common prefix or suffix, up to `limit`, by binary search over slices."""
    low, high = 0, limit
    step = 64
    while low < limit:  # gallop first: most edits are near one end of the window or the other
        reach = min(limit, low + step)
        same = (
            old[low:reach] == new[low:reach]
            if prefix
            else (old[len(old) - reach : len(old) - low] == new[len(new) - reach : len(new) - low])
        )
        if not same:
            high = reach
            break
        low = reach
        step *= 4
    else:
        return limit
    while low < high - 1:
        middle = (low + high) // 2
        same = (
            old[low:middle] == new[low:middle]
            if prefix
            else (old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low])
        )
        low, high = (middle, high) if same else (low, middle)
    return low


def surviving_words(mark: list[str], new: list[str]) -> int:
    """How many words of `mark` are still in `new` in order: the longest common subsequence."""
    start = 0
    limit = min(len(mark), len(new))
    while start < limit and mark[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and mark[-1 - end] == new[-1 - end]:
        end += 1
    inner_mark, inner_new = mark[start : len(mark) - end], new[start : len(new) - end]
    if not inner_mark or not inner_new:
        return start + end
    return start + end + int(LCSseq.similarity(inner_mark, inner_new))


def keeps_every_word(mark: str, new: str) -> bool:
    """Is every word of `mark` in `new`, in order? Then `new` lost nothing and becomes the mark."""
    window = changed_window(mark, new)
    remaining = iter(words(new[window.start : window.new_end]))
    return all(word in remaining for word in words(mark[window.start : window.old_end]))
