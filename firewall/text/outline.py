"""What a Markdown text is made of, for the rules that ask whether a part of it is gone.

One pass over the parser's events, without building the tree of `markdown.py`: a judgement of a whole
chapter has a budget of microseconds. Offsets are not kept, only what is there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import pyromark

from firewall.text.pattern import Pattern

_O = pyromark.Options
_OPTIONS = (
    _O.ENABLE_TABLES
    | _O.ENABLE_FOOTNOTES
    | _O.ENABLE_YAML_STYLE_METADATA_BLOCKS
    | _O.ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
    | _O.ENABLE_MATH
    | _O.ENABLE_GFM
)
_KEY = Pattern(r"(?m)^([A-Za-z0-9_\"'][\w\"' .-]*?)\s*[:=]")
_USED = Pattern(r"\[\^?([^\]\[\n]{1,200})\]")
_FENCE = Pattern(r"^[ \t>]*(`{3,}|~{3,})")


# HTML that takes what it holds, or what follows, out of a reader's sight.
_HIDES = Pattern(
    r"(?i)<[a-z][^<>]*\s(?:hidden(?=[\s>=/])|aria-hidden\s*=\s*[\"']?true|style\s*=\s*[\"'][^\"'<>]*"
    r"(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d]*[1-9])|font-size\s*:\s*0))[^<>]*>"
    r"|<style\b[^<>]*>[^<]*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0|font-size\s*:\s*0)[^<]*"
    r"|<(?:template|noscript|script|textarea|title|iframe|object|svg)\b[^<>]*>"
)


class Outline(NamedTuple):
    """The parts of a text. Headings by their words, the others by what tells them apart for a reader.

    `code_words` and `prose_words` are the words inside and outside code; `unclosed` says that a fence runs
    to the end of the text; `keys` are the top-level keys of the front matter, None where there is none;
    `notes` and `links` are the labels of definitions; `used` the labels that the text refers to;
    `shown` is the text that a reader sees as prose: not code, HTML, comments, front matter;
    `hides` are the pieces of HTML that hide what stands in or behind them.
    `last_prose` is the text of the last paragraph, heading, item or cell, and `ends` its kind.
    """

    headings: tuple[str, ...]
    fences: int
    tables: int
    images: Counter[str]
    keys: frozenset[str] | None
    notes: frozenset[str]
    links: frozenset[str]
    used: frozenset[str]
    unclosed: bool
    code: str
    shown: str
    hides: tuple[str, ...]
    last_prose: str
    ends: str


def outline(text: str) -> Outline:
    """The outline of `text` (LF line ends, no lone surrogates). Linear time."""
    headings: list[str] = []
    images: Counter[str] = Counter()
    notes: set[str] = set()
    code: list[str] = []
    shown: list[str] = []
    html: list[str] = []
    fences = tables = 0
    keys: frozenset[str] | None = None
    unclosed = in_code = in_front = False
    heading: list[str] | None = None
    last: list[str] = []
    ends = ""
    stack: list[str] = []
    depth: Counter[str] = Counter()
    source = text.encode()
    event: Any
    for event, span in pyromark.events_with_range(text, options=_OPTIONS):
        if isinstance(event, str):
            if event in ("SoftBreak", "HardBreak"):
                shown.append("\n")
                if last:
                    last.append(" ")
            elif event == "Rule":
                ends = "rule"
            continue
        name, value = next(iter(event.items()))
        if name == "Text":
            if in_code:
                code.append(value)
            elif in_front:
                keys = frozenset(k.strip("\"' ") for k in _KEY.findall(value))
            else:
                last.append(value)
                shown.append(value)
                if heading is not None:
                    heading.append(value)
        elif name in ("Html", "InlineHtml"):
            html.append(value)
        elif name == "Start":
            kind, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
            stack.append(kind)
            depth[kind] += 1
            if kind in ("Paragraph", "Item", "TableCell", "Heading"):
                last, ends = [], _end_kind(kind, depth)
            if kind == "Heading":
                heading = []
            elif kind == "CodeBlock":
                in_code, ends = True, "code"
                if isinstance(detail, dict):
                    fences += 1
                    unclosed = not _closed(source, span)
            elif kind == "Table":
                tables += 1
            elif kind == "Image":
                images[str(detail["dest_url"]) if isinstance(detail, dict) else ""] += 1
            elif kind == "MetadataBlock":
                in_front, keys = True, frozenset()
            elif kind == "FootnoteDefinition":
                notes.add(str(detail).casefold())
            elif kind == "HtmlBlock":
                ends = "html"
        elif name == "End":
            kind = stack.pop()
            depth[kind] -= 1
            if kind in ("Paragraph", "Heading", "Item", "TableCell"):
                shown.append("\n\n")
            if kind == "Heading" and heading is not None:
                headings.append(" ".join("".join(heading).split()))
                heading = None
            elif kind == "CodeBlock":
                in_code = False
            elif kind == "MetadataBlock":
                in_front = False
        elif name in ("Code", "InlineMath", "DisplayMath"):
            last.append(value)
            shown.append(value)
            if heading is not None:
                heading.append(value)
    links = frozenset(pyromark.reference_definitions(text, options=_OPTIONS)) if "]:" in text else frozenset()
    used = frozenset(m.casefold() for m in _USED.findall(text)) if notes or links else frozenset()
    return Outline(
        tuple(headings),
        fences,
        tables,
        images,
        keys,
        frozenset(notes),
        frozenset(label.casefold() for label in links),
        used,
        unclosed,
        "\n".join(code),
        "".join(shown),
        tuple(_HIDES.findall("".join(html))),
        "".join(last).strip(),
        ends,
    )


def _end_kind(kind: str, depth: Counter[str]) -> str:
    """What the innermost block is part of, by how many of each kind are open (lists nest ten thousand deep)."""
    if depth["FootnoteDefinition"]:
        return "footnote"
    if depth["Item"]:
        return "list"
    if depth["TableCell"]:
        return "table"
    return "heading" if kind == "Heading" else "paragraph"


def _closed(source: bytes, span: Any) -> bool:
    """Does the fenced block end with a closing fence of its own kind and length (CommonMark 4.5)?"""
    lines = source[span["start"] : span["end"]].decode("utf-8", "replace").rstrip("\n").split("\n")
    opener = _FENCE.match(lines[0])
    if opener is None or len(lines) < 2:
        return False
    mark = opener.group(1)
    last = lines[-1].strip(" \t>")
    return len(last) >= len(mark) and set(last) == {mark[0]}


_STRUCTURAL = re.compile(r"(?m)^[ \t>]*(?:#{1,6}(?:[ \t]|$)|```|~~~|---|===|\+\+\+|<)|^(?: {4}|\t)|\||\[|</?[a-z!]")


_SIGNS = ("#", "```", "~~~", "---", "===", "+++", "|", "[", "<", "    ", "\t")
"""One of these is in any text that `_STRUCTURAL` finds something in; looking for them is ten times faster."""


def may_touch_structure(old: str, new: str, start: int, old_end: int, new_end: int) -> bool:
    """Can the change of this window (whole paragraphs) alter anything that `Outline` holds?

    False only where neither side of the window has a mark of structure and the window keeps its borders.
    """
    before, after = old[start:old_end], new[start:new_end]
    for side in (before, after):
        if any(sign in side for sign in _SIGNS) and _STRUCTURAL.search(side):
            return True
    if (old_end == len(old)) != (new_end == len(new)):
        return True
    # What follows must still begin a block of its own: a setext underline or an indented line must not
    # come to stand right behind other text.
    return not after.endswith("\n\n") and new_end < len(new)
