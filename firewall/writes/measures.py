"""What rules measure, each made once and only when a rule asks.

A proposal is measured against three references: the disk, the mark, and the high version (the accepted one
with most words since the baseline). Sizes count the changed window and add it to what the ledger remembers;
survival is bounded from what survived before, and counted over the whole text only where the bound would
refuse.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.lazy import lazy
from firewall.text.diff import Change, compare
from firewall.text.outline import Outline, may_touch_structure, outline
from firewall.text.units import LEAST_WORDS, Unit
from firewall.text.words import count_words
from firewall.writes.facts import Facts
from firewall.writes.prose import text_of


class Reference:
    """One text that the proposal is measured against. `debt` is words it answers for beyond its own."""

    def __init__(self, name: str, text: str, words: int, kept_on_disk: int, debt: int, measures: Measures) -> None:
        self.name = name
        self.text = text
        self._words = words
        self._kept_on_disk = kept_on_disk
        self.debt = debt
        self._measures = measures

    @lazy
    def words(self) -> int:
        """Its words, without debt."""
        return self._words if self._words >= 0 else count_words(self.text)

    @property
    def whole(self) -> int:
        """Its words and its debt: what shares are shares of."""
        return self.words + self.debt

    @lazy
    def change(self) -> Change:
        """The change from it to the proposal."""
        if self.text is self._measures.disk:
            return self._measures.from_disk
        return compare(self.text, self._measures.new)

    @lazy
    def moved_units(self) -> tuple[Unit, ...]:
        """Its units that are gone from here and stand whole in another artifact."""
        elsewhere = self._measures.facts.elsewhere
        return _found(self.change.lost_units, elsewhere) if elsewhere else ()

    @property
    def moved(self) -> int:
        """Words of the units moved to other artifacts."""
        return sum(len(u.words) for u in self.moved_units)

    @lazy
    def kept(self) -> int:
        """Its words that survive, moved ones included; a word is never counted twice."""
        return min(self.words, self.words - self.change.lost + self.moved)

    @lazy
    def kept_at_least(self) -> int:
        """A lower bound of `kept` from the window alone: what survived before, less what is lost now."""
        if self.text is self._measures.disk:
            return self.kept
        if self._kept_on_disk < 0:
            return -1
        return self._kept_on_disk - self._measures.from_disk.lost

    def share_kept(self, enough: float) -> float:
        """Share of the whole that survives; exact wherever it is below `enough`."""
        if not self.whole:
            return 1.0
        if self.kept_at_least >= enough * self.whole:
            return self.kept_at_least / self.whole
        return self.kept / self.whole

    @property
    def after(self) -> int:
        """The words that size rules see afterwards: those proposed and those moved to other artifacts."""
        return self._measures.new_words + self.moved


class Measures:
    """The decoded view of `facts`. Every property is a pure function of them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.mark_is_disk = facts.mark == facts.disk

    # -- texts ---------------------------------------------------------------------------------------

    @lazy
    def disk(self) -> str:
        """The text on disk."""
        return text_of(self.facts.path, self.facts.disk)

    @lazy
    def new(self) -> str:
        """The text proposed, '' for a delete."""
        return text_of(self.facts.path, self.facts.proposed)

    @lazy
    def mark(self) -> str:
        """The text of the mark."""
        return self.disk if self.mark_is_disk else text_of(self.facts.path, self.facts.mark)

    @lazy
    def from_disk(self) -> Change:
        """The change from the disk to the proposal."""
        return compare(self.disk, self.new)

    # -- references ----------------------------------------------------------------------------------

    @lazy
    def on_disk(self) -> Reference:
        """The disk as a reference."""
        return Reference("disk", self.disk, self.facts.counts.disk, -1, 0, self)

    @lazy
    def at_mark(self) -> Reference:
        """The mark as a reference, with the debt of text moved in here."""
        counts = self.facts.counts
        words = counts.disk if self.mark_is_disk else counts.mark
        return Reference("mark", self.mark, words, counts.mark_kept, counts.debt, self)

    @lazy
    def at_high(self) -> Reference | None:
        """The high version, where it is neither the disk nor the mark."""
        high = self.facts.high
        if high is None or high in (self.facts.disk, self.facts.mark):
            return None
        counts = self.facts.counts
        return Reference("high", text_of(self.facts.path, high), counts.high, counts.high_kept, 0, self)

    @lazy
    def references(self) -> tuple[Reference, ...]:
        """All references, each text once, the disk first."""
        mark = () if self.mark_is_disk and not self.at_mark.debt else (self.at_mark,)
        high = (self.at_high,) if self.at_high is not None else ()
        return (self.on_disk, *mark, *high)

    @lazy
    def at_start(self) -> Reference | None:
        """The baseline, where it is neither the disk nor the mark: growth must not thin out what a person has."""
        start = self.facts.start
        if start is None or start in (self.facts.disk, self.facts.mark):
            return None
        counts = self.facts.counts
        return Reference("baseline", text_of(self.facts.path, start), counts.start, counts.start_kept, 0, self)

    @lazy
    def at_guests(self) -> Reference | None:
        """What moved in here from other artifacts: a large file must not swallow it."""
        guests = self.facts.guests
        if guests is None:
            return None
        counts = self.facts.counts
        return Reference("moved", text_of(self.facts.path, guests), counts.guests, counts.guests_kept, 0, self)

    @lazy
    def survivors(self) -> tuple[Reference, ...]:
        """What must survive, each by itself: all references, the baseline, and what moved in here."""
        more = (reference for reference in (self.at_start, self.at_guests) if reference is not None)
        return (*self.references, *more)

    # -- sizes, in words -----------------------------------------------------------------------------

    @property
    def disk_words(self) -> int:
        """Words on disk."""
        return self.on_disk.words

    @property
    def mark_words(self) -> int:
        """Words of the mark, without debt."""
        return self.at_mark.words

    @lazy
    def new_words(self) -> int:
        """Words proposed."""
        if self.facts.counts.disk < 0 or self.facts.disk is None or self.facts.proposed is None:
            return count_words(self.new)
        return self.facts.counts.disk - self.from_disk.removed + self.from_disk.added

    @lazy
    def before(self) -> int:
        """The most words any reference has, debt included."""
        return max(reference.whole for reference in self.references)

    @lazy
    def is_long(self) -> bool:
        """Do the long floors hold here: by any reference's size, or by text that came from a long artifact?"""
        return self.before >= self.facts.limits.floor_from or self.facts.counts.long

    @property
    def moved(self) -> int:
        """Words moved to other artifacts, from the reference that most were moved from."""
        return max(reference.moved for reference in self.references)

    # -- structure -----------------------------------------------------------------------------------

    @lazy
    def touches_structure(self) -> bool:
        """Can the change from the disk alter headings, fences, tables and the like?"""
        window = self.from_disk.window
        return may_touch_structure(self.disk, self.new, window.start, window.old_end, window.new_end)

    @lazy
    def disk_outline(self) -> Outline:
        """The parts of the text on disk."""
        return outline(_safe(self.disk))

    @lazy
    def new_outline(self) -> Outline:
        """The parts of the text proposed."""
        return outline(_safe(self.new))

    @lazy
    def mark_outline(self) -> Outline:
        """The parts of the mark."""
        return self.disk_outline if self.mark_is_disk else outline(_safe(self.mark))


def _found(lost: tuple[Unit, ...], elsewhere: Mapping[tuple[str, ...], int]) -> tuple[Unit, ...]:
    """Of the lost units, those that stand elsewhere whole, each copy used once."""
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
