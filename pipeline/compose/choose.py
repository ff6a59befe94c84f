"""Which pieces a section is made of: for each element one that its latch accepts, from units that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from latches.blueprint import SectionPlan
from pipeline.compose.notes import Notes
from pipeline.compose.parts import FINDERS
from pipeline.compose.piece import Piece, satisfies, sound

HOME = 4.0
"""Points for a piece from the file that the section is about."""
TOGETHER = 3.0
"""Points for a piece from a unit that another chosen piece comes from."""
BESIDES = 2.0
"""Points for each further element of the section that the piece satisfies too."""
RANK = 0.1
"""Points lost with each rank of its unit's best passage."""


STORY = frozenset(("timeline_steps", "root_cause_analysis", "safeguard_bullets"))
"""Elements that tell of one incident. They come from one unit: the cause of one night beside the timeline of
another would be an invention, whatever the notes say."""
NOWHERE = -1

_Candidates = dict[str, list[Piece]]


def choose(
    notes: Notes,
    plan: SectionPlan,
    elements: Iterable[str],
    taken: Iterable[tuple[int, int]] = (),
    story: int | None = None,
) -> list[Piece]:
    """One piece for each of `elements` that the notes have something for, in the order of the elements.

    `taken` are (unit, place) of blocks that are used already; `story` is the unit whose incident is told
    already, or NOWHERE when it is not known which. An element that a chosen piece happens to satisfy needs
    none of its own.
    """
    wanted = list(dict.fromkeys(elements))
    busy = set(taken)
    found = {element: list(_candidates(notes, plan, element, busy)) for element in wanted}
    best: list[Piece] = []
    best_score = -1.0
    for anchor in [None, *(unit.number for unit in notes.units)]:
        chosen = _around(notes, plan, found, anchor, anchor if story is None else story)
        score = sum(_worth(notes, plan, piece, wanted, chosen) for piece in chosen)
        score += 100.0 * sum(_met(element, chosen, plan) for element in wanted)
        if score > best_score + 1e-9:
            best, best_score = chosen, score
    return best


def story_told(notes: Notes, taken: Iterable[tuple[int, int]]) -> int:
    """The unit whose incident is told by the blocks `taken`, or NOWHERE."""
    printed = set(taken)
    for unit in notes.units:
        for element in sorted(STORY):
            for piece in FINDERS[element](unit):
                if all((unit.number, place) in printed for place in piece.uses):
                    return unit.number
    return NOWHERE


def _around(notes: Notes, plan: SectionPlan, found: _Candidates, anchor: int | None, story: int | None) -> list[Piece]:
    """Pieces chosen one element at a time, those of the unit `anchor` preferred, the story from `story` alone."""
    chosen: list[Piece] = []
    busy: set[tuple[int, int]] = set()
    for element in found:
        if _met(element, chosen, plan):
            continue
        told = story
        if told is None and element in STORY:
            told = next((p.unit for p in chosen if p.element in STORY), None)
        free = [
            p
            for p in found[element]
            if not any((p.unit, place) in busy for place in p.uses)
            and (element not in STORY or told is None or p.unit == told)
        ]
        if not free:
            continue
        best = max(free, key=lambda p: (_liked(notes, plan, p, list(found), chosen, anchor), -p.unit, -min(p.uses)))
        chosen.append(best)
        busy |= {(best.unit, place) for place in best.uses}
    return chosen


def _candidates(notes: Notes, plan: SectionPlan, element: str, busy: set[tuple[int, int]]) -> Iterator[Piece]:
    """What the notes have for an element and its latch accepts."""
    finder = FINDERS.get(element)
    if finder is None:
        return
    for unit in notes.units:
        for piece in finder(unit):
            if any((piece.unit, place) in busy for place in piece.uses):
                continue
            if satisfies(piece.text, element, plan) and sound(piece.text):
                yield piece


def _liked(
    notes: Notes, plan: SectionPlan, piece: Piece, wanted: list[str], chosen: list[Piece], anchor: int | None
) -> float:
    near = piece.unit == anchor
    return _worth(notes, plan, piece, wanted, chosen) + TOGETHER * near


def _worth(notes: Notes, plan: SectionPlan, piece: Piece, wanted: list[str], chosen: list[Piece]) -> float:
    unit = notes.units[piece.unit]
    besides = sum(1 for e in wanted if e != piece.element and satisfies(piece.text, e, plan))
    together = any(other.unit == piece.unit for other in chosen if other is not piece)
    return piece.score + HOME * (unit.file == notes.home) + TOGETHER * together + BESIDES * besides - RANK * unit.rank


def _met(element: str, chosen: list[Piece], plan: SectionPlan) -> bool:
    return any(satisfies(piece.text, element, plan) for piece in chosen)
