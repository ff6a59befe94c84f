"""The ways in which a note may be read, for telling whose words stand in it. Pure.

As it stands and as the context firewall lets it through, with what markup shows; with escapes, encodings and what
nobody sees undone, and without who speaks, when, at the head of a line. Each is folded as a lane's terms are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, islice

from firewall.context import encoded
from firewall.context.clean import clean
from firewall.context.readings import coded, unseen
from firewall.context.views import PLAIN, View, in_order, match_view
from firewall.text.words import words
from firewall.values import NamedTuple

READING = 2
"""The version of how words are told apart and folded: places in another one's words mean nothing."""

# A footnote mark, where a link leads to, a tag: markup between the words of a text.
_MARKUP = re.compile(r"\[\^[^\]\n]{1,40}\]:?|\](?:\([^()\s]{0,500}\)|\[[^\]\[\n]{0,80}\])|</?[a-z][^<>\n]{0,500}>")
_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W\d_]")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_STRING = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtfvb])")
_SAID_BY = re.compile(
    r"^[ \t>]{0,20}(?:[\[(]?\d[^\n\])]{0,40}[\])]?[ \t,-]{1,4})?[^\W\d][\w .'-]{0,30}:[ \t]"
    r"|\[[^\]\[\n]{1,40}\](?![(\[])|\([\d ,.:;/-]{1,24}\)",
    re.MULTILINE,
)
"""Who says a line of a conversation, perhaps when; a mark in brackets."""

_Place = Callable[[int], int]


class Wording(NamedTuple):
    """One way to read a note. `place` leads from an offset in `text` to one in the note."""

    text: str
    place: _Place

    def units(self) -> list[str]:
        """The words, without what joins them: in scripts without spaces the letters."""
        return units(self.text)

    def letters(self) -> str:
        """All letters, without anything between them."""
        return letters(self.text)

    def at_unit(self, number: int) -> int:
        """The offset in the note of a unit."""
        for match in _WORD.finditer(self.text):
            some = len(_apart(match.group()))
            if number < some:
                return self.place(match.start())
            number -= some
        return 0

    def at_letter(self, number: int) -> int:
        """The offset in the note of a letter."""
        match = next(islice(_LETTER.finditer(self.text), number, None), None)
        return self.place(match.start()) if match else 0


def wording(text: str) -> str:
    """A section or a passage, folded, without its markup."""
    return _bare(match_view(text).text)


def wordings(note: str) -> Iterator[Wording]:
    """Every way in which `note` reads otherwise than in the ones before."""
    said: set[str] = set()
    for text, place in _readings(note):
        view = match_view(text)
        for shown in (view.text, _bare(view.text)):
            if shown not in said:
                said.add(shown)
                yield Wording(shown, _through(view, place))


def _through(view: View, place: _Place) -> _Place:
    return lambda at: place(view.place(at, at + 1)[0])


def _readings(note: str) -> Iterator[tuple[str, _Place]]:
    yield note, lambda at: at
    result = clean(note)
    if result.text != note:
        yield result.text, lambda at: result.kept.raw(at, at + 1)[0]
    seen = result.shown
    if seen is not None:
        yield seen.text, lambda at: result.kept.raw(*seen.place(at, at + 1))[0]
    runs = list(encoded.find(note))
    if runs:
        yield " ".join(run.said for run in runs), lambda _: runs[0].start
    for view in coded(note):
        yield view.text, _first(view.place)
    for text, place in unseen(note):
        yield text, _first(place)
    edits = [(*m.span(), chr(int(m[1], 16)) if m[1] else " ") for m in _STRING.finditer(note)] if "\\" in note else []
    if edits:
        view = View(note, PLAIN, edits)
        yield view.text, _first(view.place)
    edits = in_order([(*m.span(), " ") for m in _SAID_BY.finditer(note)])
    if edits:
        view = View(note, PLAIN, edits)
        yield view.text, _first(view.place)


def _first(place: Callable[[int, int], tuple[int, int]]) -> _Place:
    return lambda at: place(at, at + 1)[0]


def _bare(folded: str) -> str:
    """A folded text with blanks for its markup."""
    if "<" not in folded and "]" not in folded:
        return folded
    return _MARKUP.sub(lambda m: " " * len(m.group()), folded)


def units(folded: str) -> list[str]:
    """The words of a folded text, a letter each in scripts without spaces."""
    some = _WORD.findall(folded)
    return some if folded.isascii() else [unit for word in some for unit in _apart(word)]


def _apart(word: str) -> list[str]:
    return [word] if word.isascii() else words(word)


def letters(folded: str) -> str:
    """The letters of a folded text, without anything between them."""
    return _NO_LETTERS.sub("", folded)


class Lettered(NamedTuple):
    """The letters of some units, and where each unit begins and ends among them."""

    letters: str
    starts: list[int]
    ends: list[int]

    def whole(self, low: int, high: int) -> tuple[int, int]:
        """The first and the end of the units that have all their letters within `low` and `high`."""
        return bisect_left(self.starts, low), bisect_right(self.ends, high)


def lettered(some: list[str]) -> Lettered:
    """The letters of `some` units."""
    parts = [letters(unit) for unit in some]
    ends = list(accumulate(map(len, parts)))
    return Lettered("".join(parts), [0, *ends[:-1]], ends)
