"""What the notes of a section can be made into: which shapes, how many words, and what they lack.

The offline writer says only what stands in the notes, so for it this is exact. A model that writes can make a list
or a question of any prose, and is asked for that; code, measurements and times it may not make up.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from firewall.context.passage import Passage
from firewall.text.words import count_words
from latches.blueprint import SectionPlan
from latches.elements import needs
from latches.shapes import Shape
from pipeline.compose.holds import carries, held, lacks
from pipeline.compose.notes import read_notes
from pipeline.index import stuff_of
from pipeline.models.choose import OFFLINE
from pipeline.retrieval import HARD, Retrieved

LEAST = 100
"""Words below which no target length is lowered: a section of three elements has hardly less."""
PLENTY = 2.0
"""Words of notes, as a multiple of a section's target length, from which nobody asks whether they will do."""


class Shortfall(NamedTuple):
    """What the notes of a section do not have: `lacks` as (element, the smallest thing that would satisfy it).

    `carries` are the words that they can be made into, or 0 where there is plenty; `asked` is the target length.
    `starved` says why there is no passage at all, '' where there is one.
    """

    number: int
    title: str
    shape: str
    lacks: tuple[tuple[str, str], ...]
    carries: int
    asked: int
    starved: str = ""

    @property
    def short(self) -> bool:
        """Do the notes carry less than half of the length that the plan asks for?"""
        return 0 < self.carries < self.asked / 2

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        missing = [{"element": element, "needs": needed} for element, needed in self.lacks]
        return {**self._asdict(), "lacks": missing}

    def sentences(self) -> list[str]:
        """For people: one sentence for each thing, with what would help."""
        where = f"Section {self.number}, {self.title!r}"
        if self.starved:
            return [f"{where}: {self.starved}"]
        out = []
        if self.lacks:
            names = ", ".join(element.replace("_", " ") for element, _ in self.lacks)
            needed = "; ".join(text for _, text in self.lacks)
            out.append(
                f"{where}: its shape {self.shape.replace('_', ' ')} needs {names}, which its notes lack. "
                f"Add to the notes: {needed}. Or pin another shape."
            )
        if self.short:
            out.append(
                f"{where}: its notes carry about {self.carries} words, and {self.asked} are asked for. "
                "Add notes, or set a smaller `words`."
            )
        return out


def all_sentences(some: Sequence[Shortfall]) -> list[str]:
    """`sentences` of all, in order; what starves several sections alike is said once."""
    out: list[str] = []
    for reason, alike in groupby(some, key=lambda one: one.starved):
        shorts = list(alike)
        if reason and len(shorts) > 1:
            out.append(f"Sections {shorts[0].number} to {shorts[-1].number}: {reason}")
        else:
            out += [line for short in shorts for line in short.sentences()]
    return out


def fills(passages: Sequence[Passage], title: str, shapes: Sequence[Shape], writer: str) -> frozenset[str]:
    """Names of the shapes that the passages of a section can fill when `writer` writes it."""
    if not passages:
        return frozenset()
    if writer != OFFLINE:
        stuff = frozenset().union(*(stuff_of(p.text) for p in passages))
        return frozenset(s.name for s in shapes if all(HARD.get(e) in (None, *stuff) for e in s.elements))
    units = read_notes(passages, title).units
    return frozenset(s.name for s in shapes if held(units, s.elements, s.options) == set(s.elements))


def fitted(plan: SectionPlan, passages: Sequence[Passage], writer: str) -> int:
    """The target length of a section, lowered to what its notes carry."""
    words = _carried(plan, passages, writer)
    return min(plan.target_words, max(words // 10 * 10, LEAST)) if words else plan.target_words


def starved(found: Retrieved, reader: str) -> str:
    """Why a section of a book of lane `reader` has no passage at all, and what helps; '' where it has one.

    What stands in the notes is then no matter: to add to them would help nobody.
    """
    if found.passages:
        return ""
    closed = sorted({str(f.evidence["origin"]) for f in found.findings if f.rule == "lane-closed"})
    if closed:
        lanes = " and ".join(map(repr, closed))
        other = f'set `lane = "{closed[0]}"` at the top of book.toml, ' if len(closed) == 1 else ""
        reads = json.dumps([reader, *closed])
        return (
            f"lane {reader!r}, which the book is of, holds nothing for it; the notes that speak of it are of lane "
            f"{lanes}, which it may not read. Give these notes the lane {reader!r} in book.toml, {other}or let the "
            f"lane read them: `reads = {reads}` under [lanes.{reader}] of stet.toml, which counts after `stet accept "
            "stet.toml`."
        )
    if found.findings:
        return "all that the notes say of it was refused; `stet plan BOOK --sources` says why. Mend the notes."
    return "no note speaks of it. Add one, or give the section a `query` in book.toml with words that the notes have."


def shortfall(plan: SectionPlan, passages: Sequence[Passage], writer: str, starved: str = "") -> Shortfall:
    """What the passages of a section lack for its plan."""
    if writer == OFFLINE or not passages:
        missing = lacks(passages, plan)
    else:
        stuff = frozenset().union(*(stuff_of(p.text) for p in passages))
        missing = tuple(e for e in plan.elements if HARD.get(e) not in (None, *stuff))
    told = tuple((element, needs(element, plan.options_of(element))) for element in missing)
    words = _carried(plan, passages, writer)
    return Shortfall(plan.number, plan.title, plan.shape, told, words, plan.target_words, starved)


def _carried(plan: SectionPlan, passages: Sequence[Passage], writer: str) -> int:
    """Words that the passages can be made into; 0 where there are more than enough, or none."""
    there = sum(count_words(passage.text) for passage in passages)
    if there >= PLENTY * plan.target_words:
        return 0
    return carries(passages, plan) if writer == OFFLINE else there
