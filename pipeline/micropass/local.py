"""A document with many findings: read whole at the beginning and at the end, and between them block by block. Pure.

What an edit does is known without a parse where it is inert (see `inert`): its block has other words, all others stand
where they stood, further on by as much as it grew. Where only rules that count uses can be broken, what it does to the
findings is known from the uses of its block and the sums. Anything else is judged as in a small document, by a scan of
the whole, and read anew from there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from firewall.text.markdown import ProseBlock, parse
from latches.style import StyleHit, Use
from latches.style.judge import COUNTING, PLACE, counted, only_counts
from latches.style.silence import mentions
from latches.style.unread import read_blocks
from pipeline.micropass.inert import inert
from pipeline.micropass.judge import House, View, judge, scan
from pipeline.micropass.left import Left
from pipeline.micropass.linked import Twins, leads_here
from pipeline.micropass.nearby import Block, read_near
from pipeline.micropass.splice import digest, splice
from pipeline.micropass.verify import reject_form, reject_prose
from pipeline.micropass.violation import Violation, of_hit
from pipeline.micropass.window import Window, cut, cut_block, places

MANY = 8
"""Findings from which on a document is read this way: for fewer, reading all of it costs more than it saves."""
Anchored = Callable[[], Collection[str]]
"""The anchors that links lead to, in small letters."""
_MAY_BE_LINKED = frozenset(("heading", "footnote"))


class Whole:
    """A document scanned whole, and scanned whole again after each edit."""

    def __init__(self, view: View, house: House, anchored: Anchored, *, local: bool = False) -> None:
        self._view, self._house, self._anchored = view, house, anchored
        self._passed, self._local = 0, local
        self.source = view.source

    @property
    def standing(self) -> int:
        """How many findings stand."""
        return len(self._view.found)

    def next(self, left: Left) -> Violation | None:
        """The first violation that was not left in before. What was passed over is not looked at again."""
        while self._passed < len(self._view.found):
            v = self._view.found[self._passed]
            if not left.holds((v.rule, v.term), v.start, v.end):
                return v
            self._passed += 1
        return None

    def cut(self, violation: Violation) -> Window | None:
        """The window of a violation."""
        return cut(self._view.doc, violation, self._view.found, self._view.prose)

    def anchor(self, window: Window) -> str:
        """The anchor that links lead to and that the window's heading makes, or empty."""
        return leads_here(self._view.doc, window.start, self._anchored)

    def twins(self, window: Window) -> Twins | None:
        """What is to be asked of the words of the window's heading; None where it is none."""
        block = self._view.prose.at(window.start)
        heading = block is not None and block.kind in _MAY_BE_LINKED
        return Twins(self.source, window.start, self._anchored) if heading else None

    def judge(self, window: Window, violation: Violation, answer: str) -> tuple[Text | None, str]:
        """The document with `answer` in the window's place; or None and why it is rejected."""
        after, reason = judge(self._view, window, violation, answer, self._house)
        twins = self.twins(window) if after else None
        reason = twins.reject(after.source) if after and twins else reason
        if after is None or reason:
            return None, reason
        return begin(after, self._house, self._anchored, local=self._local), ""

    def stands(self) -> bool:
        """Is all that it says of itself so? It was scanned whole."""
        return True


class Local:
    """A document of which the block in hand alone is read anew after an edit.

    Blocks before it are done with and have their last places; those behind it have the places of the beginning, and
    stand `shift` further on.
    """

    def __init__(self, view: View, house: House, anchored: Anchored, totals: Counter[str], uses: list[Use]) -> None:
        self._house, self._anchored = house, anchored
        self.source, self._sha256 = view.source, view.sha256
        doc = parse(view.source)
        self._blocks = read_blocks(doc)
        self._first = [(node.kind, node.start) for node in doc.walk() if node.kind != "text"]
        self._labels = "]:" in view.source
        self._uses = _by_block(self._blocks, uses)
        self._totals, self._before = totals, Counter[str]()
        self._done: list[Use] = []
        self._number, self._shift = -1, 0
        self._found: list[StyleHit] | None = []
        self._passed = 0
        self._now = Block(ProseBlock("", 0, 0, "", quoted=False), [], [])

    @property
    def standing(self) -> int:
        """How many findings stand."""
        return sum(self._broken(self._totals, self._totals).values())

    def next(self, left: Left) -> Violation | None:
        """The first violation that was not left in before."""
        while True:
            if self._found is None:
                self._found, self._passed = self._hits(self._now.uses, self._before), 0
            while self._passed < len(self._found):
                hit = self._found[self._passed]
                if not left.holds((hit.rule, hit.term), hit.start, hit.end):
                    return of_hit(hit, self.source, self._house.scanner)
                self._passed += 1
            if self._number + 1 >= len(self._blocks):
                return None
            self._advance()

    def cut(self, violation: Violation) -> Window | None:
        """The window of a violation, which `next` gave."""
        return cut_block(self.source, self._now.block, self._sentences(), violation, self._found or ())

    def anchor(self, window: Window) -> str:
        """The anchor that links lead to and that the window's heading makes, or empty."""
        if self._now.block.kind not in _MAY_BE_LINKED:
            return ""
        return leads_here(parse(self.source, (window.start,)), window.start, self._anchored)

    def twins(self, window: Window) -> Twins | None:
        """What is to be asked of the words of the window's heading; None where it is none."""
        heading = self._now.block.kind in _MAY_BE_LINKED
        return Twins(self.source, window.start, self._anchored) if heading else None

    def judge(self, window: Window, violation: Violation, answer: str) -> tuple[Text | None, str]:
        """The document with `answer` in the window's place; or None and why it is rejected."""
        reason = reject_form(window, answer)
        if reason:
            return None, reason
        block = self._now.block
        raw = self.source[block.start : block.end]
        change = inert(block, raw, window.start - block.start, window.sentence, answer, labels=self._labels)
        if change is None:
            return self._whole(window, violation, answer)
        source = splice(self.source, self._sha256, window.start, window.end, answer)
        end = window.start + len(answer)
        first, last = (window.start - block.start + place for place in change[:2])
        text = block.text[:first] + change.text + block.text[last:]
        after = block._replace(text=text, end=block.start + len(text))
        now = self._now._replace(spans=self._sentences())
        near = read_near(now, after, source, (window.start, window.end), self._house.scanner)
        spans = near.spans if near else places(source, after)
        if not near and (window.start, end) not in spans:
            return None, "the answer is not exactly one sentence"
        reason = reject_prose(window, answer, text[window.start - block.start : end - block.start])
        if reason:
            return None, reason
        uses = near.uses if near else self._house.scanner.uses_in(source, after)
        totals = self._totals.copy()
        totals.subtract(use.term for use in self._now.uses)
        totals.update(use.term for use in uses)
        if not only_counts(self._house.scanner.style, totals):
            return self._whole(window, violation, answer)
        reason = self._no_better(window, violation, uses, totals)
        twins = None if reason else self.twins(window)
        reason = twins.reject(source) if twins else reason
        if reason:
            return None, reason
        self._shift += end - window.end
        self.source, self._sha256 = source, digest(source)
        self._now, self._totals, self._found = Block(after, spans, uses), totals, None
        return self, ""

    def stands(self) -> bool:
        """Does a scan of the whole find what this says: the same findings in their places, in the same structure?"""
        while self._number + 1 < len(self._blocks):
            self._advance()
        hits = self._hits([*self._done, *self._now.uses], Counter[str]())
        if tuple(of_hit(hit, self.source, self._house.scanner) for hit in hits) != scan(self.source, self._house).found:
            return False
        kinds = [node.kind for node in parse(self.source).walk() if node.kind != "text"]
        return kinds == [kind for kind, _ in self._first]

    def _whole(self, window: Window, violation: Violation, answer: str) -> tuple[Text | None, str]:
        return Whole(scan(self.source, self._house), self._house, self._anchored, local=True).judge(
            window, violation, answer
        )

    def _advance(self) -> None:
        self._done += self._now.uses
        self._before.update(use.term for use in self._now.uses)
        self._number += 1
        block, shift = self._blocks[self._number], self._shift
        uses = [Use(start + shift, end + shift, term) for start, end, term in self._uses.get(self._number, ())]
        self._now = Block(block._replace(start=block.start + shift, end=block.end + shift), [], uses)
        self._found = None if uses else []

    def _sentences(self) -> list[tuple[int, int]]:
        if not self._now.spans:
            self._now = self._now._replace(spans=places(self.source, self._now.block))
        return self._now.spans

    def _hits(self, uses: list[Use], before: Counter[str]) -> list[StyleHit]:
        style, rules = self._house.scanner.style, self._house.scanner.rules
        by_term: dict[str, list[Use]] = {}
        for use in uses:
            by_term.setdefault(use.term, []).append(use)
        hits: list[StyleHit] = []
        for term, found in by_term.items():
            for rule in rules[term]:
                if rule in COUNTING:
                    hits += counted(style, rule, term, found, self._totals[term], before[term])
        return sorted(hits, key=PLACE)

    def _broken(self, totals: Counter[str], terms: Iterable[str]) -> Counter[tuple[str, str]]:
        """How often each rule is broken by each of `terms`."""
        style, rules = self._house.scanner.style, self._house.scanner.rules
        out: Counter[tuple[str, str]] = Counter()
        for term in terms:
            for rule in rules[term]:
                if rule in COUNTING:
                    over = totals[term] - (style.ceilings[term] if rule == "ceiling" else 0)
                    out[rule, term] = max(0, over)
        return out

    def _no_better(self, window: Window, violation: Violation, uses: list[Use], totals: Counter[str]) -> str:
        """Why the document with `uses` in this block breaks the style no less; as `judge` says it."""
        terms = {violation.term, *(use.term for use in (*self._now.uses, *uses))}
        ours, theirs = self._broken(self._totals, terms), self._broken(totals, terms)
        if theirs[violation.rule, violation.term] >= ours[violation.rule, violation.term]:
            return f"{window.task.target!r} is still there"
        worse = theirs - ours
        if not worse:
            return ""
        rule, term = min(worse, key=lambda name: (self._first_broken(name, uses), name[0], name[1]))
        return f"the answer breaks the style itself: {term!r} ({rule})"

    def _first_broken(self, name: tuple[str, str], uses: list[Use]) -> int:
        """The place of the first use, of all in order, that breaks the rule, were `uses` those in this block."""
        rule, term = name
        skip = self._house.scanner.style.ceilings[term] if rule == "ceiling" else 0
        behind = (
            use.start + self._shift
            for number in range(self._number + 1, len(self._blocks))
            for use in self._uses.get(number, ())
            if use.term == term
        )
        here = [use.start for use in (*self._done, *uses) if use.term == term]
        starts = [*here, *behind] if len(here) <= skip else here
        return starts[skip]


Text = Whole | Local


def begin(view: View, house: House, anchored: Anchored, *, local: bool = True) -> Text:
    """The way to read on in a scanned document: by blocks where that is known to be the same, and pays; else whole."""
    style = house.scanner.style
    if local and len(view.found) >= MANY and not (house.honour_off and mentions(view.source)):
        uses = house.scanner.uses(parse(view.source))
        totals = Counter(use.term for use in uses)
        if only_counts(style, totals):
            return Local(view, house, anchored, totals, uses)
    return Whole(view, house, anchored, local=local)


def _by_block(blocks: list[ProseBlock], uses: list[Use]) -> dict[int, list[Use]]:
    starts = [block.start for block in blocks]
    out: dict[int, list[Use]] = {}
    for use in uses:
        out.setdefault(bisect_right(starts, use.start) - 1, []).append(use)
    return out
