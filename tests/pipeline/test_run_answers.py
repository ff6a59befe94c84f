"""Sections that were put before a person: every answer finds its way into the book, and none loses another."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from book_kit import asked_for, here, is_edit, make_book, writes_well
from fake_messages_api import Answer, FakeMessagesApi, Request, Text
from test_run_book import MODEL, chapters, run, statuses

from firewall.writes import answers, person
from firewall.writes.proxy import WriteProxy

UNFIT = ("The alarm", "The lease")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book in which two sections of one chapter meet their shape in no draft, run once; a person answers."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    made = make_book(tmp_path / "book")
    with FakeMessagesApi(only_prose(*UNFIT)) as api:
        _, report, _ = run(made, api)
    assert statuses(report) == ["staged", "written", "staged", "written", "written", "written"]
    return made


def only_prose(*titles: str) -> Callable[[Request], Answer]:
    """A model that writes plain prose for some sections."""

    def answer(request: Request) -> Answer:
        if not is_edit(request) and asked_for(request)[0] in titles:
            return Text(f"Only prose about {asked_for(request)[0].lower()}, and nothing else in it.")
        return writes_well(request)

    return answer


def again(book: Path, *more: str) -> tuple[int, dict[str, Any]]:
    """Another run with a model that would answer well."""
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api, *more)
    return status, report


def status_of(book: Path) -> dict[str, Any]:
    """What `stet status` says."""
    done: dict[str, Any] = json.loads(here("status", str(book), "--json")[1])
    return done


def titles_in(book: Path) -> list[str]:
    """The sections of the first chapter on disk, in order."""
    lines = chapters(book)["01-before.md"].splitlines()
    return [line.removeprefix("## ") for line in lines if line.startswith("## ")]


@pytest.mark.parametrize("first", [0, 1])
def test_approving_one_section_loses_no_other(book: Path, first: int) -> None:
    report = status_of(book)
    with WriteProxy.open(book) as proxy:
        waiting = [row[0] for row in proxy.ledger.query("SELECT id FROM cases WHERE kind='staged' ORDER BY at, id")]
        for ident in (waiting[first], waiting[1 - first]):
            answer = answers.approve(proxy, ident)
            assert answer.done, answer
    assert titles_in(book) == ["The alarm", "The pager", "The lease"]
    assert "Only prose about the alarm" in chapters(book)["01-before.md"]
    assert [line["status"] for line in report["list"]][:3] == ["staged", "written", "staged"]
    report = status_of(book)
    assert [line["status"] for line in report["list"]] == ["kept", "written", "kept", "written", "written", "written"]
    status, report = again(book)
    assert status == 0
    assert report["nothing_to_do"] is True
    assert report["alerts"] == []
    assert "- The lease" in chapters(book)["README.md"]


def test_contents_name_only_what_stands(book: Path) -> None:
    assert "The pager" in chapters(book)["README.md"]
    assert "The lease" not in chapters(book)["README.md"]


def test_an_edit_counts_and_a_no_is_told_apart_from_waiting(book: Path) -> None:
    with WriteProxy.open(book) as proxy:
        one, two = [row[0] for row in proxy.ledger.query("SELECT id FROM cases WHERE kind='staged' ORDER BY at, id")]
        assert answers.edit(proxy, one, lambda name, old: old.replace(b"Only prose", b"Mended prose")).done
        answers.reject(proxy, two)
    assert "Mended prose about the alarm" in chapters(book)["01-before.md"]
    status, report = again(book)
    assert status == 1
    assert statuses(report) == ["kept", "written", "rejected", "written", "written", "written"]
    said = here("run", str(book), "--model", MODEL)[1]
    assert "1 was turned down" in said
    assert "for a person" not in said
    status, report = again(book, "--replan")
    assert statuses(report) == ["kept", "written", "written", "written", "written", "written"]
    assert "Mended prose about the alarm" in chapters(book)["01-before.md"], "what a person made stays"


def test_status_looks_at_the_disk(book: Path) -> None:
    shutil.rmtree(book / "out")
    report = status_of(book)
    assert report["sections"]["missing"] == 4
    assert report["words"] == 0
    assert report["nothing_to_do"] is False


def test_a_latched_chapter_is_named_with_its_reason_and_its_alert(book: Path) -> None:
    path = book / "out" / "02-after.md"
    with WriteProxy.open(book, session="s") as proxy:
        for i in range(3):
            proxy.write(path, b"gone %d\n" % i)
    path.unlink()
    status, report = again(book)
    assert status == 4
    said = " ".join(str(p["message"]) for p in report["problems"])
    assert "02-after.md is latched" in said
    assert "stet reset" in said
    with WriteProxy.open(book) as proxy:
        trips = [row[0] for row in proxy.ledger.query("SELECT id FROM cases WHERE kind='trip'")]
    assert set(trips) <= set(report["alerts"])
