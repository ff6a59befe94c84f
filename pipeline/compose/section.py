"""A section put together: an opening, the pieces of its shape and what the notes say around them."""

from __future__ import annotations

from collections.abc import Iterable

from latches.blueprint import SectionPlan
from latches.checks.anchors import slug
from latches.checks.length import LONGEST, SHORTEST
from pipeline.compose.choose import STORY, choose, story_told
from pipeline.compose.cite import Citer
from pipeline.compose.notes import Block, Notes, Unit
from pipeline.compose.offers import LISTS, Offer, as_part, offers
from pipeline.compose.parts.callout_box import boxed
from pipeline.compose.parts.timeline_steps import has_timeline
from pipeline.compose.piece import Part, Piece, satisfies
from pipeline.compose.prose import leads_in, opening, speaks_of_figure, stands_alone

MOST = 1.10
"""Nothing is added beyond this share of a section's target length that leaves it further from it than it was."""
PROSE, LIGHT, HEAVY = 0.97, 0.85, 0.82
"""Shares of the target below which prose, lists and remarks, tables and code are added. The last two belong
to other shapes: a section that is a little short is better than one that has a bit of everything."""

Place = tuple[int, int]


def compose(notes: Notes, plan: SectionPlan, citer: Citer) -> str:
    """The section as Markdown, citations and their notes included; empty where the notes hold nothing."""
    page = _Page(notes, plan)
    pieces = choose(notes, plan, plan.elements)
    for piece in pieces:
        page.add_piece(piece)
    for piece in pieces:
        page.add_around(piece)
    page.open()
    page.fill()
    return page.render(citer)


def repair(notes: Notes, plan: SectionPlan, missing: Iterable[str], draft: str, citer: Citer) -> str:
    """What `draft` lacks, as far as the notes hold it; empty where they do not."""
    taken = _printed_already(notes, draft)
    lacks = list(missing)
    begun = any(element in STORY and element not in lacks for element in plan.elements)
    page = _Page(notes, plan)
    pieces = choose(notes, plan, lacks, taken, story_told(notes, taken) if begun else None)
    for piece in pieces:
        page.add_piece(piece)
    return page.render(citer)


def _printed_already(notes: Notes, draft: str) -> list[Place]:
    seen = _folded(draft)
    return [(b.unit, b.place) for u in notes.units for b in u.blocks if _folded(b.text) in seen]


def _folded(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


class _Page:
    """What is to be printed of each unit, by place."""

    def __init__(self, notes: Notes, plan: SectionPlan) -> None:
        self.notes = notes
        self.plan = plan
        self.parts: dict[Place, Part] = {}
        self.used: set[Place] = set()
        self.opener: tuple[Unit, Part] | None = None
        self.ours: set[int] = set()  # units that a piece comes from
        self.told: set[str] = set()  # elements that the pieces satisfy
        self.foreign: set[int] = set()  # units that lend what belongs to other shapes

    @property
    def words(self) -> int:
        """Words so far, without headings and notes."""
        return sum(p.words for p in self.parts.values()) + (self.opener[1].words if self.opener else 0)

    def add_piece(self, piece: Piece) -> None:
        """Print a piece; its blocks are used up."""
        for p in piece.parts:
            self.parts[piece.unit, p.place] = p
        self.ours.add(piece.unit)
        self.told |= {e for e in self.plan.elements if satisfies(piece.text, e, self.plan)}
        self.used |= {(piece.unit, place) for place in piece.uses}

    def add_block(self, block: Block) -> None:
        """Print a block as it is."""
        self.parts[block.unit, block.place] = as_part(block)
        self.used.add((block.unit, block.place))

    def shown(self, unit: Unit) -> set[int]:
        """Places of a unit that are printed."""
        return {place for number, place in self.used if number == unit.number}

    def free(self, block: Block) -> bool:
        """Is a block not printed yet?"""
        return (block.unit, block.place) not in self.used

    def add_around(self, piece: Piece) -> None:
        """Print the paragraph that leads into a piece, and the one behind it that speaks of it."""
        unit = self.notes.units[piece.unit]
        first, last = min(piece.uses), max(piece.uses)
        before = leads_in(unit, first)
        if before is not None and self.free(before) and boxed(before) is None:
            self.add_block(before)
            if not stands_alone(unit, before, self.shown(unit)):
                above = leads_in(unit, before.place)
                if above is not None and self.free(above):
                    self.add_block(above)
        after = unit.blocks[last + 1] if last + 1 < len(unit.blocks) else None
        figure = unit.blocks[last].kind in ("table", "code")
        if after is None or after.kind != "paragraph" or not figure or not self.free(after):
            return
        if not after.text.rstrip().endswith(":") and boxed(after) is None and speaks_of_figure(after):
            self.add_block(after)

    def open(self) -> None:
        """Choose how the section begins: as planned where the notes allow it, else as the notes begin."""
        intro = [u for u in self.notes.units if u.file == self.notes.home and u.level == 1]
        first = next((b for u in intro for b in u.blocks if b.kind == "paragraph"), None)
        if first is not None and not self.free(first):
            return  # a piece begins the note, and so the section
        found: list[tuple[float, int, int, Block, Unit]] = []
        for unit in self.notes.units:
            if unit.file != self.notes.home:
                continue
            for block in unit.blocks:
                if not self.free(block) and not self._leading(unit, block):
                    continue
                if not self._can_open(unit, block):
                    continue
                if has_timeline(unit) and unit.number not in self.ours:
                    continue  # a story that begins and is never told
                fit = opening(self.plan.opener, block)
                if unit in intro:
                    fit += 0.5 + 1.5 * (block is first)
                if fit > 0:
                    found.append((-fit, unit.number, block.place, block, unit))
        if found:
            *_, block, unit = min(found)
            self.parts.pop((block.unit, block.place), None)
            self.used.add((block.unit, block.place))
            self.opener = (unit, as_part(block))

    def _leading(self, unit: Unit, block: Block) -> bool:
        """Is this the first paragraph of a unit that tells a story, printed as it is?"""
        here = self.parts.get((block.unit, block.place))
        return block.place == 0 and has_timeline(unit) and here is not None and here.text == block.text

    def _can_open(self, unit: Unit, block: Block) -> bool:
        if block.kind != "paragraph" or boxed(block) is not None or block.text.startswith(("**", "__")):
            return False
        first = unit.level == 1 and block.place == 0
        if block.words < 12 or (speaks_of_figure(block) and not first):
            return False
        if not first and block.text.startswith("The "):
            return False  # a thing that nobody has spoken of yet
        after = unit.blocks[block.place + 1] if block.place + 1 < len(unit.blocks) else None
        if after is not None and after.kind in ("table", "code"):
            return False  # it leads into that
        return block.place == 0 or unit.level == 1

    def fill(self) -> None:
        """Add what else the notes say, nearest first, until the section has its length."""
        while (offer := self._next()) is not None:
            unit = self.notes.units[offer.unit]
            if offer.stage >= LISTS and unit.level > 1 and not self.shown(unit):
                self.foreign.add(offer.unit)
            for p in offer.parts:
                self.parts[offer.unit, p.place] = p
            self.used |= {(offer.unit, place) for place in offer.uses}

    def _next(self) -> Offer | None:
        """The nearest offer that there is room for; None when the section is long enough.

        Where there is room for none, as for a table with the paragraphs around it, the one that ends nearest to the
        target, if that is nearer than the section is without it, or the section is too short to pass.
        """
        target, now = self.plan.target_words, self.words
        long: list[Offer] = []
        for offer in offers(self.notes, self.used):
            share = PROSE if offer.stage < LISTS else LIGHT if offer.stage == LISTS else HEAVY
            if now >= share * target or self._clashes(self.notes.units[offer.unit]) or self._foreign_story(offer):
                continue
            if now + offer.words <= MOST * target:
                return offer
            nearer = now + offer.words - target < target - now
            if now + offer.words <= LONGEST * target and (nearer or now < SHORTEST * target):
                long.append(offer)
        return min(long, key=lambda offer: offer.words, default=None)

    def _foreign_story(self, offer: Offer) -> bool:
        """Would the latch take this for a part of the incident that is told, which lacks such a part?"""
        text = "\n\n".join(p.text for p in offer.parts)
        lacks = [e for e in self.plan.elements if e in STORY and e not in self.told]
        return any(satisfies(text, element, self.plan) for element in lacks)

    def _clashes(self, unit: Unit) -> bool:
        """Is another unit of the same heading printed? Its text would stand under the wrong one."""
        mine = slug(unit.heading)
        printed = (self.notes.units[number] for number, _ in self.parts if number != unit.number)
        return bool(mine) and any(slug(other.heading) == mine for other in printed)

    def render(self, citer: Citer) -> str:
        """The page as Markdown."""
        if self.opener is not None:
            citer.add(self.opener[1])
        names = {slug(self.plan.title)}  # a second heading of a name would be no anchor
        last = max(self.ours, default=-1)
        later = {number for number in self.foreign if number < last}  # first the shape, then what fills up;
        if len(self.plan.elements) == 1:
            later = set()  # a shape of one element has no order of its own, and the note's is the reader's
        # What has lost its heading stands before the first heading, so that it is not taken for part of another.
        order = sorted(self.notes.units, key=lambda u: (u.number in later, u.level > 1, u.level != 1, u.number))
        for unit in order:
            here = [self.parts[key] for key in sorted(self.parts) if key[0] == unit.number]
            if not here:
                continue
            boxes = all(p.kind == "quote" for p in here)  # a box alone is no text under a heading
            name = slug(unit.heading)
            beginning = unit.file == self.notes.home and unit.level == 1
            if name and not beginning and name not in names and not boxes:
                citer.heading(unit.heading)
                names.add(name)
            for p in here:
                citer.add(p)
        return citer.text()
