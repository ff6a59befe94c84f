"""Which passages each section is written from: SQLite FTS5 over the notes, then the context firewall.

Deterministic: the same notes, book and policy give the same passages in the same order on any machine.
Lanes are not filtered before the firewall judges, so that a note of a foreign lane is refused by the gate
that exists for it, and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from firewall.context.errors import LaneViolation, PassageBlocked, PassageHeld
from firewall.context.lanes import make_passage
from firewall.context.passage import Passage
from firewall.policy.lanes import Lane
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from latches.blueprint import SectionPlan
from pipeline.compose.choose import STORY
from pipeline.compose.holds import held
from pipeline.index import Hits, Index

FILL = 3.0
"""Words of sources a section gets, as a multiple of its target length."""
MOST, FEWEST = 14, 6
"""Passages a section gets at most, and at least where there are as many that fit."""
LOOK = 200
"""Passages, best first, among which the makings of an element are looked for."""
HARD = {
    "fenced_code_block": "code",
    "inline_annotations": "code",
    "performance_table": "numbers",
    "timeline_steps": "times",
}
"""Elements that not just any prose can make, whoever writes: the stuff must be in the notes."""


class Retrieved(NamedTuple):
    """What a section may be written from, best first, and what the firewall refused it."""

    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...]


def retrieve(
    index: Index,
    plans: Sequence[SectionPlan],
    queries: Sequence[str],
    *,
    reader: str,
    lanes: Mapping[str, Lane],
) -> list[Retrieved]:
    """The passages of each section, in the order of `plans`; see `Retriever`."""
    retriever = Retriever(index, queries, reader=reader, lanes=lanes)
    return [retriever.passages(place, plan) for place, plan in enumerate(plans)]


class Retriever:
    """Finds the passages of each section of a book.

    All sections are ranked together, and a passage goes to the section that it fits best, so that a book does not
    tell one thing twelve times. It comes along elsewhere only for an element that nothing else there can make, and
    where a section has nothing of its own. `reader` is the book's lane, `lanes` the policy's.
    """

    def __init__(self, index: Index, queries: Sequence[str], *, reader: str, lanes: Mapping[str, Lane]) -> None:
        self._index, self._reader, self._lanes = index, reader, lanes
        self._judged: dict[int, Passage | LaneViolation | PassageBlocked] = {}
        fits = [index.search(query) for query in queries]
        home: dict[int, tuple[float, int]] = {}
        for place, fit in enumerate(fits):
            for number, value in fit.items():
                home[number] = max(home.get(number, (0.0, 0)), (value, -place))
        kept = related(index, [index.hits(query) for query in queries])
        self._ranked: list[list[int]] = []
        self._own: list[list[int]] = []
        for place, (fit, some) in enumerate(zip(fits, kept, strict=True)):
            ranked = sorted(some & fit.keys(), key=lambda i, fit=fit: (-fit[i], i))  # type: ignore[misc]
            own = [i for i in ranked if home[i][1] == -place]
            self._ranked.append([*own, *(i for i in ranked if home[i][1] != -place)])
            self._own.append(own or ranked)

    def wide(self, place: int) -> Retrieved:
        """All that is told in the section at `place` if anywhere, up to twice what a section gets."""
        taken: dict[int, Passage] = {}
        refused: list[Finding] = []
        for number in self._own[place]:
            if len(taken) >= 2 * MOST:
                break
            self._take(number, place + 1, taken, refused)
        return Retrieved(tuple(taken.values()), tuple(refused))

    def passages(self, place: int, plan: SectionPlan) -> Retrieved:
        """What the section at `place` is written from: the best, and what its elements can be made of."""
        ranked = self._ranked[place]
        taken: dict[int, Passage] = {}
        refused: list[Finding] = []
        room = plan.target_words * FILL
        for number in self._own[place]:
            if len(taken) >= MOST or (room <= 0 and len(taken) >= FEWEST):
                break
            passage = self._take(number, plan.number, taken, refused)
            room -= count_words(passage.text) if passage else 0
        for number in self._makings(plan, ranked, taken):
            self._take(number, plan.number, taken, refused)
        order = [*(i for i in ranked if i in taken), *sorted(taken.keys() - set(ranked))]
        return Retrieved(tuple(taken[i] for i in order), tuple(refused))

    def _makings(self, plan: SectionPlan, ranked: Sequence[int], taken: Collection[int]) -> list[int]:
        """Passages that bring what an element of the section can be made of and none of `taken` does."""
        index, look = self._index, [i for i in ranked[:LOOK] if self._passage(i) is not None]
        out: list[int] = []
        story = [e for e in plan.elements if e in STORY]
        if len(story) > 1:  # one incident, told under one heading, perhaps in several passages
            whole = (g for g in map(index.together, look) if held(index.units(g), story, plan.options) == set(story))
            out += next(whole, [])
        for element in plan.elements:
            some_taken = [*taken, *out]
            if any(index.makes(i, element, plan.options) for i in some_taken):
                continue
            if element in held(index.units(some_taken), (element,), plan.options):  # several make what no one does
                continue
            stuff = HARD.get(element, "")
            some = next((i for i in look if index.makes(i, element, plan.options)), None)
            if some is None and not any(index.has(i, stuff) for i in taken):
                some = next((i for i in look if index.has(i, stuff)), None)
            out += [] if some is None else [some]
        return out

    def _take(self, number: int, section: int, taken: dict[int, Passage], refused: list[Finding]) -> Passage | None:
        """Put a passage among `taken` if the context firewall lets it through, else say so in `refused`."""
        if number in taken:
            return None
        passage = self._passage(number)
        error = self._judged[number]
        if isinstance(error, LaneViolation | PassageBlocked):
            evidence = {**error.fields, "section": section}
            outcome = Outcome.HOLD if isinstance(error, PassageHeld) else Outcome.BLOCK
            refused.append(Finding(error.code, outcome, error.message, evidence))
        if passage is not None:
            taken[number] = passage
        return passage

    def _passage(self, number: int) -> Passage | None:
        """A passage with text in it, judged once; None where it is refused or empty."""
        if number not in self._judged:
            chunk = self._index.chunks[number]
            try:
                self._judged[number] = make_passage(
                    chunk.text,
                    source=chunk.source,
                    lane=chunk.lane,
                    index_version=self._index.version,
                    reader=self._reader,
                    policy=self._lanes,
                    seams=chunk.seams,
                    also=chunk.also,
                )
            except (LaneViolation, PassageBlocked) as error:
                self._judged[number] = error
        judged = self._judged[number]
        return judged if isinstance(judged, Passage) and judged.text.strip() else None


def related(index: Index, hits: Sequence[Hits]) -> list[frozenset[int]]:
    """For each section the passages that speak of what it is about, and do not only share a word with it.

    `hits` are those of the sections' queries. A note that has nothing but one word of several is left out
    where another note has more, and where the query has three words or more, or another section has a larger
    share of its own words in that note.
    """
    shares = [_by_note(index, some) for some in hits]
    largest: dict[str, float] = {}
    for share in shares:
        for note, value in share.items():
            largest[note] = max(largest.get(note, 0.0), value)
    out = []
    for some, share in zip(hits, shares, strict=True):
        one = 1 / max(1, some.words)
        more = max(some.found.values(), default=0) > 1
        stray = {n for n, value in share.items() if more and value <= one and (some.words > 2 or largest[n] > value)}
        out.append(frozenset(i for i in some.found if index.note(i) not in stray))
    return out


def _by_note(index: Index, hits: Hits) -> dict[str, float]:
    """The largest share of a query's words that a passage of each note has."""
    out: dict[str, float] = {}
    for number, found in hits.found.items():
        note = index.note(number)
        out[note] = max(out.get(note, 0.0), found / hits.words)
    return out
