"""Tables as their readers see them, and paragraphs that only look like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from firewall.text.markdown import Document, Node
from latches.elements.base import plural

_PIPE = re.compile(r"(?<!\\)\|")


class Table(NamedTuple):
    """A pipe table: header cells, rows of cells, and (offset, raw cells) of rows whose last cells are lost.

    GFM cuts a row at every pipe that has no backslash, in code spans too, and drops what is beyond the
    header's columns. A row that loses text is in `lost`; one that is short has fewer cells than the header.
    """

    node: Node
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lost: tuple[tuple[int, int], ...]


def tables(doc: Document) -> Iterator[Table]:
    """Every table of the document, nested ones too."""
    for node in doc.find("table"):
        header: tuple[str, ...] = ()
        rows = []
        lost = []
        for child in node.children:
            cells = tuple(" ".join(cell.plain().split()) for cell in child.children)
            if child.kind == "table_head":
                header = cells
            else:
                rows.append(cells)
                raw = raw_cells(doc.text(child))
                if raw > len(header):
                    lost.append((child.start, raw))
        yield Table(node, header, tuple(rows), tuple(lost))


def raw_cells(row: str) -> int:
    """How many cells the source of a row has, those that GFM drops included."""
    text = row.strip().removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return len(_PIPE.findall(text)) + 1


def lookalikes(doc: Document) -> Iterator[tuple[int, str]]:
    """(offset, reason) of paragraphs written like a table that are none."""
    for node in doc.find("paragraph"):
        lines = [line for line in doc.text(node).splitlines() if line.strip()]
        if len(lines) >= 2 and sum(1 for line in lines if len(_PIPE.findall(line)) >= 2) >= 2:
            dashes = [line for line in lines if set(line) <= set("|-: \t>") and "-" in line]
            if not dashes:
                why = "this looks like a table but has no delimiter row (| --- | --- |) under its header"
            else:
                why = "this looks like a table, but its header and delimiter row do not have the same cells"
            yield node.start, why
    for node in doc.find("code_block"):
        if node.attrs["fenced"]:
            continue
        if doc.text(node).lstrip().startswith("|"):
            yield node.start, "this table is indented by four spaces or more, so it is code"


def barred(text: str) -> bool:
    """Do its first two lines begin and end with a pipe, as only a table's do?"""
    lines = [line.strip("> \t") for line in text.splitlines() if line.strip()][:2]
    return len(lines) == 2 and all(len(_PIPE.findall(s)) > 1 and s[0] == "|" and s.endswith("|") for s in lines)


def shape_fault(table: Table, columns: int, rows: int) -> str | None:
    """What keeps a table from being whole: too few columns or rows, lost or empty cells."""
    if len(table.header) < columns:
        return f"the table has {plural(len(table.header), 'column')}; {columns} are needed"
    if len(table.rows) < rows:
        return f"the table has {plural(len(table.rows), 'row')} under its header; {rows} are needed"
    if table.lost:
        return (
            "a row has more cells than the header, so its last cells are not shown (write a pipe inside a cell as \\|)"
        )
    return None
