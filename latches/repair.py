"""Where a missing element goes, and putting it there without touching another byte. Pure."""

from __future__ import annotations

from typing import NamedTuple

from firewall.text.markdown import Document, parse
from latches.blueprint import SectionPlan
from latches.elements import detect


class Inserted(NamedTuple):
    """`text` with something put in at `text[start:end]`, blank lines around it included."""

    text: str
    start: int
    end: int


def place(doc: Document, plan: SectionPlan, element: str) -> int:
    """The offset at which a missing element belongs: the shape's order is the reader's order.

    After the last block of the elements that come before it in the shape; where none of those is there,
    before the first block of those that come after; else at the end. Always between two top-level blocks.
    """
    order = list(plan.elements)
    at = order.index(element) if element in order else len(order)
    ends = [span[1] for name in order[:at] for span in _spans(doc, plan, name)[:1]]
    if ends:
        return _border(doc, max(ends))
    starts = [span[0] for name in order[at + 1 :] for span in _spans(doc, plan, name)[:1]]
    if starts:
        return _before(doc, min(starts))
    return len(doc.source)


def insert(source: str, at: int, addition: str) -> Inserted:
    """`source` with `addition` at `at`, parted from its neighbours by a blank line; nothing else changes.

    The line ends of the source are those of the addition, too.
    """
    line_end = "\r\n" if "\r\n" in source else "\n"
    body = line_end.join(addition.strip("\r\n").splitlines())
    before, after = source[:at], source[at:]
    lead = "" if not before.strip() else line_end * max(0, 2 - _line_ends(before[::-1]))
    trail = line_end if not after.strip() else line_end * max(1, 2 - _line_ends(after))
    piece = lead + body + trail
    return Inserted(before + piece + after, at, at + len(piece))


def stays(source: str, done: Inserted) -> bool:
    """Did the insertion leave every block of `source` as it was? An open fence would swallow what follows."""
    old, new = parse(source), parse(done.text)
    shift = done.end - done.start
    kept = [_key(b.kind, b.start, b.end, 0) for b in old.blocks]
    outside = [
        _key(b.kind, b.start, b.end, shift if b.start >= done.end else 0)
        for b in new.blocks
        if b.end <= done.start or b.start >= done.end
    ]
    return [k[:2] for k in kept] == [k[:2] for k in outside]


def _key(kind: str, start: int, end: int, shift: int) -> tuple[str, int, int]:
    return kind, start - shift, end - shift


def _spans(doc: Document, plan: SectionPlan, name: str) -> tuple[tuple[int, int], ...]:
    return detect(name, doc, plan.options_of(name)).found


def _border(doc: Document, offset: int) -> int:
    """The end of the top-level block that `offset` lies in or just after."""
    for block in doc.blocks:
        if block.start < offset <= block.end:
            return block.end
    return offset


def _before(doc: Document, offset: int) -> int:
    """The start of the top-level block that `offset` lies in, its heading or label paragraph with it."""
    previous = None
    for block in doc.blocks:
        if block.start <= offset < block.end:
            return previous.start if previous is not None and previous.kind == "heading" else block.start
        previous = block
    return offset


def _line_ends(text: str) -> int:
    """Line ends at the beginning of `text`, two at most, white space between them left out."""
    count = 0
    for char in text:
        if char == "\n":
            count += 1
        elif not char.isspace():
            break
        if count == 2:
            break
    return count
