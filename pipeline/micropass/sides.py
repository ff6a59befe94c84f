"""Does what stands on both sides of a replaced word come back as it was: signs, markup, breaks and all? Pure.

The words of an answer are laid upon those of the sentence one by one, with one of the alternatives where the target
stood. Between any two of them stands what stood there before. Beside a replaced word a comma may go, as may an
article where agreement says so; none comes that the alternative does not bring.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from firewall.text.markdown import MARKUP, OPAQUE
from pipeline.inflect.kin import kin
from pipeline.micropass.breaks import BREAK
from pipeline.micropass.in_form import InForm
from pipeline.micropass.in_place import ARTICLES, PHRASE, Room, Word, is_article, low_of, same, worded
from pipeline.micropass.window import Window, uses

_OWNER = re.compile(r"['\u2019]s?(?!\w)")
_BLANK = re.compile(r"[\s>]+")


class _Piece(NamedTuple):
    """A word of the sentence, or (`zone`) a use of the target, with what stands before it.

    `may_go` is true of an article that may come or go; `marked` of a target that has markup within, `start` its place.
    """

    text: str
    before: str
    first: bool
    zone: bool = False
    may_go: bool = False
    article: bool = False
    marked: bool = False
    start: int = 0


class _Option(NamedTuple):
    """Words that may stand where the target stood, as keys, and what stands before, between and behind them.

    `named` is the number of the alternative, -1 for the target itself.
    """

    keys: tuple[str, ...]
    lead: str
    gaps: tuple[str, ...]
    trail: str
    named: int = -1


class _State(NamedTuple):
    """So many pieces are laid, with so many words, the `last` one number `last`.

    `held` must stand next, before the gap of the next piece; `loose` where an article came or went between them, so
    that blanks are counted as one, `dropped` where it went.
    """

    piece: int
    word: int
    last: int
    held: str
    loose: bool
    dropped: bool = False


def reject_sides(window: Window, answer: str, prose: str, room: Room) -> str:
    """Why the text beside a replaced word of `answer`, whose masked prose is `prose`, is not what it was; or empty."""
    options = [_option(text)._replace(named=n) for n, text in enumerate(window.task.alternatives)]
    options.append(_option(window.task.target))
    if not all(option.keys for option in options):
        return ""  # a sign for a word, or a word for a sign: what stands around it is part of it
    options += [o._replace(keys=o.keys[1:], gaps=o.gaps[1:]) for o in options if o.keys[0] in ARTICLES and o.keys[1:]]
    pieces, tail = _pieces(window, room)
    theirs = worded(prose)
    broken = BREAK.search(window.task.target) is not None
    form = InForm(window, prose, sum(piece.zone for piece in pieces))
    todo, seen = [_State(0, 0, -1, "", False)], set[_State]()
    furthest = 0
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        furthest = max(furthest, state.piece)
        if state.piece == len(pieces):
            beside = bool(pieces) and pieces[-1].zone
            rest = _gap(answer, theirs, state, len(answer), owner=beside)
            right = (beside and pieces[-1].marked) or _alike(state.held + tail, rest, beside, broken and beside)
            if right and state.word == len(theirs):
                return ""
            continue
        todo += _next(state, pieces, theirs, answer, options, room, form, broken=broken)
    if form.reason:
        return form.reason
    near = pieces[min(furthest, len(pieces) - 1)].text if pieces else window.task.target
    return f"what stands beside {near!r} differs: replace the word alone, and keep the signs and markup around it"


def _next(
    state: _State,
    pieces: list[_Piece],
    theirs: list[Word],
    answer: str,
    options: list[_Option],
    room: Room,
    form: InForm,
    *,
    broken: bool,
) -> list[_State]:
    """What the next piece may be laid upon."""
    piece = pieces[state.piece]
    out = []
    if piece.may_go:  # what stood before it then stands before the next
        held = state.held + (piece.before.lstrip() if state.dropped else piece.before)
        out.append(state._replace(piece=state.piece + 1, held=held, loose=True, dropped=True))
    if state.word >= len(theirs):
        return out
    word = theirs[state.word]
    if (
        room.article
        and low_of(word.text) in ARTICLES
        and any(p.zone for p in pieces[state.piece : state.piece + PHRASE + 1])
    ):
        out.append(state._replace(word=state.word + 1, loose=True))
    beside = piece.zone or (state.piece > 0 and pieces[state.piece - 1].zone)
    marked = piece.marked or (state.piece > 0 and pieces[state.piece - 1].marked)
    loose = state.loose or (broken and beside)
    owner = state.piece > 0 and pieces[state.piece - 1].zone
    given = _gap(answer, theirs, state, word.start, owner=owner)
    mine = state.held + (piece.before.lstrip() if state.dropped else piece.before)
    if not piece.zone:
        fits = room.known(low_of(word.text)) == room.known(low_of(piece.text)) or (
            piece.article and low_of(word.text) in ARTICLES
        )
        first = piece.first != (state.word == 0)
        fits = fits and (piece.article or same(piece.text, word.text, opening=first))
        if fits and (marked or _alike(mine, given, beside, loose)):
            out.append(_State(state.piece + 1, state.word + 1, state.word, "", False))
        return out
    for option in options:
        count = len(option.keys)
        words = theirs[state.word : state.word + count]
        if tuple(_key(w.text) for w in words) != option.keys:
            continue
        between = [answer[a.end : b.start] for a, b in pairwise(words)]
        if not marked and not all(_alike(a, b, False, broken) for a, b in zip(option.gaps, between, strict=True)):
            continue
        if (marked or _alike(mine + option.lead, given, beside, loose)) and form.fits(
            piece.start, piece.start + len(piece.text), option.named, words, opening=piece.first, leads=not state.word
        ):
            out.append(_State(state.piece + 1, state.word + count, state.word + count - 1, option.trail, False))
    return out


def _gap(answer: str, theirs: list[Word], state: _State, end: int, *, owner: bool) -> str:
    """What stands in `answer` between the last word that was laid and `end`, without the articles that came there.

    `owner` where that word may be another than it was: the 's of a possessive is then no part of it.
    """
    at = 0
    if state.last >= 0:
        word = theirs[state.last]
        owned = owner and low_of(word.text).endswith("'s")
        at = word.end - 2 if owned else word.end
    out = ""
    for came in theirs[state.last + 1 : state.word]:
        out += answer[at : came.start].lstrip() if out else answer[at : came.start]
        at = came.end
    came_any = state.word > state.last + 1
    return out + (answer[at:end].lstrip() if came_any else answer[at:end])


def _alike(mine: str, given: str, beside: bool, loose: bool) -> bool:
    """Are two gaps the same? `beside` a replaced word a comma may go, and a possessive be that of a plural."""
    if mine == given:
        return True
    if beside:
        ours, theirs = _OWNER.match(mine), _OWNER.match(given)
        if ours and theirs:
            mine, given = mine[ours.end() :], given[theirs.end() :]
        if given in (mine, mine.replace(",", "")):
            return True
    return loose and _BLANK.sub(" ", mine) in (_BLANK.sub(" ", given), _BLANK.sub(" ", given.replace(",", "")))


def _pieces(window: Window, room: Room) -> tuple[list[_Piece], str]:
    """The words of the sentence and the uses of its target, in order, and what stands behind the last."""
    target = len(window.task.target)
    spans: list[tuple[int, int]] = []
    for start, end in sorted({window.at, *((at, at + target) for at in uses(window.task.target, window.prose))}):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    ours = worded(window.prose)
    firsts = [next((n for n, word in enumerate(ours) if word.end > start), len(ours)) for start, _ in spans]
    found: list[tuple[int, int, int]] = [(start, end, -1) for start, end in spans]
    for number, word in enumerate(ours):
        if not any(word.start < end and word.end > start for start, end in spans):
            found.append((word.start, word.end, number))
    out, at = [], 0
    for start, end, number in sorted(found):
        before, text = window.sentence[at:start], window.sentence[start:end]
        if number < 0:
            marked = any(c in (MARKUP, OPAQUE) for c in window.prose[start:end])
            opens = start == ours[0].start if ours else True
            out.append(_Piece(text, before, opens, zone=True, marked=marked, start=start))
        else:
            article = any(is_article(ours, number, first) for first in firsts)
            the = room.the and low_of(text) == "the" and number + 1 in firsts
            out.append(_Piece(text, before, number == 0, may_go=(article and room.article) or the, article=article))
        at = end
    return out, window.sentence[at:]


def _option(text: str) -> _Option:
    words = worded(text)
    if not words:
        return _Option((), text, (), "")
    gaps = tuple(text[a.end : b.start] for a, b in pairwise(words))
    return _Option(tuple(_key(w.text) for w in words), text[: words[0].start], gaps, text[words[-1].end :])


def _key(text: str) -> str:
    return kin(low_of(text).removesuffix("'s"))
