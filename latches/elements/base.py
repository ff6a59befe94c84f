"""What all element detectors share: their answer, their options, and small readers of Markdown nodes.

An element is a module with `NAME`, `OPTIONS` (parameters and their defaults), perhaps `CHOICES` (the values that a
text may have), `needs(options)` (one sentence: the smallest thing that would satisfy it), `detect(doc, options)`, and
`PASS` and `FAIL`, the examples that ship with it and are tested both ways.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from firewall.text.markdown import Document, Node
from firewall.text.words import words

Options = Mapping[str, int | str]


class Detection(NamedTuple):
    """Where an element is, or why it is nowhere.

    `found` are (start, end) offsets into the source, one for each time it is there. Where there is none,
    `looked` says what was looked at, `why` what the nearest try lacks, and `at` is that try's offset, or -1.
    """

    found: tuple[tuple[int, int], ...]
    looked: str = ""
    why: str = ""
    at: int = -1


class Element(NamedTuple):
    """An element of the vocabulary, as its module defines it."""

    name: str
    options: Options
    needs: Callable[[Options], str]
    detect: Callable[[Document, Options], Detection]
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    choices: Mapping[str, tuple[str, ...]] = {}


class Tries:
    """What a detector looked at: found spans, and the first near miss."""

    def __init__(self, singular: str, plural: str) -> None:
        self.names = (singular, plural)
        self.seen: list[int] = []
        self.found: list[tuple[int, int]] = []
        self.misses: list[tuple[int, str]] = []

    def look(self, node: Node, miss: str | None) -> None:
        """Record a candidate: it satisfies the element when `miss` is None."""
        self.seen.append(node.start)
        if miss is None:
            self.found.append((node.start, node.end))
        else:
            self.misses.append((node.start, miss))

    def also(self, at: int, miss: str) -> None:
        """Record something that only looks like a candidate."""
        self.misses.append((at, miss))

    def detection(self, doc: Document, nothing: str) -> Detection:
        """The answer. `nothing` is the reason when there was no candidate at all."""
        if self.found:
            return Detection(tuple(self.found))
        count = len(self.seen)
        if not count:
            looked = f"no {self.names[0]}"
        else:
            lines = ", ".join(str(line_of(doc.source, at)) for at in self.seen[:5])
            more = ", …" if count > 5 else ""
            name = self.names[0] if count == 1 else self.names[1]
            looked = f"{count} {name} (line{'' if count == 1 else 's'} {lines}{more})"
        if not self.misses:
            return Detection((), looked, nothing)
        at, why = self.misses[0]
        return Detection((), looked, f"line {line_of(doc.source, at)}: {why}", at)


def line_of(source: str, offset: int) -> int:
    """The line, from 1, that the character at `offset` is on."""
    return bisect_left(_line_ends(source), offset) + 1


@lru_cache(maxsize=4)
def _line_ends(source: str) -> list[int]:
    """Offsets of all line ends: a document with ten thousand findings is read once, not ten thousand times."""
    return [found.start() for found in re.finditer("\n", source)]


def number(options: Options, key: str) -> int:
    """A whole-number option."""
    value = options[key]
    assert isinstance(value, int)
    return value


def word(options: Options, key: str) -> str:
    """A text option."""
    value = options[key]
    assert isinstance(value, str)
    return value


def plain_words(text: str) -> int:
    """Words of `text` that have a letter or a digit in them."""
    return sum(1 for w in words(text) if any(c.isalnum() for c in w))


def plural(count: int, singular: str) -> str:
    """`3 rows`, `1 row`."""
    return f"{count} {singular}" if count == 1 else f"{count} {singular}s"


def own_text(node: Node) -> str:
    """The words a reader sees in a node, with the text of lists nested in it left out."""
    out: list[str] = []
    stack = list(reversed(node.children)) if node.children else [node]
    while stack:
        child = stack.pop()
        if child.kind == "list":
            continue
        if child.kind in ("text", "code", "inline_math", "display_math") and not child.children:
            out.append(str(child.attrs["literal"]))
        elif child.kind in ("soft_break", "hard_break", "paragraph"):
            out.append(" ")
        stack.extend(reversed(child.children))
    return "".join(out).strip()


def items(node: Node) -> list[Node]:
    """The items of a list."""
    return [child for child in node.children if child.kind == "item"]


_HEAVY = frozenset(("paragraph", "heading", "list", "block_quote", "code_block", "table", "html_block", "rule"))


def sequences(doc: Document) -> Iterator[list[Node]]:
    """Every run of sibling blocks: the document's own, and those inside block quotes, items and notes.

    The inline nodes of a tight item count as one paragraph.
    """
    yield list(doc.blocks)
    for node in doc.find("block_quote", "item", "footnote_definition"):
        run: list[Node] = []
        inline: list[Node] = []
        for child in node.children:
            if child.kind in _HEAVY:
                if inline:
                    run.append(_paragraph(inline))
                    inline = []
                run.append(child)
            else:
                inline.append(child)
        if inline:
            run.append(_paragraph(inline))
        yield run


def _paragraph(inline: list[Node]) -> Node:
    node = Node("paragraph", inline[0].start, inline[-1].end, {})
    node.children = inline
    return node


class Labelled(NamedTuple):
    """A label and what stands under it.

    A label is a heading; a paragraph that begins with bold words and a colon, or is bold as a whole; or a
    paragraph of 12 words at most that ends with a colon. `rest` is what the same paragraph says after the
    label. `body` are the blocks up to the next label of the same rank or a higher one.
    """

    label: str
    node: Node
    rest: str
    body: tuple[Node, ...]


def labelled(doc: Document) -> Iterator[Labelled]:
    """Every label of the document with what stands under it."""
    for run in sequences(doc):
        marks = [_label(node) for node in run]
        for index, mark in enumerate(marks):
            if mark is None:
                continue
            rank = _rank(run[index])
            end = index + 1
            while end < len(run) and (marks[end] is None or _rank(run[end]) > rank):
                end += 1
            yield Labelled(mark[0], run[index], mark[1], tuple(run[index + 1 : end]))


def _rank(node: Node) -> int:
    return int(node.attrs["level"]) if node.kind == "heading" else 7


def _label(node: Node) -> tuple[str, str] | None:
    """(label, rest of its paragraph) or None."""
    if node.kind == "heading":
        return node.plain().strip(), ""
    if node.kind != "paragraph" or not node.children:
        return None
    first = node.children[0]
    rest = "".join(_seen(child) for child in node.children[1:])
    if first.kind == "strong":
        label = first.plain().strip()
        following = rest.lstrip()
        if label.endswith((":", ".", "?")) or not following or following[0] in ":\u2014\u2013-":
            return label.rstrip(":. "), following.lstrip(":\u2014\u2013- ")
    text = node.plain().strip()
    if text.endswith(":") and plain_words(text) <= 12:
        return text.rstrip(": "), ""
    return None


def _seen(node: Node) -> str:
    return " " if node.kind in ("soft_break", "hard_break") else node.plain()


_NOTHING = frozenset("none nothing nil n/a na tbd tba todo unknown no x xx xxx".split())


def says_nothing(text: str) -> bool:
    """Does a cell or an item only hold the place of words: `-`, `?`, `n/a`, `TBD`, `none`, `x`?"""
    signs = {unicodedata.category(c)[0] for c in text if not c.isalnum()}
    return signs <= {"P", "Z"} and all(word in _NOTHING or not plain_words(word) for word in key(text).split())


class Section(NamedTuple):
    """A heading, and the blocks under it up to the next heading of its level or a higher one."""

    heading: Node
    body: tuple[Node, ...]

    @property
    def end(self) -> int:
        """Where the last of it ends."""
        return self.body[-1].end if self.body else self.heading.end

    @property
    def said(self) -> str:
        """The words under the heading."""
        return " ".join(node.plain() for node in self.body)


def sections(doc: Document) -> Iterator[list[Section]]:
    """Every series of headings of one level under one heading, each with what stands under it."""
    for run in sequences(doc):
        series: dict[int, list[Section]] = {}
        for place, node in enumerate(run):
            if node.kind != "heading":
                continue
            level = int(node.attrs["level"])
            for deeper in sorted(other for other in series if other > level):
                yield series.pop(deeper)
            after = (n for n in range(place + 1, len(run)) if run[n].kind == "heading")
            end = next((n for n in after if int(run[n].attrs["level"]) <= level), len(run))
            series.setdefault(level, []).append(Section(node, tuple(run[place + 1 : end])))
        yield from series.values()


_LETTERS = re.compile(r"[^\w\s'/-]+")


def key(label: str) -> str:
    """A label folded for comparison: lower case, no punctuation or pictures, single spaces."""
    return " ".join(_LETTERS.sub(" ", label.casefold().replace("\u2019", "'")).split())
