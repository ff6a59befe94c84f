"""Where no alternative is named, does an answer say anew what was asked for, and leave the rest as it was? Pure.

What may be said in another way is the target, and the small words that hang on it: articles, prepositions, auxiliaries
beside it, as in `delve into`. All other words come back in their order, with what stands between them, markup and
signs as well; agreement may change `is` and `this`, and a comma beside what changed may go.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from firewall.text.markdown import MARKUP, OPAQUE
from pipeline.inflect.closed import BE_HAVE_DO, PREPOSITIONS, TO_PLURAL
from pipeline.inflect.reworded import agrees, reworded, tense_kept
from pipeline.inflect.tokens import tokens
from pipeline.inflect.verbs import base_of_third
from pipeline.micropass.in_place import Word, low_of, same, worded, zones_of
from pipeline.micropass.window import Window

BESIDE = 2
"""Small words on each side of the target that may change with it. Our own number."""

_SMALL = (
    (PREPOSITIONS - {"without", "unlike", "above", "below", "over", "under", "down", "up", "off"})
    | frozenset("a an the of to that as for so be been being".split())
    | {form for pair in BE_HAVE_DO.items() for form in pair if "'" not in form}
)
"""None that says no, and none that would make of a bound another."""
_ARTICLES = frozenset(("a", "an", "the"))
_BEFORE_NOUNS = PREPOSITIONS | frozenset("a an the of to for as".split())
_AGREEING = {plural: one for one, plural in BE_HAVE_DO.items()} | {many: one for one, many in TO_PLURAL.items()}
_PLAIN = re.compile(r"[\s,]*")
_LOOSE = re.compile(r"[\s,>]+")
_BLANK = re.compile(r"[\s>]+")


class _Part(NamedTuple):
    """Words of the sentence, by their numbers from `first` up to `end`, that stay."""

    first: int
    end: int


def reject_anew(window: Window, answer: str, prose: str) -> str:
    """Why `answer`, whose masked prose is `prose`, is another than the sentence where the target did not stand."""
    ours, theirs = worded(window.prose), worded(prose)
    taken = zones_of(window, ours)
    if not taken:
        return ""  # a sign, not a word: what stands around it is part of it
    parts = _parts(_widened(taken, ours, window.prose), len(ours))
    places: list[int] = []
    at = 0
    for number, part in enumerate(parts):
        count = part.end - part.first
        last, verb = number == len(parts) - 1, _verb_behind(ours, part)
        if number == 0:
            place = 0 if _fits(ours[: part.end], theirs[:count], opening=False, behind=False) else -1
        elif last:
            place = len(theirs) - count
            fit = place >= at and _fits(ours[part.first :], theirs[place:], opening=not place, behind=verb)
            place = place if fit else -1
        else:
            spans = range(at, len(theirs) - count + 1)
            mine = ours[part.first : part.end]
            fits = (n for n in spans if _fits(mine, theirs[n : n + count], opening=not n, behind=verb))
            place = next(fits, -1)
        if place < 0:
            stays = window.prose[ours[part.first].start : ours[part.end - 1].end] if count else ""
            return f"{stays[:60]!r} must stay as it is: say anew what stands for {window.task.target!r} alone"
        places.append(place)
        at = place + count
    reason = _beside(window, answer, ours, theirs, parts, places)
    return reason or _grammar(window, prose, ours, theirs, taken, parts, places)


def _grammar(
    window: Window,
    prose: str,
    ours: list[Word],
    theirs: list[Word],
    taken: list[tuple[int, int]],
    parts: list[_Part],
    places: list[int],
) -> str:
    """Why the tense, number or form of what was said anew is not that of its place; or empty."""
    old, new = tokens(window.prose), tokens(prose)
    reason = agrees(old, new)
    for (first, last), part, behind, place, to in zip(taken, parts, parts[1:], places, places[1:], strict=False):
        if reason:
            return reason
        mine, given = ours[part.end : behind.first], theirs[place + part.end - part.first : to]
        around = [low_of(word.text) for word in mine if not ours[first].start <= word.start <= ours[last].start]
        reason = tense_kept(around, [low_of(word.text) for word in given])
        lows = [low_of(word.text) for word in given]
        same_size = first == last and len(mine) == len(given) and len(taken) == 1
        if reason or not same_size:
            continue
        at = first - part.end
        others = [n for n in range(len(mine)) if n != at and lows[n] not in _ARTICLES]
        if any(_agreed(mine[n]) != _agreed(given[n]) for n in others):
            continue
        here = next((n for n, token in enumerate(old) if token.start == ours[first].start), -1)
        there = next((n for n, token in enumerate(new) if token.start == given[at].start), -1)
        if here >= 0 and there >= 0 and window.prose[window.at[0] : window.at[1]].isalpha():
            reason = reworded(old, here, new, there)
    return reason


def _widened(taken: list[tuple[int, int]], ours: list[Word], prose: str) -> list[tuple[int, int]]:
    """The uses of the target with the small words beside them, between which no sign and no markup stands."""
    out: list[tuple[int, int]] = []
    for first, last in taken:
        low, high = first, last
        while low and first - low < BESIDE and _small(ours[low - 1], ours[low], prose, ours[low - 1]):
            low -= 1
        while (
            high + 1 < len(ours) and high - last < BESIDE and _small(ours[high], ours[high + 1], prose, ours[high + 1])
        ):
            high += 1
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    return out


def _small(one: Word, two: Word, prose: str, small: Word) -> bool:
    return low_of(small.text) in _SMALL and _PLAIN.fullmatch(prose, one.end, two.start) is not None


def _parts(taken: list[tuple[int, int]], count: int) -> list[_Part]:
    """What stands before, between and behind the zones."""
    ends = [-1, *(last for _, last in taken)]
    starts = [*(first for first, _ in taken), count]
    return [_Part(last + 1, first) for last, first in zip(ends, starts, strict=True)]


def _verb_behind(ours: list[Word], part: _Part) -> bool:
    """May the word right behind a zone be a verb that agrees with it? Behind "of" and "the" stands another noun."""
    return not part.first or low_of(ours[part.first - 1].text) not in _BEFORE_NOUNS


def _fits(ours: list[Word], theirs: list[Word], *, opening: bool, behind: bool) -> bool:
    """Are these the same words but for agreement, which takes in the verb right `behind` what was said anew?

    `opening`: does the first open one of the two sentences, and not the other?
    """
    if len(ours) != len(theirs):
        return False
    for number, (mine, given) in enumerate(zip(ours, theirs, strict=True)):
        if not same(mine.text, given.text, opening=opening and not number):
            return False
        one, two = _agreed(mine), _agreed(given)
        if one != two and not (behind and not number and (base_of_third(one) or one) == (base_of_third(two) or two)):
            return False
    return True


def _agreed(word: Word) -> str:
    low = low_of(word.text)
    return _AGREEING.get(low, low)


def _beside(
    window: Window, answer: str, ours: list[Word], theirs: list[Word], parts: list[_Part], places: list[int]
) -> str:
    """Why what stands between words that stay, or between them and what was said anew, is another; or empty."""
    for part, place in zip(parts, places, strict=True):
        for n in range(part.first + 1, part.end):
            m = place + n - part.first
            if window.sentence[ours[n - 1].end : ours[n].start] != answer[theirs[m - 1].end : theirs[m].start]:
                return f"what stands before {ours[n].text!r} differs: keep its signs, markup and white space"
    for number in range(len(parts) - 1):
        left, right = parts[number], parts[number + 1]
        low, high = left.end, right.first - 1  # the words of the zone
        new_low, new_high = places[number] + left.end - left.first, places[number + 1] - 1
        if any(sign in window.prose[ours[low].start : ours[high].end] for sign in (MARKUP, OPAQUE)):
            continue  # markup within the target may stand around what was said anew
        gaps = (
            window.sentence[ours[low - 1].end if low else 0 : ours[low].start],
            window.sentence[ours[high].end : ours[high + 1].start if high + 1 < len(ours) else len(window.sentence)],
        )
        start = theirs[new_low - 1].end if new_low else 0
        end = theirs[new_high + 1].start if new_high + 1 < len(theirs) else len(answer)
        if new_low > new_high:
            right_gaps = _LOOSE.sub("", "".join(gaps)) == _LOOSE.sub("", answer[start:end])
        else:
            right_gaps = _alike(gaps[0], answer[start : theirs[new_low].start])
            right_gaps = right_gaps and _alike(gaps[1], answer[theirs[new_high].end : end])
        if not right_gaps:
            return f"what stands beside {window.task.target!r} differs: keep the signs and markup around it"
    return ""


def _alike(mine: str, given: str) -> bool:
    """Are two gaps the same, white space counted as one, where a comma may have gone?"""
    mine, given = (_BLANK.sub(" ", _unmarked(gap)) for gap in (mine, given))
    return given in (mine, mine.replace(",", ""))


def _unmarked(gap: str) -> str:
    """The gap without the vowel signs and accents at its beginning, which are the end of the word before it."""
    while gap and unicodedata.category(gap[0])[0] == "M":
        gap = gap[1:]
    return gap
