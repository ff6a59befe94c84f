"""What rules measure, each made once and only when a rule asks.

A proposal is measured against three references: the disk, the mark, and the high version (the accepted one
with most words since the baseline). Sizes count the changed window and add it to what the ledger remembers;
survival is bounded from what survived before, and counted over the whole text only where the bound would
refuse. What a reader sees is measured beside it, wherever a change may hide or show anything: words that are still in
the file and out of sight have not survived.
"""

from __future__ import annotations

from collections import Counter

from firewall.digest import Hashed
from firewall.lazy import lazy
from firewall.text.composed import alike
from firewall.text.diff import Change, compare
from firewall.text.shown import kind, may_hide, outline_of, shown
from firewall.text.units import Unit
from firewall.text.words import count_words, words
from firewall.values import TYPE_CHECKING
from firewall.writes.facts import Facts
from firewall.writes.prose import text_of
from firewall.writes.reference import Reference

if TYPE_CHECKING:
    from firewall.text.outline import Outline


class Measures:
    """The decoded view of `facts`. Every property is a pure function of them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.mark_is_disk = facts.mark == facts.disk
        self._outlines: dict[str, Outline] = {}

    # -- texts ---------------------------------------------------------------------------------------

    @lazy
    def _both(self) -> tuple[str, str]:
        facts = self.facts
        return alike(text_of(facts.path, facts.disk), text_of(facts.path, facts.proposed))

    @lazy
    def disk(self) -> str:
        """The text on disk, as NFC where the proposal differs from it in that form."""
        return self._both[0]

    @lazy
    def new(self) -> str:
        """The text proposed, '' for a delete."""
        return self._both[1]

    @lazy
    def hashed(self) -> Hashed:
        """The bytes proposed with their hash, '' for a delete."""
        return Hashed(self.facts.proposed)

    @lazy
    def mark(self) -> str:
        """The text of the mark."""
        return self.disk if self.mark_is_disk else text_of(self.facts.path, self.facts.mark)

    @lazy
    def from_disk(self) -> Change:
        """The change from the disk to the proposal."""
        return compare(self.disk, self.new)

    @lazy
    def may_hide(self) -> bool:
        """Can the change from the disk put anything out of sight? False where an edit of plain prose cannot."""
        window = self.from_disk.window
        return may_hide(self.facts.path, self.disk, self.new, window)

    @lazy
    def came(self) -> tuple[Unit, ...]:
        """The units that the proposal brings: of the source, and as a reader sees them."""
        came = self.from_disk.added_units
        return (*came, *self.on_disk.shown_change.added_units) if self.may_hide else came

    @lazy
    def lost_or_hidden(self) -> int:
        """Words of the disk that the proposal loses, or that a reader sees no more: the larger number."""
        lost = self.from_disk.lost
        return max(lost, self.on_disk.shown_change.lost) if self.may_hide else lost

    def shown(self, text: str) -> str:
        """What a reader sees of a text of this artifact."""
        if kind(self.facts.path) not in ("plain", "html"):
            return self.outline(text).shown
        return shown(self.facts.path, text)

    @lazy
    def new_shown(self) -> str:
        """What a reader sees of the text proposed."""
        return self.shown(self.new)

    @lazy
    def new_unseen(self) -> Counter[str]:
        """The words of the text proposed that it has more often than what a reader sees of it."""
        unseen, only_seen = _apart(self.new.split("\n"), self.new_shown.split("\n"))
        return Counter(words(unseen)) - Counter(words(only_seen))

    # -- references ----------------------------------------------------------------------------------

    @lazy
    def on_disk(self) -> Reference:
        """The disk as a reference."""
        return Reference("disk", self.disk, (), self.facts.counts.disk, -1, self)

    @lazy
    def at_mark(self) -> Reference:
        """The mark as a reference."""
        facts = self.facts
        return Reference("mark", self.mark, facts.mark_away, facts.counts.mark, facts.counts.mark_kept, self)

    @lazy
    def at_high(self) -> Reference | None:
        """The high version, where it is neither the disk nor the mark."""
        facts = self.facts
        high = (facts.high, facts.high_away)
        if facts.high is None and not facts.high_away:
            return None
        if high in ((facts.disk, ()), (facts.mark, facts.mark_away)):
            return None
        text = text_of(facts.path, facts.high)
        return Reference("high", text, facts.high_away, facts.counts.high, facts.counts.high_kept, self)

    @lazy
    def references(self) -> tuple[Reference, ...]:
        """All references, each text once, the disk first."""
        mark = () if self.mark_is_disk and not self.facts.mark_away else (self.at_mark,)
        high = (self.at_high,) if self.at_high is not None else ()
        return (self.on_disk, *mark, *high)

    @lazy
    def at_baseline(self) -> Reference | None:
        """The baseline, where it is neither the disk nor the mark: a mark that grew is more than a person accepted,
        and what was added must not be what survives."""
        facts = self.facts
        if facts.baseline is None or facts.baseline == facts.disk:
            return None
        if facts.baseline == facts.mark and not facts.mark_away:
            return None
        text = text_of(facts.path, facts.baseline)
        return Reference("baseline", text, (), facts.counts.baseline, facts.counts.baseline_kept, self)

    @lazy
    def all_references(self) -> tuple[Reference, ...]:
        """All references and the baseline."""
        return (*self.references, self.at_baseline) if self.at_baseline else self.references

    def is_long_text(self, reference: Reference) -> bool:
        """Do the long floors hold for this reference? The baseline of a text that grew counts by its own size."""
        if reference is self.at_baseline:
            return reference.words >= self.facts.limits.floor_from
        return self.is_long

    # -- sizes, in words -----------------------------------------------------------------------------

    @property
    def disk_words(self) -> int:
        """Words on disk."""
        return self.on_disk.words

    @property
    def mark_words(self) -> int:
        """Words of the mark."""
        return self.at_mark.words

    @lazy
    def new_words(self) -> int:
        """Words proposed."""
        if self.facts.counts.disk < 0 or self.facts.disk is None or self.facts.proposed is None:
            return count_words(self.new)
        return self.facts.counts.disk - self.from_disk.removed + self.from_disk.added

    @lazy
    def before(self) -> int:
        """The most words any reference has."""
        return max(reference.words for reference in self.references)

    @lazy
    def is_long(self) -> bool:
        """Do the long floors hold here, by any reference's size?"""
        return self.before >= self.facts.limits.floor_from

    # -- structure -----------------------------------------------------------------------------------

    @property
    def touches_structure(self) -> bool:
        """Can the change from the disk alter headings, fences, tables and the like?"""
        return self.may_hide

    def outline(self, text: str) -> Outline:
        """The parts of a text of this artifact, made once."""
        if text not in self._outlines:
            self._outlines[text] = outline_of(self.facts.path, text)
        return self._outlines[text]

    @property
    def disk_outline(self) -> Outline:
        """The parts of the text on disk."""
        return self.outline(self.disk)

    @property
    def new_outline(self) -> Outline:
        """The parts of the text proposed."""
        return self.outline(self.new)

    @property
    def mark_outline(self) -> Outline:
        """The parts of the mark."""
        return self.outline(self.mark)


def _apart(one: list[str], other: list[str]) -> tuple[str, str]:
    """The lines that each has more often than the other, whatever their order; blank ones are nobody's."""
    lines, others = set(one), set(other)
    blanks, blanks_of_other = one.count("") - ("" in lines), other.count("") - ("" in others)
    if len(lines) + blanks == len(one) and len(others) + blanks_of_other == len(other):  # none stands twice: sets do
        mine = [line for line in one if line not in others]
        return "\n".join(mine), "\n".join([line for line in other if line not in lines])
    counted, counted_others = Counter(one), Counter(other)
    return "\n".join((counted - counted_others).elements()), "\n".join((counted_others - counted).elements())
