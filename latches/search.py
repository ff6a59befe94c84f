"""The search behind the structure latch: depth first, with a count of steps instead of a clock."""

from __future__ import annotations

import itertools
from typing import NamedTuple

STEPS = 2_000
STEPS_A_SECTION = 50
"""Steps that one try may take before the next weaker set of wishes is tried."""


class Problem(NamedTuple):
    """`shapes` numbers 0..n-1 to be put on the sections of `chapters` (their counts), in order.

    `allowed[i]` are the shapes section i may have, `order[i]` all shapes in the order to try them. `misfits[i]`
    are those that its notes cannot fill: as few sections as the rules allow get one of them.
    """

    shapes: int
    chapters: tuple[int, ...]
    allowed: tuple[tuple[int, ...], ...]
    order: tuple[tuple[int, ...], ...]
    balance: int
    misfits: tuple[frozenset[int], ...] = ()


class Wishes(NamedTuple):
    """How strictly the rules that may bend are held. `slack` is added to the cap on uses of a pair."""

    slack: int = 0
    orders: bool = True
    patterns: bool = True

    def relaxed(self) -> tuple[str, ...]:
        """What was given up, in sentences."""
        out = []
        if self.slack:
            out.append(f"Some pairs of neighbouring shapes are used {self.slack} times more than others.")
        if not self.orders:
            out.append("Two chapters that do not follow each other have the same order of shapes.")
        if not self.patterns:
            out.append("Somewhere two shapes alternate twice in a row (A B A B).")
        return tuple(out)


_LADDER = (
    Wishes(),
    Wishes(slack=1),
    Wishes(slack=2),
    Wishes(slack=2, orders=False),
    Wishes(slack=1_000_000, orders=True),
    Wishes(slack=1_000_000, orders=False),
    Wishes(slack=1_000_000, orders=False, patterns=False),
)


def solve(problem: Problem) -> tuple[list[int], Wishes] | None:
    """A layout and the wishes it was found under, the strictest that gave one; None when there is none.

    Rules and wishes come first; under them, as few sections as can be found have a shape that does not fit.
    """
    for wishes in _LADDER:
        if wishes.orders and not _orders_suffice(problem):
            continue
        found = _search(problem, wishes)
        if found is not None:
            found = _fitted(problem, wishes, found)
            return found, _measured(problem, found)
    return None


def misfitting(problem: Problem, chosen: list[int]) -> int:
    """How many sections have a shape that does not fit them."""
    return sum(shape in unfit for shape, unfit in zip(chosen, problem.misfits, strict=False))


def _fitted(problem: Problem, wishes: Wishes, found: list[int]) -> list[int]:
    """The layout with the fewest misfits that a search for 0, 1, 2, 4 … of them more than must be comes upon."""
    least = sum(unfit.issuperset(can) for can, unfit in zip(problem.allowed, problem.misfits, strict=False))
    extra = 0
    while least + extra < misfitting(problem, found):
        better = _search(problem, wishes, least + extra)
        if better is not None:
            return better
        extra = extra * 2 or 1
    return found


def feasible(problem: Problem) -> bool:
    """Is there a layout that keeps the rules that never bend?"""
    return _search(problem, _LADDER[-1]) is not None


def _orders_suffice(problem: Problem) -> bool:
    """Are there as many orders of n sections without like neighbours as chapters of n sections?"""
    sizes = [size for size in problem.chapters if size >= 3]
    return all(sizes.count(n) <= problem.shapes * (problem.shapes - 1) ** (n - 1) for n in set(sizes))


class _State:
    """Uses so far, kept up to date as sections are set and taken back."""

    def __init__(self, problem: Problem, wishes: Wishes, misfits: int | None) -> None:
        self.problem = problem
        self.wishes = wishes
        self.unfit = problem.misfits or (frozenset(),) * len(problem.allowed)
        self.left = len(problem.allowed) if misfits is None else misfits  # misfits that there may still be
        self.owed = [0]  # sections after each that cannot but have one, counted from the end
        for can, unfit in zip(reversed(problem.allowed[1:]), reversed(self.unfit[1:]), strict=True):
            self.owed.append(self.owed[-1] + unfit.issuperset(can))
        self.owed.reverse()
        self.count = len(problem.allowed)
        self.uses = [0] * problem.shapes
        self.pairs: dict[tuple[int, int], int] = {}
        self.chosen: list[int] = []
        self.cap = _pair_cap(problem) + wishes.slack
        self.first: list[int] = []  # the section that each section's chapter begins with
        self.last: list[bool] = []
        for size in problem.chapters:
            begin = len(self.first)
            self.first.extend([begin] * size)
            self.last.extend([False] * (size - 1) + [True])
        self.before = {begin: previous for previous, begin in zip(starts(problem), starts(problem)[1:], strict=False)}
        self.orders: set[tuple[int, ...]] = set()
        self.forced = [[0] * problem.shapes]  # pins to come after each section, by shape, counted from the end
        for allowed in reversed(problem.allowed[1:]):
            row = list(self.forced[-1])
            if len(allowed) == 1:
                row[allowed[0]] += 1
            self.forced.append(row)
        self.forced.reverse()

    def fits(self, shape: int) -> bool:
        """May the next section have `shape`, as far as can be seen from here?"""
        at = len(self.chosen)
        chosen = self.chosen
        if at and chosen[-1] == shape:
            return False
        if self.left - (shape in self.unfit[at]) < self.owed[at]:
            return False
        if at and self.pairs.get((chosen[-1], shape), 0) >= self.cap:
            return False
        if self.wishes.patterns and at >= 3 and chosen[-1] == chosen[-3] and chosen[-2] == shape:
            return False
        forced = self.forced[at]
        uses = [now + later for now, later in zip(self.uses, forced, strict=True)]
        uses[shape] += 1
        least = max(uses) - self.problem.balance
        owed = sum(least - used for used in uses if used < least)
        if owed > self.count - at - 1 - sum(forced):
            return False
        if self.last[at]:
            order = (*chosen[self.first[at] :], shape)
            begin = self.before.get(self.first[at])
            if begin is not None and order == tuple(chosen[begin : self.first[at]]):
                return False
            if self.wishes.orders and len(order) >= 3 and order in self.orders:
                return False
        return True

    def push(self, shape: int) -> None:
        at = len(self.chosen)
        if at:
            pair = (self.chosen[-1], shape)
            self.pairs[pair] = self.pairs.get(pair, 0) + 1
        self.uses[shape] += 1
        self.left -= shape in self.unfit[at]
        self.chosen.append(shape)
        if self.wishes.orders and self.last[at] and at - self.first[at] >= 2:
            self.orders.add(tuple(self.chosen[self.first[at] :]))

    def pop(self) -> None:
        at = len(self.chosen) - 1
        if self.wishes.orders and self.last[at] and at - self.first[at] >= 2:
            self.orders.discard(tuple(self.chosen[self.first[at] :]))
        shape = self.chosen.pop()
        self.left += shape in self.unfit[at]
        self.uses[shape] -= 1
        if self.chosen:
            self.pairs[self.chosen[-1], shape] -= 1

    def candidates(self) -> list[int]:
        """Shapes for the next section, the best first: least used pair, then least used shape."""
        at = len(self.chosen)
        previous = self.chosen[-1] if self.chosen else -1
        rank = {shape: turn for turn, shape in enumerate(self.problem.order[at])}
        fitting = [shape for shape in self.problem.allowed[at] if self.fits(shape)]
        later, unfit = self.forced[at], self.unfit[at]
        fitting.sort(key=lambda s: (s in unfit, self.pairs.get((previous, s), 0), self.uses[s] + later[s], rank[s]))
        return fitting


def starts(problem: Problem) -> list[int]:
    """The section that each chapter begins with."""
    out, at = [], 0
    for size in problem.chapters:
        out.append(at)
        at += size
    return out


def _pair_cap(problem: Problem) -> int:
    """Uses an ordered pair may have when all pairs are used as evenly as they can be."""
    kinds = problem.shapes * (problem.shapes - 1)
    return -(-(len(problem.allowed) - 1) // kinds) if kinds else 0


def _search(problem: Problem, wishes: Wishes, misfits: int | None = None) -> list[int] | None:
    """The first layout in depth-first order, or None when there is none or the steps are used up.

    `misfits` is how many there may be, None for any number.
    """
    state = _State(problem, wishes, misfits)
    waiting = [state.candidates()]
    steps = STEPS + STEPS_A_SECTION * state.count
    while waiting and steps:
        steps -= 1
        if not waiting[-1]:
            waiting.pop()
            if state.chosen:
                state.pop()
            continue
        state.push(waiting[-1].pop(0))
        if len(state.chosen) == state.count:
            return state.chosen
        waiting.append(state.candidates())
    return None


def _measured(problem: Problem, chosen: list[int]) -> Wishes:
    """What a layout really gives up, measured on it, whatever set of wishes it was found under."""
    pairs: dict[tuple[int, int], int] = {}
    for pair in itertools.pairwise(chosen):
        pairs[pair] = pairs.get(pair, 0) + 1
    slack = max(0, max(pairs.values(), default=0) - _pair_cap(problem))
    begins = [*starts(problem), len(chosen)]
    orders = [tuple(chosen[a:b]) for a, b in itertools.pairwise(begins) if b - a >= 3]
    patterns = any(chosen[i] == chosen[i + 2] and chosen[i + 1] == chosen[i + 3] for i in range(len(chosen) - 3))
    return Wishes(slack, len(set(orders)) == len(orders), not patterns)
