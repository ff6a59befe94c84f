"""A section that is tried anew is asked about once, in words that a person can act on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from book_kit import here, make_book, writes_well
from fake_messages_api import Answer, FakeMessagesApi, Request, Text
from test_run_answers import only_prose
from test_run_book import MODEL, run, statuses

from firewall.writes.proxy import WriteProxy

LEASE = ["written", "written", "staged", "written", "written", "written"]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of which one section waits for a person."""
    made = make_book(tmp_path / "book")
    with FakeMessagesApi(only_prose("The lease")) as api:
        _, report, _ = run(made, api)
    assert statuses(report) == LEASE
    return made


def _asked(book: Path) -> list[tuple[str, str]]:
    """All alerts about staged sections, oldest first, with their states."""
    with WriteProxy.open(book) as proxy:
        return [tuple(row) for row in proxy.ledger.query("SELECT id, state FROM cases WHERE kind='staged' ORDER BY at")]


def test_the_same_text_is_asked_about_once(book: Path) -> None:
    before = _asked(book)
    for _ in range(2):
        with FakeMessagesApi(only_prose("The lease")) as api:
            _, report, _ = run(book, api, "--replan")
        assert statuses(report) == LEASE
        assert report["alerts"] == [before[0][0]]
    assert [ident for ident, _ in _asked(book)] == [before[0][0]]


def test_another_text_takes_the_place_of_the_one_that_was_asked_about(book: Path) -> None:
    first = _asked(book)[0][0]
    note = book / "notes" / "lease.md"
    note.write_text(note.read_text().replace("30 seconds", "40 seconds"))

    def longer(request: Request) -> Answer:
        answer = only_prose("The lease")(request)
        assert isinstance(answer, Text)
        return answer._replace(text=f"{answer.text} More of it.") if "Only prose" in answer.text else answer

    with FakeMessagesApi(longer) as api:
        _, report, _ = run(book, api, "--replan")
    assert statuses(report) == LEASE
    states = dict(_asked(book))
    assert states.pop(first) == "answered"
    assert len(states) == 1
    assert report["alerts"] == list(states)


def test_what_is_written_at_last_is_asked_about_no_more(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        _, report, _ = run(book, api, "--replan")
    assert report["sections"]["written"] == 6
    assert report["alerts"] == []
    assert [state for _, state in _asked(book)] == ["answered"]


def test_the_alert_says_what_a_person_can_do(book: Path) -> None:
    said = _why(book)
    assert "`words` or `shape`" in said
    assert "--replan" in said
    assert "its notes hold" in said
    assert "in place of" not in said, "nothing stands there"


def _why(book: Path) -> str:
    with WriteProxy.open(book) as proxy:
        return str(proxy.ledger.query("SELECT data FROM cases WHERE kind='staged'")[0][0])


def test_status_after_a_run_that_failed_tells_of_the_older_texts(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api, "--replan")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    other = "claude-sonnet-5"
    assert other != MODEL
    assert here("run", str(book), "--model", other, "--base-url", "http://127.0.0.1:9", "--replan")[0] == 1
    said = here("status", str(book))[1]
    assert "0 of 6 sections (6 more in an older text) stand" in " ".join(said.split())
    report = json.loads(here("status", str(book), "--json")[1])
    assert [line["older"] for line in report["list"]] == [True] * 6
