"""Anchors: the names that links inside a book lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from firewall.text.markdown import Document
from firewall.verdict import Finding, Outcome
from latches.checks.html import html_headings, tags
from latches.elements.base import line_of

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_EXPLICIT = re.compile(r"\s*\{[^{}]*#([\w:.-]+)[^{}]*\}\s*$")


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
    found: list[Anchor] = []
    for node in doc.find("heading"):
        text = node.plain()
        given = _EXPLICIT.search(text)
        name = given.group(1) if given else slug(text)
        if name:
            found.append(Anchor(name, node.start, node.end, bool(given)))
    for tag in tags(doc):
        for name in dict.fromkeys(filter(None, (tag.attrs.get("id"), tag.attrs.get("name")))):
            found.append(Anchor(name, tag.start, tag.end, True))
    yield from sorted(found, key=lambda anchor: anchor.start)


def names(doc: Document) -> frozenset[str]:
    """All names that a link may use, those that GitHub makes for repeated headings (`name-1`) included."""
    out: set[str] = set()
    turns: dict[str, int] = {}
    made = (Anchor(slug(node.plain()), node.start, node.end, False) for node in html_headings(doc))
    for anchor in sorted((*anchors(doc), *made), key=lambda anchor: anchor.start):
        name = anchor.name
        while not anchor.given and name in turns:  # `A`, `A 1`, `A` are a, a-1 and a-2
            turns[anchor.name] += 1
            name = f"{anchor.name}-{turns[anchor.name]}"
        turns.setdefault(name, 0)
        out.add(name)
    return frozenset(out)


def unique_anchors(doc: Document) -> list[Finding]:
    """A finding for each anchor that repeats another: a link to it reaches only the first.

    Headings of equal words under different headings, as the `Added` of each release in a changelog, are told by a
    number and by where they stand; under one heading a reader cannot tell them either.
    """
    first: dict[str, int] = {}
    under: dict[tuple[str, int], int] = {}
    owners = _owners(doc)
    out = []
    for anchor in anchors(doc):
        line = line_of(doc.source, anchor.start)
        place = (anchor.name, -1 if anchor.given else owners.get(anchor.start, -1))
        before = under.get(place, first.get(anchor.name) if anchor.given else under.get((anchor.name, -1)))
        first.setdefault(anchor.name, line)
        under.setdefault(place, line)
        if before is None:
            continue
        message = (
            f"Line {line}: the anchor #{anchor.name} is that of line {before} again, so a link "
            "reaches only the first. Give one of the headings other words."
        )
        evidence: dict[str, object] = {"line": line, "anchor": anchor.name, "first_line": before}
        out.append(Finding("anchors", Outcome.HOLD, message, evidence, anchor.start, anchor.end))
    return out


def _owners(doc: Document) -> dict[int, int]:
    """The place of the heading that each heading stands under, by its own; -2 where it stands under none."""
    out: dict[int, int] = {}
    above: list[tuple[int, int]] = []
    for node in sorted((*doc.find("heading"), *html_headings(doc)), key=lambda node: node.start):
        level = int(node.attrs["level"])
        while above and above[-1][0] >= level:
            above.pop()
        out[node.start] = above[-1][1] if above else -2
        above.append((level, node.start))
    return out
