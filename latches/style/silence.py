"""`<!-- stet: off ... -->` comments: a person says why a rule does not hold here.

    <!-- stet: off [telemetry, robust] the vendor's own name -->   these terms, to the end or `stet: on`
    <!-- stet: off a chapter of quotations -->                      every rule
    <!-- stet: next [robust] the title of the paper -->             the next block only
    <!-- stet: on -->                                               all rules hold again

Inside the brackets stand terms or rule names. The reason has two words or more; a comment without one
has no effect and is reported, and so is one that silences nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from firewall.text.markdown import Document, Node

_COMMENT = re.compile(r"<!--\s*stet:\s*(off|next|on)\b\s*(?:\[([^\]]*)\])?\s*(.*?)\s*-->", re.IGNORECASE | re.DOTALL)


class Silence(NamedTuple):
    """Rules or terms (all, when empty) are silent in `source[start:end]`; the comment is at `place`."""

    names: frozenset[str]
    start: int
    end: int
    reason: str
    place: tuple[int, int]


class Silences(NamedTuple):
    """What a document's comments silence, and the comments that give no reason."""

    active: tuple[Silence, ...]
    without_reason: tuple[tuple[int, int], ...]


def mentions(source: str) -> list[int]:
    """Offsets of what may be such a comment; a comment of another kind, or in code, may be among them."""
    return [m.start() for m in _COMMENT.finditer(source)] if "<!--" in source else []


def silences(doc: Document) -> Silences:
    """The comments of a document. Comments in code are code."""
    if not mentions(doc.source):
        return Silences((), ())
    active: list[Silence] = []
    bad: list[tuple[int, int]] = []
    running: list[tuple[frozenset[str], int, str, tuple[int, int]]] = []
    for at, end, match in _comments(doc):
        word = match.group(1).lower()
        if word == "on":
            active += [Silence(names, start, at, reason, place) for names, start, reason, place in running]
            running = []
            continue
        names = frozenset(name.strip() for name in (match.group(2) or "").split(",") if name.strip())
        reason = match.group(3)
        if len(reason.split()) < 2:
            bad.append((at, end))
        elif word == "off":
            running.append((names, end, reason, (at, end)))
        else:
            active.append(Silence(names, end, _next_block_end(doc, end), reason, (at, end)))
    last = len(doc.source)
    active += [Silence(names, start, last, reason, place) for names, start, reason, place in running]
    return Silences(tuple(sorted(active, key=lambda s: s.place)), tuple(bad))


def _comments(doc: Document) -> list[tuple[int, int, re.Match[str]]]:
    out = []
    for node in doc.find("html_block", "inline_html"):
        for match in _COMMENT.finditer(doc.source, node.start, node.end):
            out.append((match.start(), match.end(), match))
    return sorted(out, key=lambda found: found[0])


def _next_block_end(doc: Document, at: int) -> int:
    """The end of the block after `at`; inside a block, the end of that block."""
    for block in doc.blocks:
        if block.end > at and not _blank(doc, block, at):
            return block.end
    return len(doc.source)


def _blank(doc: Document, block: Node, at: int) -> bool:
    return not doc.source[max(at, block.start) : block.end].strip()


def covers(silence: Silence, rule: str, term: str, start: int) -> bool:
    """Does `silence` hold for a finding of `rule` about `term` at `start`?"""
    if not silence.start <= start < silence.end:
        return False
    return not silence.names or rule in silence.names or term in silence.names
