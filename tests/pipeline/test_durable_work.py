"""Work that survives: answers are replayed, what failed is taken up again, what is stale is dropped."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from book_kit import here, in_a_fork, make_book

from firewall.writes.proxy import WriteProxy
from pipeline import cli
from pipeline.db import immediate, open_database, told
from pipeline.durable import Durable, Step
from pipeline.errors import RunNotKept, RunStateBroken
from pipeline.home import home_of

Json = dict[str, Any]
THIN = """\
title = "Bread"
lane = "public"

[[sources]]
files = ["notes/*.md"]
lane = "public"

[[chapters]]
title = "Baking"
sections = [{ title = "A loaf", shape = "walkthrough", words = 60 }]
"""
BREAD = """\
# A loaf

1. Mix the flour with the water and let it rest for forty minutes.
2. Add the salt and the leaven, and fold the dough four times.
3. Shape it, and bake it for forty minutes with the lid on.

The crumb is closed where the dough was proved for too short a time.
"""


class Worker:
    """Work of three steps that counts its calls and fails where it is told."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.fail = ""

    def work(self, name: str) -> Callable[[Step], Json]:
        def run(step: Step) -> Json:
            return {"name": name, "steps": [step(f"s{n}", self.call(f"{name}{n}"))["call"] for n in range(3)]}

        return run

    def call(self, call: str) -> Callable[[], Json]:
        def do() -> Json:
            self.calls.append(call)
            if call == self.fail:
                raise ConnectionError(call)
            return {"call": call}

        return do

    def durable(self, path: Path, *names: str) -> Durable:
        return Durable(path, {name: self.work(name) for name in names})


def test_finished_work_is_not_done_again(tmp_path: Path) -> None:
    worker = Worker()
    for _ in range(2):
        with worker.durable(tmp_path / "w", "a", "b") as durable:
            assert durable.run("a") == {"name": "a", "steps": ["a0", "a1", "a2"]}
            assert durable.run("b")["name"] == "b"
    assert worker.calls == ["a0", "a1", "a2", "b0", "b1", "b2"]


def test_failed_work_raises_its_own_error_and_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    worker = Worker()
    worker.fail = "a1"
    with worker.durable(tmp_path / "w", "a", "b") as durable:
        with pytest.raises(ConnectionError, match="a1"):
            durable.run("a")
        durable.run("b")
    with worker.durable(tmp_path / "w", "a", "b") as durable, pytest.raises(ConnectionError, match="a1"):
        durable.run("a")
    worker.fail = ""
    with worker.durable(tmp_path / "w", "a", "b") as durable:
        assert durable.run("a")["steps"] == ["a0", "a1", "a2"]
    assert worker.calls == ["a0", "a1", "b0", "b1", "b2", "a1", "a1", "a2"]


def test_work_that_is_no_longer_wanted_is_not_resumed_but_can_be_asked_for_later(tmp_path: Path) -> None:
    worker = Worker()
    worker.fail = "a1"
    with worker.durable(tmp_path / "w", "a") as durable, pytest.raises(ConnectionError):
        durable.run("a")
    worker.fail = ""
    with worker.durable(tmp_path / "w", "b") as durable:
        durable.run("b")
    assert worker.calls == ["a0", "a1", "b0", "b1", "b2"]
    with worker.durable(tmp_path / "w", "a", "b") as durable:
        assert durable.run("a")["steps"] == ["a0", "a1", "a2"]
    assert worker.calls == ["a0", "a1", "b0", "b1", "b2", "a1", "a2"]


KILLED = """
import os, sys
from pathlib import Path
from pipeline.durable import Durable

def work(step):
    def call(n):
        with open(sys.argv[2], "a") as log:
            log.write(f"{n}\\n")
        if os.environ.get("KILL_AT") == str(n):
            os.kill(os.getpid(), 9)
        return {"n": n}
    return {"steps": [step(f"s{n}", lambda n=n: call(n))["n"] for n in range(4)]}

with Durable(Path(sys.argv[1]), {"a": work}) as durable:
    print(durable.run("a"))
"""


def test_killed_work_is_resumed_by_another_process_and_only_the_call_in_flight_is_repeated(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"

    def run(kill_at: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "w"), str(log)],
            env={**os.environ, "KILL_AT": kill_at},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert run("1").returncode == -9
    assert run("3").returncode == -9
    last = run("")
    assert last.stdout.strip() == "{'steps': [0, 1, 2, 3]}"
    assert last.stderr == ""
    assert log.read_text().split() == ["0", "1", "1", "2", "3", "3"]


def test_dbos_says_nothing_and_asks_for_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    def refuse(*args: object) -> None:
        raise AssertionError(f"a connection was tried: {args}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with Worker().durable(tmp_path / "w", "a") as durable:
        durable.run("a")
    assert capfd.readouterr() == ("", "")


def test_a_damaged_record_is_told_and_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "w"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(RunStateBroken) as caught, Worker().durable(path, "a"):
        pass
    assert str(path) in caught.value.hint
    assert path.read_bytes() == b"this is no database" * 100
    with Worker().durable(tmp_path / "other", "a") as durable:  # and nothing of it is left over
        durable.run("a")


def test_the_record_is_data_and_no_pickle(tmp_path: Path) -> None:
    with Worker().durable(tmp_path / "w", "a") as durable:
        durable.run("a")
    db = sqlite3.connect(tmp_path / "w")
    try:
        rows = db.execute("SELECT serialization FROM workflow_status").fetchall()
        rows += db.execute("SELECT serialization FROM operation_outputs").fetchall()
    finally:
        db.close()
    assert len(rows) == 4
    assert {r[0] for r in rows} == {"stet_json"}


@pytest.mark.parametrize(
    "words",
    [
        "database or disk is full",
        "disk I/O error",
        "attempt to write a readonly database",
        "(sqlite3.OperationalError) database or disk is full (Background on this error at: https://sqlalche.me/e/21/e3)",
        "(sqlite3.OperationalError) disk I/O error\n[SQL: INSERT INTO x VALUES (?)]\n[parameters: ('secret',)]",
    ],
)
def test_what_the_system_refuses_is_no_damage(tmp_path: Path, words: str) -> None:
    error = told(tmp_path / "w", sqlite3.OperationalError(words))
    assert isinstance(error, RunNotKept)
    assert "sqlalche" not in error.message
    assert "SQL:" not in error.message
    assert "secret" not in error.message
    assert "move it away" not in error.hint


def test_a_full_disk_is_told_at_any_statement_and_leaves_the_record_whole(tmp_path: Path) -> None:
    db = open_database(tmp_path / "w", "CREATE TABLE IF NOT EXISTS t (x)")
    db.execute("PRAGMA max_page_count = 3")
    with pytest.raises(RunNotKept) as caught, immediate(db):
        db.execute("INSERT INTO t VALUES (zeroblob(100000))")
    assert "is full" in caught.value.message
    db.execute("PRAGMA max_page_count = 100")
    db.execute("INSERT INTO t VALUES (1)")
    assert db.execute("SELECT count(*) FROM t").fetchone() == (1,)
    db.close()


@pytest.mark.parametrize("kilobytes", [4, 30, 60, 90, 120, 150])
def test_a_run_that_the_system_stops_goes_on_with_the_next(tmp_path: Path, kilobytes: int) -> None:
    book = make_book(tmp_path / "book", book=THIN, notes={"notes/bread.md": BREAD})

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024,) * 2)
        os._exit(cli.run(["run", str(book)]))

    status, err = in_a_fork(run)
    assert status in (0, 1)
    assert status == 0 or "[storage]" in err
    assert "run-state-broken" not in err
    status, out, err = here("run", str(book))
    assert status == 0, err
    assert "sections stand" in out


def test_a_record_that_was_only_begun_holds_nothing_against_any_book(tmp_path: Path) -> None:
    first, second = make_book(tmp_path / "first"), make_book(tmp_path / "second")
    with WriteProxy.open(first) as proxy:
        home = home_of(proxy.state, proxy.root, first)
    home.sections.parent.mkdir(parents=True)
    for path in (home.money, home.sections):
        path.touch()  # a kill between a file and its first table
    for book in (first, second):
        status, _, err = here("plan", str(book))
        assert status == 0, err
