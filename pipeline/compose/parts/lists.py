"""numbered_steps, key_points and checklist: lists of the notes, whole and as they are."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.compose.notes import TASKS, Block, Unit
from pipeline.compose.parts.pros_cons_breakdown import labelled_lists
from pipeline.compose.parts.timeline_steps import timed
from pipeline.compose.piece import Piece, part, piece


def steps(unit: Unit) -> Iterator[Piece]:
    """Every numbered list that is no timeline; longer ones are better, up to ten."""
    for block in unit.blocks:
        if block.kind == "steps" and not timed(block):
            yield piece("numbered_steps", [part(block, "list", block.text)], _size(block), block)


def points(unit: Unit) -> Iterator[Piece]:
    """Every bullet list that is neither a timeline nor an argument, with the line that leads into it."""
    argued = {items.place for _, _, items in labelled_lists(unit)}
    for block in unit.blocks:
        if block.kind == "bullets" and block.info != TASKS and block.place not in argued and not timed(block):
            yield piece("key_points", [part(block, "list", block.text)], _size(block), block)


def tasks(unit: Unit) -> Iterator[Piece]:
    """Every list whose items begin with check boxes."""
    for block in unit.blocks:
        if block.info == TASKS:
            text = "\n".join(f"- [ ] {item}" for item in block.items)
            yield piece("checklist", [part(block, "list", text)], _size(block), block)


def _size(block: Block) -> float:
    return min(len(block.items), 10) / 2
