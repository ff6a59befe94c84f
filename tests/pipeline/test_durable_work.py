"""Work that survives: answers are replayed, what failed is taken up again, what is stale is dropped."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.durable import Durable, Step
from pipeline.errors import RunStateBroken

Json = dict[str, Any]


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
    import sqlite3

    db = sqlite3.connect(tmp_path / "w")
    try:
        rows = db.execute("SELECT serialization FROM workflow_status").fetchall()
        rows += db.execute("SELECT serialization FROM operation_outputs").fetchall()
    finally:
        db.close()
    assert len(rows) == 4
    assert {r[0] for r in rows} == {"stet_json"}
