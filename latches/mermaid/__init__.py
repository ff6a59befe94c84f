"""A strict reader of mermaid diagrams: what it accepts, mermaid draws.

A lenient checker accepts what mermaid refuses, and the reader of the book sees an error where the picture
should be. So this one prefers false alarms: it knows the common part of seven kinds of diagram and refuses
the rest, saying what to write instead. Grammar after the documentation of mermaid 11, in our own words.
"""

from __future__ import annotations

from collections.abc import Callable

from latches.mermaid import charts, flowchart, graphs, sequence
from latches.mermaid.lines import Line, Refused, content

KINDS: dict[str, Callable[[str, list[Line]], None]] = {
    "flowchart": flowchart.check,
    "graph": flowchart.check,
    "sequenceDiagram": sequence.check,
    "stateDiagram-v2": graphs.check_state,
    "stateDiagram": graphs.check_state,
    "classDiagram": graphs.check_class,
    "erDiagram": graphs.check_er,
    "pie": charts.check_pie,
    "timeline": charts.check_timeline,
    "gantt": charts.check_gantt,
}


def fault(text: str) -> tuple[int, str] | None:
    """(line in the diagram from 1, what mermaid would refuse there), or None when the diagram is good."""
    try:
        lines = content(text)
        if not lines:
            raise Refused(1, "the diagram is empty")
        head = lines[0]
        name = head.text.split()[0].rstrip(";")
        check = KINDS.get(name)
        if check is None:
            known = ", ".join(kind for kind in KINDS if kind not in ("graph", "stateDiagram"))
            raise Refused(head.number, f"{name[:30]!r} is no kind of diagram that can be checked; use {known}")
        check(head.text[len(name) :].strip(), lines)
    except Refused as refused:
        return refused.line, refused.why
    return None
