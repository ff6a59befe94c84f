"""What a table of the notes is about, told from its cells."""

from __future__ import annotations

import re

from latches.elements.moments import moment
from pipeline.compose.notes import Block

_NUMBER = re.compile(r"^[~≈<>≤≥+\-−±$€£]*\s*\d")


def rows_of(table: Block) -> list[list[str]]:
    """The rows under the head, as cells."""
    return [row.split("|") for row in table.items[1:]]


def is_timeline(table: Block) -> bool:
    """Does nearly every row begin with a clock time, in the order of a story?"""
    rows = rows_of(table)
    timed = sum(1 for row in rows if row and (at := moment(row[0])) is not None and at.kind == "clock")
    return len(rows) >= 3 and timed >= len(rows) - 1


def numeric_share(table: Block) -> float:
    """Which share of the cells beside the first column begins with a number."""
    cells = [cell for row in rows_of(table) for cell in row[1:] if cell.strip()]
    return sum(1 for cell in cells if _NUMBER.match(cell)) / len(cells) if cells else 0.0
