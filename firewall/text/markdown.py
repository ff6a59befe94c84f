"""One Markdown parse for every gate: a tree whose nodes carry exact character offsets.

The parser is pyromark (pulldown-cmark). Two sharp edges live here and nowhere else: its ranges are
UTF-8 byte offsets, so they are mapped to `str` offsets once; and it closes an unclosed fence at the
end of the file, so whether the closer is really there is looked up in the source (`closed`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyromark

from firewall.text.parser import events
from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


_O = pyromark.Options
OPTIONS = (
    _O.ENABLE_TABLES
    | _O.ENABLE_FOOTNOTES
    | _O.ENABLE_STRIKETHROUGH
    | _O.ENABLE_TASKLISTS
    | _O.ENABLE_MATH
    | _O.ENABLE_GFM
)
"""What pyromark reads beyond CommonMark, front matter apart (parser.py). A second reader of the same texts must use
these too."""

OPAQUE = "\ufffc"
"""Stands, one for each character, where prose has something that is no prose: code, math, HTML, a URL."""
MARKUP = "\u2063"
"""Stands, one for each character, where prose has Markdown punctuation: `**`, `](`, a quote's `> `."""

_KINDS = {
    "Heading": "heading",
    "Paragraph": "paragraph",
    "BlockQuote": "block_quote",
    "List": "list",
    "Item": "item",
    "CodeBlock": "code_block",
    "HtmlBlock": "html_block",
    "MetadataBlock": "metadata",
    "FootnoteDefinition": "footnote_definition",
    "Table": "table",
    "TableHead": "table_head",
    "TableRow": "table_row",
    "TableCell": "table_cell",
    "Emphasis": "emphasis",
    "Strong": "strong",
    "Strikethrough": "strikethrough",
    "Link": "link",
    "Image": "image",
    "Text": "text",
    "Code": "code",
    "Html": "html",
    "InlineHtml": "inline_html",
    "InlineMath": "inline_math",
    "DisplayMath": "display_math",
    "FootnoteReference": "footnote_reference",
    "TaskListMarker": "task_marker",
    "SoftBreak": "soft_break",
    "HardBreak": "hard_break",
    "Rule": "rule",
}
_INLINE = frozenset(
    "emphasis strong strikethrough link image text code inline_html inline_math display_math "
    "footnote_reference task_marker soft_break hard_break".split()
)
_FENCE = Pattern(r"(`{3,}|~{3,})")
_URL = Pattern(r"\b(?:(?:https?|ftp|file|ssh|git)://|mailto:|www\.)[^\s<>]*[^\s<>.,;:!?)\]}'\"*_]", re.IGNORECASE)


class Node:
    """A block or inline with `source[start:end]` as its own text, markers included.

    `attrs` by kind: heading `level` 1..6; code_block `fenced`, `info`, `closed`; list `ordered`,
    `first`; link and image `dest`, `title`, `type`; block_quote `callout` (note, tip … or None);
    text, code, html `literal`; footnote_* `label`; task_marker `done`; table `columns`.
    """

    __slots__ = ("attrs", "children", "end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int, attrs: dict[str, Any]) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.attrs = attrs
        self.children: list[Node] = []

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def find(self, kind: str) -> Iterator[Node]:
        """All nodes of `kind` at or below this one."""
        return (n for n in self.walk() if n.kind == kind)

    def plain(self) -> str:
        """The words a reader sees in this node: text and code literals, breaks as spaces."""
        out = []
        for n in self.walk():
            if n.kind in ("text", "code", "inline_math", "display_math"):
                out.append(str(n.attrs["literal"]))
            elif n.kind in ("soft_break", "hard_break"):
                out.append(" ")
        return "".join(out)

    def __repr__(self) -> str:
        return f"Node({self.kind}, {self.start}, {self.end}, {self.attrs})"


class Document(NamedTuple):
    """A parsed text. `blocks` are its top-level nodes in order."""

    source: str
    blocks: tuple[Node, ...]

    def walk(self) -> Iterator[Node]:
        """All nodes in source order."""
        for block in self.blocks:
            yield from block.walk()

    def find(self, *kinds: str) -> Iterator[Node]:
        """All nodes of any of `kinds`, in source order."""
        return (n for n in self.walk() if n.kind in kinds)

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.source[node.start : node.end]


def parse(source: str, near: Sequence[int] | None = None, *, others: bool = False) -> Document:
    """Parse `source` (any line ends; lone surrogates are read as U+FFFD). Linear time.

    A table's row has the cells that are written: those that it lacks beside its header make no nodes.
    With `near`, character offsets in ascending order, `blocks` are only those top-level blocks that one of
    them lies in: the rest is read by the parser and not made into nodes, which is most of the cost. With
    `others` the rest of the top-level blocks are there too, with nothing in them.
    """
    data = source.encode("utf-8", "surrogatepass")
    safe = source
    if len(data) != len(source):
        safe = source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if len(safe) != len(source):  # a surrogate pair became one character: keep offsets true
            safe = re.sub("[\ud800-\udfff]", "\ufffd", source)
        data = safe.encode()
    top: list[Node] = []
    open_nodes: list[Node] = []
    flat: list[Node] = []
    wanted = None if near is None else iter(_to_bytes(source, near) if len(data) != len(source) else near)
    mark = next(wanted, None) if wanted else None
    skip = 0
    padding = False
    event: Any
    for event, span in events(safe, OPTIONS):
        if padding:
            padding = False
            continue
        if wanted and not open_nodes:
            if span["end"] <= skip:
                continue
            while mark is not None and mark < span["start"]:
                mark = next(wanted, None)
            if mark is None and not others:
                break
            if mark is None or mark >= span["end"]:
                skip = span["end"]
                if not others:
                    continue
        if isinstance(event, str):
            node = Node(_KINDS.get(event, event.lower()), span["start"], span["end"], {})
        else:
            name, value = next(iter(event.items()))
            if name == "End":
                open_nodes.pop()
                continue
            if name == "Start":
                name, value = (value, None) if isinstance(value, str) else next(iter(value.items()))
                if name == "TableCell" and span["start"] == span["end"] == open_nodes[-1].end:
                    padding = True  # its end comes next; short rows of a wide table are not made as wide in memory
                    continue
                node = Node(_KINDS.get(name, name.lower()), span["start"], span["end"], _attrs(name, value))
                flat.append(node)
                (open_nodes[-1].children if open_nodes else top).append(node)
                if open_nodes or span["end"] != skip:
                    open_nodes.append(node)
                continue
            node = Node(_KINDS.get(name, name.lower()), span["start"], span["end"], _attrs(name, value))
        flat.append(node)
        (open_nodes[-1].children if open_nodes else top).append(node)
    if len(data) != len(source):
        _to_characters(flat, data)
    for node in flat:
        if node.kind == "code_block" and node.attrs["fenced"]:
            node.attrs["closed"] = fence_closed(source[node.start : node.end])
    return Document(source, tuple(top))


def _attrs(name: str, value: Any) -> dict[str, Any]:
    """The parser's payload of an event, under our names."""
    if name == "Heading":
        return {"level": int(value["level"][1])}
    if name == "CodeBlock":
        fenced = isinstance(value, dict)
        return {"fenced": fenced, "info": value["Fenced"] if fenced else "", "closed": True}
    if name == "List":
        return {"ordered": value is not None, "first": value}
    if name in ("Link", "Image"):
        return {"dest": value["dest_url"], "title": value["title"], "type": value["link_type"]}
    if name == "BlockQuote":
        return {"callout": value.lower() if isinstance(value, str) else None}
    if name in ("Text", "Code", "Html", "InlineHtml", "InlineMath", "DisplayMath"):
        return {"literal": value}
    if name in ("FootnoteDefinition", "FootnoteReference"):
        return {"label": value}
    if name == "TaskListMarker":
        return {"done": bool(value)}
    if name == "Table":
        return {"columns": len(value)}
    if name == "MetadataBlock":
        return {"style": value}
    return {}


def _to_bytes(source: str, offsets: Sequence[int]) -> Iterator[int]:
    """The byte offset of each character offset, ascending; a lone surrogate is three bytes like U+FFFD."""
    previous = size = 0
    for offset in offsets:
        size += len(source[previous:offset].encode("utf-8", "surrogatepass"))
        previous = offset
        yield size


def _to_characters(nodes: list[Node], data: bytes) -> None:
    """Turn byte offsets into character offsets, decoding each stretch of `data` once."""
    wanted = sorted({n.start for n in nodes} | {n.end for n in nodes})
    at: dict[int, int] = {}
    previous = chars = 0
    for offset in wanted:
        chars += len(data[previous:offset].decode("utf-8", "replace"))
        at[offset] = chars
        previous = offset
    for node in nodes:
        node.start, node.end = at[node.start], at[node.end]


def fence_closed(text: str) -> bool:
    """Does the last line of a fenced block close the fence its first line opens (CommonMark 4.5)?"""
    opener = _FENCE.match(text)
    lines = text.rstrip("\r\n").splitlines()
    if opener is None or len(lines) < 2:
        return False
    mark = opener.group(1)
    last = lines[-1].lstrip(" \t>").rstrip(" \t")
    return len(last) >= len(mark) and set(last) == {mark[0]}


class ProseBlock(NamedTuple):
    """A stretch of running text, `source[start:end]`, with everything that is no prose masked.

    `text` has the length of the stretch, so offsets into it are offsets into the source less `start`.
    `kind` is paragraph, heading, item, cell or footnote; `quoted` is true inside a block quote that is no box of the
    author's own: a quotation is somebody else's words.
    """

    kind: str
    start: int
    end: int
    text: str
    quoted: bool


def _is_box(quote: Node) -> bool:
    """Is it a callout, by GitHub's mark or by a bold label at its beginning?"""
    first = quote.children[0] if quote.children else None
    labelled = first is not None and first.kind == "paragraph" and first.children[:1] and first.children[0].kind
    return bool(quote.attrs.get("callout")) or labelled == "strong"


def prose_blocks(doc: Document) -> list[ProseBlock]:
    """All running text of the document in order: paragraphs, headings, list items, cells, footnotes.

    Walks with its own stack: a line of ten thousand `>` nests deeper than Python recurses.
    """
    out: list[ProseBlock] = []
    todo: list[tuple[Node | list[Node], str, bool, bool]] = [
        (block, "paragraph", False, False) for block in reversed(doc.blocks)
    ]
    while todo:
        node, kind, quoted, noted = todo.pop()
        if isinstance(node, list):
            start, end = node[0].start, node[-1].end
            text = _mask(doc.source, start, end, node)
            out.append(ProseBlock("footnote" if noted else kind, start, end, text, quoted))
            continue
        if node.kind in ("code_block", "html_block", "metadata", "rule"):
            continue
        quoted = quoted or (node.kind == "block_quote" and not _is_box(node))
        noted = noted or node.kind == "footnote_definition"
        kind = _PROSE_KINDS.get(node.kind, "paragraph")
        parts: list[Node | list[Node]] = []
        for child in node.children:
            if child.kind not in _INLINE:
                parts.append(child)
            elif parts and isinstance(parts[-1], list):
                parts[-1].append(child)
            else:
                parts.append([child])
        todo.extend((part, kind, quoted, noted) for part in reversed(parts))
    return out


_PROSE_KINDS = {"heading": "heading", "item": "item", "table_cell": "cell"}


def _mask(source: str, start: int, end: int, run: list[Node]) -> str:
    """`source[start:end]` with markup and opaque spans replaced, one character for one."""
    parts: list[str] = []
    at = start
    stack = run[::-1]
    while stack:
        node = stack.pop()
        if node.kind == "text":
            replacement = None
        elif node.kind in ("soft_break", "hard_break"):
            replacement = " "
        elif node.kind == "inline_math" and source[node.end : node.end + 1].isdecimal():
            replacement = None  # a price: no publisher takes `$` before a digit for the end of a formula
        elif node.kind in ("code", "inline_html", "inline_math", "display_math", "image"):
            replacement = OPAQUE
        elif node.kind in ("footnote_reference", "task_marker"):
            replacement = MARKUP
        elif node.kind == "link" and node.attrs["type"] in ("Autolink", "Email"):
            replacement = OPAQUE
        else:
            stack.extend(reversed(node.children))
            continue
        if node.start > at:
            parts.append(MARKUP * (node.start - at))
        piece = source[node.start : node.end]
        parts.append(piece if replacement is None else replacement * len(piece))
        at = max(at, node.end)
    if end > at:
        parts.append(MARKUP * (end - at))
    text = "".join(parts)
    if ":" not in text and "www." not in text.lower():  # a look costs less than a search for addresses
        return text
    return _URL.sub(lambda m: OPAQUE * len(m.group()), text)
