"""What an inert edit does to the sentences and uses of a long block, from the sentences around it. Pure.

Letters in place of letters move no other sentence, and make or unmake no use that does not touch them. That is asked
of a stretch of sentences around the edit, not taken for granted: where that reads otherwise than before in anything but
the sentence itself, the caller reads the whole block.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from firewall.text.markdown import ProseBlock
from latches.style import Scanner, Use
from pipeline.micropass.window import places

LONG = 24
"""Sentences from which on a block is read this way. Our own number."""
AROUND = 4
"""Sentences on each side that are read anew. Our own number."""


class Block(NamedTuple):
    """A block with its sentences and the uses of terms in it, all in order of place."""

    block: ProseBlock
    spans: list[tuple[int, int]]
    uses: list[Use]


def read_near(before: Block, after: ProseBlock, source: str, span: tuple[int, int], scanner: Scanner) -> Block | None:
    """`before` with its sentence `span` edited, now the block `after` of `source`; None where all must be read."""
    spans = before.spans
    number = bisect_left(spans, span)
    if len(spans) < LONG or spans[number : number + 1] != [span]:
        return None
    shift = after.end - before.block.end
    first, last = max(0, number - AROUND), min(len(spans), number + AROUND + 1)
    start, end = spans[first][0], spans[last - 1][1]
    text = after.text[start - after.start : end + shift - after.start]
    near = after._replace(start=start, end=end + shift, text=text)
    here = [*spans[first:number], (span[0], span[1] + shift)]
    here += [(s + shift, e + shift) for s, e in spans[number + 1 : last]]
    if places(source, near) != here or not any(c.islower() for c in text):  # capitals are judged by the whole block
        return None
    uses = before.uses
    low, high = bisect_left(uses, (start,)), bisect_left(uses, (end,))
    found = scanner.uses_in(source, near)
    inner = span[0], span[1] + shift
    others = [use for use in found if not (inner[0] <= use.start and use.end <= inner[1])]
    mine = [use for use in uses[low:high] if not (span[0] <= use.start and use.end <= span[1])]
    if others != [_moved(use, span[1], shift) for use in mine]:
        return None
    behind = [(s + shift, e + shift) for s, e in spans[last:]]
    later = [_moved(use, span[1], shift) for use in uses[high:]]
    return Block(after, [*spans[:first], *here, *behind], [*uses[:low], *found, *later])


def _moved(use: Use, end: int, shift: int) -> Use:
    return Use(use.start + shift, use.end + shift, use.term) if use.start >= end else use
