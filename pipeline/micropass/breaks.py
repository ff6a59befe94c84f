"""Keep the line breaks of a hard-wrapped sentence through an edit. Pure.

Models join lines. A break is layout, so where an answer lost it, it goes back to the same place between
words; an answer is never rejected, and a quote mark never lost, for that alone.
"""

from __future__ import annotations

import re

from rapidfuzz.distance import LCSseq

BREAK = re.compile(r"[ \t]*\r?\n[ \t>]*|[ \t]*\r[ \t>]*")


def line_breaks(text: str) -> tuple[str, ...]:
    """The line breaks of a sentence in order, each with the indentation and quote marks after it."""
    return tuple(m.group() for m in BREAK.finditer(text))


def rewrapped(sentence: str, answer: str) -> str:
    """`answer` with the line breaks of `sentence`, each behind the word that it stood behind.

    As it is where it has them already, where the sentence has none, or where a place cannot be found.
    """
    breaks = line_breaks(sentence)
    if not breaks or line_breaks(answer) == breaks:
        return answer
    lines = [line.split() for line in BREAK.split(sentence)]
    ours = [word for line in lines for word in line]
    flat = BREAK.sub(" ", answer)
    theirs = flat.split()
    gaps: list[int] = []
    seen = 0
    for line in lines[:-1]:
        seen += len(line)
        gap = _gap(ours, theirs, seen)
        if gap is None or (gaps and gap <= gaps[-1]):
            return answer
        gaps.append(gap)
    out: list[str] = []
    for number, word in enumerate(theirs):
        if number:
            out.append(breaks[gaps.index(number)] if number in gaps else " ")
        out.append(word)
    return "".join(out)


def _gap(ours: list[str], theirs: list[str], seen: int) -> int | None:
    """How many of `theirs` stand before the break that comes after the first `seen` of `ours`."""
    matched: dict[int, int] = {}
    for op in LCSseq.opcodes(ours, theirs):
        if op.tag == "equal":
            matched.update(zip(range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=True))
    if seen - 1 in matched:
        gap = matched[seen - 1] + 1
    elif seen in matched:
        gap = matched[seen]
    else:
        gap = round(seen * len(theirs) / len(ours))
    return gap if 0 < gap < len(theirs) else None
