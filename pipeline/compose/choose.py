"""Which pieces a section is made of: for each element one that its latch accepts, from units that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from latches.blueprint import SectionPlan
from pipeline.compose.notes import Notes, Unit
from pipeline.compose.parts import FINDERS
from pipeline.compose.piece import Piece, satisfies

HOME = 4.0
"""Points for a piece from the file that the section is about."""
TOGETHER = 3.0
"""Points for a piece from a unit that another chosen piece comes from."""
BESIDES = 2.0
"""Points for each further element of the section that the piece satisfies too."""
RANK = 0.1
"""Points lost with each rank of its unit's best passage."""


def choose(
    notes: Notes, plan: SectionPlan, elements: Iterable[str], taken: Iterable[tuple[int, int]] = ()
) -> list[Piece]:
    """One piece for each of `elements` that the notes have something for, in the order of the elements.

    `taken` are (unit, place) of blocks that are used already. An element that a chosen piece happens to
    satisfy needs none of its own.
    """
    wanted = list(elements)
    used = set(taken)
    best: list[Piece] = []
    best_score = -1.0
    for anchor in [None, *notes.units]:
        chosen = _around(notes, plan, wanted, used, anchor)
        score = sum(_worth(notes, plan, piece, wanted, chosen) for piece in chosen)
        score += 100.0 * sum(_met(element, chosen, plan) for element in wanted)
        if score > best_score + 1e-9:
            best, best_score = chosen, score
    return best


def _around(
    notes: Notes, plan: SectionPlan, wanted: list[str], used: set[tuple[int, int]], anchor: Unit | None
) -> list[Piece]:
    """Pieces chosen one element at a time, those of the unit `anchor` preferred throughout."""
    chosen: list[Piece] = []
    busy = set(used)
    for element in wanted:
        if _met(element, chosen, plan):
            continue
        found = list(_candidates(notes, plan, element, busy))
        if not found:
            continue
        best = max(
            found, key=lambda p: (_liked(notes, plan, p, wanted, chosen, anchor), -p.unit, -min(p.uses))
        )
        chosen.append(best)
        busy |= {(best.unit, place) for place in best.uses}
    return chosen


def _candidates(notes: Notes, plan: SectionPlan, element: str, busy: set[tuple[int, int]]) -> Iterator[Piece]:
    finder = FINDERS.get(element)
    if finder is None:
        return
    for unit in notes.units:
        for piece in finder(unit):
            if any((piece.unit, place) in busy for place in piece.uses):
                continue
            if satisfies(piece.text, element, plan):
                yield piece


def _liked(
    notes: Notes, plan: SectionPlan, piece: Piece, wanted: list[str], chosen: list[Piece], anchor: Unit | None
) -> float:
    near = anchor is not None and piece.unit == anchor.number
    return _worth(notes, plan, piece, wanted, chosen) + TOGETHER * near


def _worth(notes: Notes, plan: SectionPlan, piece: Piece, wanted: list[str], chosen: list[Piece]) -> float:
    unit = notes.units[piece.unit]
    besides = sum(1 for e in wanted if e != piece.element and satisfies(piece.text, e, plan))
    together = any(other.unit == piece.unit for other in chosen if other is not piece)
    return (
        piece.score
        + HOME * (unit.file == notes.home)
        + TOGETHER * together
        + BESIDES * besides
        - RANK * unit.rank
    )


def _met(element: str, chosen: list[Piece], plan: SectionPlan) -> bool:
    return any(satisfies(piece.text, element, plan) for piece in chosen)
