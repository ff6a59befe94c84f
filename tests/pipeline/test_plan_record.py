"""The kept plan: what a change of the book, its notes or its models is told as, and what is no change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from book_kit import BOOK, make_book

from firewall.policy import Policy, parse_policy
from latches.errors import PlanRefused
from pipeline.book import load_book
from pipeline.errors import BookError, RunStateBroken
from pipeline.kept import keep_record, load_record
from pipeline.plan import Models, Plan, make_plan
from pipeline.record import kept_plan, what_differs

MODELS = Models("offline", "offline")


def policy_of(book: Path) -> Policy:
    return parse_policy((book / "stet.toml").read_text())


def plan_of(book: Path, models: Models = MODELS, **options: Any) -> Plan:
    return make_plan(book, load_book(book), policy_of(book), models, **options)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path / "b")


def kept(plan: Plan) -> Any:
    """The record as it comes back from disk."""
    return json.loads(json.dumps(plan.record))


def test_the_same_book_gives_the_same_plan_wherever_it_lies(tmp_path: Path) -> None:
    one, two = plan_of(make_book(tmp_path / "a")), plan_of(make_book(tmp_path / "deeper/b"))
    assert one.blueprint == two.blueprint
    assert [s.ident for s in one.sections] == [s.ident for s in two.sections]
    assert what_differs(kept(one), two.record) == []


def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(book: Path) -> None:
        text = (book / name).read_text()
        assert old in text
        (book / name).write_text(text.replace(old, new, 1))

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (edit("book.toml", "Small Hours", "Late Hours"), "title: Small Hours -> Late Hours"),
        (edit("book.toml", "[structure]", 'out = "made"\n[structure]'), "out: out -> made"),
        (edit("book.toml", '"The pager"', '"The phone"'), "Before / The phone: added"),
        (edit("book.toml", '"The pager"', '"The phone"'), "Before / The pager: removed"),
        (edit("book.toml", '"The pager", "The lease"', '"The lease", "The pager"'), "The pager: place 1.2 -> 1.3"),
        (
            edit("book.toml", '"The pager"', '{ title = "The pager", query = "bell" }'),
            "query 'The pager Before' -> 'bell'",
        ),
        (edit("book.toml", '"The pager"', '{ title = "The pager", words = 999 }'), "The pager: target_words"),
        (edit("book.toml", "words = 60", "words = 60\nseed = 7"), "structure in book.toml: changed"),
        (edit("notes/alarm.md", "02:14", "03:14"), "notes/alarm.md: changed"),
        (lambda b: (b / "notes/new.md").write_text("new"), "notes/new.md: added"),
        (lambda b: (b / "notes/lease.md").unlink(), "notes/lease.md: removed"),
        (edit("book.toml", 'lane = "payroll"', 'lane = "public"'), "payroll/rota.md: lane payroll -> public"),
        (edit("stet.toml", "[lanes.public]", '[lanes.public]\nbanned = ["x"]'), "[lanes] in stet.toml: changed"),
        (edit("stet.toml", "[style]", '[style]\nbanned = ["x"]'), "[style] in stet.toml: changed"),
    ],
)
def test_a_change_is_told_in_words(book: Path, change: Callable[[Path], object], told: str) -> None:
    before = plan_of(book)
    change(book)
    after = plan_of(book, kept=kept(before))
    assert any(told in line for line in what_differs(kept(before), after.record)), what_differs(
        kept(before), after.record
    )


@pytest.mark.parametrize(
    "change",
    [
        edit("book.toml", "[structure]", "# a remark\n[structure]"),
        edit("book.toml", '"The pager"', '{ title = "The pager" }'),
        edit("stet.toml", "[style]", "[rules]\nattempts = 5\n[style]"),
    ],
)
def test_what_changes_nothing_about_the_book_is_no_change(book: Path, change: Callable[[Path], object]) -> None:
    before = plan_of(book)
    change(book)
    assert what_differs(kept(before), plan_of(book, kept=kept(before)).record) == []


def test_other_models_are_a_change(book: Path) -> None:
    before = plan_of(book)
    after = plan_of(book, Models("claude-x", "offline"), kept=kept(before))
    assert what_differs(kept(before), after.record) == ["model for draft: offline -> claude-x"]


def test_a_kept_blueprint_stands_whatever_the_latch_would_lay_out_now(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plan_of(book)

    def refuse(*_: object) -> None:
        raise AssertionError("the blueprint of an unchanged book is not laid out again")

    monkeypatch.setattr("pipeline.plan.assign", refuse)
    assert plan_of(book, kept=kept(before)).blueprint == before.blueprint


def test_sections_that_stand_keep_their_shape_in_a_new_plan(book: Path) -> None:
    before = plan_of(book)
    edit("book.toml", '"The alarm", ', '"The alarm", "The night", ')(book)
    standing = frozenset({("Before", "The pager"), ("After", "The restore")})
    after = plan_of(book, kept=kept(before), standing=standing)
    was = {s.plan.title: (s.plan.shape, s.plan.target_words) for s in before.sections}
    now = {s.plan.title: (s.plan.shape, s.plan.target_words) for s in after.sections}
    assert {t: now[t] for t in ("The pager", "The restore")} == {t: was[t] for t in ("The pager", "The restore")}


def test_a_new_name_is_given_only_to_work_that_is_tried_again(book: Path) -> None:
    plan = plan_of(book)
    first = plan.sections[0].ident
    anew = plan.tried_anew(lambda ident: ident in (first, f"{first}-2"))
    assert anew.sections[0].ident == f"{first}-3"
    assert [s.ident for s in anew.sections[1:]] == [s.ident for s in plan.sections[1:]]
    assert anew.record["sections"][0][0] == f"{first}-3"


def test_work_is_named_by_what_it_is_made_from_and_not_by_its_place(book: Path) -> None:
    before = {s.plan.title: s for s in plan_of(book).sections}
    kept_before = kept(plan_of(book))
    text = BOOK.replace(
        '[[chapters]]\ntitle = "Before"',
        '[[chapters]]\ntitle = "New"\nsections = ["A", "B"]\n\n[[chapters]]\ntitle = "Before"',
    )
    (book / "book.toml").write_text(text)
    standing = frozenset(("Before" if t in ("The alarm", "The pager", "The lease") else "After", t) for t in before)
    after = {s.plan.title: s for s in plan_of(book, kept=kept_before, standing=standing).sections}
    same = [t for t in before if before[t].ident == after[t].ident]
    for title in before:
        unchanged = before[title].plan._replace(number=0, chapter=0, position=0) == after[title].plan._replace(
            number=0, chapter=0, position=0
        ) and [p.text for p in before[title].passages] == [p.text for p in after[title].passages]
        assert (title in same) == unchanged
    assert same


def test_the_record_comes_back_as_it_was_kept(book: Path, tmp_path: Path) -> None:
    plan = plan_of(book)
    path = tmp_path / "state/plan.json"
    assert load_record(path) is None
    keep_record(path, plan.record)
    record = load_record(path)
    assert record is not None
    assert what_differs(record, plan.record) == []
    again = kept_plan(plan.spec, record)
    assert again.blueprint == plan.blueprint
    assert [(s.ident, s.file, s.query) for s in again.sections] == [(s.ident, s.file, s.query) for s in plan.sections]
    assert [p.name for p in path.parent.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 99}'])
def test_a_damaged_record_is_refused(tmp_path: Path, damage: str) -> None:
    (tmp_path / "plan.json").write_text(damage)
    with pytest.raises(RunStateBroken):
        load_record(tmp_path / "plan.json")


def test_a_book_whose_lane_the_policy_lacks_is_refused(book: Path) -> None:
    edit("book.toml", "[structure]", 'lane = "secret"\n[structure]')(book)
    with pytest.raises(BookError) as caught:
        plan_of(book)
    assert "'secret'" in caught.value.message
    assert "payroll, public" in caught.value.hint


def test_a_policy_without_lanes_lets_a_book_read_its_own_lane_alone(book: Path) -> None:
    text = (book / "stet.toml").read_text().replace("[lanes.public]", "").replace("[lanes.payroll]", "")
    (book / "stet.toml").write_text(text)
    plan = plan_of(book)
    assert {p.lane for s in plan.sections for p in s.passages} == {"public"}
    assert any(f.rule == "lane-closed" for f in plan.findings)


def test_an_unknown_shape_is_refused(book: Path) -> None:
    edit("book.toml", '"The pager"', '{ title = "The pager", shape = "sonnet" }')(book)
    with pytest.raises(PlanRefused) as caught:
        plan_of(book)
    assert "'sonnet'" in caught.value.message
