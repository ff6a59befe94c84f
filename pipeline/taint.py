"""What was written from a lane is of that lane: told by the words themselves, however a file is called now. Pure.

A section's lanes are those of the passages it was written from and its book's own. A note in which eight words in a
row are a section's is of that section's lanes too, whichever way the note is read (pipeline/wordings.py); so are as
many words told by their letters alone, with blanks, numbers and signs put between them or taken out. Words that the
section quotes from a passage are of that passage's lanes alone, so that a note stays what it is when a book of
another lane has quoted it, and others from that one. What a note held that was judged before, and was of no other
lane then, is no section's either (`vetted`); that others have a sentence too, as every page of a site has, is not
known without that.

Not seen is what was put in other words, or has other words within every eight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from firewall.context.passage import Passage
from pipeline.wordings import READING, Lettered, Wording, lettered, units, wording, wordings

IN_A_ROW = 8
"""Words in a row that a note shares with a section only where one was made from the other."""
LETTERS = 20
"""Letters that these words have at least together, in scripts without spaces above all: a character of Chinese counts
for five thirds of one, so that it takes twelve, which say what eight words do. Fewer may be one long name."""
QUOTED = 4
"""Words in a row that a section took from a passage."""
_LOOK, _STRIDE = 24, 16
"""Letters in a row that are looked for at every sixteenth letter of a section, so that none of 39 goes unseen."""
_BACK = 400
"""Letters that such a run is followed back for."""


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


def origin_of(text: str, passages: Sequence[Passage], *, book: str, lane: str, index: str) -> dict[str, Any]:
    """What is recorded with a section's text: its lanes, what it quotes from whom, and the version of the index."""
    lanes = dict.fromkeys([lane, *(name for passage in passages for name in passage.lanes)])
    return {
        "book": book,
        "lane": lane,
        "lanes": sorted(lanes),
        "index_version": index,
        "reading": READING,
        "quoted": [[q.first, q.end, list(q.lanes)] for q in _quotes(text, passages)] if len(lanes) > 1 else [],
    }


def written_by(origin: Mapping[str, Any], title: str, text: str) -> Written:
    """A section with what `origin_of` recorded of it."""
    some = (
        origin["quoted"] if origin.get("reading") == READING else []
    )  # places in words that were told apart otherwise
    quoted = tuple(Quote(int(first), int(end), tuple(lanes)) for first, end, lanes in some)
    return Written(str(origin["book"]), title, text, tuple(origin["lanes"]), quoted)


def _quotes(text: str, passages: Sequence[Passage]) -> Iterator[Quote]:
    own = units(wording(text))
    for lanes in sorted({passage.lanes for passage in passages}):
        theirs: set[int] = set()
        for passage in passages:
            if passage.lanes == lanes:
                theirs.update(_rows(units(wording(passage.text)), QUOTED))
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


def carried(
    notes: Sequence[tuple[str, str, str]], written: Sequence[Written], vetted: frozenset[int] = frozenset()
) -> list[list[Carried]]:
    """For each note, as (text, lane, SHA-256), what of it is of other lanes, and its first place.

    `vetted` are the numbers of notes that were judged before and were of no other lane: they stay that, and what
    stands in them was no section's when they were judged, so that it taints no other note of their lane.
    """
    out: list[list[Carried]] = [[] for _ in notes]
    given = {lane for _, lane, _ in notes}
    foreign = [section for section in written if {*section.lanes} != given or len(given) > 1]
    if not foreign:
        return out
    read = {number: list(wordings(text)) for number, (text, _, _) in enumerate(notes) if number not in vetted}
    free: dict[str, set[int]] = {}  # by lane: rows of words that are its own
    for number in vetted:
        free.setdefault(notes[number][1], set()).update(_rows(units(wording(notes[number][0])), IN_A_ROW))
    own = [units(wording(section.text)) for section in foreign]
    rows = [list(_rows(some, IN_A_ROW)) for some in own]
    for section, some in zip(foreign, rows, strict=True):
        for quote in section.quoted:
            if len(quote.lanes) == 1:
                free.setdefault(quote.lanes[0], set()).update(some[quote.first : max(quote.end - IN_A_ROW + 1, 0)])
    lanes_at = [_lanes_at(section, len(some)) for section, some in zip(foreign, rows, strict=True)]
    judge = _Judge(foreign, rows, lanes_at, notes, free)
    for number, index, lanes, at in (*_by_words(read, rows, judge), *_by_letters(read, own, judge)):
        section = foreign[index]
        if not any(one.book == section.book and one.title == section.title for one in out[number]):
            line = notes[number][0].count("\n", 0, at) + 1
            out[number].append(Carried(lanes, section.book, section.title, line))
    return out


class _Judge(NamedTuple):
    """Of which lanes the words of a section are in a note."""

    sections: Sequence[Written]
    rows: Sequence[Sequence[int]]
    lanes_at: Sequence[Sequence[tuple[str, ...]]]
    notes: Sequence[tuple[str, str, str]]
    free: Mapping[str, set[int]]

    def lanes(self, number: int, index: int, at: int) -> tuple[str, ...]:
        """The lanes of the row at `at` of section `index`, empty where note `number` has it by right."""
        _, lane, sha = self.notes[number]
        section = self.sections[index]
        if (lane, sha) in section.notes or self.rows[index][at] in self.free.get(lane, ()):
            return ()
        lanes = self.lanes_at[index][at]
        return () if lanes == (lane,) else lanes


_Hit = tuple[int, int, tuple[str, ...], int]
"""A note, a section, the lanes that the one has of the other, and the offset in the note."""


def _by_words(read: Mapping[int, Sequence[Wording]], rows: Sequence[Sequence[int]], judge: _Judge) -> Iterator[_Hit]:
    some = {(number, way): one.units() for number, ways in read.items() for way, one in enumerate(ways)}
    where: dict[int, list[tuple[int, int]]] = {}
    for key, words in some.items():
        for row in set(_rows(words, IN_A_ROW)):
            where.setdefault(row, []).append(key)
    for index, own in enumerate(rows):
        shared: dict[tuple[int, int], dict[int, tuple[str, ...]]] = {}  # rows of the section, and their lanes
        places: dict[int, int] = {}  # each row once: a text of one word over and over has few
        for at, row in enumerate(own):
            places.setdefault(row, at)
        for row, at in places.items():
            for key in where.get(row, ()):
                lanes = judge.lanes(key[0], index, at)
                if lanes:
                    shared.setdefault(key, {}).setdefault(row, lanes)
        for (number, way), found in shared.items():
            first = _long_enough(some[number, way], found)
            if first is not None:
                lanes = tuple(sorted({name for names in found.values() for name in names}))
                yield number, index, lanes, read[number][way].at_unit(first)


def _by_letters(read: Mapping[int, Sequence[Wording]], own: Sequence[list[str]], judge: _Judge) -> Iterator[_Hit]:
    texts = [lettered(some) for some in own]
    spots: dict[str, dict[int, int]] = {}
    for index, text in enumerate(texts):
        for at in range(0, len(text.letters) - _LOOK + 1, _STRIDE):
            spots.setdefault(text.letters[at : at + _LOOK], {}).setdefault(index, at)
    for number, ways in read.items():
        told: set[int] = set()  # sections of which it has words: one place is enough
        for way in ways:
            theirs = way.letters()
            done: dict[int, int] = {}
            for here in [i for i in range(len(theirs) - _LOOK + 1) if theirs[i : i + _LOOK] in spots]:
                for index, there in spots[theirs[here : here + _LOOK]].items():
                    if index in told or here + _LOOK <= done.get(index, 0):
                        continue
                    low, high, done[index] = _run(texts[index].letters, there, theirs, here)
                    lanes = _lanes_of(number, index, texts[index], own[index], judge, low, high)
                    if lanes:
                        told.add(index)
                        yield number, index, lanes, way.at_letter(here - (there - low))


def _run(ours: str, there: int, theirs: str, here: int) -> tuple[int, int, int]:
    """Where the letters around a place that both have begin and end in `ours`, and where they end in `theirs`."""
    low, back = there, here
    while low and back and there - low < _BACK and ours[low - 1] == theirs[back - 1]:
        low, back = low - 1, back - 1
    high, on = there + _LOOK, here + _LOOK
    while high < len(ours) and on < len(theirs) and ours[high] == theirs[on]:
        high, on = high + 1, on + 1
    return low, high, on


def _lanes_of(
    number: int, index: int, text: Lettered, own: Sequence[str], judge: _Judge, low: int, high: int
) -> tuple[str, ...]:
    """The lanes of the whole words of a section that have the letters from `low` to `high`, if they are enough."""
    first, end = text.whole(low, high)
    if sum(map(_weight, own[first:end])) < LETTERS * _WHOLE:
        return ()
    ats = range(first, min(end - IN_A_ROW, len(judge.rows[index]) - 1) + 1)
    return tuple(sorted({name for at in ats for name in judge.lanes(number, index, at)}))


def _lanes_at(section: Written, count: int) -> list[tuple[str, ...]]:
    """The lanes of each of the `count` rows of a section's words: of what it quotes there, or all of its own."""
    quoted: dict[int, tuple[str, ...]] = {}
    for quote in section.quoted:
        for at in range(quote.first, quote.end - IN_A_ROW + 1):
            quoted[at] = tuple(sorted({*quoted.get(at, ()), *quote.lanes}))
    return [quoted.get(at, section.lanes) for at in range(count)]


def _long_enough(some: Sequence[str], rows: Mapping[int, object]) -> int | None:
    """The first word of the first run of `rows` among the words that has LETTERS letters, or None."""
    for is_shared, run in groupby(enumerate(_rows(some, IN_A_ROW)), key=lambda one: one[1] in rows):
        if not is_shared:
            continue
        places = [place for place, _ in run]
        if sum(map(_weight, some[places[0] : places[-1] + IN_A_ROW])) >= LETTERS * _WHOLE:
            return places[0]
    return None


_WHOLE, _HAN = 3, 5


def _weight(word: str) -> int:
    """Thirds of a letter that a word counts for."""
    if word.isascii():
        return _WHOLE * len(word)
    return sum(_HAN if "\u3400" <= c <= "\u9fff" or c >= "\U00020000" else _WHOLE for c in word)
