"""Shapes that the notes can fill are preferred, and the rules of the structure latch stay law."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from latches.blueprint import Blueprint
from latches.shapes import EVERYDAY, SHAPES
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign

MAIN = tuple(shape.name for shape in SHAPES)
SPARE = tuple(shape.name for shape in EVERYDAY)


def spec(
    fills: list[set[str] | None], sizes: list[int] | None = None, seed: int = 0, pins: dict[int, str] | None = None
) -> StructureSpec:
    """A book whose sections' notes fill the given shapes, in chapters of `sizes`, or one."""
    sections = [
        SectionSpec(f"S{n}", shape=(pins or {}).get(n), fills=None if known is None else frozenset(known))
        for n, known in enumerate(fills)
    ]
    left = iter(sections)
    chapters = [
        ChapterSpec(f"C{c}", tuple(itertools.islice(left, size))) for c, size in enumerate(sizes or [len(fills)])
    ]
    return StructureSpec("Book", tuple(chapters), seed=seed, spare=EVERYDAY)


def shapes_of(blueprint: Blueprint) -> list[str]:
    return [section.shape for section in blueprint.sections]


def misfits(blueprint: Blueprint, fills: list[set[str] | None]) -> int:
    return sum(
        known is not None and shape not in known for shape, known in zip(shapes_of(blueprint), fills, strict=True)
    )


def test_without_knowledge_of_the_notes_nothing_changes() -> None:
    plain = StructureSpec("Book", spec([None] * 8, [4, 4]).chapters)
    assert assign(plain) == assign(spec([None] * 8, [4, 4]))


def test_each_section_gets_a_shape_that_its_notes_fill() -> None:
    fills: list[set[str] | None] = [
        {MAIN[3]},
        {MAIN[2]},
        {MAIN[1]},
        {MAIN[0]},
        {MAIN[2]},
        {MAIN[3]},
        {MAIN[0]},
        {MAIN[1]},
    ]
    for seed in range(5):
        blueprint = assign(spec(fills, [4, 4], seed))
        assert misfits(blueprint, fills) == 0
        assert blueprint.relaxed == ()


def test_a_shape_that_no_notes_fill_is_left_out_and_said_to_be() -> None:
    fills: list[set[str] | None] = [set(MAIN) - {"post_mortem"}] * 6
    blueprint = assign(spec(fills, [3, 3]))
    assert "post_mortem" not in shapes_of(blueprint)
    assert any("post_mortem is left out" in line for line in blueprint.relaxed)


def test_everyday_shapes_come_in_only_where_the_others_cannot_be_filled() -> None:
    able: list[set[str] | None] = [set(MAIN) | set(SPARE)] * 8
    assert not set(shapes_of(assign(spec(able, [4, 4])))) & set(SPARE)
    plain: list[set[str] | None] = [{"account", "sketch"}, {"walkthrough"}, {"questions", "account"}]
    blueprint = assign(spec(plain, [1, 1, 1]))
    assert misfits(blueprint, plain) == 0
    assert any("Everyday shapes" in line for line in blueprint.relaxed)


def test_a_pin_wins_over_what_the_notes_fill() -> None:
    fills: list[set[str] | None] = [{"account"}, {"account", "sketch"}, {"sketch"}]
    blueprint = assign(spec(fills, [3], pins={1: "deep_code"}))
    assert shapes_of(blueprint)[1] == "deep_code"
    assert shapes_of(assign(spec(fills, [3], pins={1: "walkthrough"})))[1] == "walkthrough"


def test_notes_of_one_kind_alone_cannot_make_neighbours_alike() -> None:
    fills: list[set[str] | None] = [{"account"}] * 5
    shapes = shapes_of(assign(spec(fills, [5])))
    assert all(one != two for one, two in itertools.pairwise(shapes))
    assert shapes.count("account") >= 2


FILLS = st.lists(
    st.one_of(st.none(), st.sets(st.sampled_from((*MAIN, *SPARE)), max_size=4)), min_size=1, max_size=12
)  # fmt: skip


@given(FILLS, st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_whatever_the_notes_fill_the_rules_hold(fills: list[set[str] | None], size: int, seed: int) -> None:
    sizes = [size] * (len(fills) // size) + ([len(fills) % size] if len(fills) % size else [])
    book = spec(fills, sizes, seed)
    blueprint = assign(book)
    shapes = shapes_of(blueprint)
    assert assign(book) == blueprint
    assert all(one != two for one, two in itertools.pairwise(shapes))
    ends = list(itertools.accumulate(sizes))
    orders = [tuple(shapes[end - count : end]) for end, count in zip(ends, sizes, strict=True)]
    assert all(one != two for one, two in itertools.pairwise(orders))
    in_play = set(shapes)
    uses = [shapes.count(shape) for shape in in_play]
    assert max(uses) - min(uses) <= 1
    if len(set(shapes)) < len(MAIN) and not set(shapes) & set(SPARE) and len(shapes) >= 4:
        assert any("left out" in line for line in blueprint.relaxed)


@given(FILLS, st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_knowing_the_notes_never_makes_a_worse_book(fills: list[set[str] | None], seed: int) -> None:
    blind = assign(spec([None] * len(fills), None, seed))
    assert misfits(assign(spec(fills, None, seed)), fills) <= misfits(blind, fills)
