"""A regular expression that is compiled when it is first used.

To compile one takes up to ten milliseconds, and a hook that judges one write needs few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Pattern:
    """Like the pattern that `re.compile` makes of the same text, for what is used of it here."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags
        self._made: re.Pattern[str] | None = None

    @property
    def made(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._made is None:
            self._made = re.compile(self._text, self._flags)
        return self._made

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As of `re.Pattern`."""
        return self.made.search(text, start) if end is None else self.made.search(text, start, end)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As of `re.Pattern`."""
        return self.made.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As of `re.Pattern`."""
        return self.made.fullmatch(text)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """As of `re.Pattern`."""
        return self.made.finditer(text, start)

    def findall(self, text: str) -> list[str]:
        """As of `re.Pattern`, for a pattern with one group or none."""
        return self.made.findall(text)

    def split(self, text: str) -> list[str | None]:
        """As of `re.Pattern`."""
        return self.made.split(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """As of `re.Pattern`."""
        return self.made.sub(new, text, count)
