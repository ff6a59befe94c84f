"""What an agent left running when it stopped, past its runtime's own list: its changes are no person's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hook_kit import Claude
from stet_kit import Book, chapter

from firewall.agents import lasting, living, turns
from firewall.writes import cases

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="tells processes apart by /proc")
SHELL = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "x"}
"""As Claude Code 2.1.332 was seen to give it to what its shell starts."""


@contextmanager
def runs(folder: Path, more: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a folder, which has run for a moment."""
    with subprocess.Popen(
        ["sleep", "60"], cwd=folder, env={"PATH": os.defpath, **more}, start_new_session=True
    ) as process:
        time.sleep(2 * living._BESIDE)
        try:
            yield process
        finally:
            process.kill()


def is_open(book: Book, session: str) -> bool:
    """Is the session's turn open?"""
    with book.open() as proxy:
        return turns.is_open(proxy, session)


@pytest.fixture
def claude(book: Book) -> Claude:
    """A session whose turn is open."""
    book.put("ch.md", chapter())
    session = Claude(book)
    session.prompt()
    return session


@pytest.mark.parametrize(("end", "given"), [("Stop", SHELL), ("SessionEnd", SHELL), ("Stop", {})])
def test_what_it_does_after_stop_is_put_back_and_offered(claude: Claude, end: str, given: Mapping[str, str]) -> None:
    """With nothing in its environment it was started by `env -i`: a person's session marks all that it starts."""
    with runs(claude.book.root, given) as process:
        claude.answer(end)
        assert is_open(claude.book, claude.session)
        with claude.book.open() as proxy:
            assert [pids for _, pids in lasting.left_running(proxy)] == [[str(process.pid)]]
        (claude.book.root / "ch.md").write_bytes(b"Gone.\n")
        assert "stet approve" in str(Claude(claude.book).prompt()), "it may be a person's all the same"
        assert (claude.book.root / "ch.md").read_bytes() == chapter()
        (claude.book.root / "ch.md").write_bytes(b"Gone again.\n")
        assert "failed attempt 1" in str(claude.ran("ls"))
        assert (claude.book.root / "ch.md").read_bytes() == chapter()


def test_once_it_has_ended_nobody_knows_whose_a_change_is(claude: Claude) -> None:
    """It is put back where it breaks the rules, offered, and nobody's attempt."""
    with runs(claude.book.root, SHELL) as process:
        claude.stop()
        (claude.book.root / "ch.md").write_bytes(b"Gone.\n")
        process.kill()
    assert "stet approve" in str(claude.prompt())
    assert (claude.book.root / "ch.md").read_bytes() == chapter()
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert known.attempts == 0
        assert [case.path for case in cases.every(proxy.ledger, ("hold",), cases.PENDING)] == ["ch.md"]
    claude.stop()
    assert not is_open(claude.book, claude.session), "and the next stop closes"


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"HOME": "/x"}, ""),
        ({"INVOCATION_ID": "1"}, ""),
        ({**SHELL, "CLAUDE_PROJECT_DIR": "/x"}, ""),
        (SHELL, ".."),
        ({}, ".."),
        ({"CLAUDE": "1", "PWD": "CLAUDECODE=1", "USER": "ada"}, ""),
    ],
    ids=["a person's", "the system's", "a hook's or a tool server's", "another folder's", "nobody's there", "alike"],
)
def test_what_others_run_keeps_no_turn_open(claude: Claude, more: dict[str, str], where: str) -> None:
    with runs(claude.book.root / where, more):
        assert claude.stop() == {}
        assert not is_open(claude.book, claude.session)
        (claude.book.root / "ch.md").write_bytes(b"Rewritten by hand.\n")
        assert claude.prompt() == {}
        assert (claude.book.root / "ch.md").read_bytes() == b"Rewritten by hand.\n"


def test_a_swept_environment_hides_no_agent_above(tmp_path: Path) -> None:
    script = tmp_path / "claude"
    ask = "from firewall.writes.person import agent_above; print(agent_above())"
    script.write_text(f'#!/bin/sh\nenv -i {sys.executable} -c "{ask}"\ntrue\n')
    script.chmod(0o755)
    done = subprocess.run([script], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    assert done.stdout == "claude\n"


def test_what_ran_before_the_turn_is_none_of_its_work(book: Book) -> None:
    book.put("ch.md", chapter())
    with runs(book.root, SHELL):
        claude = Claude(book)
        claude.prompt()
        claude.stop()
        assert not is_open(book, claude.session)


def test_a_session_that_ended_with_work_left_is_closed_when_that_has_ended(
    claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(["sleep", "60"]) as runtime:
        monkeypatch.setattr(living, "runtime", lambda: living.mark(runtime.pid))
        claude.prompt()
        monkeypatch.setattr(living, "runtime", lambda: "")
        with runs(claude.book.root, SHELL):
            claude.answer("SessionEnd")
            runtime.kill()
            runtime.wait()
            second = Claude(claude.book)
            second.answer("SessionStart", source="startup")
            assert is_open(claude.book, claude.session), "its work lives"
        second.answer("SessionStart", source="startup")
        assert not is_open(claude.book, claude.session)


@pytest.mark.parametrize("loose", [True, False])
def test_a_server_that_opencode_runs_is_none_of_its_agents_work(claude: Claude, tmp_path: Path, loose: bool) -> None:
    """It gives its word to language servers as well; what an agent left behind is no child of it any more."""
    program = tmp_path / "opencode"
    program.write_text("#!/bin/sh\nsleep 60 &\necho $!\n" + ("" if loose else "wait\n"))
    program.chmod(0o755)
    environment = {"PATH": os.defpath, "OPENCODE": "1"}
    with subprocess.Popen([program], cwd=claude.book.root, env=environment, stdout=subprocess.PIPE) as runtime:
        assert runtime.stdout is not None
        server = int(runtime.stdout.readline())
        time.sleep(2 * living._BESIDE)
        try:
            here = str(claude.book.root)
            marks = living.at_work(here, time.time() - 60, time.time())
            assert (living.mark(server) in marks) is loose
        finally:
            os.kill(server, signal.SIGKILL)
            runtime.kill()
