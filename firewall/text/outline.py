"""What a Markdown text is made of, for the rules that ask whether a part of it is gone.

One pass over the parser's events, without building the tree of `markdown.py`: a judgement of a whole
chapter has a budget of microseconds. Offsets are not kept, only what is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

import pyromark

from firewall.text.frontmatter import filled_keys, front_keys
from firewall.text.parser import events, without_front
from firewall.text.pattern import Pattern
from firewall.text.seen import Seen
from firewall.text.sight import Sight
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


_O = pyromark.Options
_OPTIONS = _O.ENABLE_TABLES | _O.ENABLE_FOOTNOTES | _O.ENABLE_MATH | _O.ENABLE_GFM
_IMAGE = Pattern(r"(?i)<img\b[^<>]*?\bsrc\s*=\s*[\"']?([^\"'\s<>]{1,2000})")
_TABLE = Pattern(r"(?i)<table\b")
_HEADING = Pattern(r"(?is)<h[1-6]\b[^<>]*>(.{1,2000}?)</h[1-6]\s*>")
_TAG = Pattern(r"<[^<>]*>")
_COMMENT = Pattern(r"(?s)<!--.*?(?:-->|\Z)")
_DIAGRAMS: dict[str, str | tuple[str, ...]] = {
    "mermaid": "%%",
    **dict.fromkeys(("plantuml", "puml", "uml"), "'"),
    **dict.fromkeys(("dot", "graphviz"), ("//", "#")),
    **dict.fromkeys(("d2", "pikchr"), "#"),
    **dict.fromkeys(("math", "katex"), "%"),
}
"""Languages of blocks that are drawn, with what begins a line there that is not."""
_FENCE = Pattern(r"^[ \t>]*(`{3,}|~{3,})")


class Outline(NamedTuple):
    """The parts of a text. Headings by their words, the others by what tells them apart for a reader.

    `fences` are the fenced blocks that say anything; `code` is the text inside of code; `unclosed` says that a fence
    runs to the end of the text; `keys` are the top-level keys of the front matter, None where there is none, and
    `filled` those with a value; `notes` and `links` are the labels of definitions;
    `formulas` are the displayed ones, bare; `includes` the files that are taken in, of formats that can.
    `seen_code` is the code and the displayed formulas that a reader sees, less the comments of diagrams.
    `shown` is the text that a reader sees as prose, a blank line between blocks and a mark before items and rows: not
    code, display math, comments, front matter, alternative texts, notes that nothing shown refers to, or what stands
    in hidden elements; `hides` are the pieces of HTML that hide what stands in or behind them.
    `last_prose` is the text of the last paragraph, heading, item or cell, and `ends` its kind.
    """

    headings: tuple[str, ...]
    fences: int
    tables: int
    images: Counter[str]
    keys: frozenset[str] | None
    filled: frozenset[str]
    notes: frozenset[str]
    links: frozenset[str]
    unclosed: bool
    code: str
    formulas: tuple[str, ...]
    includes: Counter[str]
    seen_code: str
    shown: str
    hides: tuple[str, ...]
    last_prose: str
    ends: str


def outline(text: str, *, jsx: bool = False) -> Outline:
    """The outline of `text` (LF line ends, no lone surrogates); `jsx`: its HTML is that of MDX. Linear time."""
    headings: list[str] = []
    images: Counter[str] = Counter()
    notes: set[str] = set()
    code: list[str] = []
    formulas: list[str] = []
    seen_code: list[str] = []
    comment: str | tuple[str, ...] | None = None
    language = ""
    seen = Seen(Sight(text, jsx=jsx))
    html: list[str] = []
    fences = tables = 0
    keys: frozenset[str] | None = None
    filled: frozenset[str] = frozenset()
    unclosed = in_code = in_front = fenced = False
    began = 0
    heading: list[str] | None = None
    last: list[str] = []
    ends = ""
    stack: list[str] = []
    depth: defaultdict[str, int] = defaultdict(int)
    event: Any
    source = text.encode() if ("`" in text and "```" in text) or "~~~" in text else b""
    for event, span in events(text, _OPTIONS, spans=bool(source)):
        if type(event) is str:
            if event in ("SoftBreak", "HardBreak"):
                seen.into.append("\n")
                if last:
                    last.append(" ")
            elif event == "Rule":
                ends = "rule"
            continue
        ((name, value),) = event.items()
        if name == "Text":
            if in_code:
                code.append(value)
            elif in_front:
                keys, filled = front_keys(value), filled_keys(value)
            else:
                last.append(value)
                seen.into.append(value)
                if heading is not None:
                    heading.append(value)
        elif name == "InlineHtml":
            seen.html(value)
            if value[:4].lower() == "<img":
                images.update(_IMAGE.findall(value))
        elif name == "Html":
            html.append(value)
        elif name == "FootnoteReference":
            seen.refer(str(value).casefold())
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
                began, fenced = len(code), isinstance(detail, dict)
                if fenced and not seen.sight.hidden:
                    fences += 1
                language = _language(detail) if isinstance(detail, dict) else ""
                comment = _DIAGRAMS.get(language)
                if fenced:
                    unclosed = not _closed(source, span)
            elif kind == "Table":
                tables += not seen.sight.hidden
            elif kind in ("Item", "TableRow", "TableHead"):
                seen.into.append("\n\n- " if kind == "Item" else "\n\n| ")
            elif kind == "Image":
                seen.open_image()
                if not seen.sight.hidden:
                    images[str(detail["dest_url"]) if isinstance(detail, dict) else ""] += 1
            elif kind == "MetadataBlock":
                in_front, keys = True, frozenset()
            elif kind == "FootnoteDefinition":
                notes.add(str(detail).casefold())
                seen.open_note(str(detail).casefold())
            elif kind == "HtmlBlock":
                ends = "html"
        elif name == "End":
            kind = stack.pop()
            depth[kind] -= 1
            if kind == "TableCell":
                seen.into.append(" | ")
            elif kind in ("Paragraph", "Heading", "Item"):
                seen.into.append("\n\n")
            if kind == "Heading" and heading is not None:
                if not seen.sight.hidden:
                    headings.append(" ".join("".join(heading).split()))
                heading = None
            elif kind == "CodeBlock":
                in_code = False
                block = "".join(code[began:])
                if comment:
                    block = "\n".join(line for line in block.split("\n") if not line.lstrip().startswith(comment))
                was_hidden = seen.sight.hidden
                if language[:1] == "=":
                    from firewall.text.passed import feed  # in few texts

                    feed(seen, language, block)
                elif not was_hidden:
                    seen_code.append(block)
                if fenced and not was_hidden:
                    from firewall.text.stubs import says  # an agent's hook pays for each module, and prose needs none

                    fences -= not says(block)
            elif kind == "Image":
                seen.close_image()
            elif kind == "HtmlBlock":
                block = "".join(html)
                html = []
                seen.html(block)
                if not seen.sight.hidden:
                    block = _COMMENT.sub("", block)
                    images.update(_IMAGE.findall(block))
                    tables += len(_TABLE.findall(block))
                    headings += [" ".join(_TAG.sub("", found).split()) for found in _HEADING.findall(block)]
            elif kind == "FootnoteDefinition":
                seen.close_note()
            elif kind == "MetadataBlock":
                in_front = False
        elif name in ("Code", "InlineMath", "DisplayMath"):
            last.append(value)
            if name == "DisplayMath":
                if not seen.sight.hidden:
                    formulas.append("".join(value.split()))
                    seen_code.append(value)
            else:
                seen.into.append(_math(value) if name == "InlineMath" and "\\" in value else value)
            if heading is not None:
                heading.append(value)
    links = (
        frozenset(pyromark.reference_definitions(without_front(text), options=_OPTIONS))
        if "]" in text and "]:" in text
        else frozenset()
    )
    return Outline(
        tuple(headings),
        fences,
        tables,
        images,
        keys,
        filled,
        frozenset(notes),
        frozenset(label.casefold() for label in links),
        unclosed,
        "\n".join(code),
        tuple(formulas),
        Counter(),
        "\n".join(seen_code),
        seen.text(),
        tuple(seen.sight.hides),
        "".join(last).strip(),
        ends,
    )


def _language(detail: dict[str, Any]) -> str:
    """The language of a block of code, in lower case; `=html` for what MyST and Pandoc pass to output of that form."""
    first, *more = str(next(iter(detail.values()), "")).strip("{} \t").lower().split() or [""]
    return f"={more[0]}" if more and first == "raw}" else first


def _math(value: str) -> str:
    """What inline math prints."""
    from firewall.text.printed import printed  # in few texts
    from firewall.text.typeset import typeset

    return printed(typeset(value))


def _end_kind(kind: str, depth: Mapping[str, int]) -> str:
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
