"""Where the words of a text went: still here, whole in other artifacts, or there and edited since. Pure.

Each word is counted once. A unit found whole elsewhere is taken out before the rest is compared, so that a
paragraph edited here and copied there has not survived twice; each unit elsewhere answers for one unit only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from firewall.text.diff import Change, common_words, surviving_words
from firewall.text.units import LEAST_WORDS, is_movable_away
from firewall.values import NamedTuple
from firewall.writes.facts import Words

_COMMON = 50
"""A word that stands in more units than this tells none of them apart."""


class Away(NamedTuple):
    """A unit that stands in another artifact: as it was, and as it is there."""

    unit: Words
    now: Words


class Fate(NamedTuple):
    """What became of a text, in words.

    `here` survive in the artifact itself and `there` in others; `size` is how many words the units found in
    others have there now, no unit counted for more than it had. `away` are those units; `released` those that a
    person took over elsewhere, which count as kept whatever became of them.
    """

    here: int
    there: int
    size: int
    away: tuple[Away, ...] = ()
    released: tuple[Words, ...] = ()


def fate(
    change: Change,
    words: int,
    away: Sequence[Words],
    elsewhere: Mapping[Words, int],
    released: Mapping[Words, int],
) -> Fate:
    """The fate of a text of `words` words, those of the units `away` from it included, after `change`."""
    if not away and not elsewhere and not released:
        return Fate(words - change.lost, 0, 0)
    gained = [u.words for u in change.added_units]
    back, missing, gained = _match(away, gained)
    theirs, pool = _Pool(released), _Pool(elsewhere)
    taken, lost = theirs.take(u.words for u in change.lost_units)
    taken_away, missing = theirs.take(missing)
    whole, lost = pool.take(lost)
    whole_away, missing = pool.take(missing)
    short, lost = pool.take_short(lost, sum(map(len, (*whole, *whole_away))))
    found = [Away(unit, unit) for unit in (*whole, *whole_away, *short)]
    taken += taken_away
    there = size = sum(len(a.unit) for a in found) + sum(map(len, taken))
    wanted = {word for unit in (*lost, *missing) for word in unit}
    edited, near_here = _Near(pool.rest() if wanted else (), wanted), _Near(gained, wanted)
    stays = []
    for number, unit in enumerate((*lost, *missing)):
        near = edited.best(unit)
        if near and (number >= len(lost) or near[2] > _common(near_here.best(unit))):
            edited.take(near[0])
            found.append(Away(unit, near[1]))
            there, size = there + near[2], size + min(len(unit), len(near[1]))
        elif number < len(lost):
            stays.append(unit)
    in_text = words - sum(map(len, away)) - sum(len(u.words) for u in change.lost_units)  # found here, whole
    standing = surviving_words(stays, [w for u in gained for w in u])
    return Fate(in_text + sum(map(len, back)) + standing, there, size, tuple(found), tuple(taken))


class _Pool:
    """Units that stand elsewhere, with their copies; each copy answers for one unit."""

    def __init__(self, counted: Mapping[Words, int]) -> None:
        self._counted = counted
        self._used: dict[Words, int] = {}

    def take(self, wanted: Iterable[Words]) -> tuple[list[Words], list[Words]]:
        """(those found, those not) of the units wanted; a short one is found nowhere."""
        found: list[Words] = []
        missing: list[Words] = []
        for unit in wanted:
            (found if is_movable_away(unit) and self._use(unit) else missing).append(unit)
        return found, missing

    def take_short(self, wanted: Iterable[Words], most: int) -> tuple[list[Words], list[Words]]:
        """The same for short units, which go along with long ones: no more words of them than the long ones have."""
        found: list[Words] = []
        missing: list[Words] = []
        for unit in wanted:
            if len(unit) < LEAST_WORDS and len(unit) <= most and self._use(unit):
                most -= len(unit)
                found.append(unit)
            else:
                missing.append(unit)
        return found, missing

    def _use(self, unit: Words) -> bool:
        used = self._used.get(unit, 0)
        if self._counted.get(unit, 0) <= used:
            return False
        self._used[unit] = used + 1
        return True

    def rest(self) -> list[Words]:
        """All that answered for nothing, in the order given."""
        left = ((unit, copies - self._used.get(unit, 0)) for unit, copies in self._counted.items())
        return [unit for unit, copies in left for _ in range(copies)]


def _match(wanted: Sequence[Words], have: Sequence[Words]) -> tuple[list[Words], list[Words], list[Words]]:
    """(found, not found, left of `have`): each unit of `have` answers for one that is wanted."""
    spare = Counter(unit for unit in have if is_movable_away(unit))
    found, missing = [], []
    for unit in wanted:
        if spare[unit] > 0:
            spare[unit] -= 1
            found.append(unit)
        else:
            missing.append(unit)
    used = Counter(found)
    left = []
    for unit in have:
        if used[unit] > 0:
            used[unit] -= 1
        else:
            left.append(unit)
    return found, missing, left


def _common(near: tuple[int, Words, int] | None) -> int:
    return near[2] if near else 0


class _Near:
    """Finds, among units, the one that a unit was edited into: at least half of the longer one in order.

    Only the words that any unit asked about has are looked at: a commit may bring a library along.
    """

    def __init__(self, units: Sequence[Words], wanted: set[str]) -> None:
        self._units = list(units)
        self._taken: set[int] = set()
        self._places: dict[str, list[int]] = {}
        for i, unit in enumerate(self._units) if wanted else ():
            for word in wanted.intersection(unit):
                self._places.setdefault(word, []).append(i)

    def best(self, unit: Words) -> tuple[int, Words, int] | None:
        """(its number, its words, words in common), or None where none is near."""
        if len(unit) < LEAST_WORDS or not self._units:
            return None
        shared: Counter[int] = Counter()
        for word in dict.fromkeys(unit):
            places = self._places.get(word, ())
            if len(places) <= _COMMON:
                shared.update(i for i in places if i not in self._taken)
        if not shared:
            return None
        number = min(shared, key=lambda i: (-shared[i], i))
        other = self._units[number]
        common = common_words(list(unit), list(other))
        return (number, other, common) if 2 * common >= max(len(unit), len(other)) else None

    def take(self, number: int) -> None:
        """This one has been found."""
        self._taken.add(number)
