"""Are an answer's other words those of the sentence, in their order and form? Pure.

With an alternative named, the editor replaces and mends agreement, and agreement is a short list: singular and
plural of determiners, pronouns and verbs, where the new word's number is another, and articles. Tense, conjunctions,
the number of other nouns and the order of words are no matter of agreement. With none named, the target may be said in
other words (see `anew`), but not in those that turn a sentence round: conditions, bounds, obligations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from rapidfuzz.distance import LCSseq

from firewall.text.words import words
from pipeline.inflect.closed import BE_HAVE_DO, DETERMINERS, TO_PLURAL
from pipeline.inflect.kin import kin
from pipeline.inflect.nouns import is_mass, number
from pipeline.inflect.verbs import base_of_third
from pipeline.micropass.anew import reject_anew
from pipeline.micropass.contrary import turned_round
from pipeline.micropass.in_place import Room, reject_places, reject_units
from pipeline.micropass.sides import reject_sides
from pipeline.micropass.window import Window

_WORDS = re.compile(r"[^\W\d_](?:[\w'\u2019-]*[^\W_])?")
_LOOSE = frozenset("a an the of to that s".split())
"""Words that may come or go with a replaced one: articles, and what ties an object to it; `s` is a possessive's."""
_PAIRS = {
    **{plural: singular for singular, plural in BE_HAVE_DO.items()},
    **{plural: singular for singular, plural in TO_PLURAL.items()},
    "they": "it",
    "them": "it",
    "their": "its",
    "theirs": "its",
    "themselves": "itself",
}
_TURNING = frozenset(
    "if unless until except only before after since while because although though whether more less fewer most least "
    "all every each any some both always often sometimes rarely must shall should may might can could will would "
    "and or nor from above below over under".split()
)
"""Words without which a sentence says something else, or the contrary. Our own list."""


def reject_words(window: Window, answer: str, prose: str) -> str:
    """Why the words of `answer`, whose masked prose is `prose`, are others than they may be; or empty."""
    start, end = window.at
    rest = window.prose[:start] + " " + window.prose[end:]
    if not window.task.alternatives:
        return _turned(window, rest, prose) or reject_units(window.prose, prose) or reject_anew(window, answer, prose)
    free = {kin(word) for word in lowered(window.task.target, *window.task.alternatives)} | _LOOSE
    shift = _shifts(window)
    ours = [word for word in lowered(rest) if word not in free and kin(word) not in free]
    theirs = [word for word in lowered(prose) if word not in free and kin(word) not in free]
    mine, given = [_one(word, shift) for word in ours], [_one(word, shift) for word in theirs]
    if mine == given:
        room = _room(window, shift)
        return reject_places(window, answer, prose, room) or reject_sides(window, answer, prose, room)
    if Counter(mine) == Counter(given):
        return "the words stand in another order: replace the word where it stands"
    edits = LCSseq.opcodes(mine, given)
    lost = next((ours[edit.src_start] for edit in edits if edit.tag == "delete"), None)
    if lost is not None:
        return f"{lost!r} must stay as it is"
    new = next(theirs[edit.dest_start] for edit in edits if edit.tag == "insert")
    return f"{new!r} is not in the sentence: replace the word and mend the grammar, no more"


def lowered(*texts: str) -> list[str]:
    """The words of masked prose in small letters, without the 's of possessives; unspaced scripts letter by letter."""
    out = []
    for text in texts:
        for match in _WORDS.finditer(text):
            for unit in words(match.group()):
                out.append(unit.casefold().replace("\u2019", "'").removesuffix("'s"))
    return out


def _one(word: str, shift: bool) -> str:
    """The word as agreement knows it: where number shifts, `are` and `is` are one, and `show` and `shows`."""
    if not shift:
        return word
    word = _PAIRS.get(word, word)
    return word if word in _PAIRS.values() else base_of_third(word) or word


def _shifts(window: Window) -> bool:
    """May the alternative have another number than the target?"""
    said, target = dict(window.task.number), window.task.target
    ours = number(target)
    for alternative in window.task.alternatives:
        if {target.split()[0].casefold(), *alternative.casefold().split()[:1]} & DETERMINERS:
            return True  # "a plethora of pumps is" and "many pumps are"
        theirs = {"singular": "sg", "plural": "pl"}.get(said.get(alternative, "")) or number(alternative)
        if None not in (ours, theirs) and (ours != theirs or "?" in (ours, theirs)):
            return True
    return False


def _room(window: Window, shift: bool) -> Room:
    """What agreement may do besides: articles come and go where number shifts, and between mass and count nouns."""
    target, named = window.task.target, window.task.alternatives
    heads = {target.split()[0].casefold(), *(a.split()[0].casefold() for a in named if a.strip())}
    kinds = {is_mass(word) for word in (target, *named)}
    return Room(lambda word: _one(word, shift), shift or len(kinds) > 1, bool(heads & DETERMINERS))


def _turned(window: Window, rest: str, prose: str) -> str:
    ours, theirs = _turning(lowered(rest)), _turning(lowered(prose))
    lost, new = ours - theirs, theirs - ours - _turning(lowered(window.task.target))
    contrary = turned_round(Counter(lowered(window.prose)), Counter(lowered(prose)))
    if contrary:
        return f"{contrary[1]!r} is the contrary of {contrary[0]!r}: with it the sentence says something else"
    if lost:
        return f"{next(iter(lost))!r} must stay: without it the sentence says something else"
    return f"{next(iter(new))!r} is not in the sentence: with it the sentence says something else" if new else ""


def _turning(found: Iterable[str]) -> Counter[str]:
    return Counter(word for word in found if word in _TURNING)
