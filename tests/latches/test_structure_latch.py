"""The structure latch: rules that never break, wishes that are met or named, and reasons for a refusal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from latches.blueprint import Blueprint, differences, from_json, lock, to_json
from latches.errors import BadBlueprint, BadShape, PlanRefused
from latches.render import HEADERS, plan_rows, rhythm
from latches.shapes import OPENERS, SHAPES, Shape
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign, pinned_to

NAMES = [shape.name for shape in SHAPES]


def book(sizes: list[int], **more: object) -> StructureSpec:
    chapters = tuple(
        ChapterSpec(f"Chapter {c}", tuple(SectionSpec(f"Section {c}.{s}") for s in range(size)))
        for c, size in enumerate(sizes, 1)
    )
    return StructureSpec("A book", chapters)._replace(**more)


def changed(spec: StructureSpec, chapter: int, section: int, **more: object) -> StructureSpec:
    sections = list(spec.chapters[chapter].sections)
    sections[section] = sections[section]._replace(**more)
    chapters = list(spec.chapters)
    chapters[chapter] = chapters[chapter]._replace(sections=tuple(sections))
    return spec._replace(chapters=tuple(chapters))


def orders(plan: Blueprint) -> list[tuple[str, ...]]:
    out: dict[int, list[str]] = {}
    for section in plan.sections:
        out.setdefault(section.chapter, []).append(section.shape)
    return [tuple(order) for order in out.values()]


def assert_rules(plan: Blueprint, balance: int = 1, shapes: int = 4) -> None:
    """The rules that never bend. `shapes` are those that some section may have."""
    chosen = [section.shape for section in plan.sections]
    assert all(one != two for one, two in pairwise(chosen))
    assert all(one != two for one, two in pairwise(orders(plan)))
    uses = Counter(chosen)
    least = min(uses.values()) if len(uses) == shapes else 0
    assert max(uses.values()) - least <= balance


def assert_wishes(plan: Blueprint, shapes: int = 4) -> None:
    """The rules that a free book of ordinary form meets in full."""
    chosen = [section.shape for section in plan.sections]
    assert not plan.relaxed
    assert not any(a == c and b == d for a, b, c, d in zip(chosen, chosen[1:], chosen[2:], chosen[3:], strict=False))
    pairs = Counter(pairwise(chosen))
    assert not pairs or max(pairs.values()) <= -(-(len(chosen) - 1) // (shapes * (shapes - 1)))
    long = [order for order in orders(plan) if len(order) >= 3]
    assert len(set(long)) == len(long)


SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=14)


@given(SIZES, st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_a_free_book_keeps_every_rule_and_meets_every_wish(sizes: list[int], seed: int) -> None:
    plan = assign(book(sizes, seed=seed))
    assert_rules(plan)
    assert_wishes(plan)


@given(SIZES, st.integers(0, 100), st.data())
@settings(max_examples=100, deadline=None)
def test_pins_and_exclusions_are_honoured_or_the_book_is_refused(
    sizes: list[int], seed: int, data: st.DataObject
) -> None:
    spec = book(sizes, seed=seed)
    for _ in range(data.draw(st.integers(1, 4))):
        chapter = data.draw(st.integers(0, len(sizes) - 1))
        section = data.draw(st.integers(0, sizes[chapter] - 1))
        if data.draw(st.booleans()):
            spec = changed(spec, chapter, section, shape=data.draw(st.sampled_from(NAMES)), exclude=())
        else:
            barred = data.draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
            spec = changed(spec, chapter, section, shape=None, exclude=tuple(barred))
    try:
        plan = assign(spec)
    except PlanRefused as refused:
        assert refused.hint
        return
    barred = [set(section.exclude) for chapter in spec.chapters for section in chapter.sections]
    pinned = {section.shape for chapter in spec.chapters for section in chapter.sections}
    free = set(NAMES) - set.intersection(*barred) | (pinned - {None})
    assert_rules(plan, shapes=len(free) if None in pinned else len(pinned))
    for section in plan.sections:
        asked = spec.chapters[section.chapter - 1].sections[section.position - 1]
        assert asked.shape in (None, section.shape)
        assert section.shape not in asked.exclude


@given(st.lists(st.integers(3, 5), min_size=1, max_size=8), st.integers(0, 50), st.data())
@settings(max_examples=60, deadline=None)
def test_one_pin_alone_never_makes_a_book_impossible(sizes: list[int], seed: int, data: st.DataObject) -> None:
    chapter = data.draw(st.integers(0, len(sizes) - 1))
    section = data.draw(st.integers(0, sizes[chapter] - 1))
    shape = data.draw(st.sampled_from(NAMES))
    plan = assign(changed(book(sizes, seed=seed), chapter, section, shape=shape))
    assert_rules(plan)


@pytest.mark.parametrize(
    "sizes", [[1], [2], [4], [13], [121], [4] * 4, [3] * 36, [1] * 30, [2] * 40, [10] * 30, [4] * 100]
)
def test_books_of_every_form(sizes: list[int]) -> None:
    plan = assign(book(sizes))
    assert_rules(plan)
    assert [(s.chapter, s.position) for s in plan.sections] == [
        (c, s) for c, size in enumerate(sizes, 1) for s in range(1, size + 1)
    ]


def test_the_article_s_own_listing_would_not_pass() -> None:
    """Its hole: every chapter has the four shapes in the same order (DESIGN section 6)."""
    plan = assign(book([4, 4, 4]))
    article = tuple(s._replace(shape=NAMES[(s.position - 1) % 4]) for s in plan.sections)
    with pytest.raises(AssertionError):
        assert_rules(lock("A book", article))


def test_more_chapters_than_orders_is_said() -> None:
    """36 orders of three sections exist; the 37th chapter must repeat one, though never the one before."""
    plan = assign(book([3] * 40))
    assert_rules(plan)
    assert any("same order" in line for line in plan.relaxed)


def test_lengths_vary_between_neighbours_and_keep_the_mean() -> None:
    plan = assign(book([5] * 8, words=600))
    lengths = [section.target_words for section in plan.sections]
    assert all(one != two for one, two in pairwise(lengths))
    assert len(set(lengths)) == 5
    assert abs(sum(lengths) / len(lengths) - 600) <= 10
    by_shape: dict[str, set[int]] = {}
    for section in plan.sections:
        by_shape.setdefault(section.shape, set()).add(section.target_words)
    assert all(len(found) >= 3 for found in by_shape.values())


def test_openers_vary_between_neighbours_and_are_all_used() -> None:
    openers = [section.opener for section in assign(book([6] * 4)).sections]
    assert all(one != two for one, two in pairwise(openers))
    assert set(openers) == set(OPENERS)


def test_a_given_length_is_kept() -> None:
    plan = assign(changed(book([3]), 0, 1, words=1234))
    assert plan.sections[1].target_words == 1234


def test_the_seed_picks_another_layout_and_titles_do_not() -> None:
    spec = book([4, 4, 4])
    shapes = {tuple(s.shape for s in assign(spec._replace(seed=seed)).sections) for seed in range(20)}
    assert len(shapes) > 10
    renamed = changed(spec, 1, 2, title="Another title")
    assert [s.shape for s in assign(renamed).sections] == [s.shape for s in assign(spec).sections]


def test_the_same_spec_gives_the_same_bytes_under_any_hash_seed() -> None:
    code = (
        "from latches.structure import *\n"
        "c = tuple(ChapterSpec(f'c{i}', tuple(SectionSpec(f's{j}') for j in range(5))) for i in range(6))\n"
        "print(assign(StructureSpec('B', c, seed=3)).hash)\n"
    )
    out = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(out) == 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (changed(changed(book([3]), 0, 0, shape="deep_code"), 0, 1, shape="deep_code"), "neighbours"),
        (changed(book([3]), 0, 0, shape="deep_code", exclude=("deep_code",)), "excludes it"),
        (changed(book([3]), 0, 0, shape="deep_cod"), "does not exist"),
        (changed(book([3]), 0, 0, exclude=tuple(NAMES)), "excludes every shape"),
        (book([3], shapes=SHAPES[:1]), "1 shapes cannot fill 3 sections"),
        (book([2, 2], shapes=SHAPES[:2]), "2 shapes cannot fill"),
        (book([]), "no sections"),
        (book([2, 0]), "no sections"),
        (book([2], shapes=(SHAPES[0], SHAPES[0])), "called 'deep_code'"),
    ],
)
def test_a_refusal_names_what_is_in_the_way(spec: StructureSpec, words: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        assign(spec)
    assert words in refused.value.message
    assert refused.value.hint


def test_too_many_pins_of_one_shape_name_the_pin_or_the_balance_that_would_do() -> None:
    spec = book([9])
    for section in (0, 2, 4, 6, 8):
        spec = changed(spec, 0, section, shape="deep_code")
    with pytest.raises(PlanRefused) as refused:
        assign(spec)
    assert "balance" in refused.value.hint
    number = int(refused.value.hint.split("balance = ")[1].split("`")[0])
    plan = assign(spec._replace(balance=number))
    assert_rules(plan, balance=number)
    with pytest.raises(PlanRefused):
        assign(spec._replace(balance=number - 1))


OWN = Shape("field_notes", ("timeline_steps", "callout_box"), "", (("timeline_steps", "items", 5),))


def test_a_shape_of_the_book_s_own_takes_part_with_its_parameters() -> None:
    plan = assign(book([5, 5], shapes=(*SHAPES, OWN)))
    assert_rules(plan, shapes=5)
    own = [section for section in plan.sections if section.shape == "field_notes"]
    assert len(own) == 2
    assert own[0].elements == ("timeline_steps", "callout_box")
    assert own[0].options_of("timeline_steps") == {"items": 5}
    assert own[0].options_of("callout_box") == {}


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Shape("x", ()), "no elements"),
        (Shape(" ", ("faq_block",)), "no name"),
        (Shape("x", ("faq_blok",)), "no element 'faq_blok'"),
        (Shape("x", ("faq_block", "faq_block")), "twice"),
        (Shape("x", ("faq_block",), "", (("faq_block", "question", 3),)), "no parameter 'question'"),
        (Shape("x", ("faq_block",), "", (("faq_block", "questions", "3"),)), "not a whole number"),
        (Shape("x", ("faq_block",), "", (("faq_block", "questions", True),)), "not a whole number"),
        (Shape("x", ("faq_block",), "", (("faq_block", "questions", 0),)), "asks for nothing"),
        (Shape("x", ("mermaid_diagram",), "", (("mermaid_diagram", "kind", "flowcart"),)), "none that can be checked"),
        (Shape("x", ("faq_block",), "", (("callout_box", "words", 3),)), "not among its elements"),
    ],
)
def test_a_shape_outside_the_vocabulary_is_refused(shape: Shape, words: str) -> None:
    with pytest.raises(BadShape) as refused:
        assign(book([3], shapes=(*SHAPES, shape)))
    assert words in refused.value.message


def test_json_comes_back_as_it_went_and_an_edit_is_noticed() -> None:
    plan = assign(book([3, 4], shapes=(*SHAPES, OWN)))
    raw = json.loads(json.dumps(to_json(plan)))
    assert from_json(raw) == plan
    raw["sections"][0]["shape"] = "post_mortem"
    raw["sections"][0]["target_words"] += 10
    with pytest.raises(BadBlueprint, match="edited"):
        from_json(raw)


@pytest.mark.parametrize("broken", ["sections", "book", "hash", "format", "relaxed"])
def test_a_blueprint_without_a_field_is_refused(broken: str) -> None:
    raw = dict(to_json(assign(book([3]))))
    del raw[broken]
    with pytest.raises(BadBlueprint):
        from_json(raw)


@pytest.mark.parametrize(
    "other", [None, [], 3, "x", {}, {"format": 1}, {"format": 1, "sections": 3, "relaxed": 2, "book": 1}]
)
def test_what_is_no_blueprint_is_refused(other: object) -> None:
    with pytest.raises(BadBlueprint):
        from_json(other)


@given(SIZES, st.integers(0, 100))
@settings(max_examples=50, deadline=None)
def test_the_hash_is_of_the_content(sizes: list[int], seed: int) -> None:
    plan = assign(book(sizes, seed=seed))
    assert plan.hash == lock(plan.book, plan.sections, plan.relaxed).hash
    other = plan.sections[0]._replace(target_words=plan.sections[0].target_words + 1)
    assert lock(plan.book, (other, *plan.sections[1:]), plan.relaxed).hash != plan.hash


def test_a_changed_spec_says_what_it_would_change() -> None:
    old = assign(book([3, 3]))
    assert differences(old, old) == ()
    spec = book([3, 3])
    sections = spec.chapters[0].sections
    more = spec._replace(
        chapters=(spec.chapters[0]._replace(sections=(SectionSpec("New"), *sections[:2])), spec.chapters[1])
    )
    told = differences(old, assign(more))
    kinds = {(d.kind, d.title) for d in told}
    assert ("added", "New") in kinds
    assert ("removed", "Section 1.2") in kinds
    assert ("moved", "Section 1.0") in kinds
    assert all(str(d) for d in told)
    longer = differences(old, assign(changed(spec, 1, 1, words=999)))
    assert [(d.kind, d.field, d.new) for d in longer] == [("changed", "target_words", 999)]


@given(SIZES, st.integers(0, 30), st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_written_keeps_its_shape_when_the_spec_grows(sizes: list[int], seed: int, data: st.DataObject) -> None:
    spec = book(sizes, seed=seed)
    old = assign(spec)
    written = frozenset((s.chapter_title, s.title) for s in old.sections if data.draw(st.booleans(), label=s.title))
    grown = spec._replace(chapters=(*spec.chapters, ChapterSpec("More", (SectionSpec("a"), SectionSpec("b")))))
    try:
        new = assign(pinned_to(grown, old, written))
    except PlanRefused:
        assume(False)
        raise
    assert_rules(new)
    was = {(s.chapter_title, s.title): s for s in old.sections}
    for section in new.sections:
        key = (section.chapter_title, section.title)
        if key in written:
            assert (section.shape, section.target_words) == (was[key].shape, was[key].target_words)


def test_the_table_and_the_picture_show_every_section() -> None:
    plan = assign(book([3, 4]))
    rows = plan_rows(plan)
    assert len(rows) == 7
    assert all(len(row) == len(HEADERS) for row in rows)
    picture = rhythm(plan).splitlines()
    assert len(picture) == 3
    assert picture[0].startswith("  1 Chapter 1")
    assert sum(picture[0].count(bar) for bar in "▁▂▃▄▅▆▇█") == 3
    assert all(shape in picture[2] for shape in NAMES)


def test_the_picture_of_a_book_with_one_length_and_many_shapes() -> None:
    shapes = tuple(Shape(f"shape_{n}", ("faq_block",)) for n in range(30))
    spec = book([30], shapes=shapes)
    sections = tuple(s._replace(words=500) for s in spec.chapters[0].sections)
    plan = assign(spec._replace(chapters=(spec.chapters[0]._replace(sections=sections),)))
    letters = rhythm(plan).splitlines()[0].split()[3:]
    assert len(set(letters)) == 30


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) <= 7),
    st.integers(2, 4),
    st.integers(1, 2),
    st.data(),
)
@settings(max_examples=125, deadline=None)
def test_a_book_is_refused_only_when_no_layout_exists(
    sizes: list[int], shapes: int, balance: int, data: st.DataObject
) -> None:
    """Every layout of a small book is tried by hand: refused is impossible, and impossible is refused."""
    spec = book(sizes, shapes=SHAPES[:shapes], balance=balance)
    names = NAMES[:shapes]
    for chapter, size in enumerate(sizes):
        for section in range(size):
            if data.draw(st.booleans()):
                barred = data.draw(st.lists(st.sampled_from(names), max_size=shapes - 1, unique=True))
                spec = changed(spec, chapter, section, exclude=tuple(barred))
    asked = [section for chapter in spec.chapters for section in chapter.sections]
    try:
        everywhere = set.intersection(*(set(section.exclude) for section in asked))
        assert_rules(assign(spec), balance, shapes - len(everywhere))
        possible = True
    except PlanRefused:
        possible = False
    assert possible is any(
        layout_is_good(choice, asked, sizes, names, balance) for choice in product(names, repeat=len(asked))
    )


def layout_is_good(
    choice: tuple[str, ...], asked: list[SectionSpec], sizes: list[int], names: list[str], balance: int
) -> bool:
    if any(one == two for one, two in pairwise(choice)):
        return False
    if any(shape in section.exclude for shape, section in zip(choice, asked, strict=True)):
        return False
    counts = [choice.count(name) for name in names if not all(name in section.exclude for section in asked)]
    if max(counts) - min(counts) > balance:
        return False
    at, chapters = 0, []
    for size in sizes:
        chapters.append(choice[at : at + size])
        at += size
    return all(one != two for one, two in pairwise(chapters))


@pytest.mark.parametrize("every", [2, 3, 4])
def test_a_long_book_full_of_pins_is_laid_out_or_refused_soon(every: int) -> None:
    spec = book([5] * 80)
    for chapter in range(80):
        for section in range(5):
            if (chapter * 5 + section) % every == 0:
                spec = changed(spec, chapter, section, shape="deep_code")
    try:
        plan = assign(spec)
    except PlanRefused as refused:
        assert every < 4
        number = int(refused.hint.split("balance = ")[1].split("`")[0])
        assert_rules(assign(spec._replace(balance=number)), balance=number)
    else:
        assert every == 4
        assert_rules(plan)


def test_pins_at_the_end_are_seen_from_the_beginning() -> None:
    """The last sections are pinned to one shape, so the first must go without it."""
    spec = book([4] * 5)
    for chapter, section in ((3, 1), (3, 3), (4, 1), (4, 3), (2, 3)):
        spec = changed(spec, chapter, section, shape="post_mortem")
    plan = assign(spec)
    assert_rules(plan)
    assert [s.number for s in plan.sections if s.shape == "post_mortem"] == [12, 14, 16, 18, 20]


def test_a_shape_that_every_section_excludes_takes_no_part() -> None:
    spec = book([4, 4])
    for chapter in range(2):
        for section in range(4):
            spec = changed(spec, chapter, section, exclude=("conceptual_breakdown",))
    plan = assign(spec)
    assert Counter(s.shape for s in plan.sections).keys() == set(NAMES[:3])
    assert_rules(plan, shapes=3)


def test_sections_of_one_title_are_paired_in_order() -> None:
    spec = StructureSpec("B", (ChapterSpec("C", tuple(SectionSpec("Same") for _ in range(5))),), seed=4)
    old = assign(spec)
    assert differences(old, old) == ()
    again = assign(pinned_to(spec._replace(seed=5), old, frozenset({("C", "Same")})))
    assert [s.shape for s in again.sections] == [s.shape for s in old.sections]
