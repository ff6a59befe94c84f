"""mermaid_diagram: the numbered steps of the notes, drawn. A step that begins with If becomes a branch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.text.markdown import parse
from pipeline.compose.labels import NO, YES
from pipeline.compose.notes import Unit
from pipeline.compose.parts.timeline_steps import timed
from pipeline.compose.piece import Piece, part, piece

MOST = 12
"""Steps beyond which a chart is no help."""

_IF = re.compile(r"^If\s[^,;]{3,90}(?=,\s)", re.IGNORECASE)


def find(unit: Unit) -> Iterator[Piece]:
    """Every numbered list of three steps or more; branches and a middling length are better."""
    for block in unit.blocks:
        if block.kind != "steps" or not 3 <= len(block.items) <= MOST or timed(block):
            continue
        steps = [seen(item) for item in block.items]
        branches = sum(1 for step in steps if _IF.match(step))
        score = 1.0 + min(branches, 3) - abs(len(steps) - 6) / 6
        yield piece("mermaid_diagram", [part(block, "figure", flowchart(steps))], score, block)


def seen(item: str) -> str:
    """What a reader sees of an item, markup gone."""
    return " ".join(" ".join(block.plain() for block in parse(item).blocks).split())


def flowchart(steps: list[str]) -> str:
    """The steps as a fenced mermaid flowchart, top down."""
    lines = ["flowchart TD"]
    open_ends: list[str] = []  # arrows that wait for the next node
    for number, step in enumerate(steps, 1):
        name = f"s{number}"
        condition = _IF.match(step)
        if condition is None:
            lines += [f"    {end} {name}" for end in open_ends]
            lines.append(f'    {name}["{label(step)}"]')
            open_ends = [f"{name} -->"]
            continue
        does = step[condition.end() :].lstrip(", ")
        lines += [f"    {end} {name}" for end in open_ends]
        lines.append(f'    {name}{{"{label(condition.group())}"}}')
        lines.append(f'    {name} -->|{YES}| {name}a["{label(does[:1].upper() + does[1:])}"]')
        open_ends = [f"{name} -->|{NO}|", f"{name}a -->"] if number < len(steps) else []
    return "```mermaid\n" + "\n".join(lines) + "\n```"


def label(text: str) -> str:
    """`text` as a quoted label: what mermaid or Markdown would read as markup is written as an entity."""
    text = text.rstrip(".")
    out = []
    for char in text:
        if char in '"#&<>;`\\':
            out.append(
                {
                    '"': "#quot;",
                    "#": "#35;",
                    "&": "#amp;",
                    "<": "#lt;",
                    ">": "#gt;",
                    ";": "#59;",
                    "`": "#96;",
                    "\\": "#92;",
                }[char]
            )
        else:
            out.append(" " if char.isspace() else char)
    return "".join(out)
