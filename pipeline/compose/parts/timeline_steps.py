"""timeline_steps: a list or table of the notes whose entries begin with a point in time."""

from __future__ import annotations

from collections.abc import Iterator

from latches.elements.moments import moment
from pipeline.compose.notes import Block, Unit
from pipeline.compose.parts.tables import is_timeline
from pipeline.compose.piece import Piece, part, piece


def find(unit: Unit) -> Iterator[Piece]:
    """Every such list, its times in bold, and every such table."""
    for block in unit.blocks:
        if block.kind == "table" and is_timeline(block):
            yield piece("timeline_steps", [part(block, "figure", block.text)], len(block.items) - 1, block)
        elif block.kind in ("bullets", "steps") and timed(block):
            lines = [f"- {_bold(item)}" for item in block.items]
            yield piece("timeline_steps", [part(block, "list", "\n".join(lines))], len(lines), block)


def timed(block: Block) -> bool:
    """Does every item of a list begin with a point in time?"""
    return len(block.items) >= 3 and all(moment(item) is not None for item in block.items)


def has_timeline(unit: Unit) -> bool:
    """Does the unit tell what happened, in the order of time?"""
    return any(
        (b.kind == "table" and is_timeline(b)) or (b.kind in ("bullets", "steps") and timed(b)) for b in unit.blocks
    )


def _bold(item: str) -> str:
    """The item with its time in bold, unless it has markup of its own there."""
    at = moment(item)
    assert at is not None, "asked of timed items only"
    end = at.end
    while end > 1 and item[end - 1].isalnum() and item[end : end + 1].isalnum():
        end -= 1  # in the middle of a word: "03:09 H|e opens"
    when = item[:end].rstrip()
    if not when.strip() or any(c in "*_`[<(" for c in when) or item[end : end + 1] in ("*", "_", "`"):
        return item
    return f"**{when}**{item[len(when) :]}"
