"""The structure latch: which shape, length and opener each section of a book gets. Pure and seeded.

The same spec gives the same blueprint on every machine: what looks random is a hash of the seed.

Never broken, else the book is refused with the reason:
  neighbours   no two neighbouring sections have one shape, across chapter borders too
  order        no chapter has the order of the chapter before
  balance      the most used and the least used shape differ by `spec.balance` uses at most
  pins         a pinned section has its shape, an excluded shape stays out of its section
Met whenever the book's form allows it, else named in `Blueprint.relaxed`:
  pairs        no pattern A B A B, and no ordered pair of shapes is used again while others wait
  orders       no chapter of three sections or more has the order of any other chapter
"""

from __future__ import annotations

import hashlib
import itertools
from typing import NamedTuple

from latches.blueprint import Blueprint, SectionPlan, lock
from latches.errors import PlanRefused
from latches.search import Problem, feasible, solve
from latches.shapes import OPENERS, SHAPES, Shape
from latches.vocabulary import checked

LENGTHS = (70, 85, 100, 115, 130)
"""Target lengths in percent of the book's usual one. Each deck of five uses all, so the mean is kept."""


class SectionSpec(NamedTuple):
    """A section that the book asks for. `words`, `shape` pin its length and shape; `exclude` bars shapes."""

    title: str
    words: int | None = None
    shape: str | None = None
    exclude: tuple[str, ...] = ()


class ChapterSpec(NamedTuple):
    """A chapter and its sections, in order."""

    title: str
    sections: tuple[SectionSpec, ...]


class StructureSpec(NamedTuple):
    """What of a book decides its structure.

    `words` is the usual length of a section, `seed` picks one of the many layouts that satisfy the rules,
    `balance` is how far apart the uses of two shapes may be (1 or more).
    """

    book: str
    chapters: tuple[ChapterSpec, ...]
    shapes: tuple[Shape, ...] = SHAPES
    words: int = 650
    seed: int = 0
    balance: int = 1


def assign(spec: StructureSpec) -> Blueprint:
    """The blueprint of a book. Raises PlanRefused when no layout keeps the rules, naming what is in the way.

    An `exclude` or `shape` of a section is honoured or the book is refused.
    """
    problem = _problem(spec)
    solved = solve(problem)
    if solved is None:
        raise _why(spec, problem)
    choice, wishes = solved
    lengths = _dealt(spec, "length", [str(percent) for percent in LENGTHS], len(choice))
    openers = _dealt(spec, "opener", list(OPENERS), len(choice))
    out: list[SectionPlan] = []
    for number, (chapter, position) in enumerate(_places(spec), 1):
        section = spec.chapters[chapter].sections[position]
        shape = spec.shapes[choice[number - 1]]
        words = section.words or max(10, round(spec.words * int(lengths[number - 1]) / 1000) * 10)
        out.append(
            SectionPlan(
                number,
                chapter + 1,
                position + 1,
                spec.chapters[chapter].title,
                section.title,
                shape.name,
                shape.elements,
                words,
                openers[number - 1],
                shape.options,
            )
        )
    return lock(spec.book, tuple(out), wishes.relaxed())


def pinned_to(spec: StructureSpec, old: Blueprint, titles: frozenset[tuple[str, str]]) -> StructureSpec:
    """`spec` with the sections in `titles`, as (chapter title, title), pinned to what `old` gave them.

    For a spec edited after sections were written: what stands keeps its shape and length, and only the
    rest is laid out anew. A pin or length that the spec itself gives wins.
    """
    was = {(s.chapter_title, s.title): s for s in old.sections if (s.chapter_title, s.title) in titles}
    known = {shape.name for shape in spec.shapes}
    chapters = []
    for chapter in spec.chapters:
        sections = []
        for section in chapter.sections:
            before = was.get((chapter.title, section.title))
            if before is not None and before.shape in known:
                section = section._replace(
                    shape=section.shape or before.shape, words=section.words or before.target_words
                )
            sections.append(section)
        chapters.append(chapter._replace(sections=tuple(sections)))
    return spec._replace(chapters=tuple(chapters))


def _places(spec: StructureSpec) -> list[tuple[int, int]]:
    return [(c, s) for c, chapter in enumerate(spec.chapters) for s in range(len(chapter.sections))]


def _problem(spec: StructureSpec) -> Problem:
    """The spec as numbers for the search. Raises PlanRefused and BadShape for what is wrong in itself."""
    names = [checked(shape).name for shape in spec.shapes]
    if not spec.chapters or not all(chapter.sections for chapter in spec.chapters):
        raise PlanRefused(reason="a chapter has no sections", fix="Give every chapter at least one section.")
    if len(set(names)) != len(names):
        raise PlanRefused(reason="two shapes have one name", fix="Rename one of them.")
    allowed: list[tuple[int, ...]] = []
    for chapter in spec.chapters:
        for section in chapter.sections:
            for name in (*section.exclude, *((section.shape,) if section.shape else ())):
                if name not in names:
                    raise PlanRefused(
                        reason=f"section {section.title!r} names the shape {name!r}, which does not exist",
                        fix=f"The shapes are {', '.join(names)}.",
                    )
            if section.shape and section.shape in section.exclude:
                raise PlanRefused(
                    reason=f"section {section.title!r} is pinned to {section.shape!r} and excludes it",
                    fix="Take away the pin or the exclusion.",
                )
            wanted = [section.shape] if section.shape else [n for n in names if n not in section.exclude]
            if not wanted:
                raise PlanRefused(
                    reason=f"section {section.title!r} excludes every shape", fix="Leave it at least one."
                )
            allowed.append(tuple(names.index(name) for name in wanted))
    order = tuple(_shuffled(spec, f"shape {place}", list(range(len(names)))) for place in range(len(allowed)))
    chapters = tuple(len(chapter.sections) for chapter in spec.chapters)
    return Problem(len(names), chapters, tuple(allowed), order, spec.balance)


def _why(spec: StructureSpec, problem: Problem) -> PlanRefused:
    """Which one thing is in the way: found by leaving it out and searching again."""
    sections = [section for chapter in spec.chapters for section in chapter.sections]
    names = [shape.name for shape in spec.shapes]
    for number, (one, two) in enumerate(itertools.pairwise(sections), 1):
        if one.shape and one.shape == two.shape:
            return PlanRefused(
                reason=f"sections {number} and {number + 1}, {one.title!r} and {two.title!r}, are neighbours "
                f"and both pinned to {one.shape!r}",
                fix="Pin one of them to another shape, or set a section between them.",
            )
    free = tuple(range(problem.shapes))
    if any(len(allowed) < problem.shapes for allowed in problem.allowed):
        for number, section in enumerate(sections):
            if len(problem.allowed[number]) == problem.shapes:
                continue
            loose = (*problem.allowed[:number], free, *problem.allowed[number + 1 :])
            if feasible(problem._replace(allowed=loose)):
                what = f"pin to {section.shape!r}" if section.shape else f"excludes {list(section.exclude)}"
                return PlanRefused(
                    reason=f"section {number + 1}, {section.title!r} ({what}), cannot be fitted in "
                    f"with neighbours unlike and uses within {spec.balance} of each other",
                    fix="Take that away, or raise `balance`.",
                )
        for balance in range(spec.balance + 1, len(sections) + 1):
            if feasible(problem._replace(balance=balance)):
                return PlanRefused(
                    reason=f"with these pins and exclusions the uses of two shapes differ by {balance}, "
                    f"and {spec.balance} is allowed",
                    fix=f"Set `balance = {balance}`, or take pins away.",
                )
        return PlanRefused(reason="the pins and exclusions contradict each other", fix="Take some of them away.")
    return PlanRefused(
        reason=f"{len(names)} shapes cannot fill {len(sections)} sections in chapters of "
        f"{', '.join(map(str, problem.chapters))} with neighbours unlike and no chapter like the one before",
        fix="Three shapes or more can; define another shape in the book.",
    )


def _shuffled(spec: StructureSpec, what: str, items: list[int]) -> tuple[int, ...]:
    """`items` in an order that hangs on the seed, the book and `what`, and on nothing else."""
    stamp = f"{spec.seed}\0{spec.book}\0{what}\0"
    return tuple(sorted(items, key=lambda item: hashlib.sha256(f"{stamp}{item}".encode()).digest()))


def _dealt(spec: StructureSpec, what: str, cards: list[str], count: int) -> list[str]:
    """`count` cards from decks that hold each card once; no two neighbours are alike."""
    out: list[str] = []
    deck = 0
    while len(out) < count:
        order = _shuffled(spec, f"{what} {deck}", list(range(len(cards))))
        dealt = [cards[index] for index in order]
        if out and dealt[0] == out[-1]:
            dealt.append(dealt.pop(0))
        out.extend(dealt)
        deck += 1
    return out[:count]
