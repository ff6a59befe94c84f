"""Does an answer change the sentence only where the word stood, and where agreement asks for it? Pure.

Every other word comes back in its place, in its case, with the same signs and white space between it and its
neighbours. That holds where alternatives are named; without them it has to be said in another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from firewall.text.words import word_spans
from pipeline.inflect.closed import DETERMINERS, PREPOSITIONS
from pipeline.inflect.kin import kin
from pipeline.micropass.window import Window, uses

PHRASE = 6
"""Words before the target among which its article is sought. Our own number."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_UNIT = re.compile(r"(?<![\w.])\d[\d.,]*[ \u00a0\u202f]?([^\W\d_]{1,3})(?![\w'\u2019-])")
_NO_UNITS = frozenset(
    "a an and are as at but by did do for had has he if in is it no nor not of off on or our out per she so than the "
    "to too two up was way we who yet".split()
)
"""Short words that are no unit behind a number."""
_BORDERS = DETERMINERS | PREPOSITIONS | {"and", "or", "nor", "to"}
"""Words that part a noun from the article of another."""
ARTICLES = frozenset(("a", "an"))


class Word(NamedTuple):
    text: str
    start: int
    end: int


class Room(NamedTuple):
    """What agreement may do: `known` leads each word to the one it is known by, alike for those that may stand for
    each other; `article` is true where one may come or go, `the` where a definite one may go with a determiner."""

    known: Callable[[str], str]
    article: bool
    the: bool


def reject_places(window: Window, answer: str, prose: str, room: Room) -> str:
    """Why `answer`, whose masked prose is `prose`, changes more than its place; or empty."""
    ours, theirs = worded(window.prose), worded(prose)
    zones = zones_of(window, ours)
    pairs = _pairs(ours, theirs, room.known)
    reason = _left_out(ours, theirs, pairs, zones, room) or _brought(window, theirs, pairs, len(ours), zones)
    if reason:
        return reason
    before = (-1, -1)
    for i, j in pairs:
        mine, given = ours[i], theirs[j]
        if not _in(zones, i) and not same(mine.text, given.text, opening=(i == 0) != (j == 0)):
            return f"{mine.text!r} must stay as it is, not {given.text!r}"
        if before == (i - 1, j - 1) and not (_in(zones, i) or _in(zones, i - 1)):
            at, to = (ours[i - 1].end, theirs[j - 1].end) if i else (0, 0)
            if window.sentence[at : mine.start].replace(",", "") != answer[to : given.start].replace(",", ""):
                return f"what stands before {mine.text!r} differs: keep its signs and white space"
        before = (i, j)
    return _comma(window.prose, prose, ours, theirs, pairs, zones)


def _comma(
    mine: str,
    given: str,
    ours: list[Word],
    theirs: list[Word],
    pairs: list[tuple[int, int]],
    zones: list[tuple[int, int]],
) -> str:
    before = (-1, -1)
    for i, j in pairs:
        if i and before == (i - 1, j - 1) and not (_in(zones, i) or _in(zones, i - 1)):
            gaps = mine[ours[i - 1].end : ours[i].start], given[theirs[j - 1].end : theirs[j].start]
            if gaps[0].count(",") != gaps[1].count(","):
                return f"the commas differ before {ours[i].text!r}: keep them where they are"
        before = (i, j)
    return ""


def _pairs(ours: list[Word], theirs: list[Word], known: Callable[[str], str]) -> list[tuple[int, int]]:
    """(number in `ours`, number in `theirs`) of the words that came back in their order."""
    alike = LCSseq.opcodes([known(low_of(w.text)) for w in ours], [known(low_of(w.text)) for w in theirs])
    equal = (op for op in alike if op.tag == "equal")
    return [(op.src_start + n, op.dest_start + n) for op in equal for n in range(op.src_end - op.src_start)]


def reject_units(sentence: str, answer: str) -> str:
    """Why a number of the sentence has another unit in the answer, or empty."""
    theirs = [m.group() for m in _UNIT.finditer(answer)]
    for found in _UNIT.finditer(sentence):
        if found[1].casefold() not in _NO_UNITS and found.group() not in theirs:
            return f"{found.group()!r} must stay as it is"
    return ""


def worded(prose: str) -> list[Word]:
    out = []
    for match in _WORD.finditer(prose):
        at = match.start()
        out += [Word(prose[at + a : at + b], at + a, at + b) for a, b in word_spans(match.group())]
    return out


def zones_of(window: Window, ours: list[Word]) -> list[tuple[int, int]]:
    """(first, last) of the words that each use of the target takes."""
    spans = {window.at, *((at, at + len(window.task.target)) for at in uses(window.task.target, window.prose))}
    out = []
    for start, end in sorted(spans):
        inside = [n for n, word in enumerate(ours) if word.start < end and word.end > start]
        if inside:
            out.append((inside[0], inside[-1]))
    return out


def _in(zones: list[tuple[int, int]], number: int) -> bool:
    return any(first <= number <= last for first, last in zones)


def low_of(text: str) -> str:
    return text.casefold().replace("\u2019", "'")


def same(mine: str, given: str, *, opening: bool) -> bool:
    """Of two words known by one: are they the same but for agreement, and the capital of an opening?"""
    if mine == given or (opening and mine[1:] == given[1:]):
        return True
    return low_of(mine) != low_of(given) and (opening or mine[0].isupper() == given[0].isupper())


def is_article(words: list[Word], number: int, first: int) -> bool:
    """Is it the article of what stands at `first`?"""
    if not first - PHRASE <= number < first or low_of(words[number].text) not in ARTICLES:
        return False
    return not any(low_of(word.text) in _BORDERS for word in words[number + 1 : first])


def _left_out(
    ours: list[Word], theirs: list[Word], pairs: list[tuple[int, int]], zones: list[tuple[int, int]], room: Room
) -> str:
    there = {i for i, _ in pairs}
    gone = 0
    for number, word in enumerate(ours):
        if number in there or _in(zones, number):
            continue
        if any(is_article(ours, number, first) for first, _ in zones):
            gone += 1
        elif not (low_of(word.text) == "the" and room.the and any(number == first - 1 for first, _ in zones)):
            return f"{word.text!r} must stay as it is"
    new = sum(low_of(word.text) in ARTICLES for word in theirs) - len(
        [j for i, j in pairs if low_of(theirs[j].text) in ARTICLES]
    )
    return "" if room.article or new == gone else "the article must stay"


def _brought(
    window: Window, theirs: list[Word], pairs: list[tuple[int, int]], size: int, zones: list[tuple[int, int]]
) -> str:
    free = {kin(word.text) for text in (window.task.target, *window.task.alternatives) for word in worded(text)}
    at, place = 0, -1
    for j, word in enumerate(theirs):
        if at < len(pairs) and pairs[at][1] == j:
            place = pairs[at][0]
            at += 1
            continue
        low, high = place + 1, pairs[at][0] if at < len(pairs) else size
        bare = low_of(word.text).removesuffix("'s")
        if kin(bare) in free and any(low <= last + 1 and first <= high for first, last in zones):
            continue
        if bare in ARTICLES and any(low <= first and first - PHRASE <= high for first, _ in zones):
            continue
        return f"{word.text!r} is not in its place in the sentence: replace the word where it stands, no more"
    return ""
