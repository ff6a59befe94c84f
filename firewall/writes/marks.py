"""How marks move when a version is accepted. Pure.

An accepted version in which every word of the mark survives, in sight where it was, becomes the mark, so that new
text is protected as soon as it lands; one that lost a word, or hid it, leaves the mark as it is. Text that moved to
other artifacts stays part of the mark, as units away: whoever holds them answers to this artifact's floors.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.diff import compare
from firewall.text.units import units, without
from firewall.values import NamedTuple
from firewall.writes.facts import Facts, Words
from firewall.writes.fate import fate
from firewall.writes.measures import Measures
from firewall.writes.prose import text_of
from firewall.writes.reference import Reference
from firewall.writes.rules.delta_cap import is_growth


class Mark(NamedTuple):
    """A version by its bytes, its units that are away, its words with those, and how many survive here (-1: not
    counted)."""

    data: bytes | None
    away: tuple[Words, ...]
    words: int
    kept: int


class Marks(NamedTuple):
    """The marks once a proposal is accepted, the words of the new disk, how many of the baseline survive there, and
    whether it only added. `baseline` is what structural work makes of the baseline, or None; `anew`: the version is
    the baseline. `grown`: words accepted as growth since the mark."""

    mark: Mark
    high: Mark
    words: int
    base_kept: int
    grew: bool
    baseline: bytes | None = None
    anew: bool = False
    grown: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """The columns that count words."""
        counts = {
            "disk_words": self.words,
            "mark_words": self.mark.words,
            "mark_kept": self.mark.kept,
            "high_words": self.high.words,
            "high_kept": self.high.kept,
            "base_kept": self.base_kept,
            "grown": self.grown,
        }
        return counts | {"base_words": self.words} if self.anew else counts


def fresh(data: bytes | None, words: int) -> Marks:
    """Marks that begin anew with this version: a person stands behind it."""
    mark = Mark(data, (), words, words)
    return Marks(mark, mark, words, words, False, anew=True)


def is_new(facts: Facts) -> bool:
    """Is this a file that nothing is remembered of?"""
    return facts.disk is None and facts.mark is None and not facts.mark_away


def after(facts: Facts, measures: Measures) -> Marks:
    """The marks once `facts.proposed` is accepted over `facts.disk`."""
    new, words = facts.proposed, measures.new_words
    if is_new(facts) or facts.loss_only:
        return fresh(new, words)._replace(anew=is_new(facts))
    mark = _advance(facts, measures, measures.at_mark, facts.mark)
    reference = measures.at_high
    if reference is None:
        is_disk = (facts.high, facts.high_away) == (facts.disk, ())
        reference = measures.on_disk if is_disk else measures.at_mark
    high = _advance(facts, measures, reference, facts.high)
    grown = _here_and_away(measures, reference, new)
    if grown.words >= high.words:
        high = grown
    grew = facts.disk is not None and not measures.from_disk.lost and words > measures.disk_words
    if facts.structural is not None and facts.baseline is not None and facts.disk is not None and new is not None:
        baseline = _spliced(facts.path, facts.baseline, facts.disk, new, facts.structural)
        return Marks(mark, high, words, -1, grew, baseline, grown=facts.counts.grown)
    return Marks(mark, high, words, _baseline_kept(facts, measures), grew, grown=_grown(facts, measures, mark))


def _grown(facts: Facts, measures: Measures, mark: Mark) -> int:
    """Words accepted as growth since the mark, this change's among them unless delta-cap counted them: what a person
    could have refused once is not held against each sentence that is edited later."""
    if (mark.data, mark.away) != (facts.mark, facts.mark_away):
        return 0  # the mark has them now
    more = measures.new_words - measures.disk_words
    counted = measures.is_long and not is_growth(facts, measures)
    return facts.counts.grown + (0 if counted else max(0, more))


def _baseline_kept(facts: Facts, measures: Measures) -> int:
    reference = measures.at_baseline
    if reference is None:
        reference = measures.on_disk if facts.baseline == facts.disk else measures.at_mark
    at_least = reference.kept_here_at_least
    return max(at_least, 0) if at_least >= 0 else reference.here


def _advance(facts: Facts, measures: Measures, reference: Reference, data: bytes | None) -> Mark:
    """One mark after the change."""
    new = facts.proposed
    if facts.structural is not None and data is not None and facts.disk is not None and new is not None:
        spliced = _spliced(facts.path, data, facts.disk, new, facts.structural)
        if spliced == new:
            return Mark(new, reference.away, measures.new_words + _sum(reference.away), measures.new_words)
        return Mark(spliced, reference.away, -1, -1)
    at_least = reference.kept_here_at_least
    if reference.is_whole:
        return _here_and_away(measures, reference, new)  # every word is here, or stands where others answer for it
    return Mark(data, reference.away, reference.words, max(at_least, 0) if at_least >= 0 else reference.here)


def _here_and_away(measures: Measures, reference: Reference, new: bytes | None) -> Mark:
    """The proposal as a mark: what it has, and what of `reference` stands in other artifacts."""
    needed = measures.facts.elsewhere and reference.kept_here_at_least < reference.words
    away = tuple(a.unit for a in reference.fate.away) if needed else ()
    return Mark(new, away, measures.new_words + _sum(away), measures.new_words)


def _sum(units: tuple[Words, ...]) -> int:
    return sum(map(len, units))


def _spliced(path: str, version: bytes, disk: bytes, new: bytes, span: tuple[int, int]) -> bytes:
    """A version with a structural replacement made in it as well. Where it does not hold the old range once, to the
    letter, its units that have become part of that range go, and the new piece is put behind the rest."""
    if version == disk:
        return new
    start, end = span
    old_piece, new_piece = disk[start:end], new[start : len(new) - (len(disk) - end)]
    if not old_piece:
        return version
    if version.count(old_piece) == 1:
        return version.replace(old_piece, new_piece, 1)
    text = text_of(path, version)
    outside = Counter(u.words for u in units(text_of(path, disk[:start] + b"\n\n" + disk[end:])))
    inside = Counter(u.words for u in units(text_of(path, old_piece)))
    theirs = compare(text, text_of(path, disk[:start] + b"\n\n" + disk[end:]))
    gone = fate(theirs, 0, (), inside, {}).away
    kept = without(text, Counter(a.unit for a in gone if not outside[a.unit]))
    return (
        "\n\n".join(part for part in (kept.strip("\n"), text_of(path, new_piece).strip("\n")) if part).encode() + b"\n"
    )
