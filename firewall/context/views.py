"""The view of a text that rules look at: what a reader would take it for, with a way back to the text.

A view is never what reaches a prompt: folding turns `x²` into `x2`.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from itertools import accumulate


class _Folds(dict[int, str]):
    """What each character becomes, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in "\n\r\t\f\v":
            folded = " "
        elif (
            unicodedata.category(char) in ("Cf", "Cs")
            or 0xFE00 <= code <= 0xFE0F
            or 0xE0100 <= code <= 0xE01EF
        ):
            folded = ""
        else:
            folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
        self[code] = folded
        return folded


_FOLDS = _Folds()


class View:
    """`text` is the folded text; `place` leads from it back to the text it was made of."""

    __slots__ = ("_at", "_source", "text")

    def __init__(self, source: str) -> None:
        self.text = source.translate(_FOLDS)
        self._source = source
        self._at: list[int] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that `text[start:end]` was made of."""
        if self._at is None:  # rarely needed, so made when it is
            self._at = list(accumulate((len(_FOLDS[ord(c)]) for c in self._source), initial=0))
        first = bisect_right(self._at, start) - 1
        last = bisect_right(self._at, end - 1) - 1
        return first, last + 1


def match_view(text: str) -> View:
    """The view of `text`: compatibility forms decomposed, invisible characters gone, case folded."""
    return View(text)
