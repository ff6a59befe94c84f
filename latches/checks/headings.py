"""Heading levels: one title, and no level skipped on the way down."""

from __future__ import annotations

import re

from firewall.text.markdown import Document, Node, prose_blocks
from firewall.verdict import Finding, Outcome
from latches.checks.html import html_headings
from latches.elements.base import line_of

_GLUED = re.compile(r"^#{2,6}(?=[^\W_])[^\n]*", re.MULTILINE)


def glued_headings(doc: Document) -> list[Finding]:
    """A line of two signs and more without a blank behind them, which shows as text. One sign may begin a tag."""
    if "##" not in doc.source:
        return []
    out = []
    for block in prose_blocks(doc):
        for found in _GLUED.finditer(doc.source, block.start, block.end) if block.kind == "paragraph" else ():
            if block.text.startswith("##", found.start() - block.start):
                line = line_of(doc.source, found.start())
                message = f"Line {line} shows as text and is no heading. Put a blank behind its signs."
                out.append(Finding("headings", Outcome.HOLD, message, {"line": line}, *found.span()))
    return out


def document_headings(doc: Document) -> list[Finding]:
    """A whole document: one H1 at most, before all other headings, and no level skipped.

    A document without headings, or with its title in front matter and H2 as its highest, passes. An HTML heading
    is a title like another, and what others stand under; its own level is the page's matter.
    """
    found, pasted = _all(doc)
    out = _skips(doc, found, None, pasted)
    titles = [node for node in found if node.attrs["level"] == 1]
    found = [node for node in found if node in titles or node.start not in pasted]
    for node in titles[1:]:
        out.append(
            _finding(
                doc, node, f"{_quoted(node)} is a second H1 after line {line_of(doc.source, titles[0].start)}",
                "Make it ## or deeper; a document has one title.",
            )
        )  # fmt: skip
    if titles and found[0] is not titles[0]:
        out.append(_finding(doc, found[0], f"{_quoted(found[0])} stands before the H1", "Put the title first."))
    return out


def section_headings(doc: Document, level: int = 2) -> list[Finding]:
    """The text of one section, its own heading first or left out: all others are deeper than it.

    `level` is the section's own, used where its heading is left out.
    """
    found, pasted = _all(doc)
    own = found[0] if found and doc.blocks and found[0] is doc.blocks[0] else None
    if own is not None and own.attrs["level"] <= level:
        level = int(own.attrs["level"])
        found = found[1:]
    out = _skips(doc, found, level, pasted)
    for node in found:
        if node.attrs["level"] <= level:
            least = "#" * (level + 1)
            out.append(
                _finding(
                    doc, node, f"{_quoted(node)} is H{node.attrs['level']} inside a section that is H{level}",
                    f"Make it {least} or deeper.",
                )
            )  # fmt: skip
    return out


def _all(doc: Document) -> tuple[list[Node], set[int]]:
    """(all headings in order, where those stand that are HTML)."""
    pasted = html_headings(doc)
    return sorted([*doc.find("heading"), *pasted], key=lambda node: node.start), {node.start for node in pasted}


def _skips(doc: Document, found: list[Node], above: int | None, pasted: set[int]) -> list[Finding]:
    """Levels skipped on the way down, and headings that say nothing. Those in `pasted`, HTML, may do both."""
    out = []
    for node in found:
        level = int(node.attrs["level"])
        if node.start in pasted:
            above = level
            continue
        if not node.plain().strip() and not any(child.kind == "image" for child in node.walk()):
            out.append(_finding(doc, node, "a heading is empty", "Give it words or take it out."))
        if above is not None and level > above + 1:
            out.append(
                _finding(
                    doc, node, f"{_quoted(node)} is H{level} right under H{above}",
                    f"Make it {'#' * (above + 1)}, or add the level between.",
                )
            )  # fmt: skip
        above = level
    return out


def _quoted(node: Node) -> str:
    text = node.plain().strip()
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”"


def _finding(doc: Document, node: Node, what: str, ask: str) -> Finding:
    line = line_of(doc.source, node.start)
    evidence: dict[str, object] = {"line": line, "level": node.attrs["level"]}
    return Finding("headings", Outcome.HOLD, f"Line {line}: {what}. {ask}", evidence, node.start, node.end)
