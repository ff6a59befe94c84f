"""What was written from a lane is of that lane: told by the words themselves, however a file is called now. Pure.

A section's lanes are those of the passages it was written from and its book's own. A note in which eight words in a
row are a section's is of that section's lanes too. Words that the section quotes from a passage are of that passage's
lanes alone, so that a note stays what it is when a book of another lane has quoted it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from firewall.context.passage import Passage
from firewall.text.words import words

IN_A_ROW = 8
"""Words in a row that a note shares with a section only where one was made from the other."""
LETTERS = 20
"""Letters that these words have at least together: eight characters of Chinese may be one name."""
QUOTED = 4
"""Words in a row that a section took from a passage."""

_MARK = re.compile(r"\[\^[^\]\n]{1,40}\]:?")
_WORD = re.compile(r"[^\W_]+")


class Quote(NamedTuple):
    """Words `first` up to `end` of a section, which stand in passages of `lanes` as well."""

    first: int
    end: int
    lanes: tuple[str, ...]


class Written(NamedTuple):
    """A section that a run wrote: the book's title, its own, its text, and all lanes that it may tell of.

    Where an earlier version wrote it, which noted no quotes, `notes` are the (lane, SHA-256) of what it may quote.
    """

    book: str
    title: str
    text: str
    lanes: tuple[str, ...]
    quoted: tuple[Quote, ...] = ()
    notes: frozenset[tuple[str, str]] = frozenset()


class Carried(NamedTuple):
    """A note is of `lanes`, since what stands in `line` (from 1) is of a section that was written from them."""

    lanes: tuple[str, ...]
    book: str
    title: str
    line: int


def units(text: str) -> tuple[list[str], list[int]]:
    """The words of `text` without case, marks and markup between them, and the line of each, from 1."""
    out: list[str] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        plain = _MARK.sub(" ", line)
        plain = plain.lower() if plain.isascii() else _folded(plain)
        some = _WORD.findall(plain)
        if not plain.isascii():
            some = [unit for word in some for unit in words(word)]
        out += some
        lines += [number] * len(some)
    return out, lines


def _folded(line: str) -> str:
    """A line without case, forms and what nobody sees."""
    plain = unicodedata.normalize("NFKC", line).casefold()
    return "".join(c for c in plain if c.isprintable() or c.isspace())


def origin_of(text: str, passages: Sequence[Passage], *, book: str, lane: str, index: str) -> dict[str, Any]:
    """What is recorded with a section's text: its lanes, what it quotes from whom, and the version of the index."""
    lanes = dict.fromkeys([lane, *(name for passage in passages for name in passage.lanes)])
    return {
        "book": book,
        "lane": lane,
        "lanes": sorted(lanes),
        "index_version": index,
        "quoted": [[q.first, q.end, list(q.lanes)] for q in _quotes(text, passages)] if len(lanes) > 1 else [],
    }


def written_by(origin: Mapping[str, Any], title: str, text: str) -> Written:
    """A section with what `origin_of` recorded of it."""
    quoted = tuple(Quote(int(first), int(end), tuple(lanes)) for first, end, lanes in origin["quoted"])
    return Written(str(origin["book"]), title, text, tuple(origin["lanes"]), quoted)


def _quotes(text: str, passages: Sequence[Passage]) -> Iterator[Quote]:
    own, _ = units(text)
    for lanes in sorted({passage.lanes for passage in passages}):
        theirs: set[int] = set()
        for passage in passages:
            if passage.lanes == lanes:
                theirs.update(_rows(units(passage.text)[0], QUOTED))
        covered = [False] * len(own)
        for at, row in enumerate(_rows(own, QUOTED)):
            if row in theirs:
                covered[at : at + QUOTED] = [True] * QUOTED
        for is_quote, run in groupby(enumerate(covered), key=lambda one: one[1]):
            places = [place for place, _ in run]
            if is_quote:
                yield Quote(places[0], places[-1] + 1, lanes)


def _rows(some: Sequence[str], length: int) -> Iterator[int]:
    """A number for each `length` words in a row."""
    return map(hash, zip(*(some[k:] for k in range(length)), strict=False))


def carried(notes: Sequence[tuple[str, str, str]], written: Sequence[Written]) -> list[list[Carried]]:
    """For each note, as (text, lane, SHA-256), what of it is of other lanes, and its first place."""
    out: list[list[Carried]] = [[] for _ in notes]
    given = {lane for _, lane, _ in notes}
    foreign = [section for section in written if {*section.lanes} != given or len(given) > 1]
    if not foreign:
        return out
    read = [units(text) for text, _, _ in notes]
    where: dict[int, list[int]] = {}
    for number, (some, _) in enumerate(read):
        for row in set(_rows(some, IN_A_ROW)):
            where.setdefault(row, []).append(number)
    for section in foreign:
        shared: dict[int, dict[int, tuple[str, ...]]] = {}  # by note: rows of the section, and their lanes
        places: dict[int, int] = {}  # each row once: a text of one word over and over has few
        for at, row in enumerate(_rows(units(section.text)[0], IN_A_ROW)):
            places.setdefault(row, at)
        for row, at in places.items():
            for number in where.get(row, ()):
                lane = notes[number][1]
                if notes[number][1:] not in section.notes and (lanes := _lanes_at(section, at, lane)) != (lane,):
                    shared.setdefault(number, {}).setdefault(row, lanes)
        for number, rows in shared.items():
            some, lines = read[number]
            first = _long_enough(some, rows)
            if first is not None:
                lanes = tuple(sorted({name for names in rows.values() for name in names}))
                out[number].append(Carried(lanes, section.book, section.title, lines[first]))
    return out


def _lanes_at(section: Written, at: int, lane: str) -> tuple[str, ...]:
    """The lanes of the section's words from `at` on; `lane` alone where they are quoted from it."""
    quoted = {q.lanes for q in section.quoted if q.first <= at and at + IN_A_ROW <= q.end}
    if (lane,) in quoted:
        return (lane,)
    return tuple(sorted({name for lanes in quoted for name in lanes})) if quoted else section.lanes


def _long_enough(some: Sequence[str], rows: Mapping[int, object]) -> int | None:
    """The first word of the first run of `rows` among the words that has LETTERS letters, or None."""
    for is_shared, run in groupby(enumerate(_rows(some, IN_A_ROW)), key=lambda one: one[1] in rows):
        if not is_shared:
            continue
        places = [place for place, _ in run]
        if sum(map(len, some[places[0] : places[-1] + IN_A_ROW])) >= LETTERS:
            return places[0]
    return None
