"""Before a tool of Claude Code runs: what it would write is judged, and the answer has exactly what is needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hook_kit import HEADLESS, STUB, TERMINAL, Claude, decision, reason, with_chapter
from stet_kit import Book, NewBook, chapter, reword

from firewall.writes import cases


@pytest.fixture
def path(book: Book) -> Path:
    return with_chapter(book)


def attempts(book: Book, name: str = "chapter.md") -> int:
    with book.open() as proxy:
        known = proxy.ledger.artifact(name)
        assert known is not None
        return known.attempts


def test_an_honest_edit_is_let_through_in_silence(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    old = path.read_text().splitlines()[3]
    reply = claude.tell(
        "PreToolUse", tool_name="Edit", tool_use_id="t",
        tool_input={"file_path": str(path), "old_string": old, "new_string": old + " More."},
    )  # fmt: skip
    assert (reply.out, reply.err, reply.status) == ("", "", 0)


def test_a_refusal_is_exactly_what_the_runtime_needs(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    said = claude.before("Write", {"file_path": str(path), "content": STUB.decode()})
    assert set(said) == {"hookSpecificOutput"}
    assert set(said["hookSpecificOutput"]) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    assert said["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert decision(said) == "deny"
    assert "2500 -> 2 words; the floor is 2125" in reason(said)
    assert path.read_bytes() == chapter(2500), "nothing is written by the hook"


def test_three_failures_deny_and_stop_together_and_tell_the_person(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    for number in (1, 2):
        said = claude.write("chapter.md", b"stub %d\n" % number)
        assert decision(said) == "deny"
        assert "continue" not in said
    said = claude.write("chapter.md", b"stub 3\n")
    assert decision(said) == "deny", "`continue: false` alone lets the call through"
    assert said["continue"] is False
    assert said["stopReason"]
    assert "stet show A" in said["systemMessage"]
    with book.open() as proxy:
        assert [c.kind for c in cases.every(proxy.ledger, ["trip"], cases.PENDING)] == ["trip"]
    again = claude.write("chapter.md", reword(chapter(2500)))
    assert decision(again) == "deny"
    assert "latched" in reason(again)
    assert "continue" not in again, "the run was stopped once; other work may go on"
    assert "Go on with other work" in reason(again)


def test_the_answer_to_a_trip_says_that_the_run_ends_and_not_to_go_on(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    said = [claude.write("chapter.md", b"stub %d\n" % number) for number in range(3)][-1]
    assert "The run ends here" in reason(said)
    assert "Go on" not in reason(said)
    assert "Stet latched chapter.md (3 failed attempts in a row)" in said["systemMessage"]


def test_who_asks_again_and_again_for_a_latched_file_is_stopped(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    for number in range(3):
        claude.write("chapter.md", b"stub %d\n" % number)
    claude.prompt("go on")
    said = [claude.write("chapter.md", reword(chapter(2500), b"day %d" % n)) for n in (1, 2, 3)]
    assert ["continue" in one for one in said] == [False, False, True]
    assert [decision(one) for one in said] == ["deny"] * 3
    assert "refused 3 times in this turn" in said[2]["systemMessage"]
    assert "chapter.md" in said[2]["systemMessage"]
    assert "The run ends here" in reason(said[2])
    assert claude.answer("PostToolBatch", tool_calls=[])["continue"] is False, "heard after the batch as well"
    claude.prompt("once more")
    assert "continue" not in claude.write("chapter.md", reword(chapter(2500), b"day 4")), "a prompt begins anew"
    other = Claude(book)
    other.prompt()
    assert "continue" not in other.write("chapter.md", reword(chapter(2500), b"day 5")), "so does another session"


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "plan"])
def test_a_held_proposal_is_the_runtimes_own_question_where_a_person_sits(book: Book, path: Path, mode: str) -> None:
    claude = Claude(book, TERMINAL, mode)
    claude.prompt("read @chapter.md")
    said = claude.before("Write", {"file_path": str(path), "content": chapter(1900).decode()})
    assert decision(said) == "ask"
    assert "1900" in reason(said), "the measure is in the question"
    assert "continue" not in said


@pytest.mark.parametrize(
    ("environment", "mode"),
    [
        (HEADLESS, "acceptEdits"),
        ({}, "default"),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-py"}, "default"),
        ({"CLAUDE_CODE_ENTRYPOINT": "unheard-of"}, "default"),
        (TERMINAL, "auto"),
        (TERMINAL, "dontAsk"),
        (TERMINAL, "bypassPermissions"),
        (TERMINAL, "unheard-of"),
    ],
)
def test_where_nobody_can_answer_it_is_denied_and_waits(
    book: Book, path: Path, environment: dict[str, str], mode: str
) -> None:
    claude = Claude(book, environment, mode)
    claude.prompt("read @chapter.md")
    said = claude.before("Write", {"file_path": str(path), "content": chapter(1900).decode()})
    assert decision(said) == "deny"
    with book.open() as proxy:
        (case,) = cases.every(proxy.ledger, ["hold"], ["waiting"])
    assert case.id in reason(said)


def test_a_yes_to_the_question_is_an_acceptance(book: Book, path: Path) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt("read @chapter.md")
    given: dict[str, object] = {"file_path": str(path), "content": chapter(1900).decode()}
    ident = claude.next_id()
    assert decision(claude.before("Write", given, ident)) == "ask"
    path.write_bytes(chapter(1900))
    assert claude.after("Write", given, ident) == {}
    assert path.read_bytes() == chapter(1900)
    assert attempts(book) == 0
    with book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert known.baseline == known.disk
        assert not cases.every(proxy.ledger, ["hold"], cases.PENDING)


def test_another_calls_id_is_no_yes(book: Book, path: Path) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt("read @chapter.md")
    given: dict[str, object] = {"file_path": str(path), "content": chapter(1900).decode()}
    assert decision(claude.before("Write", given, "asked")) == "ask"
    path.write_bytes(chapter(1900))
    said = claude.after("Write", given, "another")
    assert said["decision"] == "block"
    assert path.read_bytes() == chapter(2500)


def test_multi_edit_is_judged_as_one(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    lines = path.read_text().splitlines()
    edits = [{"old_string": lines[2], "new_string": "One.", "replace_all": False}]
    assert claude.before("MultiEdit", {"file_path": str(path), "edits": edits}) == {}
    gone = [{"old_string": line, "new_string": ""} for line in lines[2:] if line]
    assert decision(claude.before("MultiEdit", {"file_path": str(path), "edits": gone})) == "deny"
    assert decision(claude.before("MultiEdit", {"file_path": str(path), "edits": [*edits, edits[0]]})) == "deny"


def test_an_edit_whose_text_is_not_there_is_refused_and_counts(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    said = claude.edit("chapter.md", "no such words", "x")
    assert decision(said) == "deny"
    assert "is not in the file" in reason(said)
    assert attempts(book) == 1


def test_a_file_that_is_no_utf8_is_not_edited(book: Book) -> None:
    book.put("old.md", b"caf\xe9\nprice: 5\n")
    claude = Claude(book)
    claude.prompt()
    said = claude.edit("old.md", "price: 5", "price: 6")
    assert decision(said) == "deny"
    assert "0xe9" in reason(said)


def test_notebook_cells(book: Book) -> None:
    words = chapter(300).decode()
    cells = [{"id": "a", "cell_type": "markdown", "metadata": {}, "source": words}]
    value = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    notebook = book.put("n.ipynb", json.dumps(value).encode())
    claude = Claude(book)
    claude.prompt()
    good: dict[str, object] = {"notebook_path": str(notebook), "cell_id": "a", "new_source": words + "\nMore."}
    assert claude.before("NotebookEdit", good) == {}
    assert decision(claude.before("NotebookEdit", {**good, "edit_mode": "delete", "new_source": ""})) == "deny"
    assert decision(claude.before("NotebookEdit", {**good, "cell_id": "none"})) == "deny"
    more = {**good, "edit_mode": "insert", "cell_type": "code", "new_source": "x = 1"}
    assert claude.before("NotebookEdit", more) == {}


@pytest.mark.parametrize("name", ["src/tool.py", "picture.png", "../elsewhere.md", "node_modules/x/readme.md"])
def test_other_files_are_nobodys_business_here(book: Book, name: str) -> None:
    claude = Claude(book)
    claude.prompt()
    assert claude.before("Write", {"file_path": str(book.root / name), "content": "x"}) == {}


@pytest.mark.parametrize("name", ["stet.toml", "STET.TOML", "sub/stet.toml", "book.toml"])
def test_policy_files_are_a_persons(book: Book, name: str) -> None:
    claude = Claude(book)
    claude.prompt()
    before = (book.root / "stet.toml").read_bytes()
    assert decision(claude.before("Write", {"file_path": str(book.root / name), "content": "[rules]\n"})) == "deny"
    assert (book.root / "stet.toml").read_bytes() == before


def test_the_record_is_nobodys_to_write(book: Book) -> None:
    claude = Claude(book)
    claude.prompt()
    for name in ("ledger.db", "new.md"):
        said = claude.before("Write", {"file_path": str(book.state_folder / name), "content": "x"})
        assert decision(said) == "deny"


def test_a_link_to_a_chapter_is_the_chapter(book: Book, path: Path) -> None:
    (book.root / "link.txt").symlink_to(path)
    claude = Claude(book)
    claude.prompt()
    assert decision(claude.before("Write", {"file_path": str(book.root / "link.txt"), "content": "x"})) == "deny"


def test_known_mcp_tools_that_write(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    assert decision(claude.before("mcp__fs__write_file", {"path": str(path), "content": "x"})) == "deny"
    edits = [{"oldText": path.read_text(), "newText": "x"}]
    assert decision(claude.before("mcp__fs__edit_file", {"path": str(path), "edits": edits})) == "deny"
    move: dict[str, object] = {"source": str(path), "destination": str(book.root / "c2.md")}
    assert claude.before("mcp__fs__move_file", move) == {}, "a rename that loses nothing"
    gone: dict[str, object] = {"source": str(path), "destination": "/tmp/away"}
    assert decision(claude.before("mcp__fs__move_file", gone)) == "deny"


def test_the_policys_table_of_tools(new_book: NewBook) -> None:
    book = new_book()
    toml = book.root / "stet.toml"
    table = 'tools = [{ name = "mcp__notes__*", does = "write", path = "where.file", content = "text" }]\n'
    toml.write_text(toml.read_text().replace("[agents]\n", f"[agents]\n{table}"))
    path = with_chapter(book)
    claude = Claude(book)
    claude.prompt()
    given: dict[str, object] = {"where": {"file": str(path)}, "text": "x"}
    assert decision(claude.before("mcp__notes__save", given)) == "deny"
    said = claude.before("mcp__notes__save", {"where": {}, "text": "x"})
    assert decision(said) == "deny"
    assert "'where.file'" in reason(said)
    assert claude.before("mcp__other__save", given) == {}, "an unknown tool is looked at afterwards, as a shell is"
    path.write_bytes(STUB)
    assert "put back" in reason(claude.after("mcp__other__save", given))
    assert path.read_bytes() == chapter(2500)


def test_an_unaccepted_table_of_tools_does_not_count(book: Book, path: Path) -> None:
    with book.open():
        pass  # the policy is pinned
    toml = book.root / "stet.toml"
    table = 'tools = [{ name = "mcp__fs__write_file", does = "nothing" }]\n'
    toml.write_text(toml.read_text().replace("[agents]\n", f"[agents]\n{table}"))
    claude = Claude(book)
    claude.prompt()
    assert decision(claude.before("mcp__fs__write_file", {"path": str(path), "content": "x"})) == "deny"


def test_subagents_belong_to_the_session(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    said = claude.answer(
        "PreToolUse", tool_name="Write", tool_use_id="t", agent_id="a1", agent_type="general-purpose",
        tool_input={"file_path": str(path), "content": "x"},
    )  # fmt: skip
    assert decision(said) == "deny"
    claude.answer("SubagentStop", agent_id="a1", background_tasks=[])
    path.write_bytes(STUB)
    assert "put back" in reason(claude.ran("x")), "the turn is open until the main agent stops"
