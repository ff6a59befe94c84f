"""The structure latch: which shape, length and opener each section of a book gets. Pure and seeded.

The same spec gives the same blueprint on every machine: what looks random is a hash of the seed.

Never broken, else the book is refused with the reason:
  neighbours   no two neighbouring sections have one shape, across chapter borders too
  order        no chapter has the order of the chapter before
  balance      the most used and the least used shape differ by `spec.balance` uses at most; a shape that
               every section excludes does not count
  pins         a pinned section has its shape, an excluded shape stays out of its section
Met whenever the book's form allows it, else named in `Blueprint.relaxed`:
  pairs        no pattern A B A B, and no ordered pair of shapes is used again while others wait
  orders       no chapter of three sections or more has the order of any other chapter
Under all of these, as many sections as can be found get a shape that their notes fill; see latches/fitting.py.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from typing import NamedTuple

from latches.blueprint import Blueprint, SectionPlan, keyed, lock
from latches.errors import PlanRefused
from latches.fitting import plays, told
from latches.search import Problem, feasible, misfitting, solve
from latches.shapes import EVERYDAY, OPENERS, SHAPES, Shape
from latches.vocabulary import checked

TRIES = 12
"""Searches made to say why a book is refused."""
LENGTHS = (70, 85, 100, 115, 130)
"""Target lengths in percent of the book's usual one. Each deck of five uses all, so the mean is kept."""


class SectionSpec(NamedTuple):
    """A section that the book asks for. `words`, `shape` pin its length and shape; `exclude` bars shapes.

    `fills` are the shapes that its notes can fill, or None where that is not known.
    """

    title: str
    words: int | None = None
    shape: str | None = None
    exclude: tuple[str, ...] = ()
    fills: frozenset[str] | None = None


class ChapterSpec(NamedTuple):
    """A chapter and its sections, in order."""

    title: str
    sections: tuple[SectionSpec, ...]


class StructureSpec(NamedTuple):
    """What of a book decides its structure.

    `words` is the usual length of a section, `seed` picks one of the many layouts that satisfy the rules,
    `balance` is how far apart the uses of two shapes may be (1 or more). `spare` shapes come into play by a pin, or
    where the notes fill none of the others.
    """

    book: str
    chapters: tuple[ChapterSpec, ...]
    shapes: tuple[Shape, ...] = SHAPES
    words: int = 650
    seed: int = 0
    balance: int = 1
    spare: tuple[Shape, ...] = ()


def assign(spec: StructureSpec) -> Blueprint:
    """The blueprint of a book. Raises PlanRefused when no layout keeps the rules, naming what is in the way.

    An `exclude` or `shape` of a section is honoured or the book is refused.
    """
    spec, choice, relaxed = _laid_out(_checked(spec))
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
    return lock(spec.book, tuple(out), relaxed)


def _laid_out(spec: StructureSpec) -> tuple[StructureSpec, list[int], tuple[str, ...]]:
    """The spec with the shapes that are in play, which of them each section gets, and what was given up."""
    pinned = {section.shape for section in _sections(spec)}
    bare = _in_play(spec._replace(shapes=(*spec.shapes, *(s for s in spec.spare if s.name in pinned))))
    main = tuple(s.name for s in bare.shapes)
    spare = tuple(s for s in spec.spare if s.name not in main)
    fills = [section.fills for section in _sections(spec)]
    allowed = [_allowed(section, [*main, *(s.name for s in spare)]) for section in _sections(spec)]
    known = any(fill is not None for fill in fills)
    best: tuple[int, StructureSpec, list[int], tuple[str, ...]] | None = None
    for play in plays(main, tuple(s.name for s in spare), allowed, fills, spec.balance) if known else ():
        if best is not None and best[0] <= play.least:
            break
        some = _in_play(spec._replace(shapes=tuple(s for s in (*bare.shapes, *spare) if s.name in play.shapes)))
        problem = _problem(some)
        solved = solve(problem) if all(problem.allowed) else None
        if solved is not None and (best is None or misfitting(problem, solved[0]) < best[0]):
            relaxed = (*solved[1].relaxed(), *told(main, spare, play))
            best = misfitting(problem, solved[0]), some, solved[0], relaxed
    if best is not None:
        return best[1:]
    problem = _problem(bare)
    solved = solve(problem)
    if solved is None:
        raise _why(bare, problem)
    return bare, solved[0], solved[1].relaxed()


def pinned_to(spec: StructureSpec, old: Blueprint, titles: frozenset[tuple[str, str]]) -> StructureSpec:
    """`spec` with the sections in `titles`, as (chapter title, title), pinned to what `old` gave them.

    For a spec edited after sections were written: what stands keeps its shape and length, and only the
    rest is laid out anew. A pin or length that the spec itself gives wins.
    """
    was = {key: section for key, section in keyed(old).items() if key[:2] in titles}
    known = {shape.name for shape in (*spec.shapes, *spec.spare)}
    chapters = []
    seen: Counter[tuple[str, str]] = Counter()
    for chapter in spec.chapters:
        sections = []
        for section in chapter.sections:
            before = was.get((chapter.title, section.title, seen[chapter.title, section.title]))
            seen[chapter.title, section.title] += 1
            if before is not None and before.shape in known:
                section = section._replace(
                    shape=section.shape or before.shape, words=section.words or before.target_words
                )
            sections.append(section)
        chapters.append(chapter._replace(sections=tuple(sections)))
    return spec._replace(chapters=tuple(chapters))


def _places(spec: StructureSpec) -> list[tuple[int, int]]:
    return [(c, s) for c, chapter in enumerate(spec.chapters) for s in range(len(chapter.sections))]


def _checked(spec: StructureSpec) -> StructureSpec:
    """The spec itself. Raises PlanRefused and BadShape for what is wrong in it, whatever the layout."""
    names = [checked(shape).name for shape in (*spec.shapes, *spec.spare)]
    if not spec.chapters or not all(chapter.sections for chapter in spec.chapters):
        raise PlanRefused(reason="a chapter has no sections", fix="Give every chapter at least one section.")
    twice = next((name for at, name in enumerate(names) if name in names[:at]), "")
    if twice:
        known = " It is one that is always there." if twice in {shape.name for shape in (*SHAPES, *EVERYDAY)} else ""
        raise PlanRefused(reason=f"two shapes are called {twice!r}", fix=f"Rename one of them.{known}")
    for section in _sections(spec):
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
        if not _allowed(section, names):
            raise PlanRefused(reason=f"section {section.title!r} excludes every shape", fix="Leave it at least one.")
    return spec


def _in_play(spec: StructureSpec) -> StructureSpec:
    """The spec without the shapes that no section may have: they take no part in the balance."""
    names = [shape.name for shape in spec.shapes]
    used = {name for section in _sections(spec) for name in _allowed(section, names)}
    return spec._replace(shapes=tuple(shape for shape in spec.shapes if shape.name in used))


def _sections(spec: StructureSpec) -> list[SectionSpec]:
    return [section for chapter in spec.chapters for section in chapter.sections]


def _allowed(section: SectionSpec, names: list[str]) -> list[str]:
    return [section.shape] if section.shape else [name for name in names if name not in section.exclude]


def _problem(spec: StructureSpec) -> Problem:
    """The spec as numbers for the search."""
    names = [shape.name for shape in spec.shapes]
    allowed = tuple(
        tuple(names.index(name) for name in _allowed(section, names) if name in names) for section in _sections(spec)
    )
    order = tuple(_shuffled(spec, f"shape {place}", list(range(len(names)))) for place in range(len(allowed)))
    chapters = tuple(len(chapter.sections) for chapter in spec.chapters)
    misfits = tuple(
        frozenset(n for n, name in enumerate(names) if section.fills is not None and name not in section.fills)
        for section in _sections(spec)
    )
    return Problem(len(names), chapters, allowed, order, spec.balance, misfits)


def _why(spec: StructureSpec, problem: Problem) -> PlanRefused:
    """Which one thing is in the way: found by leaving it out and searching again."""
    sections = _sections(spec)
    names = [shape.name for shape in spec.shapes]
    for number, (one, two) in enumerate(itertools.pairwise(sections), 1):
        if one.shape and one.shape == two.shape:
            return PlanRefused(
                reason=f"sections {number} and {number + 1}, {one.title!r} and {two.title!r}, are neighbours "
                f"and both pinned to {one.shape!r}",
                fix="Pin one of them to another shape, or set a section between them.",
            )
    if any(len(allowed) < problem.shapes for allowed in problem.allowed):
        return _why_pins(spec, problem, sections)
    return PlanRefused(
        reason=f"{len(names)} shapes cannot fill {len(sections)} sections in chapters of "
        f"{', '.join(map(str, problem.chapters))} with neighbours unlike and no chapter like the one before",
        fix="Three shapes or more can; define another shape in the book.",
    )


def _why_pins(spec: StructureSpec, problem: Problem, sections: list[SectionSpec]) -> PlanRefused:
    """Which pin or exclusion is in the way, or the balance that would do with all of them."""
    pins = Counter(allowed[0] for allowed in problem.allowed if len(allowed) == 1)
    most = max(pins.values(), default=0)
    spread = most - (len(sections) - most) // max(1, problem.shapes - 1)  # the pins alone ask for this much
    first = max(spec.balance + 1, spread)
    for balance in range(first, first + TRIES):
        if feasible(problem._replace(balance=balance)):
            return PlanRefused(
                reason=f"with these pins and exclusions the uses of two shapes differ by {balance}, "
                f"and {spec.balance} is allowed",
                fix=f"Set `balance = {balance}`, or take pins away.",
            )
    free = tuple(range(problem.shapes))
    bound = [number for number, allowed in enumerate(problem.allowed) if len(allowed) < problem.shapes]
    for number in bound[:TRIES]:
        section = sections[number]
        loose = (*problem.allowed[:number], free, *problem.allowed[number + 1 :])
        if feasible(problem._replace(allowed=loose, balance=first + TRIES)):
            what = f"pinned to {section.shape!r}" if section.shape else f"excluding {', '.join(section.exclude)}"
            return PlanRefused(
                reason=f"section {number + 1}, {section.title!r}, {what}, does not fit between its neighbours",
                fix="Take that away, or change what its neighbours may be.",
            )
    return PlanRefused(reason="the pins and exclusions contradict each other", fix="Take some of them away.")


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
