"""Hooks installed twice (a plugin beside settings, say) ask about the same tool call: it is judged and counted once."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hook_kit import STUB, TERMINAL, Claude, decision, reason, with_chapter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter, make_older

from firewall.agents import hook, once
from firewall.writes import cases


@pytest.fixture
def path(book: Book) -> Path:
    return with_chapter(book)


def attempts(book: Book) -> int:
    with book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        return known.attempts


def rows(book: Book, kind: str) -> int:
    with book.open() as proxy:
        return sum(e.kind == kind for e in proxy.ledger.journal())


def stub(path: Path, content: bytes = STUB) -> dict[str, object]:
    return {"file_path": str(path), "content": content.decode()}


def test_the_second_hook_gives_the_firsts_answer_word_for_word(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    first = claude.before("Write", stub(path), "t1")
    assert decision(first) == "deny"
    assert "Failed attempt 1" in reason(first)
    assert claude.before("Write", stub(path), "t1") == first
    assert (attempts(book), rows(book, "refuse")) == (1, 1)


def test_hooks_that_run_at_the_same_time_count_once(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    said: list[dict[str, Any]] = []

    def ask() -> None:
        said.append(claude.before("Write", stub(path), "t1"))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(said) == 3
    assert said[0] == said[1] == said[2]
    assert attempts(book) == 1


def test_a_trip_is_told_by_both(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    for number in (1, 2):
        for _ in range(2):
            claude.before("Write", stub(path, b"stub %d\n" % number), f"t{number}")
    first = claude.before("Write", stub(path), "t3")
    assert first["continue"] is False
    assert claude.before("Write", stub(path), "t3") == first
    with book.open() as proxy:
        assert len(cases.every(proxy.ledger, ["trip"])) == 1


def test_an_edit_that_cannot_be_made_counts_once(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    given = {"file_path": str(path), "old_string": "nowhere", "new_string": "x", "replace_all": False}
    first = claude.before("Edit", given, "t1")
    assert decision(first) == "deny"
    assert claude.before("Edit", given, "t1") == first
    assert attempts(book) == 1


def test_a_question_is_one_question(book: Book, path: Path) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt("read @chapter.md")
    given = stub(path, chapter(1900))
    first = claude.before("Write", given, "t1")
    assert decision(first) == "ask"
    assert claude.before("Write", given, "t1") == first
    with book.open() as proxy:
        assert len(cases.every(proxy.ledger, ["hold"])) == 1
    path.write_bytes(chapter(1900))
    assert claude.after("Write", given, "t1") == {}
    assert claude.after("Write", given, "t1") == {}
    assert path.read_bytes() == chapter(1900)
    assert attempts(book) == 0


@pytest.mark.parametrize("other", ["another id", "another session", "another input", "later", "too often"])
def test_anything_else_is_judged_and_counted_anew(
    book: Book, path: Path, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = Claude(book)
    claude.prompt()
    claude.before("Write", stub(path), "t1")
    ident, content = "t1", STUB
    if other == "another id":
        ident = "t2"
    elif other == "another session":
        claude.session = "another"
        claude.prompt()
    elif other == "another input":
        content = b"Another stub.\n"
    elif other == "later":
        monkeypatch.setattr(once, "SECONDS", -1.0)
    else:
        monkeypatch.setattr(once, "TIMES", 0)
    assert decision(claude.before("Write", stub(path, content), ident)) == "deny"
    assert attempts(book) == 2


def test_only_refusals_are_remembered(book: Book, path: Path) -> None:
    """What was let through once is judged again: a permission must not outlive the facts that it rests on."""
    claude = Claude(book)
    claude.prompt()
    old = path.read_text().splitlines()[3]
    given: dict[str, object] = {
        "file_path": str(path), "old_string": old, "new_string": f"{old} More.", "replace_all": False,
    }  # fmt: skip
    assert claude.before("Edit", given, "t1") == {}
    with book.open() as proxy:
        assert not proxy.ledger.query("SELECT 1 FROM told")
    path.write_bytes(path.read_bytes().replace(old.encode(), b"Gone."))
    assert decision(claude.before("Edit", given, "t1")) == "deny"


def test_failed_edits_of_two_sessions_with_the_same_ids_count_both(book: Book, path: Path) -> None:
    call = {
        "tool_name": "Edit", "tool_use_id": "call_1", "tool_response": "<tool_use_error>not found</tool_use_error>",
        "tool_input": {"file_path": str(path), "old_string": "nope", "new_string": "x", "replace_all": False},
    }  # fmt: skip
    for session in ("one", "two"):
        claude = Claude(book)
        claude.session = session
        claude.prompt()
        for _ in range(2):
            claude.answer("PostToolBatch", tool_calls=[call])
    assert attempts(book) == 2


def test_a_record_made_before_this_was_kept_is_opened_and_used(book: Book, path: Path) -> None:
    claude = Claude(book)
    make_older(book.state_folder, "DROP TABLE told")
    claude.prompt()
    first = claude.before("Write", stub(path), "t1")
    assert claude.before("Write", stub(path), "t1") == first
    assert attempts(book) == 1


def test_a_refused_call_of_stet_has_one_row_and_one_answer(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    first = claude.bash("stet reset chapter.md", "t1")
    assert decision(first) == "deny"
    assert claude.bash("stet reset chapter.md", "t1") == first
    with book.open() as proxy:
        rows = [e for e in proxy.ledger.journal() if "stet reset" in e.data]
    assert [(e.kind, e.session, e.source) for e in rows] == [("refuse", claude.session, "claude")]


# -- runtimes that give their calls no id ----------------------------------------------------------------------

GEMINI: dict[str, object] = {"session_id": "g", "hook_event_name": "BeforeTool", "tool_name": "write_file"}
CLINE = {"taskId": "t", "hookName": "PreToolUse", "clineVersion": "3"}
WINDSURF = {"agent_action_name": "pre_write_code", "trajectory_id": "w"}


def unnumbered(runtime: str, path: Path, content: str) -> bytes:
    """A write, as the runtime sends it."""
    root = str(path.parent)
    if runtime == "gemini":
        return json.dumps({**GEMINI, "cwd": root, "tool_input": {"file_path": str(path), "content": content}}).encode()
    if runtime == "cline":
        given = {"path": str(path), "content": content}
        return json.dumps(
            {**CLINE, "workspaceRoots": [root], "preToolUse": {"toolName": "write_to_file", "parameters": given}}
        ).encode()
    edits = [{"old_string": path.read_text(), "new_string": content}]
    return json.dumps({**WINDSURF, "tool_info": {"file_path": str(path), "edits": edits}}).encode()


def ask(book: Book, runtime: str, data: bytes, scopes: str) -> list[str]:
    """What each installed hook says: those of the project (p) and of the user (u), in this order."""
    said = []
    for scope in scopes:
        reply = hook.respond(
            runtime, data, state=str(book.state_folder), root=str(book.root), environment={}, every_session=scope == "u"
        )
        said.append(f"{reply.status} {reply.out} {reply.err}")
    return said


@pytest.mark.parametrize("runtime", ["gemini", "cline", "windsurf"])
@pytest.mark.parametrize("order", ["pu", "up"])
def test_two_hooks_count_a_call_without_an_id_once_and_a_repetition_anew(
    book: Book, path: Path, runtime: str, order: str
) -> None:
    with book.open():
        pass
    data = unnumbered(runtime, path, "A stub.\n")
    first, second = ask(book, runtime, data, order)
    assert first == second
    assert "chapter.md" in first
    assert attempts(book) == 1
    ask(book, runtime, data, order[::-1])
    assert attempts(book) == 2, "the same again is another attempt, whichever hook is asked first"
    ask(book, runtime, data, order)
    with book.open() as proxy:
        assert len(cases.every(proxy.ledger, ["trip"])) == 1


@given(scopes=st.lists(st.sampled_from("pu"), min_size=1, max_size=8).map("".join))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_call_goes_uncounted(new_book: NewBook, scopes: str) -> None:
    """A hook that is asked N times was asked about N calls, whatever others were asked."""
    book = new_book(f"{len(scopes)}-{scopes}", {"attempts": 99, "window_attempts": 99})
    path = with_chapter(book)
    for scope in scopes:
        ask(book, "gemini", unnumbered("gemini", path, "A stub.\n"), scope)
    assert attempts(book) >= max(scopes.count("p"), scopes.count("u"))


def test_a_failed_edit_without_an_id_counts_once_for_two_hooks(book: Book, path: Path) -> None:
    with book.open():
        pass
    given = {"file_path": str(path), "instruction": "x", "old_string": "nowhere", "new_string": "x"}
    event = {**GEMINI, "cwd": str(book.root), "hook_event_name": "AfterTool", "tool_name": "replace"}
    event |= {"tool_input": given, "tool_response": {"error": {"message": "no occurrence"}}}
    for number in (1, 2):
        ask(book, "gemini", json.dumps(event).encode(), "pu")
        assert attempts(book) == number
