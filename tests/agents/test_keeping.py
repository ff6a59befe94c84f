"""A record left open between questions answers as one opened for each, and is opened anew where that would differ."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hook_kit import with_chapter
from stet_kit import Book, NewBook, chapter, reword

from firewall.agents import hook, keeping
from firewall.agents.keeping import Kept
from firewall.agents.server import Server, answering, post
from firewall.agents.tokens import PATH
from firewall.writes import pinned
from firewall.writes.proxy import WriteProxy

GOOD = reword(chapter(2500))


class Asked:
    """A server's way to ask: every question through one kept record. Counts how often it was opened."""

    def __init__(self, book: Book, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kept, self.opened = Kept(), 0
        self.ask_of(book, path)
        real = WriteProxy.recorded

        def counted(*places: Path, **who: str) -> WriteProxy:
            self.opened += 1
            return real(*places, **who)

        monkeypatch.setattr(WriteProxy, "recorded", counted)

    def ask_of(self, book: Book, path: Path) -> None:
        """Ask of this project from now on."""
        self.book, self.path, self.state = book, path, book.state_folder

    def write(self, content: bytes) -> str:
        """The reason why a Write is refused, '' where it is not."""
        given = {"file_path": str(self.path), "content": content.decode()}
        return self.event("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t")

    def event(self, name: str, **more: object) -> str:
        value = {"session_id": "s", "cwd": str(self.book.root), "hook_event_name": name, **more}
        reply = hook.respond(
            "claude", json.dumps(value).encode(), state=str(self.state), root=str(self.book.root),
            kept=self.kept,
        )  # fmt: skip
        assert reply.status == 0
        said = json.loads(reply.out or "{}")
        return str(said.get("hookSpecificOutput", {}).get("permissionDecisionReason", ""))


@pytest.fixture
def asked(book: Book, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """A project that one question was asked about."""
    one = Asked(book, with_chapter(book), monkeypatch)
    one.event("UserPromptSubmit", prompt="@chapter.md")
    one.opened = 0
    yield one
    one.kept.close()


def test_it_is_opened_once_and_answers_the_same(asked: Asked) -> None:
    for _ in range(3):
        assert asked.write(GOOD) == ""
    assert "word-floor" in asked.write(b"stub\n")
    asked.path.write_bytes(GOOD)
    assert asked.event("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_use_id="t") == ""
    assert asked.opened == 0
    with asked.book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert proxy.ledger.load(known.disk) == GOOD
        assert known.attempts == 0


def test_what_other_processes_record_is_seen(asked: Asked) -> None:
    assert asked.write(GOOD) == ""
    with asked.book.open(session="other") as proxy:
        for number in range(3):
            proxy.write(asked.path, b"stub %d\n" % number)
    assert "latched" in asked.write(GOOD)
    with asked.book.open() as proxy, proxy.ledger.transaction():
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        proxy.ledger.set_state(known.id, attempts=0, alert="")
    assert asked.write(GOOD) == ""
    assert asked.opened == 0


def test_a_stricter_stet_toml_counts_at_once_and_an_accepted_one_too(asked: Asked) -> None:
    policy = asked.book.root / "stet.toml"
    text = policy.read_text()
    assert asked.write(GOOD) == ""
    policy.write_text(text.replace("[rules]\n", "[rules]\nmax_bytes = 1000\n"))
    assert "the limit is 1000" in asked.write(GOOD)
    assert asked.opened == 1
    looser = text.replace("[rules]\n", "[rules]\nword_floor = 0.1\n")
    policy.write_text(looser)
    assert asked.write(GOOD) == ""
    with asked.book.open() as proxy, proxy.ledger.transaction():
        pinned.pin(proxy.ledger, looser, person=True)
    opened = asked.opened
    assert asked.write(GOOD) == ""
    assert asked.opened == opened + 1, "another policy was accepted"


def replaced(asked: Asked) -> None:
    """The record is a copy of itself."""
    shutil.copytree(asked.state, asked.state.with_name("copy"))
    shutil.rmtree(asked.state)
    asked.state.with_name("copy").rename(asked.state)


def written_over(asked: Asked) -> None:
    """The same file with other bytes: a backup copied over it."""
    file = asked.state / "ledger.db"
    file.write_bytes(file.read_bytes())


def log_lost(asked: Asked) -> None:
    with sqlite3.connect(asked.state / "ledger.db") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (asked.state / name).unlink()


def folder_replaced(asked: Asked) -> None:
    shutil.copytree(asked.book.root, asked.book.root.with_name("copy"))
    shutil.rmtree(asked.book.root)
    asked.book.root.with_name("copy").rename(asked.book.root)


@pytest.mark.parametrize("change", [replaced, written_over, log_lost, folder_replaced], ids=lambda c: str(c.__name__))
def test_another_record_is_opened_anew(asked: Asked, change: Callable[[Asked], None]) -> None:
    assert "word-floor" in asked.write(b"stub\n")
    change(asked)
    assert "word-floor" in asked.write(b"stub 2\n")
    assert asked.opened == 1
    with asked.book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert known.attempts == 2, "what was recorded is in the record that is there"


def test_a_record_that_is_exchanged_while_it_is_opened_is_not_kept(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = keeping._files, []

    def files(root: Path, state: Path) -> keeping.Files:
        seen.append(1)
        return ((len(seen),), *real(root, state)[1:])

    monkeypatch.setattr(keeping, "_files", files)
    for _ in range(2):
        assert asked.write(GOOD) == ""
    assert asked.opened == 2


def test_a_record_that_is_gone_refuses(asked: Asked) -> None:
    assert asked.write(GOOD) == ""
    (asked.state / "ledger.db").unlink()
    assert "was there and is gone" in asked.write(GOOD)
    assert not (asked.state / "ledger.db").exists()


def test_a_missing_stet_toml_is_put_back_while_a_turn_is_open(asked: Asked) -> None:
    policy = asked.book.root / "stet.toml"
    before = policy.read_bytes()
    policy.unlink()
    assert asked.write(GOOD) == ""
    assert policy.read_bytes() == before


def test_an_error_lets_go_of_it(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    from firewall.agents import guard

    def broken(*_: object) -> None:
        raise ZeroDivisionError("our own fault")

    with monkeypatch.context() as patch:
        patch.setattr(guard.Guard, "answer", broken)
        assert "our own fault" in asked.write(GOOD)
    assert asked.kept._proxy is None
    assert asked.write(GOOD) == ""


def test_another_project_is_another_record(asked: Asked, new_book: NewBook) -> None:
    other = new_book("other")
    path = with_chapter(other)
    assert asked.write(GOOD) == ""
    asked.ask_of(other, path)
    assert "word-floor" in asked.write(b"stub\n")
    assert asked.opened == 1


def test_the_threads_of_a_server_share_it(book: Book) -> None:
    path = with_chapter(book)
    server = Server(0, "secret", answering(str(book.root), str(book.state_folder)))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    said: list[bytes] = []

    def ask(number: int) -> None:
        given = {"file_path": str(path), "content": f"stub {number}\n"}
        value = {"session_id": "s", "cwd": str(book.root), "hook_event_name": "PreToolUse", "tool_name": "Write",
                 "tool_input": given, "tool_use_id": str(number)}  # fmt: skip
        said.append(post(f"http://127.0.0.1:{server.port}{PATH}", json.dumps(value).encode(), "secret"))

    askers = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for one in askers:
        one.start()
    for one in askers:
        one.join(60)
    server.stop()
    thread.join(10)
    decisions = [json.loads(one)["hookSpecificOutput"] for one in said]
    assert [d["permissionDecision"] for d in decisions] == ["deny"] * 6
    assert sum("latched" in d["permissionDecisionReason"] for d in decisions) >= 3
    with book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert known.latched
