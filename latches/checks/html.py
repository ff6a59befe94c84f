"""HTML in Markdown: its tags, and the headings that are made of them. Comments, scripts and styles are none."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from firewall.text.markdown import Document, Node

_HEADING = re.compile(r"h[1-6]")
_RAW = frozenset(("script", "style", "textarea", "title", "iframe", "noscript", "xmp"))
"""Elements whose text is no markup."""
_TAG = re.compile(r"<[^<>]*>")


class Tag(NamedTuple):
    """`source[start:end]` is an opening tag, or a closing one, whose `attrs` are empty. Names are in small letters."""

    name: str
    closing: bool
    start: int
    end: int
    attrs: dict[str, str]


def tags(doc: Document) -> tuple[Tag, ...]:
    """The tags of the HTML in a document, in order."""
    spans = tuple((node.start, node.end) for node in doc.find("html_block", "inline_html"))
    return _tags(doc.source, spans) if spans else ()


@lru_cache(maxsize=4)
def _tags(source: str, spans: tuple[tuple[int, int], ...]) -> tuple[Tag, ...]:
    return tuple(_read(source, spans))


def _read(source: str, spans: tuple[tuple[int, int], ...]) -> Iterator[Tag]:
    import turbohtml

    raw = ""
    for first, last in _joined(spans):
        at = first
        for token in turbohtml.tokenize(source[first:last], capture_source=True, resolve_references=False):
            if token.source is None:
                continue
            start = source.find(token.source, at, last)  # the tokenizer reads \r\n as one character of text
            if start < 0:
                break
            at = start + len(token.source)
            kind, name = token.type.name, (token.tag or "").lower()
            if raw:
                raw = "" if kind == "END_TAG" and name == raw else raw
            elif kind == "START_TAG":
                attrs = {key.lower(): value or "" for key, value in token.attrs or ()}
                yield Tag(name, False, start, at, attrs)
                raw = name if name in _RAW and not token.source.endswith("/>") else ""
            elif kind == "END_TAG":
                yield Tag(name, True, start, at, {})


def _joined(spans: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def html_headings(doc: Document) -> list[Node]:
    """The headings `<h1>` to `<h6>` of a document as nodes, with the words that a reader sees as their text."""
    out: list[Node] = []
    opened: Tag | None = None
    for tag in tags(doc):
        if not _HEADING.fullmatch(tag.name):
            continue
        if not tag.closing:
            opened = tag
        elif opened is not None and opened.name == tag.name:
            text = html.unescape(_TAG.sub("", doc.source[opened.end : tag.start]))
            node = Node("heading", opened.start, tag.end, {"level": int(tag.name[1])})
            node.children = [Node("text", opened.end, tag.start, {"literal": " ".join(text.split())})]
            out.append(node)
            opened = None
    return out
