"""Passages for tests, and a strict look at whether a text says only what its passages say."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from firewall.context import make_passage
from firewall.context.passage import Passage
from firewall.policy.lanes import Lane
from firewall.text.markdown import Node, parse
from firewall.text.sentences import sentences
from latches.blueprint import SectionPlan
from latches.shapes import SHAPES
from pipeline.compose.labels import LABELS
from pipeline.models.base import DraftTask

_REF = re.compile(r"\[\^[^\]\s]+\]")
_NOTE = re.compile(r"^\[\^(?P<label>[^\]\s]+)\]: `(?P<source>[^`]+)`$")
_NODE = re.compile(r'"([^"]*)"')


def passage(text: str, source: str = "notes/a.md:1") -> Passage:
    """A passage as the context firewall makes it."""
    return make_passage(
        text, source=source, lane="public", index_version="1", reader="public", policy={"public": Lane()}
    )


def plan(shape: str, words: int = 400, opener: str = "", title: str = "The queue", number: int = 1) -> SectionPlan:
    """A section of one of the four shapes."""
    elements = next(s.elements for s in SHAPES if s.name == shape)
    return SectionPlan(number, 1, number, "A chapter", title, shape, elements, words, opener)


def task(section: SectionPlan, *passages: Passage) -> DraftTask:
    """What the writer is asked."""
    return DraftTask("A book", "public", section, passages)


def bare(text: str) -> str:
    """Letters and digits alone, folded: what is left of a text when layout and markup are gone."""
    return "".join(c for c in _REF.sub("", text).casefold() if c.isalnum())


def inventions(text: str, passages: Iterable[Passage]) -> list[str]:
    """Every sentence, cell, code line, diagram label and heading of `text` that no passage says."""
    sources = list(passages)
    said = [bare(p.text) for p in sources]
    lines = {line.strip() for p in sources for line in p.text.splitlines()}
    labels = {bare(label) for label in LABELS}
    names = {p.source for p in sources}

    def known(piece: str) -> bool:
        found = bare(piece)
        if not found or found in labels or any(found in one for one in said):
            return True
        return any(found.startswith(k) and any(found[len(k) :] in one for one in said) for k in labels)

    out = []
    body = []
    for line in text.splitlines():
        note = _NOTE.match(line)
        if note is None:
            body.append(line)
        elif note["source"] not in names:
            out.append(line)
    doc = parse("\n".join(body))
    for found in sentences(doc):
        if found.kind != "cell" and not known(doc.source[found.start : found.end]):
            out.append(doc.source[found.start : found.end])
    out += [cell.plain() for cell in doc.find("table_cell") if not known(cell.plain())]
    for block in doc.find("code_block"):
        for line in _code(block).splitlines():
            if block.attrs["info"] == "mermaid":
                out += [m for m in _NODE.findall(line) if not known(html.unescape(_decoded(m)))]
            elif line.strip() not in lines:
                out.append(line)
    return out


def refs_and_notes(text: str) -> tuple[list[str], list[str]]:
    """Labels of citations in order of use, and of their notes."""
    body = [line for line in text.splitlines() if not _NOTE.match(line)]
    notes = [m["label"] for line in text.splitlines() if (m := _NOTE.match(line))]
    used = [ref[2:-1] for ref in _REF.findall("\n".join(body))]
    return list(dict.fromkeys(used)), notes


def _code(block: Node) -> str:
    return "".join(str(n.attrs["literal"]) for n in block.find("text"))


def _decoded(label: str) -> str:
    """Mermaid's entities, `#35;`, as HTML has them."""
    return re.sub(r"#(\w+);", lambda m: f"&#{m[1]};" if m[1].isdigit() else f"&{m[1]};", label)
