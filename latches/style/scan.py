"""The style scanner: words over their ceilings and banned phrases, found in prose and nowhere else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from firewall.policy.style import Style
from firewall.text.markdown import Document, ProseBlock, parse, prose_blocks
from latches.style.candidates import Sieve
from latches.style.hit import Scan, StyleHit, Use
from latches.style.judge import judged, rules_by_term, suspects
from latches.style.silence import mentions
from latches.style.terms import Term, fold, lower, terms_of
from latches.style.usage import is_use


class Scanner:
    """A style made ready to scan many documents. Make one a style, not one a document."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.terms = terms_of(style)
        self._rules = rules_by_term(style)
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
        places = self._sieve.places(source)
        comments = mentions(source) if honour_off else []
        if not places and not comments:
            return Scan([], [])
        if comments:
            doc = parse(source)
        else:
            found = {self.terms[index].name: len(starts) for index, starts in places.items()}
            names, whole = suspects(self.style, found)
            places = {i: starts for i, starts in places.items() if self.terms[i].name in names}
            if not places:
                return Scan([], [])
            near = sorted({start for starts in places.values() for start in starts})
            doc = parse(source) if whole else parse(source, near)
        return self._judged(doc, places, honour_off=honour_off)

    def scan_document(self, doc: Document, *, honour_off: bool = True) -> list[StyleHit]:
        """The findings in a document that is parsed already."""
        return self._judged(doc, self._sieve.places(doc.source), honour_off=honour_off).hits

    def uses(self, doc: Document) -> list[Use]:
        """Every use of every term in a parsed document, whatever its ceiling."""
        return sorted(self._uses(doc.source, self._blocks(doc), self._sieve.places(doc.source)))

    def _judged(self, doc: Document, places: dict[int, list[int]], *, honour_off: bool) -> Scan:
        blocks = self._blocks(doc)
        uses = sorted(self._uses(doc.source, blocks, places))
        return judged(self.style, self._rules, doc, blocks, uses, honour_off=honour_off)

    def _blocks(self, doc: Document) -> list[ProseBlock]:
        return [
            block
            for block in prose_blocks(doc)
            if (self.style.headings or block.kind != "heading") and (self.style.quotes or not block.quoted)
        ]

    def _uses(self, source: str, blocks: list[ProseBlock], places: dict[int, list[int]]) -> Iterator[Use]:
        """Every use of the terms in `places`, looked for in the blocks that have one of their words."""
        starts = [block.start for block in blocks]
        wanted: dict[int, set[int]] = {}
        for index, offsets in places.items():
            for offset in offsets:
                number = bisect_right(starts, offset) - 1
                if number >= 0 and offset < blocks[number].end:
                    wanted.setdefault(number, set()).add(index)
        for number in sorted(wanted):
            block = blocks[number]
            raw = source[block.start : block.end]
            yield from _uses_in(block, raw, (self.terms[index] for index in sorted(wanted[number])))


def _uses_in(block: ProseBlock, raw: str, terms: Iterable[Term]) -> Iterator[Use]:
    folded = fold(block.text)
    lowered = lower(folded)
    for term in terms:
        for match in term.pattern.finditer(folded if term.exact_case else lowered):
            start, end = match.span()
            if is_use(block.text, folded, raw, start, end, exact_case=term.exact_case):
                yield Use(block.start + start, block.start + end, term.name)


def scan(source: str, style: Style, *, honour_off: bool = True) -> list[StyleHit]:
    """All findings of `style` in the Markdown text `source`, in order of place."""
    return Scanner(style).scan(source, honour_off=honour_off)
