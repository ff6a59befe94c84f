"""The style scanner: words over their ceilings and banned phrases, found in prose and nowhere else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from firewall.policy.style import Style
from firewall.text.markdown import Document, Node, ProseBlock, parse
from latches.style.candidates import Places, Sieve
from latches.style.hit import Scan, StyleHit, Use
from latches.style.judge import judged, rules_by_term, suspects
from latches.style.silence import mentions
from latches.style.terms import Term, fold, lower, terms_of
from latches.style.unread import read_blocks
from latches.style.usage import is_use
from latches.style.written import Odd, odd_places, windows, written

_AROUND = 200
"""Characters on each side of an odd place in which a word or phrase that holds it is sought."""


class Scanner:
    """A style made ready to scan many documents. Make one a style, not one a document."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.terms = terms_of(style)
        self.rules = rules_by_term(style)
        self._sieve = Sieve(self.terms)

    def scan(self, source: str, *, honour_off: bool = True) -> list[StyleHit]:
        """All findings in `source`, in order of place.

        `honour_off` false ignores `stet: off` comments: for text that a model wrote and no person read.
        """
        return self.scan_both(source, honour_off=honour_off).hits

    def scan_both(self, source: str, *, honour_off: bool = True) -> Scan:
        """The findings, and those that a `stet: off` comment silenced.

        Only as much of the source is parsed as the verdict hangs on.
        """
        places, odd, whole = self._suspected(source, honour_off)
        if not places and not whole:
            return Scan([], [])
        doc = parse(source) if whole else parse(source, _starts(places))
        return self._judged(doc, self._blocks(doc), places, odd, honour_off)

    def scan_parsing(self, source: str, at: int | None, *, honour_off: bool = True) -> tuple[Document, list[StyleHit]]:
        """The document, and the findings in it.

        Filled are its top-level blocks that a finding may be in, and that of offset `at`; the others are there with
        nothing in them: a pass over a chapter scans it twice, and this halves what that takes.
        """
        places, odd, whole = self._suspected(source, honour_off)
        near = _starts(places)
        doc = parse(source) if whole else parse(source, sorted([*near, *(() if at is None else (at,))]), others=True)
        if not places and not whole:
            return doc, []
        part = doc if whole else Document(source, _holding(doc.blocks, near))
        return doc, self._judged(doc, self._blocks(part), places, odd, honour_off).hits

    def uses(self, doc: Document) -> list[Use]:
        """Every use of every term in a parsed document, whatever its ceiling."""
        return sorted(self._uses(doc.source, self._blocks(doc), *self._places(doc.source)))

    def uses_in(self, source: str, block: ProseBlock) -> list[Use]:
        """Every use of every term in one prose block of `source`; none in a block that is not scanned."""
        if not self.reads(block):
            return []
        raw = source[block.start : block.end]
        found = self._uses(raw, [block._replace(start=0, end=len(raw))], *self._places(raw))
        return [Use(block.start + start, block.start + end, name) for start, end, name in sorted(found)]

    def reads(self, block: ProseBlock) -> bool:
        """Does the style speak of such a block?"""
        return (self.style.headings or block.kind != "heading") and (self.style.quotes or not block.quoted)

    def _places(self, source: str) -> tuple[Places, list[Odd]]:
        """(places where terms may stand, places where a word is not written as it is read)."""
        places = self._sieve.places(source)
        odd = odd_places(source)
        for window in windows(source, odd, _AROUND):
            for index, found in self._sieve.places(window.text).items():
                reach = _AROUND if self.terms[index].loose else 0
                held = dict.fromkeys(at for _, start, end in found for at in window.odd(start - reach, end + reach))
                if held:
                    places[index] = [*places.get(index, ()), *((-1, at, at + 1) for at in held)]
        return places, odd

    def _suspected(self, source: str, honour_off: bool) -> tuple[Places, list[Odd], bool]:
        """(places of terms that may break a rule, odd places, does a verdict hang on the whole text?)."""
        places, odd = self._places(source)
        if honour_off and mentions(source):
            return places, odd, True
        names, whole = suspects(self.style, {self.terms[index].name: len(found) for index, found in places.items()})
        return {i: found for i, found in places.items() if self.terms[i].name in names}, odd, whole

    def _judged(
        self, doc: Document, blocks: list[ProseBlock], places: Places, odd: list[Odd], honour_off: bool
    ) -> Scan:
        uses = sorted(self._uses(doc.source, blocks, places, odd))
        return judged(self.style, self.rules, doc, blocks, uses, honour_off=honour_off)

    def _blocks(self, doc: Document) -> list[ProseBlock]:
        return [block for block in read_blocks(doc) if self.reads(block)]

    def _uses(self, source: str, blocks: list[ProseBlock], places: Places, odd: list[Odd]) -> list[Use]:
        """Every use of the terms in `places`.

        A word between two spaces is a use, and most are. Where a place asks for more than a look, its term is
        searched for in the block; in a block with odd places, in the block as it is read.
        """
        starts = [block.start for block in blocks]
        oddly = {bisect_right(starts, place.start) - 1 for place in odd}
        out: list[Use] = []
        hard: dict[int, list[int]] = {}
        for index, found in places.items():
            term = self.terms[index]
            easy = term.loose is None and not term.exact_case
            plain: list[Use] = []
            asked: set[int] = set()
            number, first, last, text, begun, hard_here = -1, 0, 0, "", 0, False
            for _, start, end in found:
                if not first <= start < last:
                    number = bisect_right(starts, start) - 1
                    if number < 0 or start >= blocks[number].end:
                        continue
                    _, first, last, text, _ = blocks[number]
                    begun = len(plain)
                    hard_here = number in oddly
                    if hard_here:
                        asked.add(number)
                if hard_here:
                    continue
                at, to = start - first, end - first
                if easy and text[at:to] != source[start:end]:
                    continue  # no prose, or not in one piece
                if (
                    easy
                    and (not at or text[at - 1].isspace())
                    and (to == len(text) or text[to].isspace())
                    and not text[at].isupper()
                ):
                    plain.append(Use(start, end, term.name))
                else:
                    asked.add(number)
                    del plain[begun:]
                    hard_here = True
            out += plain
            for number in asked:
                hard.setdefault(number, []).append(index)
        for number, indexes in hard.items():
            block = blocks[number]
            raw = source[block.start : block.end]
            find = _uses_read if number in oddly else _uses_in
            out += find(block, raw, (self.terms[index] for index in indexes))
        return out


def _starts(places: Places) -> list[int]:
    return sorted({start for found in places.values() for _, start, _ in found})


def _holding(blocks: Sequence[Node], offsets: list[int]) -> tuple[Node, ...]:
    """Those of a document's `blocks` that one of `offsets`, ascending, lies in."""
    out: list[Node] = []
    ends = [block.end for block in blocks]
    number = -1
    for offset in offsets:
        at = bisect_right(ends, offset)
        if at < len(blocks) and at != number and blocks[at].start <= offset:
            out.append(blocks[at])
            number = at
    return tuple(out)


def _uses_in(block: ProseBlock, raw: str, terms: Iterable[Term]) -> Iterator[Use]:
    folded = fold(block.text)
    lowered = lower(folded)
    for term in terms:
        for match in term.pattern.finditer(folded if term.exact_case else lowered):
            start, end = match.span()
            if is_use(block.text, folded, raw, start, end, exact_case=term.exact_case):
                yield Use(block.start + start, block.start + end, term.name)


def _uses_read(block: ProseBlock, raw: str, terms: Iterable[Term]) -> Iterator[Use]:
    """The uses in a block as it is read, at their places in the source."""
    read = written(block, raw)
    for start, end, name in _uses_in(block._replace(start=0, text=read.text), read.raw, terms):
        yield Use(block.start + read.starts[start], block.start + read.ends[end - 1], name)


def scan(source: str, style: Style, *, honour_off: bool = True) -> list[StyleHit]:
    """All findings of `style` in the Markdown text `source`, in order of place."""
    return Scanner(style).scan(source, honour_off=honour_off)
