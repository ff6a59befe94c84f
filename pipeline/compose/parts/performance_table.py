"""performance_table: a table of the notes whose cells are mostly numbers."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.compose.notes import Unit
from pipeline.compose.parts.tables import is_timeline, numeric_share, rows_of
from pipeline.compose.piece import Piece, part, piece


def find(unit: Unit) -> Iterator[Piece]:
    """Every table that is no timeline; the more of it is measured, the better."""
    for block in unit.blocks:
        if block.kind == "table" and not is_timeline(block):
            score = 4 * numeric_share(block) + min(len(rows_of(block)), 6) / 6
            yield piece("performance_table", [part(block, "figure", block.text)], score, block)
