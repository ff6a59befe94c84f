"""formal_definition: the paragraphs of the notes that say what a thing is, with the thing in bold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.compose.notes import Block, Unit
from pipeline.compose.piece import Part, Piece, part, piece

_BOLD = re.compile(r"^\*\*(?P<term>[^*?!:.\n]{2,60})(?P<end>[:.]?)\*\*(?P<link>\s*[:\u2014\u2013-]|\.?\s)\s*")
_SAID = re.compile(
    r"^(?P<article>(?:An?|The)\s+)?(?P<term>[A-Za-z][\w'/-]*(?:\s[a-z][\w'/-]*){0,4})(?P<link>\s(?:is|are|means)\s)"
    r"(?P<rest>(?:an?|the|permission|being|what|any)\b[^.?!]{25,}[.])"
)
_NO_TERM = re.compile(
    r"^(?:this|that|these|those|it|they|he|she|we|you|one|there|here|what|which|who|how|why|when|where|each|all|"
    r"both|some|none|nothing|everything|everybody|nobody|another|most|such|same|first|second|third|last|"
    r"next|only|other|way|idea|trouble|reason|question|answer|result|point|note|warning|tip|cause|root cause|"
    r"rule|best|worst|test)\b",
    re.IGNORECASE,
)
_MOST = 3


def find(unit: Unit) -> Iterator[Piece]:
    """The unit's definitions, three at most, in one piece; those that set their term in bold come first."""
    bold = [(b, b.text) for b in unit.blocks if defined(b)]
    said = [(b, text) for b in unit.blocks if (text := _emphasised(b)) is not None]
    known = [(b, text) for b, text in said if text.startswith("The ")]  # a thing spoken of before
    fresh = [(b, text) for b, text in said if not text.startswith("The ")]
    for found, score in ((bold, 3.0), (fresh, 2.0), (known, 1.0)):
        if found:
            chosen = found[:_MOST]
            parts: list[Part] = [part(b, "prose", text) for b, text in chosen]
            first, *others = (b for b, _ in chosen)
            yield piece("formal_definition", parts, score + 0.2 * len(chosen), first, *others)


def defined(block: Block) -> bool:
    """Is this a paragraph that opens with a term in bold and goes on to say what it is?"""
    if block.kind != "paragraph":
        return False
    match = _BOLD.match(block.text)
    if match is None or _NO_TERM.match(match["term"]):
        return False
    return bool(match["end"]) or match["link"].strip() in (":", "\u2014", "\u2013", "-")


def _emphasised(block: Block) -> str | None:
    """The paragraph with its term in bold where it says that the term is something, else None."""
    if block.kind != "paragraph":
        return None
    match = _SAID.match(block.text)
    if match is None or _NO_TERM.match(match["term"]):
        return None
    start, end = match.span("term")
    return f"{block.text[:start]}**{match['term']}**{block.text[end:]}"
