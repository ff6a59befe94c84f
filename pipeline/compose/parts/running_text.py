"""running_text: the paragraphs of a unit that can stand without what is left out around them."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.compose.notes import Block, Unit
from pipeline.compose.parts.callout_box import boxed
from pipeline.compose.parts.timeline_steps import has_timeline
from pipeline.compose.piece import Piece, part, piece
from pipeline.compose.prose import stands_alone

LEAST = 20
"""Words of a paragraph that tells something."""


def find(unit: Unit) -> Iterator[Piece]:
    """The first two or three such paragraphs of a unit together."""
    told = paragraphs(unit)
    for count in (3, 2):
        if len(told) >= count:
            first, *others = told[:count]
            parts = [part(b, "prose", b.text) for b in told[:count]]
            yield piece("running_text", parts, 1.0 + count / 4, first, *others)


def paragraphs(unit: Unit) -> list[Block]:
    """Paragraphs of a unit that tell something on their own; none of an incident, which is told whole or not."""
    if has_timeline(unit):
        return []
    out: list[Block] = []
    for block in unit.blocks:
        shown = {b.place for b in out}
        if block.words >= LEAST and boxed(block) is None and stands_alone(unit, block, shown):
            out.append(block)
    return out
