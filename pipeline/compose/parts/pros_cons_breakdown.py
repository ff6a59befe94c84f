"""pros_cons_breakdown: two lists of the notes, one for and one against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipeline.compose.labels import CONS, PROS
from pipeline.compose.notes import Block, Unit
from pipeline.compose.piece import Part, Piece, part, piece

_FOR = re.compile(
    r"^\W*(?:(?:the )?(?:pros?|advantages?|strengths?|benefits?|upsides?|gains?)\b|in favou?r\b|for\b|"
    r"(?:arguments?|reasons|case|points) for\b|what speaks for\b)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"^\W*(?:(?:the )?(?:cons?|disadvantages?|drawbacks?|weakness(?:es)?|downsides?|costs?|limitations?)\b|"
    r"risks?\b|against\b|(?:arguments?|reasons|case|points) against\b|what speaks against\b)",
    re.IGNORECASE,
)
_MOST_WORDS = 10
"""A label is short; a sentence that only begins with For is longer."""


def find(unit: Unit) -> Iterator[Piece]:
    """Each list for, with the list against that follows it, under their own labels and under ours."""
    lists = list(labelled_lists(unit))
    for (side, label, pros), (other, below, cons) in pairwise(lists):
        if side == "for" and other == "against":
            named = [*_printed(PROS, label, pros), *_printed(CONS, below, cons)]
            own = [*_printed("", label, pros), *_printed("", below, cons)]
            size = len(pros.items) + len(cons.items)
            blocks = [b for b in (pros, below, cons) if b is not None]
            first = label if label is not None else blocks.pop(0)
            yield piece("pros_cons_breakdown", own, size + 0.5, first, *blocks)
            yield piece("pros_cons_breakdown", named, size, first, *blocks)


def labelled_lists(unit: Unit) -> Iterator[tuple[str, Block | None, Block]]:
    """(side, label, list) of the unit's lists for and against; a heading may be the label of the first."""
    for at, block in enumerate(unit.blocks):
        if block.kind != "bullets":
            continue
        above = unit.blocks[at - 1] if at else None
        if above is None:
            side, label = _side(unit.heading + ":"), None
        elif above.kind == "paragraph":
            side, label = _side(above.text), above
        else:
            continue
        if side:
            yield side, label, block


def _side(label: str) -> str:
    text = label.strip().strip("*_").strip()
    if not text.endswith((":", ":**", "：")) and label.strip() == text:
        return ""
    if len(text.split()) > _MOST_WORDS:
        return ""
    return "for" if _FOR.match(text) else "against" if _AGAINST.match(text) else ""


def _printed(name: str, label: Block | None, items: Block) -> list[Part]:
    """The list under its own label, with `name` before it where the latch would not know that one."""
    if label is None:
        return [part(items, "list", f"**{name}**\n\n{items.text}" if name else items.text)]
    own = label.text.strip().strip("*_").rstrip(": *_")
    return [
        part(label, "prose", f"**{name}.** {own}:" if name else f"{own}:"),
        part(items, "list", items.text),
    ]
