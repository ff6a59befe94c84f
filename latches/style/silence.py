"""`<!-- stet: off ... -->` comments: a person says why a rule does not hold here.

    <!-- stet: off [telemetry, robust] the vendor's own name -->   these terms, to the end or `stet: on`
    <!-- stet: off a chapter of quotations -->                      every rule
    <!-- stet: next [robust] the title of the paper -->             the next block only
    <!-- stet: on -->                                               all rules hold again

Inside the brackets stand terms or rule names. The reason has two words or more. A comment without one, with
brackets that hold nothing or are not closed, or that is not closed itself, has no effect and is reported, and so is
one that silences nothing. In code, a script or another comment it is no comment.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from firewall.text.markdown import Document, Node

_MENTION = re.compile(r"<!--\s*stet:", re.IGNORECASE)
_WORDS = re.compile(
    r"\s*stet:\s*(off|next|on)(?=[\s\[:,;.]|$)[:,;.]?\s*(?:\[([^\]]*)\][:,;.]?)?\s*(.*)", re.IGNORECASE | re.DOTALL
)
_RAW = re.compile(r"\s{0,3}<(?:script|style|textarea)\b", re.IGNORECASE)
_TAGS = re.compile(r"<!--.*?-->|<[^<>]*>", re.DOTALL)
_BEGINS = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?=<!--)")
_BESIDE = (
    "Text stands on the line that this comment begins, so it is HTML to Markdown and is not checked. "
    "Put the comment on a line of its own, with a blank line after it."
)
_REASON = 2
"""Words that a reason has at least: one alone says which, and not why."""


class Silence(NamedTuple):
    """Rules or terms (all, when empty) are silent in `source[start:end]`; the comment is at `place`."""

    names: frozenset[str]
    start: int
    end: int
    reason: str
    place: tuple[int, int]


class Silences(NamedTuple):
    """What a document's comments silence, and those without effect as (start, end, rule, why)."""

    active: tuple[Silence, ...]
    faulty: tuple[tuple[int, int, str, str], ...]


def mentions(source: str) -> list[int]:
    """Offsets of what may be such a comment; a comment of another kind, or in code, may be among them."""
    return [m.start() for m in _MENTION.finditer(source)] if "<!--" in source else []


def silences(doc: Document) -> Silences:
    """The comments of a document. Comments in code are code."""
    if not mentions(doc.source):
        return Silences((), ())
    active: list[Silence] = []
    bad: list[tuple[int, int, str, str]] = []
    running: list[tuple[frozenset[str], int, str, tuple[int, int]]] = []
    beside: list[tuple[int, int, str, str]] = []
    for at, end, match in _comments(doc):
        if doc.source[at:end].endswith("-->") and _before_text(doc, at, end):
            beside.append((at, end, "off-beside-text", _BESIDE))
        fault = _fault(match, doc.source[at:end])
        if fault:
            bad.append((at, end, *fault))
            continue
        word = match.group(1).lower()
        if word == "on":
            active += [Silence(names, start, at, reason, place) for names, start, reason, place in running]
            running = []
            continue
        names = frozenset(name.strip() for name in (match.group(2) or "").split(",") if name.strip())
        reason = match.group(3).strip()
        if word == "off":
            running.append((names, end, reason, (at, end)))
        else:
            active.append(Silence(names, end, _next_block_end(doc, end), reason, (at, end)))
    last = len(doc.source)
    active += [Silence(names, start, last, reason, place) for names, start, reason, place in running]
    return Silences(tuple(sorted(active, key=lambda s: s.place)), (*bad, *beside[:1]))


def _before_text(doc: Document, at: int, end: int) -> bool:
    """Does the comment begin a line on which text follows? To CommonMark all of the line is HTML then."""
    first = doc.source.rfind("\n", 0, at) + 1
    last = doc.source.find("\n", end)
    line = doc.source[first : last if last >= 0 else len(doc.source)]
    begins = _BEGINS.match(line)
    return begins is not None and any(c.isalnum() for c in _TAGS.sub("", line[begins.end() :]))


def _fault(match: re.Match[str], comment: str) -> tuple[str, str] | None:
    """(rule, why) of a comment that has no effect."""
    if not comment.endswith("-->"):
        return (
            "off-unclosed",
            "This comment is never closed, so what follows is hidden and not checked. Close it with -->.",
        )
    word, names, reason = match.group(1).lower(), match.group(2), match.group(3).strip()
    if word == "on":
        return None
    if names is None and reason.startswith("["):
        return "off-unused", "The bracket in this comment is not closed, so it silences nothing. Close it with ]."
    if names is not None and not names.replace(",", " ").split():
        return (
            "off-unused",
            "The brackets in this comment are empty, so it silences nothing. Name a rule or a term in them.",
        )
    if len(reason.split()) < _REASON:
        return "off-without-reason", "This comment gives no reason, so it has no effect. Say why in two words or more."
    return None


def _comments(doc: Document) -> list[tuple[int, int, re.Match[str]]]:
    """(start, end, words) of the comments that speak to us, in order; of one that is not closed the first line."""
    out = []
    for node in _html(doc):
        at = doc.source.find("<!--", node.start, node.end)
        while at >= 0:
            close = doc.source.find("-->", at + 4, node.end)
            end = close if close >= 0 else node.end
            match = _WORDS.fullmatch(doc.source, at + 4, end)
            if match and close >= 0:
                out.append((at, close + 3, match))
            elif match:
                out.append((at, at + len(doc.source[at:end].splitlines()[0]), match))
            at = doc.source.find("<!--", end, node.end)
    return sorted(out, key=lambda found: found[0])


def _html(doc: Document) -> Iterator[Node]:
    """HTML that is not raw text: what stands in a script or in the words of an image is no comment."""
    todo = list(reversed(doc.blocks))
    while todo:
        node = todo.pop()
        if node.kind == "inline_html" or (node.kind == "html_block" and not _RAW.match(doc.source, node.start)):
            yield node
        elif node.kind not in ("image", "html_block"):
            todo.extend(reversed(node.children))


def _next_block_end(doc: Document, at: int) -> int:
    """The end of the block after `at`; inside a block, the end of that block."""
    first = bisect_right(doc.blocks, at, key=lambda block: block.end)
    for block in itertools.islice(doc.blocks, first, None):
        if not _blank(doc, block, at):
            return block.end
    return len(doc.source)


def _blank(doc: Document, block: Node, at: int) -> bool:
    return not doc.source[max(at, block.start) : block.end].strip()


class Cover:
    """The comments of a document, asked for what they silence: a few looks each time, however many there are."""

    def __init__(self, active: tuple[Silence, ...]) -> None:
        self._active = active
        self._by_name: dict[str, tuple[list[int], list[int]]] = {}
        for number, silence in enumerate(active):
            for name in silence.names or ("",):
                numbers, ends = self._by_name.setdefault(name, ([], []))
                numbers.append(number)
                ends.append(max(silence.end, ends[-1] if ends else 0))  # how far these reach, all together

    def first(self, rule: str, term: str, start: int) -> Silence | None:
        """The first comment that silences a finding of `rule` about `term` at `start`."""
        found = []
        for name in ("", rule, term):
            numbers, ends = self._by_name.get(name, ([], []))
            place = bisect_right(ends, start)  # the first that ends behind it; those after it begin later
            if place < len(numbers) and self._active[numbers[place]].start <= start:
                found.append(numbers[place])
        return self._active[min(found)] if found else None

    def unused(self, uses: Iterable[tuple[str, str, int]]) -> list[Silence]:
        """Those in whose reach none of `uses`, as (rule, term, start) in order of place, stands that they name."""
        at: dict[str, list[int]] = {}
        for rule, term, start in uses:
            for name in ("", rule, term):
                at.setdefault(name, []).append(start)
        return [s for s in self._active if not any(_within(at.get(name, []), s) for name in s.names or ("",))]


def _within(starts: list[int], silence: Silence) -> bool:
    place = bisect_left(starts, silence.start)
    return place < len(starts) and starts[place] < silence.end
