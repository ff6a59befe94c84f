"""One text that a proposal is measured against: what of it survives, and what of that a reader still sees. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from firewall.lazy import lazy
from firewall.text.composed import alike
from firewall.text.diff import Change, compare
from firewall.text.words import count_words, words
from firewall.values import TYPE_CHECKING
from firewall.writes.facts import Words
from firewall.writes.fate import Fate, fate
from firewall.writes.gains import as_shown

if TYPE_CHECKING:
    from firewall.writes.measures import Measures

LEAST_SEEN = 0.25
"""Share of a text that is taken to be seen as prose where counting it would cost more than the edit."""
SLACK = 0.05
"""Share of the words a reader saw that may go out of sight before that is what a change is about."""


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
        return compare(*alike(self.text, self._measures.new))

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
            return self.words - self._measures.lost_or_hidden
        if self._kept_on_disk < 0:
            return -1
        return self._kept_on_disk - self._measures.lost_or_hidden

    def share_kept(self, enough: float) -> float:
        """Share of its words that survives; exact wherever it is below `enough`."""
        if not self.words:
            return 1.0
        measures = self._measures
        if self.text is measures.disk and not self.away and measures.from_disk.lost > (1 - enough) * self.words:
            return self.kept / self.words  # too much is lost already, whatever a reader sees of the rest
        if self.kept_here_at_least >= enough * self.words:
            return self.kept_here_at_least / self.words
        return self.kept / self.words

    # -- what of it a reader sees --------------------------------------------------------------------

    @lazy
    def shown(self) -> str:
        """Its text as a reader sees it."""
        return self._measures.shown(self.text)

    @lazy
    def shown_away(self) -> tuple[Words, ...]:
        """Its units in other artifacts, as a reader saw them; none that is code there."""
        if not self.away:
            return ()
        return as_shown(unit for unit in self.away if unit not in self._measures.facts.code_elsewhere)

    @lazy
    def shown_words(self) -> int:
        """Its words that a reader sees, those away included."""
        return count_words(self.shown) + sum(map(len, self.shown_away))

    @property
    def is_seen_long(self) -> bool:
        """Do the long floors hold for what is seen of it?"""
        floor = self._measures.facts.limits.floor_from
        return self.words >= floor and self.shown_words >= floor

    @lazy
    def shown_change(self) -> Change:
        """The change from what was seen to what the proposal shows."""
        return compare(*alike(self.shown, self._measures.new_shown))

    @lazy
    def shown_lost(self) -> int:
        """Words that a reader saw and sees no more, here or in other artifacts."""
        return self._shown_lost(self.shown_change, self._measures.facts.shown_elsewhere)

    @lazy
    def hidden(self) -> int:
        """Words that a reader saw, that are still in the file or in others, and out of sight."""
        if not self.shown_lost:
            return 0
        facts = self._measures.facts
        anywhere = {**facts.elsewhere, **facts.shown_elsewhere}
        return max(0, self.shown_lost - self._shown_lost(compare(*alike(self.shown, self._measures.new)), anywhere))

    def _shown_lost(self, change: Change, elsewhere: Mapping[Words, int]) -> int:
        released = self._measures.facts.released
        if released:
            released = Counter(as_shown(Counter(released).elements()))
        found = fate(change, self.shown_words, self.shown_away, elsewhere, released)
        return max(0, self.shown_words - found.here - found.there)

    def is_surely_seen(self, enough: float) -> bool:
        """Is `enough` of it seen, by what is known without looking? A note is, and so is all but a few words of the
        whole text where plain prose was edited."""
        few = (1 - enough) * LEAST_SEEN * self.words
        if not self._measures.may_hide and self.words - self.kept_here_at_least <= few:
            return True
        return self.shown_words < self._measures.facts.limits.small_from

    def share_seen(self, enough: float) -> float:
        """Share of the words a reader saw of it that are seen now, here or in other artifacts; 1.0 where it is surely
        seen."""
        return 1.0 if self.is_surely_seen(enough) else 1.0 - self.shown_lost / self.shown_words

    @property
    def cannot_hide(self) -> bool:
        """Is this the disk, changed in plain prose only, with nothing moved? What is lost then is out of the file."""
        measures = self._measures
        return not (measures.may_hide or self.away or measures.facts.elsewhere) and self.text is measures.disk

    @lazy
    def is_hiding(self) -> bool:
        """Did words go out of sight and not out of the file? The rule `hidden` answers for those, others for a loss."""
        return not self.hides_little and self.hidden > SLACK * self.shown_words

    @lazy
    def hides_little(self) -> bool:
        """Are fewer words there unseen than what is let pass? Then what a reader lost counts as a loss, which survival
        answers for, however a comparison lines up the little that is hidden."""
        facts = self._measures.facts
        bound = SLACK * self.shown_words
        return not (self.away or facts.elsewhere or facts.released) and self._out_of_sight(bound) <= bound

    def _out_of_sight(self, enough: float) -> int:
        """How many words the proposal has where none is seen; where that is more than `enough`, how many of these a
        reader saw. To count them is much cheaper than to compare."""
        unseen = self._measures.new_unseen
        if unseen.total() <= enough:
            return unseen.total()
        had = Counter(words(self.shown))
        return sum(min(count, had[word]) for word, count in unseen.items())

    @property
    def here(self) -> int:
        """Its words that survive here, in sight where they were."""
        return max(0, self.fate.here - self.hidden)

    @property
    def is_whole(self) -> bool:
        """Does every word of it survive, in sight where it was?"""
        if self.kept_here_at_least >= self.words:
            return True
        return self.kept >= self.words and not self.shown_lost

    @property
    def after(self) -> int:
        """The words that size rules see afterwards: those proposed and those in other artifacts."""
        return self._measures.new_words + self.moved
