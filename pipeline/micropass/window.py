"""Cut the one violating sentence out of a document, and say which parts of it are locked. Pure.

Nothing of the document leaves this module but the sentence and at most 25 words of its own paragraph
on either side.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from firewall.text.markdown import MARKUP, OPAQUE, Document, ProseBlock
from firewall.text.sentences import block_sentences
from firewall.text.words import word_spans
from latches.style import StyleHit
from latches.style.unread import may_hold, read_blocks
from pipeline.micropass.breaks import BREAK, line_breaks
from pipeline.micropass.violation import Violation
from pipeline.models.base import EditTask

CONTEXT_WORDS = 25
"""Words of read-only context on each side (issue 6, micro-pass)."""
_STRETCH = 500
"""Characters in which those words are sought first: a paragraph may be a book."""

_MASKED = re.compile(f"[{MARKUP}{OPAQUE}]+")
_BROKEN = re.compile(f"(?<=[^\\W_])[{MARKUP}{OPAQUE}]+(?=[^\\W_])")
_BRACED = re.compile(r"([\"'`])[^\"'`{}\n]{0,40}[{}][^\"'`{}\n]{0,40}\1|/\*.{0,200}?\*/", re.DOTALL)
"""A string or a comment of a program with a brace in it."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NUMBER = re.compile(r"(?<!\w)[$€£¥]?[+\-\u2212]?\d(?:[\w.,:/\u00d7\u2013\u2212-]*\w)?[%\u2030\u00b0]?")
_WORD = re.compile(r"[^\W\d_](?:[\w.@/\u2019'+#-]*[\w+#])?")
_NO_WORD = re.compile(r"[\d_@/+#]|\w\.\w")


class Window(NamedTuple):
    """One sentence, `source[start:end]`, and what an editor may not touch in it.

    `prose` has the sentence's length, with everything that is no prose masked (see
    `firewall.text.markdown`). `at` is the (start, end) of the target within the sentence. `marks` are the
    markup, code, links and other masked runs in order, `numbers` and `names` likewise; `breaks` are line
    breaks with the quote marks and indentation after them. `staying` counts the target's other uses, which
    break no rule: a word over its ceiling goes where it is too much, and stays where it may stand. `cased` is true
    where the policy writes the term with a capital: that of the target is then its own, not that of its place.
    """

    start: int
    end: int
    sentence: str
    prose: str
    at: tuple[int, int]
    marks: tuple[str, ...]
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    breaks: tuple[str, ...]
    task: EditTask
    staying: int = 0
    cased: bool = False


class Prose:
    """The running text of a document, found by place. Each block is read once, however often it is asked for."""

    def __init__(self, doc: Document) -> None:
        self.doc = doc
        self._odd = may_hold(doc.source)
        self._blocks: dict[int, list[ProseBlock]] = {}
        self._sentences: dict[int, list[tuple[int, int]]] = {}

    def at(self, offset: int) -> ProseBlock | None:
        """The stretch of running text that holds the character at `offset`; only its top block is looked at."""
        number = bisect_right(self.doc.blocks, offset, key=lambda node: node.start) - 1
        if number < 0:
            return None
        if number not in self._blocks:
            part = Document(self.doc.source, (self.doc.blocks[number],))
            self._blocks[number] = read_blocks(part, looked=self._odd)
        blocks = self._blocks[number]
        place = bisect_right(blocks, offset, key=lambda block: block.start) - 1
        return blocks[place] if place >= 0 and offset < blocks[place].end else None

    def sentences(self, block: ProseBlock) -> list[tuple[int, int]]:
        """(start, end) of each sentence of one of its blocks, in order; see `places`."""
        if block.start not in self._sentences:
            self._sentences[block.start] = places(self.doc.source, block)
        return self._sentences[block.start]


def cut(
    doc: Document, violation: Violation, found: Sequence[Violation] = (), prose: Prose | None = None
) -> Window | None:
    """The window of a violation, or None when it does not lie in one sentence of the document's prose.

    `found` are all violations of the document, in order of place: more of the same word in the sentence go with it.
    `prose` is the document's, where it has been read before.
    """
    prose = prose or Prose(doc)
    block = prose.at(violation.start)
    return None if block is None else cut_block(doc.source, block, prose.sentences(block), violation, found)


def cut_block(
    source: str,
    block: ProseBlock,
    spans: Sequence[tuple[int, int]],
    violation: Violation,
    found: Sequence[Violation | StyleHit],
) -> Window | None:
    """`cut` in a block of `source` whose sentences are `spans`; of `found` only those in the block count."""
    if violation.end > block.end:
        return None
    number = bisect_right(spans, violation.start, key=lambda span: span[0]) - 1
    if number < 0 or violation.end > spans[number][1]:
        return None
    return _window(source, block, *spans[number], violation, found)


def in_pieces(window: Window) -> bool:
    """Does markup stand within a word of the target, as in `**L**everage`? No edit can keep it in its place."""
    return _BROKEN.search(window.prose, *window.at) is not None


def in_braces(window: Window) -> bool:
    """Does a use that is to go stand in braces, as in `{leverage}`? In MDX that is a program, and no sign tells."""
    if "{" not in window.prose:
        return False
    prose = _BRACED.sub(lambda m: re.sub("[{}]", " ", m.group()), window.prose)
    for start in window.task.at:
        left, right = prose[:start], prose[start + len(window.task.target) :]
        if left.rfind("{") > left.rfind("}") and "}" in right and not 0 <= right.find("{") < right.find("}"):
            return True
    return False


def places(source: str, block: ProseBlock) -> list[tuple[int, int]]:
    """(start, end) of each sentence of a block, without the indentation and quote marks before it."""
    out = []
    for sentence in block_sentences(source, block):
        start = sentence.start
        if start > block.start and source[start - 1] in "\r\n":
            while start < sentence.end and source[start] in " \t>":
                start += 1
        out.append((start, sentence.end))
    return out


def _window(
    source: str, block: ProseBlock, start: int, end: int, violation: Violation, found: Sequence[Violation | StyleHit]
) -> Window:
    sentence = source[start:end]
    prose = block.text[start - block.start : end - block.start]
    at = (violation.start - start, violation.end - start)
    spans = locked_spans(sentence, prose, at)
    going = _going(violation, found, start, end, sentence)
    staying = len(uses(sentence[at[0] : at[1]], prose)) - len(going)
    task = EditTask(
        sentence=sentence,
        target=sentence[at[0] : at[1]],
        alternatives=violation.alternatives,
        locked=tuple(sentence[s:e] for s, e in merged([*spans.marks, *spans.numbers, *spans.names])),
        before=_last_words(source[block.start : start]),
        after=_first_words(source[end : block.end]),
        instruction=_instruction(sentence[at[0] : at[1]], violation.alternatives) + _only(going, staying, sentence),
        number=violation.number,
        at=going,
    )
    marks, numbers, names = (tuple(sentence[s:e] for s, e in group) for group in spans[:3])
    cased = violation.term != violation.term.lower()
    breaks = line_breaks(sentence)
    return Window(start, end, sentence, prose, at, marks, numbers, names, breaks, task, max(staying, 0), cased)


def _going(
    violation: Violation, found: Sequence[Violation | StyleHit], start: int, end: int, sentence: str
) -> tuple[int, ...]:
    """The places in the sentence of what must go: the violation, and others of the same rule and form.

    Of a pair that stands too near, one alone: what is near hangs on what still stands.
    """
    form = plain_form(sentence[violation.start - start : violation.end - start])
    places = {violation.start - start}
    first = bisect_left(found, violation.start, key=lambda other: other.start)
    for other in itertools.islice(found, first, None) if violation.rule != "apart" else ():
        if other.start >= end:
            break
        alike = other[:2] == violation[:2] and other.end <= end
        if alike and plain_form(sentence[other.start - start : other.end - start]) == form:
            places.add(other.start - start)
    return tuple(sorted(places))


def plain_form(text: str) -> str:
    """`text` as it is told from others: in small letters, with single spaces."""
    return " ".join(text.casefold().replace(MARKUP, " ").split())


def uses(target: str, prose: str) -> list[int]:
    """Places in masked prose where `target` stands as a word of its own, quoted or not."""
    words = f"[\\s{MARKUP}]+".join(map(re.escape, target.split()))
    return [m.start() for m in re.finditer(rf"(?<![\w-]){words}(?![\w-])", prose, re.IGNORECASE)]


def _only(going: tuple[int, ...], staying: int, sentence: str) -> str:
    """Which of several uses go, for an editor that is told in words."""
    if staying <= 0:
        return ""
    where = ", ".join(f"after {sentence[max(0, at - 24) : at]!r}" if at else "at the beginning" for at in going)
    return f" Only where it stands {where}: elsewhere in the sentence it stays."


def _instruction(target: str, alternatives: tuple[str, ...]) -> str:
    """What is asked of the editor. It says nothing of the rest of the document, not even a count."""
    what = repr(" ".join(target.split()))
    if alternatives:
        return f"Replace {what}, and change besides only what grammar then asks for."
    return f"Say it without {what}, and change as little else as you can."


class Locked(NamedTuple):
    """Spans (start, end) of a sentence that must come back unchanged, by kind, each in order."""

    marks: list[tuple[int, int]]
    numbers: list[tuple[int, int]]
    names: list[tuple[int, int]]


def locked_spans(sentence: str, prose: str, target: tuple[int, int] = (-1, -1)) -> Locked:
    """What is locked in `sentence`, whose masked prose is `prose`; what touches `target` is free.

    Names are words with a capital that does not come from the place at the sentence's beginning, and
    words that no dictionary has: `eBPF`, `node_exporter`, `C++`, `foo.bar`.
    """
    breaks = [m.span() for m in BREAK.finditer(sentence)]
    marks: list[tuple[int, int]] = []
    for run in _MASKED.finditer(prose):
        at = run.start()
        for start, end in breaks:  # the quote marks after a line break are layout, not the sentence's markup
            if start < run.end() and end > at:
                if start > at:
                    marks.append((at, start))
                at = max(at, end)
        if at < run.end():
            marks.append((at, run.end()))
    marks += [m.span() for m in _ENTITY.finditer(prose) if not _touches(m.span(), target)]
    marks.sort()
    numbers = [m.span() for m in _NUMBER.finditer(prose) if not _touches(m.span(), target)]
    names: list[tuple[int, int]] = []
    first = True
    shouted = prose.isupper()  # in capitals throughout, a capital says nothing
    for word in _WORD.finditer(prose) if not shouted else ():
        capital = word.group()[0].isupper()
        name = (capital and not first) or _odd(word.group())
        if name and not any(_touches(word.span(), other) for other in (target, *marks)):
            names.append(word.span())
        first = False
    return Locked(marks, numbers, names)


def _odd(word: str) -> bool:
    """Is it written as no dictionary would: a capital within, a digit, a dot, a plus?"""
    return any(c.isupper() for c in word[1:]) or _NO_WORD.search(word) is not None


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, overlapping ones made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _touches(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] < other[1] and other[0] < span[1]


def _last_words(text: str) -> str:
    size = _STRETCH
    while True:
        part = text[-size:]
        spans = word_spans(part)
        if size >= len(text) or len(spans) > CONTEXT_WORDS:  # the first of a part may be cut
            return part[spans[-CONTEXT_WORDS:][0][0] :] if spans else ""
        size *= 4


def _first_words(text: str) -> str:
    size = _STRETCH
    while True:
        part = text[:size]
        spans = word_spans(part)
        if size >= len(text) or len(spans) > CONTEXT_WORDS:
            return part[: spans[:CONTEXT_WORDS][-1][1]] if spans else ""
        size *= 4
