"""Which elements the notes hold the makings of, and how many words they carry. Pure."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from firewall.context.passage import Passage
from firewall.text.words import count_words
from latches.blueprint import SectionPlan
from pipeline.compose.choose import STORY
from pipeline.compose.cite import Citer
from pipeline.compose.notes import Unit, read_notes, units_in
from pipeline.compose.parts import FINDERS
from pipeline.compose.parts.running_text import paragraphs
from pipeline.compose.piece import satisfies, sound
from pipeline.compose.section import compose

PLENTY = 1_000_000
"""A target length that no notes reach."""

Parameters = tuple[tuple[str, str, int | str], ...]


def makes(text: str, element: str, options: Parameters = ()) -> bool:
    """Does a stretch of a note hold what `element` can be made of, as its latch with `options` wants it?"""
    return any(_made(unit, element, options) for unit in units_in(text))


def held(units: Iterable[Unit], elements: Sequence[str], options: Parameters = ()) -> frozenset[str]:
    """Which of `elements` the units hold. Those that tell of one incident come from one unit, or not at all."""
    units = [_alone(unit) for unit in units]
    out = {e for e in elements if e not in STORY and any(_made(unit, e, options) for unit in units)}
    if "running_text" in elements and "running_text" not in out:
        needed = next((v for e, k, v in options if (e, k) == ("running_text", "paragraphs")), 2)
        if sum(len(paragraphs(unit)) for unit in units) >= int(needed):
            out.add("running_text")
    story = [e for e in elements if e in STORY]
    told = [{e for e in story if _made(unit, e, options)} for unit in units] if story else []
    return frozenset(out | max(told, key=len, default=set()))


def lacks(passages: Sequence[Passage], plan: SectionPlan) -> tuple[str, ...]:
    """Elements of a section that nothing in its passages can be made into."""
    there = held(read_notes(passages, plan.title).units, plan.elements, plan.options)
    return tuple(e for e in plan.elements if e not in there)


def carries(passages: Sequence[Passage], plan: SectionPlan) -> int:
    """How many words the longest section is that can be composed from the passages."""
    notes = read_notes(passages, plan.title)
    return count_words(compose(notes, plan._replace(target_words=PLENTY), Citer(plan.number, passages)))


def _alone(unit: Unit) -> Unit:
    """A unit without its place among others, so that what was found in it once is known again."""
    blocks = tuple(b._replace(unit=0, passage=0) for b in unit.blocks)
    return unit._replace(number=0, rank=0, file="", blocks=blocks)


@functools.lru_cache(maxsize=8192)
def _made(unit: Unit, element: str, options: Parameters) -> bool:
    finder = FINDERS.get(element)
    if finder is None:
        return False
    plan = SectionPlan(1, 1, 1, "", "", "", (element,), 0, "", options)
    return any(satisfies(p.text, element, plan) and sound(p.text) for p in finder(unit))
