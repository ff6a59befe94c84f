"""What rules measure, each made once and only when a rule asks.

A proposal is measured against three references: the disk, the mark, and the high version (the accepted one
with most words since the baseline). Sizes count the changed window and add it to what the ledger remembers;
survival is bounded from what survived before, and counted over the whole text only where the bound would
refuse.
"""

from __future__ import annotations

from firewall.lazy import lazy
from firewall.text.diff import Change, compare
from firewall.text.formats import is_markdown, parts
from firewall.text.outline import Outline, may_touch_structure, outline
from firewall.text.words import count_words
from firewall.writes.facts import Facts, Words
from firewall.writes.fate import Fate, fate
from firewall.writes.prose import text_of


class Reference:
    """One text that the proposal is measured against. `away` are units of it that stood in other artifacts
    already when it was made."""

    def __init__(
        self, name: str, text: str, away: tuple[Words, ...], words: int, kept_on_disk: int, measures: Measures
    ) -> None:
        self.name = name
        self.text = text
        self.away = away
        self._words = words
        self._kept_on_disk = kept_on_disk
        self._measures = measures

    @lazy
    def words(self) -> int:
        """Its words, those away included: what shares are shares of."""
        return self._words if self._words >= 0 else count_words(self.text) + sum(map(len, self.away))

    @lazy
    def change(self) -> Change:
        """The change from it to the proposal."""
        if self.text is self._measures.disk:
            return self._measures.from_disk
        return compare(self.text, self._measures.new)

    @lazy
    def fate(self) -> Fate:
        """What became of its words."""
        facts = self._measures.facts
        return fate(self.change, self.words, self.away, facts.elsewhere, facts.released)

    @property
    def moved(self) -> int:
        """Words that its units in other artifacts have there."""
        facts = self._measures.facts
        return self.fate.size if facts.elsewhere or facts.released else 0

    @property
    def kept(self) -> int:
        """Its words that survive, here or in other artifacts."""
        return self.fate.here + self.fate.there

    @lazy
    def kept_here_at_least(self) -> int:
        """A lower bound of what survives here, from the window alone: what survived before, less what is lost
        now. -1 where that is not known."""
        if self.text is self._measures.disk and not self.away:
            return self.words - self.change.lost
        if self._kept_on_disk < 0:
            return -1
        return self._kept_on_disk - self._measures.from_disk.lost

    def share_kept(self, enough: float) -> float:
        """Share of its words that survives; exact wherever it is below `enough`."""
        if not self.words:
            return 1.0
        if self.kept_here_at_least >= enough * self.words:
            return self.kept_here_at_least / self.words
        return self.kept / self.words

    @property
    def after(self) -> int:
        """The words that size rules see afterwards: those proposed and those in other artifacts."""
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

    @lazy
    def touches_structure(self) -> bool:
        """Can the change from the disk alter headings, fences, tables and the like?"""
        if not is_markdown(self.facts.path):
            return self.disk != self.new
        window = self.from_disk.window
        return may_touch_structure(self.disk, self.new, window.start, window.old_end, window.new_end)

    @lazy
    def disk_outline(self) -> Outline:
        """The parts of the text on disk."""
        return outline_of(self.facts.path, self.disk)

    @lazy
    def new_outline(self) -> Outline:
        """The parts of the text proposed."""
        return outline_of(self.facts.path, self.new)

    @lazy
    def mark_outline(self) -> Outline:
        """The parts of the mark."""
        return self.disk_outline if self.mark_is_disk else outline_of(self.facts.path, self.mark)


def outline_of(path: str, text: str) -> Outline:
    """The parts of a text by its format; what only Markdown has is nobody's loss in another."""
    made = outline(_safe(text))
    found = parts(path, text)
    if found is None:
        return made
    return made._replace(
        headings=found.headings,
        fences=found.blocks,
        tables=found.tables,
        images=found.images,
        keys=None,
        notes=frozenset(),
        links=frozenset(),
        unclosed=False,
        code="\n".join(found.code),
        hides=(),
    )


def _safe(text: str) -> str:
    """Lone surrogates as U+FFFD: the parser takes UTF-8 only."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
