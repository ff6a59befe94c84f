"""What an element can be made of: blocks of one unit, and the Markdown that stands in their places."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Literal, NamedTuple

from firewall.text.markdown import Document, parse
from firewall.text.words import count_words
from latches.blueprint import SectionPlan
from latches.checks.code import code
from latches.checks.fences import lost_cells, unclosed_fences
from latches.elements import ELEMENTS, detect
from pipeline.compose.notes import Block

Kind = Literal["prose", "list", "figure", "quote"]


class Part(NamedTuple):
    """Markdown that stands in the place of a block. `kind` says where a citation can go:

    prose: behind its last word; list: behind its last item; quote: behind its last line; figure, which is a
    table or a fence: nowhere inside, so behind the paragraph before it or on a line of its own after it.
    """

    place: int
    kind: Kind
    text: str
    passage: int

    @property
    def words(self) -> int:
        """Words of its Markdown."""
        return count_words(self.text)


class Piece(NamedTuple):
    """A way to satisfy `element` from the blocks of one unit.

    `parts` are what is printed, in the unit's order; `uses` are the places of all blocks that this uses
    up. A larger `score` is a better piece, in points that only pieces of one element share.
    """

    element: str
    unit: int
    parts: tuple[Part, ...]
    uses: frozenset[int]
    score: float

    @property
    def text(self) -> str:
        """The piece as it would stand alone."""
        return "\n\n".join(part.text for part in self.parts) + "\n"

    @property
    def words(self) -> int:
        """Words of its Markdown."""
        return sum(part.words for part in self.parts)


def piece(element: str, parts: Iterable[Part], score: float, block: Block, *more: Block) -> Piece:
    """A piece made of `block` and `more`, all of one unit."""
    made = tuple(sorted(parts))
    return Piece(element, block.unit, made, frozenset(b.place for b in (block, *more)), score)


def part(block: Block, kind: Kind, text: str) -> Part:
    """`text` in the place of `block`, with its source."""
    return Part(block.place, kind, text, block.passage)


def satisfies(text: str, element: str, plan: SectionPlan) -> bool:
    """Does the section's own latch find `element` in `text`? An element that is not known is in no text."""
    if element not in ELEMENTS:
        return False
    return bool(detect(element, _parsed(text), plan.options_of(element)).found)


def sound(text: str) -> bool:
    """Would the latch let this stand, whatever its element: no cell lost, no fence open, no code that breaks?"""
    return _sound(text)


@functools.lru_cache(maxsize=512)
def _sound(text: str) -> bool:
    doc = _parsed(text)
    return not (unclosed_fences(doc) or lost_cells(doc) or code(doc))


@functools.lru_cache(maxsize=512)
def _parsed(text: str) -> Document:
    return parse(text)
