"""What rules measure, each made once and only when a rule asks.

Sizes count the changed window and add it to what the ledger remembers; survival is bounded from what
survived before, and counted over the whole text only where the bound would refuse.
"""

from __future__ import annotations

from functools import cached_property

from firewall.text.diff import Change, compare
from firewall.text.outline import Outline, may_touch_structure, outline
from firewall.text.units import LEAST_WORDS, Unit, units
from firewall.text.words import count_words
from firewall.writes.facts import Facts
from firewall.writes.prose import text_of


class Measures:
    """The decoded view of `facts`. Every property is a pure function of them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.mark_is_disk = facts.mark == facts.disk

    # -- texts ---------------------------------------------------------------------------------------

    @cached_property
    def disk(self) -> str:
        """The text on disk."""
        return text_of(self.facts.path, self.facts.disk)

    @cached_property
    def new(self) -> str:
        """The text proposed, '' for a delete."""
        return text_of(self.facts.path, self.facts.proposed)

    @cached_property
    def mark(self) -> str:
        """The text of the mark."""
        return self.disk if self.mark_is_disk else text_of(self.facts.path, self.facts.mark)

    # -- sizes, in words -----------------------------------------------------------------------------

    @cached_property
    def from_disk(self) -> Change:
        """The change from the disk to the proposal."""
        return compare(self.disk, self.new)

    @cached_property
    def from_mark(self) -> Change:
        """The change from the mark to the proposal."""
        return self.from_disk if self.mark_is_disk else compare(self.mark, self.new)

    @cached_property
    def disk_words(self) -> int:
        """Words on disk."""
        known = self.facts.counts.disk
        return known if known >= 0 else count_words(self.disk)

    @cached_property
    def new_words(self) -> int:
        """Words proposed."""
        if self.facts.counts.disk < 0:
            return count_words(self.new)
        return self.facts.counts.disk - self.from_disk.removed + self.from_disk.added

    @cached_property
    def mark_words(self) -> int:
        """Words of the mark, without debt."""
        if self.mark_is_disk:
            return self.disk_words
        known = self.facts.counts.mark
        return known if known >= 0 else count_words(self.mark)

    @property
    def debt(self) -> int:
        """Words that text moved in here had lost before it came."""
        return self.facts.counts.debt

    @cached_property
    def before(self) -> int:
        """The words that size rules start from: the larger of the disk's and the mark's with its debt."""
        return max(self.disk_words, self.mark_words + self.debt)

    @property
    def after(self) -> int:
        """The words that size rules see afterwards: those proposed and those moved to other artifacts."""
        return self.new_words + self.moved

    @cached_property
    def is_long(self) -> bool:
        """Do the long floors hold here: by size now, by the mark's size, or by text that came from such?"""
        return self.before >= self.facts.limits.floor_from or self.facts.counts.long

    # -- survival ------------------------------------------------------------------------------------

    @cached_property
    def moved_units(self) -> tuple[Unit, ...]:
        """Units of the mark that are gone from here and stand whole in another artifact."""
        return _found(self.from_mark.lost_units, self.facts.elsewhere)

    @property
    def moved(self) -> int:
        """Words of the units moved to other artifacts, from the mark or, if more, from the disk."""
        if not self.facts.elsewhere:
            return 0
        from_mark = sum(len(u.words) for u in self.moved_units)
        if self.mark_is_disk:
            return from_mark
        return max(
            from_mark, sum(len(u.words) for u in _found(self.from_disk.lost_units, self.facts.elsewhere))
        )

    @cached_property
    def kept(self) -> int:
        """Words of the mark that survive in the proposal, moved ones included; at least, see `kept_bound`."""
        moved = sum(len(u.words) for u in self.moved_units) if self.facts.elsewhere else 0
        # Words of a moved unit may have counted as still in order by chance; never count a word twice.
        return min(self.mark_words, self.mark_words - self.from_mark.lost + moved)

    @cached_property
    def kept_bound(self) -> int:
        """A lower bound of `kept` from the window alone: what survived before, less what is lost now."""
        if self.mark_is_disk:
            return self.mark_words - self.from_disk.lost
        if self.facts.counts.kept < 0:
            return -1
        return self.facts.counts.kept - self.from_disk.lost

    def share_kept(self, enough: float) -> float:
        """Share of the mark's words (and debt) that survive; exact wherever it is below `enough`."""
        whole = self.mark_words + self.debt
        if not whole:
            return 1.0
        if self.kept_bound >= enough * whole:
            return self.kept_bound / whole
        return self.kept / whole

    @cached_property
    def share_kept_of_disk(self) -> float:
        """Share of the disk's words that survive."""
        if self.mark_is_disk or not self.disk_words:
            return 1.0 if not self.disk_words else self.kept / self.disk_words
        moved = sum(len(u.words) for u in _found(self.from_disk.lost_units, self.facts.elsewhere))
        return min(1.0, (self.disk_words - self.from_disk.lost + moved) / self.disk_words)

    # -- structure -----------------------------------------------------------------------------------

    @cached_property
    def touches_structure(self) -> bool:
        """Can the change from the disk alter headings, fences, tables and the like?"""
        window = self.from_disk.window
        return may_touch_structure(self.disk, self.new, window.start, window.old_end, window.new_end)

    @cached_property
    def disk_outline(self) -> Outline:
        """The parts of the text on disk."""
        return outline(_safe(self.disk))

    @cached_property
    def new_outline(self) -> Outline:
        """The parts of the text proposed."""
        return outline(_safe(self.new))

    @cached_property
    def mark_outline(self) -> Outline:
        """The parts of the mark."""
        return self.disk_outline if self.mark_is_disk else outline(_safe(self.mark))

    @cached_property
    def new_units(self) -> tuple[Unit, ...]:
        """All units of the proposal, for the index of what may have moved here."""
        return tuple(units(self.new))


def _found(lost: tuple[Unit, ...], elsewhere: object) -> tuple[Unit, ...]:
    """Of the lost units, those that stand elsewhere whole, each copy used once."""
    assert hasattr(elsewhere, "get")
    left: dict[tuple[str, ...], int] = {}
    found = []
    for unit in lost:
        if len(unit.words) < LEAST_WORDS:
            continue
        have = left.setdefault(unit.words, elsewhere.get(unit.words, 0))
        if have > 0:
            left[unit.words] = have - 1
            found.append(unit)
    return tuple(found)


def _safe(text: str) -> str:
    """Lone surrogates as U+FFFD: the parser takes UTF-8 only."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
