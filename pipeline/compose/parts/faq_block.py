"""faq_block: questions of the notes with their answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.compose.notes import Block, Unit
from pipeline.compose.piece import Part, Piece, part, piece

MOST = 3

_ASKED = re.compile(r"^(?:\*\*)?(?:Q(?:uestion)?\s?\d*[:.)]\s*)?(?P<question>[^*\n?][^\n?]*\?)(?:\*\*)?\s*", re.DOTALL)
_MARKED = re.compile(r"^(?:\*\*|Q(?:uestion)?\s?\d*[:.)])", re.IGNORECASE)
_ANSWER = re.compile(r"^(?:\*\*)?A(?:nswer)?\s?\d*[:.)](?:\*\*)?\s*")


class Asked(NamedTuple):
    """A question, its answer, and the blocks that hold them."""

    question: str
    answer: str
    blocks: tuple[Block, ...]


def find(unit: Unit) -> Iterator[Piece]:
    """The unit's questions: all of them up to three, and the first two where room is short."""
    found = list(asked(unit))
    for count in range(min(MOST, len(found)), 1, -1):
        some = found[:count]
        parts = [printed(a) for a in some]
        first, *others = (b for a in some for b in a.blocks)
        yield piece("faq_block", parts, 2.0 + count / 4, first, *others)


def printed(asked: Asked) -> Part:
    """A question in bold with its answer below."""
    return part(asked.blocks[0], "prose", f"**{asked.question}**\n{asked.answer}")


def asked(unit: Unit) -> Iterator[Asked]:
    """Questions in bold or after Q:, with the answer in the same paragraph or the next one."""
    for at, block in enumerate(unit.blocks):
        if block.kind != "paragraph" or not _MARKED.match(block.text):
            continue
        match = _ASKED.match(block.text)
        if match is None:
            continue
        answer = _ANSWER.sub("", block.text[match.end() :].lstrip("*").strip())
        blocks: tuple[Block, ...] = (block,)
        if not answer and at + 1 < len(unit.blocks) and unit.blocks[at + 1].kind == "paragraph":
            following = unit.blocks[at + 1]
            if not _MARKED.match(following.text):
                answer, blocks = _ANSWER.sub("", following.text.strip()), (block, following)
        if answer:
            yield Asked(" ".join(match["question"].split()), answer, blocks)
