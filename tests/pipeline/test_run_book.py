"""stet run against a loopback Messages API, in real processes: every ending of a call, and of a run."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from book_kit import (
    BOOK,
    SECRET,
    STET,
    TITLES,
    asked_for,
    but,
    fit,
    here,
    in_a_fork,
    is_edit,
    make_book,
    stet,
    writes_well,
)
from fake_messages_api import Cut, FakeMessagesApi, Request, Status, Text, refusal

from firewall.writes import operator, person
from firewall.writes.proxy import WriteProxy
from pipeline import cli

MODEL = "claude-haiku-5-5"


def run(book: Path, api: FakeMessagesApi, *words: str) -> tuple[int, dict[str, Any], str]:
    """(exit status, JSON, standard error) of `stet run`."""
    status, out, err = here("run", str(book), "--model", MODEL, "--base-url", api.url, "--json", *words)
    assert "Traceback" not in err, err
    return status, json.loads(out), err


def chapters(book: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in sorted((book / "out").glob("*.md"))}


def drafted(api: FakeMessagesApi) -> list[str]:
    return [asked_for(r)[0] for r in api.requests if not is_edit(r)]


def statuses(report: dict[str, Any]) -> list[str]:
    return [line["status"] for line in report["list"]]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path / "small")


def test_a_good_run_writes_every_section_in_order_and_says_so(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        status, report, err = run(book, api)
    assert status == 0
    assert drafted(api) == list(TITLES)
    files = chapters(book)
    assert list(files) == ["01-before.md", "02-after.md", "README.md"]
    assert files["01-before.md"].startswith("# Before\n\n## The alarm\n\nThis is about the alarm")
    assert [line for line in files["02-after.md"].splitlines() if line.startswith("## ")] == [
        "## The queue",
        "## The backup",
        "## The restore",
    ]
    assert "[Before](01-before.md)" in files["README.md"]
    assert report["sections"]["written"] == report["sections"]["new"] == 6
    assert report["words"] > 200
    assert sum(report["shapes"].values()) == 6
    assert report["cost_usd"] == report["total_usd"] > 0
    assert report["alerts"] == []
    assert report["stopped"] is None
    assert any("temperature 0 was not sent" in note for note in report["notes"])
    assert "[6/6] written: After / The restore" in err


def test_a_note_of_another_lane_never_reaches_a_prompt_and_is_counted(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        _, report, _ = run(book, api)
    asked = "".join(r.text for r in api.requests)
    assert "02:14" in asked
    assert SECRET not in asked
    assert "4811" not in asked
    assert "[cite" not in asked
    assert report["findings"]["context"]["lane-closed"] > 0
    assert SECRET not in "".join(chapters(book).values())


def test_a_finished_book_run_again_does_nothing_and_says_so(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
        before = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in (book / "out").iterdir()}
        asked = len(api.requests)
        status, report, _ = run(book, api)
        assert len(api.requests) == asked
    assert status == 0
    assert report["nothing_to_do"] is True
    assert report["sections"]["new"] == 0
    assert report["cost_usd"] == 0
    assert {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in (book / "out").iterdir()} == before
    assert here("run", str(book), "--model", MODEL)[1].startswith("Nothing to do: all 6 sections")


def test_a_refusal_stages_its_section_raises_an_alert_and_the_book_goes_on(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeMessagesApi(but("The lease", refusal("Here is half of it."))) as api:
        status, report, err = run(book, api)
    assert status == 1
    assert statuses(report) == ["written", "written", "staged", "written", "written", "written"]
    assert drafted(api).count("The lease") == 1
    assert report["findings"]["model"] == {"model-refused": 1}
    assert len(report["alerts"]) == 1
    assert report["alerts"][0] in err
    assert "Here is half of it" not in "".join(chapters(book).values())
    assert "## The lease" not in chapters(book)["01-before.md"]
    monkeypatch.chdir(book)
    alerts = json.loads(here("alerts", "--json")[1])
    assert [alert["id"] for alert in alerts] == report["alerts"]


@pytest.mark.parametrize(
    ("ending", "rule"),
    [
        (Text("This is about the lease, and then", "max_tokens"), "model-unfinished"),
        (Cut("This is about the lease, and then"), "model-cut"),
        (Cut("This is about the lease, and then", within=True), "model-cut"),
    ],
)
def test_an_answer_that_did_not_end_is_never_used_and_asked_for_again(book: Path, ending: Any, rule: str) -> None:
    with FakeMessagesApi(but("The lease", ending, writes_well)) as api:
        status, report, _ = run(book, api)
    assert status == 0
    assert drafted(api).count("The lease") == 2
    assert report["findings"]["model"] == {rule: 1}
    assert "and then" not in chapters(book)["01-before.md"]


@pytest.mark.parametrize("ending", [Text("Half of", "max_tokens"), Cut("Half of")])
def test_three_answers_that_did_not_end_stage_the_section(book: Path, ending: Any) -> None:
    with FakeMessagesApi(but("The lease", ending)) as api:
        status, report, _ = run(book, api)
    assert status == 1
    assert drafted(api).count("The lease") == 3
    assert statuses(report)[2] == "staged"
    assert len(report["alerts"]) == 1
    assert "Half of" not in "".join(chapters(book).values())


@pytest.mark.parametrize(("code", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_a_busy_api_is_tried_again_within_the_call(book: Path, code: int, kind: str) -> None:
    busy = Status(code, kind, headers={"retry-after-ms": "5"})
    with FakeMessagesApi(but("The pager", busy, busy, writes_well)) as api:
        status, report, _ = run(book, api)
    assert status == 0
    assert drafted(api).count("The pager") == 3
    assert report["sections"]["written"] == 6


@pytest.mark.parametrize(("code", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_an_api_that_stays_busy_fails_the_section_alone_and_the_next_run_writes_it(
    book: Path, code: int, kind: str
) -> None:
    busy = Status(code, kind, headers={"retry-after": "86400"})
    with FakeMessagesApi(but("The pager", busy)) as api:
        status, report, _ = run(book, api)
    assert status == 1
    assert statuses(report) == ["written", "failed", "written", "written", "written", "written"]
    assert report["problems"][0]["code"] == "model"
    assert str(code) in report["problems"][0]["message"]
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api)
        assert drafted(api) == ["The pager"]
    assert status == 0
    assert [line for line in chapters(book)["01-before.md"].splitlines() if line.startswith("## ")] == [
        "## The alarm",
        "## The pager",
        "## The lease",
    ]


def test_a_bad_key_stops_the_run_after_one_call(book: Path) -> None:
    with FakeMessagesApi(Status(401, "authentication_error", "bad key")) as api:
        status, report, _ = run(book, api)
        assert len(api.requests) == 1
    assert status == 1
    assert report["stopped"]["code"] == "breaker-open"
    assert statuses(report)[0] == "failed"
    assert set(statuses(report)[1:]) == {"waiting"}


def test_a_section_without_its_elements_is_repaired_by_what_it_lacks_alone(book: Path) -> None:
    def half(request: Request) -> Text:
        title, elements = asked_for(request)
        return Text(fit(title, elements[:-1]))

    def rest(request: Request) -> Text:
        user = request.body["messages"][0]["content"]
        assert "A draft is there and stays as it is" in user
        _, elements = asked_for(request)
        return Text(fit("the rest", elements[-1:]))

    with FakeMessagesApi(but("The lease", half, rest)) as api:
        status, report, _ = run(book, api)
    assert status == 0
    assert drafted(api).count("The lease") == 2
    assert report["findings"]["latch"]["missing-element"] == 1
    text = chapters(book)["01-before.md"]
    assert "This is about the lease" in text
    assert "This is about the rest" in text


def test_a_section_that_never_meets_its_shape_is_staged_after_three_attempts(book: Path) -> None:
    with FakeMessagesApi(but("The lease", Text("Only prose, and nothing else."))) as api:
        status, report, _ = run(book, api)
        assert drafted(api).count("The lease") == 3
        assert status == 1
        assert statuses(report)[2] == "staged"
        again, report, _ = run(book, api)
        assert drafted(api).count("The lease") == 3
    assert again == 1
    assert report["nothing_to_do"] is True
    assert "Only prose" not in chapters(book)["01-before.md"]


def test_replan_tries_a_staged_section_again_and_pays_for_no_other(book: Path) -> None:
    with FakeMessagesApi(but("The lease", Text("Only prose."))) as api:
        run(book, api)
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api, "--replan")
        assert drafted(api) == ["The lease"]
    assert status == 0
    assert report["sections"] == {**report["sections"], "written": 6, "new": 1, "staged": 0}


@pytest.mark.parametrize(
    "change",
    [
        ("book.toml", BOOK.replace('"The pager"', '"The phone"')),
        ("book.toml", BOOK.replace('title = "Small Hours"', 'title = "Small Hours"\nlane = "payroll"')),
        ("book.toml", BOOK.replace("words = 60", "words = 90")),
        ("notes/alarm.md", "# Alarm\n\nThe alarm rang at 03:14.\n"),
        ("notes/new.md", "# New\n\nThe alarm.\n"),
    ],
)
def test_a_changed_book_is_shown_and_nothing_is_touched(book: Path, change: tuple[str, str]) -> None:
    with FakeMessagesApi(but("The lease", Status(529, "overloaded_error", headers={"retry-after": "999"}))) as api:
        run(book, api)
    before = chapters(book)
    (book / change[0]).write_text(change[1])
    with FakeMessagesApi(writes_well) as api:
        status, error, _ = run(book, api)
        assert api.requests == []
    assert status == 1
    assert error["code"] == "book-changed"
    assert "--replan" in error["next"]
    assert chapters(book) == before


def test_what_changed_is_named(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
    (book / "notes/alarm.md").write_text("# Alarm\n\nNew.\n")
    (book / "book.toml").write_text(BOOK.replace('"The pager"', '"The phone"'))
    _, _, err = here("run", str(book), "--model", "claude-opus-5-5")
    for told in ("The phone: added", "The pager: removed", "notes/alarm.md: changed", "claude-opus-5-5"):
        assert told in err


def test_after_replan_what_is_unchanged_is_kept_and_what_is_new_is_written(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
    (book / "book.toml").write_text(BOOK.replace('"The restore"]', '"The restore", "The end"]'))
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api, "--replan")
        assert drafted(api)[-1] == "The end"
        assert len(drafted(api)) < 7
    assert status == 0
    assert report["sections"]["written"] == 7
    assert chapters(book)["02-after.md"].count("## The end") == 1


def test_a_book_set_back_has_the_text_that_it_had_for_nothing(book: Path) -> None:
    note = next(path for path in sorted((book / "notes").glob("*.md")))
    was = note.read_text()
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
    first = chapters(book)

    def otherwise(request: Request) -> Any:
        answer = writes_well(request)
        assert isinstance(answer, Text)
        return answer._replace(text=answer.text.replace("short", "brief"))

    with FakeMessagesApi(otherwise) as api:
        note.write_text(was.replace("slept", "dozed off"))
        run(book, api, "--replan")
    second = chapters(book)
    assert first != second
    with FakeMessagesApi(writes_well) as api:
        note.write_text(was)
        status, report, _ = run(book, api, "--replan")
        assert drafted(api) == []
    assert status == 0
    assert chapters(book) == first
    assert set(statuses(report)) == {"written"}


def test_a_chapter_of_another_number_is_written_again_for_nothing_and_its_old_file_is_named(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
    old = '[[chapters]]\ntitle = "Before"'
    new = f'[[chapters]]\ntitle = "Foreword"\nsections = ["Why", "How"]\n\n{old}'
    (book / "book.toml").write_text(BOOK.replace(old, new))
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api, "--replan")
        assert drafted(api)[:2] == ["Why", "How"]
        assert len(drafted(api)) < 8
    assert status == 0
    assert [p for p in chapters(book) if "before" in p] == ["01-before.md", "02-before.md"]
    assert chapters(book)["02-before.md"].count("## The ") == 3
    assert any("01-before.md is no part of the book any more" in note for note in report["notes"])


def test_a_section_that_is_taken_out_of_the_book_is_left_and_named(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
        (book / "book.toml").write_text(BOOK.replace('"The pager", ', ""))
        status, report, _ = run(book, api, "--replan")
    assert status == 0
    assert report["sections"]["all"] == 5
    assert "## The pager" in chapters(book)["01-before.md"]
    assert any("'The pager' still stands in out/01-before.md" in note for note in report["notes"])


def test_a_section_that_the_book_has_elsewhere_now_stays_where_it_stands_and_is_named(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
        before = chapters(book)
        (book / "book.toml").write_text(BOOK.replace('"The alarm", "The pager"', '"The pager", "The alarm"'))
        status, report, _ = run(book, api, "--replan")
    assert status == 0
    wanted = "In out/01-before.md, 'The pager' stands behind 'The alarm'; the book has it before. Move it by hand."
    assert wanted in report["notes"]
    after = chapters(book)["01-before.md"]
    assert after.index("## The alarm") < after.index("## The pager") < after.index("## The lease")
    assert f"Note: {wanted}" in here("status", str(book))[1]
    (book / "out/01-before.md").write_text(before["01-before.md"].replace("## The alarm", "## The last", 1))
    assert wanted not in here("status", str(book))[1]


def test_two_sections_with_a_footnote_1_do_not_cite_each_others_sources(book: Path) -> None:
    def cited(request: Request) -> Text:
        title, elements = asked_for(request)
        return Text(fit(title, elements, f"A fact.[^1]\n\n[^1]: `source of {title}`"))

    with FakeMessagesApi(cited) as api:
        run(book, api)
    text = chapters(book)["01-before.md"]
    for number, title in enumerate(TITLES[:3], 1):
        assert f"A fact.[^s{number}-1]" in text
        assert f"[^s{number}-1]: `source of {title}`" in text


def test_a_kill_half_way_and_a_second_run_write_and_pay_for_nothing_twice(book: Path) -> None:
    process: list[subprocess.Popen[bytes]] = []

    def kill_at_the_queue(request: Request) -> Text:
        if asked_for(request)[0] == "The queue" and process:
            process.pop().send_signal(signal.SIGKILL)
        answer = writes_well(request)
        assert isinstance(answer, Text)
        return answer

    words = [str(STET), "run", str(book), "--model", MODEL]
    with FakeMessagesApi(kill_at_the_queue) as api:
        process.append(subprocess.Popen([*words, "--base-url", api.url], stderr=subprocess.DEVNULL))
        killed = process[0]
        assert killed.wait(timeout=60) == -signal.SIGKILL
        assert drafted(api) == ["The alarm", "The pager", "The lease", "The queue"]
        stood = (book / "out/01-before.md").stat()
        status, report, _ = run(book, api)
        assert drafted(api) == ["The alarm", "The pager", "The lease", "The queue", "The queue", *TITLES[4:]]
    assert status == 0
    assert report["sections"]["new"] == 3
    after = (book / "out/01-before.md").stat()
    assert (after.st_mtime_ns, after.st_ino) == (stood.st_mtime_ns, stood.st_ino)
    for title in TITLES:
        assert "".join(chapters(book).values()).count(f"## {title}\n") == 1


def killed(where: str, name: str, turn: int, when: str, *words: str) -> tuple[int, str]:
    """Run the command in a fork that kills itself at a step: how it ended, and its standard error."""

    def act() -> None:
        module, _, owner = where.partition(":")
        place: Any = importlib.import_module(module)
        place = getattr(place, owner) if owner else place
        real, calls = getattr(place, name), []

        def killing(*args: Any, **options: Any) -> Any:
            calls.append(1)
            if len(calls) == turn and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            result = real(*args, **options)
            if len(calls) == turn:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(place, name, killing)
        cli.main(list(words))

    return in_a_fork(act)


@pytest.mark.parametrize(
    ("where", "name", "turn", "when"),
    [
        ("pipeline.run", "keep_record", 1, "before"),
        ("pipeline.run", "keep_record", 1, "after"),
        ("firewall.writes.proxy:WriteProxy", "write", 1, "before"),
        ("firewall.writes.proxy:WriteProxy", "write", 2, "after"),
        ("firewall.writes.disk", "replace", 3, "before"),
        ("firewall.writes.disk", "replace", 3, "after"),
        ("pipeline.shelf:Shelf", "put", 4, "before"),
        ("pipeline.shelf:Shelf", "put", 6, "after"),
        ("pipeline.run", "write_contents", 1, "before"),
    ],
)
def test_a_kill_at_any_step_leaves_a_book_that_the_next_run_finishes(
    book: Path, where: str, name: str, turn: int, when: str
) -> None:
    with FakeMessagesApi(writes_well) as api:
        words = ["run", str(book), "--model", MODEL, "--base-url", api.url, "--json"]
        status, err = killed(where, name, turn, when, *words)
        assert status == -signal.SIGKILL, err
        status, report, _ = run(book, api)
        assert drafted(api) == list(TITLES)  # not one call is made twice: no kill was within a call
    assert status == 0
    assert report["sections"]["written"] == 6
    assert [p.name for p in sorted((book / "out").iterdir())] == ["01-before.md", "02-after.md", "README.md"]
    for title in TITLES:
        assert "".join(chapters(book).values()).count(f"## {title}\n") == 1


def test_an_interrupt_ends_at_once_and_the_next_run_goes_on(book: Path) -> None:
    started: list[subprocess.Popen[bytes]] = []
    ended = threading.Event()

    def slow(request: Request) -> Text:
        if asked_for(request)[0] == "The lease" and started:
            started.pop().send_signal(signal.SIGINT)
            ended.wait(90)  # the answer comes only once the process is gone
        answer = writes_well(request)
        assert isinstance(answer, Text)
        return answer

    with FakeMessagesApi(slow) as api:
        words = [str(STET), "run", str(book), "--model", MODEL, "--base-url", api.url]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        started.append(process)
        _, err = process.communicate(timeout=60)
        ended.set()
        assert process.returncode == 130
        assert b"Interrupted" in err
        assert b"Traceback" not in err
        status, report, _ = run(book, api)
    assert status == 0
    assert report["sections"]["new"] == 4


def test_two_runs_of_one_book_at_once_are_refused(book: Path) -> None:
    def hold(request: Request) -> Text:
        second = stet("run", str(book), "--model", MODEL, cwd=book.parent)
        assert second.returncode == 1
        assert "run-busy" in second.stderr
        answer = writes_well(request)
        assert isinstance(answer, Text)
        return answer

    with FakeMessagesApi(hold, writes_well) as api:
        status, _, _ = run(book, api)
    assert status == 0


def test_a_budget_that_does_not_cover_the_next_call_stops_before_it(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api, "--budget", "0.0001")
        assert api.requests == []
    assert status == 1
    assert report["stopped"]["code"] == "budget"
    assert report["total_usd"] == 0


def test_a_budget_counts_all_runs_of_a_book(book: Path) -> None:
    dear = Text("Half", "max_tokens", output_tokens=16_000)  # 0.008 USD each
    with FakeMessagesApi(dear) as api:
        status, report, _ = run(book, api, "--budget", "0.03")
        first = len(api.requests)
        assert status == 1
        assert report["stopped"]["code"] == "budget"
        assert report["total_usd"] <= 0.03
        run(book, api, "--budget", "0.03")
        assert len(api.requests) == first
        run(book, api, "--budget", "0.06")
        assert first < len(api.requests) <= 7


def test_a_dry_run_shows_plan_and_retrieval_and_touches_nothing(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        status, out, _ = here("run", str(book), "--model", MODEL, "--base-url", api.url, "--dry-run")
        assert api.requests == []
    assert status == 0
    assert "The lease" in out
    assert "notes/lease.md:" in out
    assert "payroll" in out
    assert SECRET not in out
    assert not (book / "out").exists()
    assert not (Path(os.environ["XDG_STATE_HOME"]) / "stet").exists()


def test_a_person_who_edits_a_section_keeps_the_edit(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
        path = book / "out/01-before.md"
        edited = path.read_text().replace("This is about the pager, and it is short.", "I know better.")
        path.write_text(edited)
        run(book, api)
        assert path.read_text() == edited
        (book / "notes/alarm.md").write_text("# Alarm\n\nThe alarm rang at 03:14. A pager lay there.\n")
        status, report, _ = run(book, api, "--replan")
    assert status == 0
    assert "I know better." in path.read_text()
    assert report["sections"]["kept"] <= 1


def test_a_chapter_that_is_gone_is_put_back_from_the_record_for_nothing(book: Path) -> None:
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
        whole = chapters(book)
        (book / "out/01-before.md").unlink()
        asked = len(api.requests)
        status, _, _ = run(book, api)
        assert len(api.requests) == asked
    assert status == 0
    assert chapters(book) == whole


@pytest.mark.parametrize("name", ["out", "out/01-before.md", "out/README.md"])
@pytest.mark.parametrize("what", ["folder", "file", "link"])
def test_what_stands_in_the_place_of_a_file_of_the_book_is_told_and_left(book: Path, name: str, what: str) -> None:
    place = book / name
    place.parent.mkdir(exist_ok=True)
    {"folder": place.mkdir, "file": lambda: place.write_text("Mine.\n"), "link": lambda: place.symlink_to(place.name)}[
        what
    ]()
    with FakeMessagesApi(writes_well) as api:
        _, _, err = here("run", str(book), "--model", MODEL, "--base-url", api.url)
    assert "Traceback" not in err
    assert "a bug" not in err
    is_usable = (what == "file" and name != "out") or (what, name) == ("folder", "out")
    assert is_usable or "out" in err
    assert {"folder": place.is_dir, "file": place.is_file, "link": place.is_symlink}[what]()


def test_a_latched_chapter_is_refused_and_written_after_its_reset_without_another_call(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeMessagesApi(but("The lease", Status(529, "overloaded_error", headers={"retry-after": "999"}))) as api:
        run(book, api)
    before = chapters(book)["01-before.md"]
    with WriteProxy.open(book) as proxy:
        for _ in range(3):
            proxy.write(book / "out/01-before.md", b"")
    with FakeMessagesApi(writes_well) as api:
        status, report, _ = run(book, api)
        assert status == 4
        assert statuses(report)[2] == "refused"
        assert report["findings"]["write"] == {"latched": 1}
        assert chapters(book)["01-before.md"] == before
        assert drafted(api) == ["The lease"]
        monkeypatch.setattr(person, "require", lambda *_: "a test")
        with WriteProxy.open(book) as proxy:
            operator.reset(proxy, book / "out/01-before.md")
        status, report, _ = run(book, api)
        assert drafted(api) == ["The lease"]
    assert status == 0
    assert report["findings"]["write"] == {}
    assert "## The lease" in chapters(book)["01-before.md"]


def test_status_tells_how_far_a_book_is(book: Path) -> None:
    assert "No run" in here("status", str(book))[1]
    with FakeMessagesApi(but("The lease", refusal())) as api:
        run(book, api)
    report = json.loads(here("status", str(book), "--json")[1])
    assert report["begun"] is True
    assert statuses(report)[2] == "staged"
    assert report["sections"]["written"] == 5
    assert report["changes"] == []
    (book / "notes/alarm.md").write_text("# Alarm\n\nNew.\n")
    assert "notes/alarm.md: changed" in here("status", str(book))[1]


def test_the_plan_is_shown_and_becomes_locked(book: Path) -> None:
    before = json.loads(here("plan", str(book), "--model", MODEL, "--json")[1])
    assert before["locked"] is False
    with FakeMessagesApi(writes_well) as api:
        run(book, api)
    after = json.loads(here("plan", str(book), "--json")[1])
    assert after["locked"] is True
    assert after["hash"] == before["hash"]
    assert "The lease" in here("plan", str(book))[1]


def test_style_is_mended_one_sentence_at_a_time_and_counted(tmp_path: Path) -> None:
    style = 'banned = ["leverage"]\n[style.alternatives]\nleverage = ["use"]'
    book = make_book(tmp_path / "small", style=style)

    def answer(request: Request) -> Text:
        if is_edit(request):
            return Text(json.dumps({"sentence": "We use the pager at 02:14."}))
        title, elements = asked_for(request)
        extra = "We leverage the pager at 02:14." if title == "The pager" else ""
        return Text(fit(title, elements, extra))

    with FakeMessagesApi(answer) as api:
        status, report, _ = run(book, api)
    assert status == 0
    assert report["micropasses"] == 1
    assert report["findings"]["style"] == {"banned": 1}
    assert "We use the pager at 02:14." in chapters(book)["01-before.md"]
    edits = [r for r in api.requests if is_edit(r)]
    assert len(edits) == 1
    assert "We leverage the pager" in edits[0].text
    assert "This is about" not in edits[0].text.split("The sentence:")[1]


def test_a_ceiling_counts_over_the_whole_chapter(tmp_path: Path) -> None:
    book = make_book(tmp_path / "small", style="ceilings = { telemetry = 1 }")
    with FakeMessagesApi(
        lambda r: Text('{"sentence": ""}') if is_edit(r) else Text(fit(*asked_for(r), "We read telemetry."))
    ) as api:
        _, report, _ = run(book, api)
    assert report["findings"]["style"] == {"ceiling": 4}  # two chapters of three, one each is allowed


@pytest.mark.parametrize(
    ("break_it", "code", "status"),
    [
        (lambda b: (b / "book.toml").write_text("titel = 1"), "bad-book", 2),
        (lambda b: (b / "book.toml").unlink(), "no-book", 2),
        (lambda b: (b / "stet.toml").unlink(), "no-project", 2),
        (lambda b: [p.unlink() for p in (b / "payroll").iterdir()], "bad-sources", 2),
        (lambda b: (b / "book.toml").write_text(BOOK.replace("words", "wrods")), "bad-book", 2),
        (
            lambda b: (b / "book.toml").write_text(BOOK.replace("\n[struc", '\nlane = "x"\n[struc')),
            "bad-book",
            2,
        ),
    ],
)
def test_what_cannot_begin_says_why_in_one_sentence(book: Path, break_it: Any, code: str, status: int) -> None:
    break_it(book)
    ended, out, err = here("run", str(book), "--json")
    assert ended == status
    assert json.loads(out)["code"] == code
    assert "Traceback" not in err
    assert not (book / "out").exists()
