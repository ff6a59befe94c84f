"""Stretches of a document that are no prose though a parser reads paragraphs in them. Pure.

A parser ends HTML, math it does not know, template blocks and the programs of MDX at a blank line, or takes them for
text from the beginning; what publishes the document goes on to the closing sign. Linear time: a closing sign that was
not found once is not sought again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from firewall.text.markdown import Document, ProseBlock, parse, prose_blocks
from firewall.text.mdx import statement_end

CODE = "code|kbd|samp|var|pre|script|style|math|tt|svg|textarea|template"
"""Elements whose text is no prose."""
_MATH = "align|alignat|cases|displaymath|eqnarray|equation|flalign|gather|math|multline|split|[bpv]?matrix"
_LINE = frozenset(("dollars", "bracket", "colons", "options"))
"""Signs that stand first in their line."""
_OPEN = {
    "{%": (
        r"\{%-?\s*(?P<tag>highlight|raw|comment|verbatim|code|codeblock|math|prism|mermaid)(?=[\s%-])[^%\n]{0,200}%\}",
    ),
    "{{": (r"\{\{[<%]\s*(?P<hugo>highlight|code|raw|comment|math|katex|mermaid)(?=[\s>%])[^\n]{0,200}?[>%]\}\}",),
    "\\": (
        rf"\\begin\{{(?P<tex>(?:{_MATH}|verbatim|lstlisting|minted|tikzpicture|algorithm(?:ic)?)\*?)\}}",
        r"\\\[(?P<bracket>)",
    ),
    "$$": (r"\$\$(?P<dollars>)(?=[ \t\r]*$)",),
    "{/*": (r"\{/\*(?P<mdx>)",),
    ":::": (
        r":::+(?P<colons>)[ ]?\{(?:code-block|code|code-cell|sourcecode|math|mermaid|literalinclude|raw)\}",
        r":::+[ ]?\{[\w:-]{1,40}\}[^\n]{0,300}(?P<options>(?:\n[ \t]*:[\w-]{1,40}:[^\n]{0,300})+)",
    ),
    "translate=": (r"<(?P<kept>[a-z]{1,20})\s[^<>]{0,200}?translate=[\"']?no\b[^<>]{0,200}>",),
    "<": (rf"<(?P<html>(?i:{CODE}))(?=[\s>])[^<>]{{0,300}}>",),
}
"""What opens such a stretch, by a sign without which there is none. They begin with a literal: that is fast."""
_PATTERNS = {sign: tuple(re.compile(p, re.MULTILINE) for p in patterns) for sign, patterns in _OPEN.items()}
MODULE = re.compile(
    r"import\s[^\n]{0,300}?[\"'][^\"'\n]{1,300}[\"'];?[ \t\r]*$|import\s*\{[^{}]{1,400}\}\s*from\s"
    r"|export\s+(?:const|let|var|function|class|async|default|\{|\*)(?!\w)",
    re.MULTILINE,
)
"""What begins a paragraph of MDX that is a program: it goes on to the blank line behind its last bracket."""
_MODULE_LINE = re.compile(rf"(?:^|(?<=\ufeff))(?:{MODULE.pattern})", re.MULTILINE)
METADATA = ("Title:", "title:", "Author:", "author:", "Date:", "Slug:", "Tags:")
_FRONT = re.compile(
    r"\ufeff?\s*<!--.{0,2000}?-->\s*?^---[ \t\r]*\n(?:(?:[\w-]{1,60}:|[ \t]+\S|- |#)[^\n]*\n){1,200}?---[ \t\r]*$"
    rf"|\ufeff?(?={'|'.join(METADATA)})(?:[A-Za-z][\w -]{{0,40}}:[^\n]{{0,500}}\n){{1,40}}(?=[ \t\r]*$)",
    re.DOTALL | re.MULTILINE,
)
"""Front matter that no Markdown parser knows: behind a comment, or without lines around it (MultiMarkdown, Pelican)."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PROGRAM = "program"


@lru_cache(maxsize=4)
def regions(source: str) -> tuple[tuple[int, int], ...]:
    """(start, end) of each such stretch, in order, none in another. An opening sign in code opens nothing."""
    found = [m for sign, ps in _PATTERNS.items() if sign in source for p in ps for m in p.finditer(source)]
    if "export" in source or "import" in source:
        found += _MODULE_LINE.finditer(source)
    found = sorted((m for m in found if m.lastgroup not in _LINE or _leads(m)), key=lambda m: m.start())
    front = _FRONT.match(source)
    if not found:
        return (front.span(),) if front else ()
    doc = parse(source, [match.start() for match in found])
    blocks = prose_blocks(doc)
    out = [front.span()] if front else []
    missing: set[str] = set()
    comments: dict[int, list[tuple[int, int]]] = {}
    for match in found:
        if out and match.start() < out[-1][1]:
            continue
        if _opens(match, doc, blocks, comments):
            options = match.lastgroup == "options"
            start = match.start("options") if options else match.start()
            end = match.end() if options else _end(source, match, missing)
            if end > start:
                out.append((start, end))
    return tuple(out)


def _leads(match: re.Match[str]) -> bool:
    """Does the sign stand first in its line, at most three blanks apart?"""
    first = match.string.rfind("\n", 0, match.start()) + 1
    return match.start() - first <= 3 and match.string[first : match.start()].strip("\ufeff ") == ""


def _opens(
    match: re.Match[str], doc: Document, blocks: list[ProseBlock], comments: dict[int, list[tuple[int, int]]]
) -> bool:
    """Does the sign stand where it is read: in prose, for a tag in HTML of its own?

    `comments` keeps those of each block of HTML, by its start.
    """
    number = bisect_right(doc.blocks, match.start(), key=lambda node: node.start) - 1
    if match.lastgroup in ("html", "kept"):
        html = doc.blocks[number] if number >= 0 else None
        if html is None or html.kind != "html_block" or match.start() >= html.end:
            return False
        if html.start not in comments:
            comments[html.start] = [m.span() for m in _COMMENT.finditer(doc.source, html.start, html.end)]
        inside = comments[html.start]
        place = bisect_right(inside, match.start(), key=lambda span: span[0]) - 1
        return place < 0 or match.start() >= inside[place][1]  # in a comment it is no tag
    at = match.start() + (match.lastgroup == "bracket")  # of `\[` the first sign is markup
    place = bisect_right(blocks, at, key=lambda block: block.start) - 1
    if place < 0:
        return False
    block = blocks[place]
    if match.lastgroup is None:
        first = block.start + doc.source.startswith("\ufeff", block.start)
        return match.start() == first and block.kind == "paragraph"
    return block.start <= at < block.end and block.text[at - block.start] == doc.source[at]


def _end(source: str, match: re.Match[str], missing: set[str]) -> int:
    """Where the stretch ends that `match` opens; 0 where nothing closes it."""
    kind = match.lastgroup
    if kind is None:
        end, closes = (0, False) if _PROGRAM in missing else statement_end(source, match.start())
        missing |= set() if closes else {_PROGRAM}
        return end if closes else 0
    name = match[kind].lower()
    closing = {
        "tag": rf"\{{%-?\s*end{name}\s*-?%\}}",
        "hugo": rf"\{{\{{[<%]\s*/\s*{name}\s*[>%]\}}\}}",
        "tex": rf"\\end\{{{re.escape(match[kind])}\}}",
        "dollars": r"\$\$",
        "bracket": r"\\\]",
        "mdx": r"\*/\}",
        "colons": r"^[ \t]*:::+[ \t\r]*$",
    }.get(kind, rf"</{name}\s*>")
    if closing in missing:
        return len(source) if kind == "html" else 0
    found = re.compile(closing, re.MULTILINE | re.IGNORECASE).search(source, match.end())
    if found is None:
        missing.add(closing)
        return len(source) if kind == "html" else 0  # an element that is not closed goes on in each paragraph
    return found.end()
