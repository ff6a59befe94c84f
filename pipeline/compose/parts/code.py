"""fenced_code_block and inline_annotations: a fence of the notes, whole and as it is."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.compose.notes import Unit
from pipeline.compose.piece import Piece, part, piece

_COMMENT = ("#", "//", "--", ";", "/*", "<!--", "%")


def find(unit: Unit) -> Iterator[Piece]:
    """Every fence. Longer ones and those with more comments are better, up to what a page holds."""
    for block in unit.blocks:
        if block.kind != "code":
            continue
        lines = [line for line in block.items if line.strip()]
        comments = sum(1 for line in lines if any(f" {mark} " in f" {line} " for mark in _COMMENT))
        score = min(len(lines), 30) / 10 + min(comments, 6) / 2 - max(0, len(lines) - 45) / 10
        yield piece("fenced_code_block", [part(block, "figure", block.text)], score, block)
