"""comparison_table: a table of the notes that sets things side by side, in words more than in numbers."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.compose.notes import Unit
from pipeline.compose.parts.tables import is_timeline, numeric_share, rows_of
from pipeline.compose.piece import Piece, part, piece


def find(unit: Unit) -> Iterator[Piece]:
    """Every table that is no timeline; one beside arguments for and against is better."""
    argued = sum(1 for block in unit.blocks if block.kind == "bullets") >= 2
    for block in unit.blocks:
        if block.kind == "table" and not is_timeline(block):
            score = 3 * (1 - numeric_share(block)) + 2 * argued + min(len(rows_of(block)), 6) / 6
            yield piece("comparison_table", [part(block, "figure", block.text)], score, block)
