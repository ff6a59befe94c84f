"""Fences that are closed, and tables that keep their cells: text that is there but not where it seems."""

from __future__ import annotations

import re

from firewall.text.markdown import Document, prose_blocks
from firewall.verdict import Finding, Outcome
from latches.elements.base import line_of, plural
from latches.elements.tables import barred, lookalikes, tables


def unclosed_fences(doc: Document) -> list[Finding]:
    """A fence that is never closed takes in all that follows, so nothing after it can be trusted.

    Where a fence is closed is said by CommonMark: a line of the same character, at least as long as the
    opener. A fence inside a docstring closes the block, and what follows is judged as it then reads.
    """
    out = []
    for node in doc.find("code_block"):
        if node.attrs["closed"]:
            continue
        text = doc.text(node)
        line = line_of(doc.source, node.start)
        opener = text.split(maxsplit=1)[0]
        mark = opener[: len(opener) - len(opener.lstrip(opener[0]))]
        inside = sum(1 for row in text.splitlines()[1:] if row.strip())
        message = (
            f"Unclosed fence at line {line}: all that follows ({plural(inside, 'line')}) is code. "
            f"Close it with a line of {mark} after the code."
        )
        evidence: dict[str, object] = {"line": line, "lines_inside": inside}
        out.append(Finding("unclosed-fence", Outcome.BLOCK, message, evidence, node.start, node.end))
    return out


def lost_cells(doc: Document) -> list[Finding]:
    """A row with more cells than its header: GFM drops the rest, and cuts code spans at pipes, too."""
    out = []
    for table in tables(doc):
        for at, cells in table.lost:
            line = line_of(doc.source, at)
            message = (
                f"The table row on line {line} has {cells} raw cells for {plural(len(table.header), 'column')}, so "
                "text in it is lost. Write a pipe inside a cell as \\|, in code too, or add a column."
            )
            evidence: dict[str, object] = {"line": line, "cells": cells, "columns": len(table.header)}
            out.append(Finding("lost-cells", Outcome.HOLD, message, evidence, at, at))
    return out


_MATH = re.compile(r"^\$\$[ \t\r]*$", re.MULTILINE)


def unclosed_math(doc: Document) -> list[Finding]:
    """A line of `$$` alone that opens a formula which nothing closes: all of it shows as text.

    A formula with blank lines in it is text to a parser too, so such lines are paired; in code they are none.
    """
    if "$$" not in doc.source:
        return []
    signs = [
        found.start()
        for block in prose_blocks(doc)
        if block.kind == "paragraph"
        for found in _MATH.finditer(doc.source, block.start, block.end)
        if block.text.startswith("$$", found.start() - block.start)
    ]
    if len(signs) % 2 == 0:
        return []
    line = line_of(doc.source, signs[-1])
    message = f"Line {line} opens a formula that nothing closes, so it shows as text. Close it with $$."
    return [Finding("unclosed-math", Outcome.HOLD, message, {"line": line}, signs[-1], signs[-1] + 2)]


def no_tables(doc: Document) -> list[Finding]:
    """A paragraph with bars on both sides of its lines, which shows as text: its delimiter row is missing or wrong."""
    if "|" not in doc.source:
        return []
    ends = {node.start: node.end for node in doc.find("paragraph")}
    out = []
    for at, why in lookalikes(doc):
        if at in ends and barred(doc.source[at : ends[at]]):
            line = line_of(doc.source, at)
            message = f"Line {line} shows as text: {why}. Write | --- | once for each cell of the header."
            out.append(Finding("no-table", Outcome.HOLD, message, {"line": line}, at, ends[at]))
    return out
