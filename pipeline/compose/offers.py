"""What a section that is too short could still say, the nearest first."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from pipeline.compose.notes import Block, Notes, Unit
from pipeline.compose.parts.callout_box import boxed
from pipeline.compose.parts.faq_block import asked, printed
from pipeline.compose.parts.pros_cons_breakdown import labelled_lists
from pipeline.compose.parts.timeline_steps import has_timeline
from pipeline.compose.piece import Part, part, sound
from pipeline.compose.prose import leads_in, remark_stands_alone, speaks_of_figure, stands_alone

BEGINNING, BESIDE, ELSEWHERE, LISTS, FIGURES, STORY, OTHER = range(7)
"""How near something is: the home file's first words, prose of a unit that is printed in part, prose of other
units, lists and remarks, tables and code, an incident told from end to end, prose of other files."""

WORTH = 40
"""Words of prose that are worth a heading of their own."""
LEAST = 25
"""Words of a paragraph from another file that is worth its break."""


class Offer(NamedTuple):
    """Blocks of one unit to be printed together, the smaller `order` the sooner."""

    order: tuple[int, int, int, int, int]
    unit: int
    parts: tuple[Part, ...]
    uses: frozenset[int]

    @property
    def stage(self) -> int:
        """How near it is."""
        return self.order[0]

    @property
    def words(self) -> int:
        """Words of its Markdown."""
        return sum(p.words for p in self.parts)


def offers(notes: Notes, used: set[tuple[int, int]]) -> list[Offer]:
    """Everything that makes sense beside what is printed, `used` being (unit, place) of that."""
    out: list[Offer] = []
    for unit in notes.units:
        shown = {place for number, place in used if number == unit.number}
        found = _home(unit, shown) if unit.file == notes.home else _other(unit, shown)
        for stage, parts, blocks in found:
            places = frozenset(b.place for b in blocks)
            if places & shown or not all(sound(p.text) for p in parts if p.kind == "figure"):
                continue
            near = unit.rank if stage >= ELSEWHERE else unit.number
            out.append(Offer((stage, near, unit.number, min(places), -len(places)), unit.number, tuple(parts), places))
    return sorted(out)


_Found = tuple[int, list[Part], list[Block]]


def _home(unit: Unit, shown: set[int]) -> Iterator[_Found]:
    story = has_timeline(unit)
    questions = {b.place: a for a in asked(unit) for b in a.blocks}
    for question in {id(a): a for a in questions.values()}.values():
        yield LISTS, [printed(question)], list(question.blocks)
    if unit.torn:
        return
    if story and not shown:
        yield STORY, [as_part(b) for b in unit.blocks], list(unit.blocks)
        return
    for block in unit.blocks:
        if block.place in shown or block.place in questions:
            continue
        if boxed(block) is not None or block.kind == "quote":
            if remark_stands_alone(unit, block, shown):
                yield LISTS, [as_part(block)], [block]
        elif block.kind == "paragraph":
            if (unit.level == 1 or shown) and stands_alone(unit, block, shown):
                yield BEGINNING if unit.level == 1 else BESIDE, [as_part(block)], [block]
        elif block.kind in ("table", "code"):
            group = _with_neighbours(unit, block, shown)
            yield FIGURES, [as_part(b) for b in group], group
    if unit.level != 1 and not shown:
        yield from _prose(unit, questions)
    yield from _lists(unit, shown)


def _prose(unit: Unit, questions: Container[int]) -> Iterator[_Found]:
    """The paragraphs of a unit of which nothing is printed yet: all of them, or the first few."""
    some: list[Block] = []
    groups: list[list[Block]] = []
    for block in unit.blocks:
        if block.kind != "paragraph" or block.place in questions or boxed(block) is not None:
            continue
        if stands_alone(unit, block, {b.place for b in some}):
            some.append(block)
            groups.append(list(some))
    for group in reversed(groups):
        if sum(b.words for b in group) >= WORTH:
            yield ELSEWHERE, [as_part(b) for b in group], group


def _lists(unit: Unit, shown: set[int]) -> Iterator[_Found]:
    """Numbered lists, and bullets under their label; arguments only where what they are about is printed."""
    argued = {items.place for _, _, items in labelled_lists(unit)}
    for block in unit.blocks:
        if block.kind not in ("bullets", "steps") or block.place in shown:
            continue
        if block.place in argued and not any(place < block.place for place in shown):
            continue
        lead = leads_in(unit, block.place)
        group = [block] if lead is None or lead.place in shown else [lead, block]
        if lead is not None and lead.place not in shown and not _introduces(unit, lead, shown):
            if lead.text.rstrip().endswith(":"):
                continue
            group = [block]
        yield LISTS, [as_part(b) for b in group], group


def _introduces(unit: Unit, lead: Block, shown: set[int]) -> bool:
    """Could the paragraph before a list be printed, with the list to follow?"""
    return stands_alone(unit, lead, shown | {lead.place + 1})


def _with_neighbours(unit: Unit, figure: Block, shown: set[int]) -> list[Block]:
    """A table or fence with the paragraphs beside it that speak of it."""
    group = [figure]
    lead = leads_in(unit, figure.place)
    if lead is not None and lead.place not in shown and boxed(lead) is None:
        group.insert(0, lead)
    after = unit.blocks[figure.place + 1] if figure.place + 1 < len(unit.blocks) else None
    if (
        after is not None
        and after.kind == "paragraph"
        and after.place not in shown
        and boxed(after) is None
        and speaks_of_figure(after)
        and not after.text.rstrip().endswith(":")
    ):
        group.append(after)
    return group


def _other(unit: Unit, shown: set[int]) -> Iterator[_Found]:
    if has_timeline(unit) or list(asked(unit)):
        return
    for block in unit.blocks:
        if block.place in shown or block.words < LEAST or boxed(block) is not None:
            continue
        if stands_alone(unit, block, shown):
            yield OTHER, [as_part(block)], [block]


def as_part(block: Block) -> Part:
    """A block printed as it is; a quote that warns becomes a box of its kind."""
    if block.kind == "quote":
        box = boxed(block)
        return part(block, "quote", block.text if box is None else f"> [!{box[0]}]\n{box[1]}")
    if block.kind in ("bullets", "steps"):
        return part(block, "list", block.text)
    return part(block, "prose" if block.kind == "paragraph" else "figure", block.text)
