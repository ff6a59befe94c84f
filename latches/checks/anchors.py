"""Anchors: the names that links inside a book lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from firewall.text.markdown import Document
from firewall.verdict import Finding, Outcome
from latches.elements.base import line_of

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_EXPLICIT = re.compile(r"\s*\{[^{}]*#([\w:.-]+)[^{}]*\}\s*$")
_HTML_ID = re.compile(
    r"<[a-z][a-z0-9]*\b[^<>]*?\s(?:id|name)\s*=\s*(?:\"([^\"]+)\"|'([^']+)'|([^\s\"'>]+))", re.IGNORECASE
)


class Anchor(NamedTuple):
    """A name and where it is made. `given` is true when the author wrote the name itself."""

    name: str
    start: int
    end: int
    given: bool


def slug(text: str) -> str:
    """The anchor that GitHub makes of a heading: lower case, punctuation gone, spaces as hyphens."""
    return _NOT_IN_SLUG.sub("", text.strip().lower()).replace(" ", "-")


def anchors(doc: Document) -> Iterator[Anchor]:
    """Every anchor of a document, in order: headings, `{#name}` after them, and id or name in HTML."""
    for node in doc.find("heading", "html_block", "inline_html"):
        if node.kind == "heading":
            text = node.plain()
            given = _EXPLICIT.search(text)
            name = given.group(1) if given else slug(text)
            if name:
                yield Anchor(name, node.start, node.end, bool(given))
        else:
            for found in _HTML_ID.finditer(doc.source, node.start, node.end):
                name = next(group for group in found.groups() if group)
                yield Anchor(name, found.start(), found.end(), True)


def names(doc: Document) -> frozenset[str]:
    """All names that a link may use, those that GitHub makes for repeated headings (`name-1`) included."""
    out: set[str] = set()
    seen: dict[str, int] = {}
    for anchor in anchors(doc):
        turn = seen.get(anchor.name, 0)
        out.add(anchor.name if anchor.given or not turn else f"{anchor.name}-{turn}")
        seen[anchor.name] = turn + 1
    return frozenset(out)


def unique_anchors(doc: Document) -> list[Finding]:
    """A finding for each anchor that repeats another: a link to it reaches only the first."""
    first: dict[str, int] = {}
    out = []
    for anchor in anchors(doc):
        line = line_of(doc.source, anchor.start)
        if anchor.name not in first:
            first[anchor.name] = line
            continue
        message = (
            f"Line {line}: the anchor #{anchor.name} is that of line {first[anchor.name]} again, so a link "
            "reaches only the first. Give one of the headings other words."
        )
        evidence: dict[str, object] = {"line": line, "anchor": anchor.name, "first_line": first[anchor.name]}
        out.append(Finding("anchors", Outcome.HOLD, message, evidence, anchor.start, anchor.end))
    return out
