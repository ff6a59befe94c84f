"""Prose blocks without what only looks like prose: the text of code elements, wiki links, template tags. Pure.

To a Markdown parser `<code>` is a tag and what follows it is text; `[[page]]`, `{{ name }}`, TeX and the imports of MDX
are text to it (and names to what publishes the document). A word there is not the author's,
and another in its place breaks it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import chain

from firewall.text.markdown import OPAQUE, Document, ProseBlock, prose_blocks
from latches.style.regions import CODE, METADATA, MODULE, regions

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,20})(?=[\s/>])([^>]*?)(/?)>", re.IGNORECASE | re.DOTALL)
_ELEMENT = re.compile(rf"<(?:{CODE})(?=[\s/>])", re.IGNORECASE)
_CODE = frozenset(CODE.split("|"))
_ALONE = _CODE | {"q"}
_QUOTED = 3
"""Words in a `<q>` up to which they are quoted as words, not as what somebody said."""
_KEPT = re.compile(r"\btranslate=[\"']?no\b", re.IGNORECASE)
_SPANS = re.compile(
    r"!\[\[[^\[\]\n]{1,300}\]\]"
    # of a link, a page's name is none of ours, what is shown is
    r"|\[\[[^\[\]|\n]{1,300}(?:(?=\|[^\[\]\n]{0,300}\]\])|\]\])"
    r"|\{\{.{1,400}?\}\}+|\{%.{1,400}?%\}|\{#(?=\s).{1,400}?#\}|<%.{1,400}?%>"
    r"|\$\{[^{}\n]{1,300}\}|%%.{1,400}?%%|\{[A-Za-z][\w:+.-]{0,60}\}(?=`)"
    r"|\\\(.{1,400}?\\\)|\\\[.{1,800}?\\\]|\\[A-Za-z]{2,30}\*?(?:\[[^\[\]\n]{0,100}\])?\{[^{}\n]{1,300}\}",
    re.DOTALL,
)
_SAID = re.compile(r"\s*[^\W\d_]{2,}[,.;:!?]?(?:\s+[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[,.;:!?]?){1,99}\s*")
"""Words and nothing else, where math has signs."""
_MARKS = re.compile(
    r"(?<![^\s(])\^[A-Za-z0-9-]{1,100}(?=[ \t\r]*(?:\n[ \t\r]*\n|\n?\Z))"  # an Obsidian block's id
    r"|(?<![\w:]):[a-z][\w+-]{0,60}:(?![\w:])"  # :emoji:
    r"|^\([\w.:-]{1,100}\)=(?=[ \t\r]*$)|(?<=\$\$)[ ]\([\w.:-]{1,100}\)(?=[ \t\r]*$)"  # labels of MyST
    r"|(?<![\w%])%\w[\w-]{0,60}%(?![\w%])|^[!?]{3}\+?[ ][\w-]{1,40}"  # a variable of Windows, the kind of a box
    r"|^\*\[[^\[\]\n]{1,100}\]:|\[![A-Za-z-]{1,40}\]|(?:(?<=\n\n)|(?<=\n\r\n)|\A)%[ \t][^\n]*",
    re.MULTILINE,
)
"""Marks of single dialects: rare, and sought only in a document that has a sign of one."""
_SIGNS = (
    ("{", ("{%", "{{", "{#", "{/*", "${", "}`")),
    ("$", ("$$",)),
    ("\\", ("\\",)),
    ("%", ("%%", "<%")),
    (":", (":::",)),
    ("[[", ("[[",)),
    ("<", ("<q", "translate=")),
    ("import", ("\nimport",)),
    ("export", ("\nexport",)),
)
"""A sign of one kind or another, and what is asked for only where it stands: one character is found soonest."""
_MARK_SIGNS = (
    ("^", (" ^", "\n^")),
    ("$", ("$$",)),
    ("[", ("]:", "[!")),
    ("=", (")=",)),
    ("!", ("!!!",)),
    ("?", ("???",)),
)
_RARE = ((":", re.compile(r":[a-z]")), ("%", re.compile(r"%\w|\n% ")))


@lru_cache(maxsize=4)
def may_hold(source: str) -> bool:
    """Is there a sign of any of this in the source? Cheap."""
    if source.startswith(("import", "export", "\ufeff", "<!--", *METADATA)) or _signed(source, _SIGNS):
        return True
    return _may_mark(source) or ("<" in source and _ELEMENT.search(source) is not None)


def _signed(source: str, signs: tuple[tuple[str, tuple[str, ...]], ...]) -> bool:
    return any(first in source and any(sign in source for sign in rest) for first, rest in signs)


@lru_cache(maxsize=4)
def _may_mark(source: str) -> bool:
    """May a mark of `_MARKS` be in the source?"""
    if source.startswith(("% ", "^", "*[")) or _signed(source, _MARK_SIGNS):
        return True
    return any(sign in source and pattern.search(source) for sign, pattern in _RARE)


def read_blocks(doc: Document, *, looked: bool | None = None) -> list[ProseBlock]:
    """`prose_blocks` of the document with all of this masked. `looked` is what `may_hold` said of its source."""
    blocks = prose_blocks(doc)
    if not (may_hold(doc.source) if looked is None else looked):
        return blocks
    spans = _elements(doc, blocks)
    for start, end in regions(doc.source):
        first = max(0, bisect_right(blocks, start, key=lambda block: block.start) - 1)
        for number in range(first, len(blocks)):
            if blocks[number].start >= end:
                break
            inner = max(start, blocks[number].start), min(end, blocks[number].end)
            if inner[0] < inner[1]:
                spans.setdefault(number, []).append(inner)
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
        if tag is None or tag[4]:
            continue
        number = bisect_right(starts, node.start) - 1
        if depth and number != inside:
            out.setdefault(inside, []).append((begin, blocks[inside].end))
            depth = 0
        if not depth:
            if not tag[1] and (tag[2].lower() in _ALONE or _KEPT.search(tag[3])):
                inside, name, depth, begin = number, tag[2].lower(), 1, node.end
        elif tag[2].lower() == name:
            depth += -1 if tag[1] else 1
            if not depth and (name != "q" or len(doc.source[begin : node.start].split()) <= _QUOTED):
                out.setdefault(number, []).append((begin, node.start))
    if depth:
        out.setdefault(inside, []).append((begin, blocks[inside].end))
    return out


def _masked(source: str, block: ProseBlock, elements: list[tuple[int, int]]) -> ProseBlock:
    text = block.text
    first = block.start + source.startswith("\ufeff", block.start)
    if block.kind == "paragraph" and MODULE.match(source, first, block.end):
        return block._replace(text=OPAQUE * len(text))
    spans = [(start - block.start, end - block.start) for start, end in elements]
    first = block.start - source.startswith("\\", max(0, block.start - 1))  # an escape's sign stands before its text
    marks = _MARKS.finditer(source, first, block.end) if _may_mark(source) else ()
    for found in chain(_SPANS.finditer(source, first, block.end), marks):
        start, end = found.start() - block.start, found.end() - block.start
        sign = found.group()[1]  # where its signs are prose: in code they are code already; of \\( one is markup
        if found.group().startswith("\\(") and _SAID.fullmatch(found.group(), 2, len(found.group()) - 2):
            continue  # escaped brackets around words
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
