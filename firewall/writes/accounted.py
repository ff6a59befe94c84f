"""Which units of a text are gone from it and no loss to its structure: they stand elsewhere, or a second time. Pure."""

from __future__ import annotations

from collections import Counter

from firewall.text.diff import kept_numbers
from firewall.text.units import LEAST_WORDS, blocks, units
from firewall.writes.facts import Words
from firewall.writes.measures import Measures


def accounted_for(measures: Measures) -> set[int]:
    """The numbers of those units of the disk that are gone and no loss: they stand in other artifacts, of whatever
    length and, for a heading, of whatever level; or they are copies of what still stands here, as where a section was
    there twice. Of short copies, such as a heading that many sections have, no more words count than of long ones."""
    old, new = ([unit.words for unit in units(text)] for text in (measures.disk, measures.new))
    now = Counter(new)
    gone = Counter(old)
    gone.subtract(now)
    left: dict[Words, int] = {}
    found: Counter[Words] = Counter()
    for words, count in gone.items():
        if count > 0:
            levels = _levels(words)
            there = left.get(levels[0], sum(measures.facts.elsewhere.get(each, 0) for each in levels))
            found[words] = min(count, there)
            left[levels[0]] = there - found[words]
    copies = {words: count for words, count in (gone - found).items() if words in now}
    spare = sum(len(words) * count for words, count in copies.items() if len(words) >= LEAST_WORDS)
    for words, count in copies.items():
        if len(words) >= LEAST_WORDS:
            found[words] += count
        else:
            few = min(count, spare // len(words))
            spare -= few * len(words)
            found[words] += few
    kept = kept_numbers(old, new)
    numbers = set()
    for number in sorted(range(len(old)), key=lambda n: (n in kept, n)):  # of equal ones those first that did not stay
        if found[old[number]] > 0:
            found[old[number]] -= 1
            numbers.add(number)
    return numbers - _torn(measures.disk, numbers)


def _torn(text: str, numbers: set[int]) -> set[int]:
    """Those of the numbers that are rows of tables of which other rows are not among them: two tables may have a head
    in common, and the one is no copy of the other."""
    torn: set[int] = set()
    for block, first in blocks(text):
        rows = [first + n for n, unit in enumerate(block) if unit.words[0].startswith(("|", "+-", "+="))]
        if not numbers.issuperset(rows):
            torn.update(rows)
    return torn


def _levels(words: Words) -> tuple[Words, ...]:
    """A unit, or for a heading the same at every level."""
    if len(words) > 1 and set(words[0]) in ({"#"}, {"="}, {"*"}):
        return tuple((words[0][0] * level, *words[1:]) for level in range(1, 7))
    return (words,)
