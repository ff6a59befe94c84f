"""One file an element: each finds, in one unit of the notes, the pieces that its element can be made of.

A finder is `find(unit) -> Iterator[Piece]`. It proposes; whether a piece will do is asked of the latch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipeline.compose.notes import Unit
from pipeline.compose.parts import (
    callout_box,
    code,
    comparison_table,
    faq_block,
    formal_definition,
    lists,
    mermaid_diagram,
    performance_table,
    pros_cons_breakdown,
    root_cause_analysis,
    running_text,
    safeguard_bullets,
    timeline_steps,
)
from pipeline.compose.piece import Piece

Finder = Callable[[Unit], Iterator[Piece]]

FINDERS: dict[str, Finder] = {
    "fenced_code_block": code.find,
    "inline_annotations": code.find,
    "performance_table": performance_table.find,
    "comparison_table": comparison_table.find,
    "pros_cons_breakdown": pros_cons_breakdown.find,
    "callout_box": callout_box.find,
    "timeline_steps": timeline_steps.find,
    "root_cause_analysis": root_cause_analysis.find,
    "safeguard_bullets": safeguard_bullets.find,
    "mermaid_diagram": mermaid_diagram.find,
    "formal_definition": formal_definition.find,
    "faq_block": faq_block.find,
    "numbered_steps": lists.steps,
    "key_points": lists.points,
    "checklist": lists.tasks,
    "running_text": running_text.find,
}
"""Finders by the element's name in `latches.elements`."""

__all__ = ["FINDERS", "Finder"]
