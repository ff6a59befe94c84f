"""How marks move when a version is accepted. Pure.

An accepted version in which every word of the mark survives becomes the mark, so that new text is protected as
soon as it lands; one that lost a word leaves the mark as it is. Text that moved to another artifact leaves the
mark here and joins the mark there, with its share of what had been lost before.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import NamedTuple

from firewall.text.units import without
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures, Reference


class Marks(NamedTuple):
    """The marks once the proposal is accepted: bytes of each, and the counts of the new disk.

    `moved` counts the units that left for other artifacts; `debt_moved` is the debt that goes with them.
    """

    mark: bytes | None
    high: bytes | None
    start: bytes | None
    guests: bytes | None
    counts: dict[str, int]
    moved: Counter[tuple[str, ...]]
    debt_moved: int
    grew: bool


def fresh(data: bytes | None, words: int) -> Marks:
    """Marks that begin anew with this version: a person stands behind it."""
    names = (
        "disk_words", "mark_words", "mark_kept", "high_words", "high_kept", "start_words", "start_kept", "base_words",
    )  # fmt: skip
    return Marks(data, data, data, None, {**dict.fromkeys(names, words), "debt": 0, "long": 0}, Counter(), 0, False)


def after(facts: Facts, measures: Measures) -> Marks:
    """The marks once `facts.proposed` is accepted over `facts.disk`."""
    new = facts.proposed
    words = measures.new_words
    if new is None or facts.disk is None or facts.loss_only:
        marks = fresh(new, words)
        if new is not None and facts.mark is None:
            return marks  # a new file
        return marks._replace(moved=_gone(measures), debt_moved=_debt_share(measures))
    mark, mark_words, mark_kept = _advance(facts, measures, measures.at_mark, facts.mark)
    high, high_words, high_kept = _advance(
        facts,
        measures,
        measures.at_high or measures.at_mark,
        facts.high if facts.high is not None else facts.mark,
    )
    if high != mark and (words >= high_words or high is None):
        high, high_words, high_kept = new, words, words
    same = measures.on_disk if facts.start == facts.disk else measures.at_mark
    start, start_words, start_kept = _stay(facts, measures.at_start or same, facts.start)
    guests, guests_words, guests_kept = _stay(facts, measures.at_guests, facts.guests)
    counts = {
        "disk_words": words,
        "mark_words": mark_words,
        "mark_kept": mark_kept,
        "high_words": high_words,
        "high_kept": high_kept,
        "start_words": start_words,
        "start_kept": start_kept,
        "guests_words": guests_words,
        "guests_kept": guests_kept,
    }
    grew = facts.disk is not None and not measures.from_disk.lost and words > measures.disk_words
    return Marks(mark, high, start, guests, counts, _gone(measures), _debt_share(measures), grew)


def _advance(
    facts: Facts, measures: Measures, reference: Reference, data: bytes | None
) -> tuple[bytes | None, int, int]:
    """(bytes, words, words kept on the new disk) of one mark after the change; -1 where nobody has counted."""
    new = facts.proposed
    words = measures.new_words
    if facts.structural is not None and data is not None and facts.disk is not None and new is not None:
        data = _spliced(data, facts.disk, new, facts.structural)
        return (new, words, words) if data == new else (data, -1, -1)
    at_least = reference.kept_at_least
    if at_least >= reference.words or reference.kept >= reference.words:
        return new, words, words  # every word is here, or stands in an artifact that answers for it now
    if reference.moved_units:
        text = without(reference.text, Counter(u.words for u in reference.moved_units))
        return (
            text.encode("utf-8", "surrogatepass"),
            reference.words - reference.moved,
            reference.kept - reference.moved,
        )
    return data, reference.words, max(at_least, 0) if at_least >= 0 else reference.kept


def _stay(facts: Facts, reference: Reference | None, data: bytes | None) -> tuple[bytes | None, int, int]:
    """The same of what no growth moves, the baseline and what moved in: only what moves on leaves it."""
    if data is None or reference is None:
        return None, -1, -1
    if facts.structural is not None and facts.disk is not None and facts.proposed is not None:
        return _spliced(data, facts.disk, facts.proposed, facts.structural), -1, -1
    if reference.moved_units:
        text = without(reference.text, Counter(u.words for u in reference.moved_units))
        left = reference.words - reference.moved
        return (text.encode("utf-8", "surrogatepass") if left else None), left, reference.kept - reference.moved
    at_least = reference.kept_at_least
    return data, reference.words, at_least if at_least >= 0 else reference.kept


def _spliced(mark: bytes, disk: bytes, new: bytes, span: tuple[int, int]) -> bytes:
    """The mark with a structural replacement made in it as well, where it holds the old range once."""
    if mark == disk:
        return new
    start, end = span
    old_piece, new_piece = disk[start:end], new[start : len(new) - (len(disk) - end)]
    if old_piece and mark.count(old_piece) == 1:
        return mark.replace(old_piece, new_piece, 1)
    return mark


def _gone(measures: Measures) -> Counter[tuple[str, ...]]:
    gone: Counter[tuple[str, ...]] = Counter()
    if measures.facts.elsewhere:
        for reference in measures.references:
            gone |= Counter(u.words for u in reference.moved_units)
    return gone


def _debt_share(measures: Measures) -> int:
    """Words already lost here, in the share that the moved text has of what survives."""
    reference = measures.at_mark
    if not measures.facts.elsewhere or not reference.moved:
        return 0
    lost = reference.whole - reference.kept
    return ceil(lost * reference.moved / max(1, reference.kept))
