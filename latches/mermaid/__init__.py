"""A strict reader of mermaid diagrams: what it accepts, mermaid draws.

A lenient checker accepts what mermaid refuses, and the reader of the book sees an error where the picture
should be. So this one prefers false alarms: it knows the common part of seven kinds of diagram and refuses
the rest, saying what to write instead. Grammar after the documentation of mermaid 11, in our own words.
"""

from __future__ import annotations

import re
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


OTHERS = frozenset(
    "flowchart-elk classDiagram-v2 journey gitGraph gitGraph: mindmap quadrantChart requirementDiagram requirement "
    "C4Context C4Container C4Component C4Dynamic C4Deployment sankey sankey-beta xychart xychart-beta block block-beta "
    "packet packet-beta kanban architecture architecture-beta radar-beta treemap treemap-beta zenuml info "
    "eventmodeling ishikawa ishikawa-beta treeView-beta venn-beta wardley-beta".split()
)
"""Kinds that mermaid 11 draws and this reader does not know; new ones come as `…-beta` first."""


def sure_fault(text: str) -> tuple[int, str] | None:
    """`fault`, where it is one that mermaid refuses for sure: what may stand in a document that nobody planned."""
    refused = _refused(text)
    if refused is None:
        return None
    below = "\n".join(text.splitlines()[refused.line :])  # a node's text may go on there
    lacking = refused.lacks != "" and not re.search(refused.lacks, below)
    return (refused.line, refused.why) if refused.sure or lacking else None


def fault(text: str) -> tuple[int, str] | None:
    """(line in the diagram from 1, what mermaid would refuse there), or None when the diagram is good."""
    refused = _refused(text)
    return None if refused is None else (refused.line, refused.why)


def _refused(text: str) -> Refused | None:
    try:
        lines = content(text)
        if not lines:
            raise Refused(1, "the diagram is empty", sure=True)
        head = lines[0]
        name = head.text.split()[0].rstrip(";")
        check = KINDS.get(name)
        if check is None:
            known = ", ".join(kind for kind in KINDS if kind not in ("graph", "stateDiagram"))
            wrong = f"{name[:30]!r} is no kind of diagram that can be checked; use {known}"
            raise Refused(head.number, wrong, sure=name not in OTHERS and not name.endswith("-beta"))
        check(head.text[len(name) :].strip(), lines)
    except Refused as refused:
        return refused
    return None
