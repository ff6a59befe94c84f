"""Prose blocks without what only looks like prose: the text of code elements, wiki links, template tags. Pure.

To a Markdown parser `<code>` is a tag and what follows it is text; `[[page]]`, `{{ name }}`, TeX and the imports of MDX
are text to it (and names to what publishes the document). A word there is not the author's,
and another in its place breaks it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from firewall.text.markdown import OPAQUE, Document, ProseBlock, prose_blocks

_NAMES = "code|kbd|samp|var|pre|script|style|math|tt|svg|textarea"
_TAG = re.compile(rf"<(/?)({_NAMES})(?=[\s/>])[^>]*?(/?)>", re.IGNORECASE | re.DOTALL)
_ELEMENT = re.compile(rf"<(?:{_NAMES})(?=[\s/>])", re.IGNORECASE)
_SPANS = re.compile(
    r"\[\[[^\[\]\n]{1,300}\]\]|\{\{.{1,400}?\}\}+|\{%.{1,400}?%\}|\{#(?=\s).{1,400}?#\}|<%.{1,400}?%>"
    r"|\$\{[^{}\n]{1,300}\}|%%.{1,400}?%%|\{[A-Za-z][\w:+.-]{0,60}\}(?=`)"
    r"|\\\(.{1,400}?\\\)|\\\[.{1,800}?\\\]|\\[A-Za-z]{2,30}\*?(?:\[[^\[\]\n]{0,100}\])?\{[^{}\n]{1,300}\}",
    re.DOTALL,
)
_MODULE = re.compile(
    r"import\s[^\n]{0,300}?[\"'][^\"'\n]{1,300}[\"'];?[ \t]*$|import\s*\{[^{}]{1,400}\}\s*from\s"
    r"|export\s+(?:const|let|var|function|class|async|default|\{|\*)(?!\w)",
    re.MULTILINE,
)
"""What begins a paragraph of MDX that is a program: it goes on to the next blank line."""
_SIGNS = ("[[", "{{", "{%", "{#", "<%", "${", "%%", "}`", "\\", "\nimport", "\nexport")


def may_hold(source: str) -> bool:
    """Is there a sign of any of this in the source? Cheap."""
    if source.startswith(("import", "export")) or any(sign in source for sign in _SIGNS):
        return True
    return "<" in source and _ELEMENT.search(source) is not None


def read_blocks(doc: Document, *, looked: bool | None = None) -> list[ProseBlock]:
    """`prose_blocks` of the document with all of this masked. `looked` is what `may_hold` said of its source."""
    blocks = prose_blocks(doc)
    if not (may_hold(doc.source) if looked is None else looked):
        return blocks
    spans = _elements(doc, blocks)
    return [_masked(doc.source, block, spans.get(number, [])) for number, block in enumerate(blocks)]


def _elements(doc: Document, blocks: list[ProseBlock]) -> dict[int, list[tuple[int, int]]]:
    """(start, end) of what stands between the tags of such elements, by the number of its block.

    An element that its block does not close reaches to the end of the block.
    """
    starts = [block.start for block in blocks]
    out: dict[int, list[tuple[int, int]]] = {}
    inside, name, depth, begin = -1, "", 0, 0
    for node in doc.find("inline_html"):
        tag = _TAG.fullmatch(doc.source, node.start, node.end)
        if tag is None or tag[3]:
            continue
        number = bisect_right(starts, node.start) - 1
        if depth and number != inside:
            out.setdefault(inside, []).append((begin, blocks[inside].end))
            depth = 0
        if not depth:
            if not tag[1]:
                inside, name, depth, begin = number, tag[2].lower(), 1, node.end
        elif tag[2].lower() == name:
            depth += -1 if tag[1] else 1
            if not depth:
                out.setdefault(number, []).append((begin, node.start))
    if depth:
        out.setdefault(inside, []).append((begin, blocks[inside].end))
    return out


def _masked(source: str, block: ProseBlock, elements: list[tuple[int, int]]) -> ProseBlock:
    text = block.text
    if block.kind == "paragraph" and _MODULE.match(source, block.start, block.end):
        return block._replace(text=OPAQUE * len(text))
    spans = [(start - block.start, end - block.start) for start, end in elements]
    first = block.start - source.startswith("\\", max(0, block.start - 1))  # an escape's sign stands before its text
    for found in _SPANS.finditer(source, first, block.end):
        start, end = found.start() - block.start, found.end() - block.start
        sign = found.group()[1]  # where its signs are prose: in code they are code already; of \\( one is markup
        if text.startswith(sign, start + 1) and (start < 0 or text[start] != OPAQUE):
            spans.append((max(start, 0), end))
    if not spans:
        return block
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            start = max(start, at)
            parts += [text[at:start], OPAQUE * (end - start)]
            at = end
    return block._replace(text="".join([*parts, text[at:]]))
