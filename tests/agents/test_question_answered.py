"""Claude Code's own question about a held proposal: what each answer makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hook_kit import TERMINAL, Claude, decision, reason, with_chapter
from stet_kit import Book, chapter

from firewall.writes import cases
from firewall.writes.records import Case

SHORTER = chapter(1900)


@pytest.fixture
def path(book: Book) -> Path:
    return with_chapter(book)


@pytest.fixture
def claude(book: Book, path: Path) -> Claude:
    """At the question about a shorter chapter, whose call has the id t1."""
    made = Claude(book, TERMINAL)
    made.prompt("read @chapter.md")
    assert decision(made.before("Write", given(path), "t1")) == "ask"
    return made


def given(path: Path) -> dict[str, object]:
    return {"file_path": str(path), "content": SHORTER.decode()}


def case(book: Book) -> Case:
    with book.open() as proxy:
        (one,) = cases.every(proxy.ledger, ["hold"])
    return one


def rejections(book: Book) -> list[dict[str, object]]:
    with book.open() as proxy:
        return [json.loads(e.data) for e in proxy.ledger.journal() if e.kind == "reject"]


def test_it_waits_while_nobody_has_answered(claude: Claude) -> None:
    assert case(claude.book).pending
    claude.bash("ls")
    claude.answer("PostToolBatch", tool_calls=[])
    assert case(claude.book).pending


def test_a_no_with_words_is_told_by_the_batch_and_turns_it_down(claude: Claude, path: Path) -> None:
    call = {"tool_name": "Write", "tool_input": given(path), "tool_use_id": "t1",
            "tool_response": "The user doesn't want to proceed with this tool use."}  # fmt: skip
    claude.answer("PostToolBatch", tool_calls=[call])
    assert (case(claude.book).state, case(claude.book).answered_by) == ("rejected", "the runtime's question")
    assert rejections(claude.book) == [{"by": "the runtime's question", "cases": [case(claude.book).id]}]
    assert path.read_bytes() == chapter(2500)


@pytest.mark.parametrize("next_event", ["prompt", "stop", "end"])
def test_a_no_that_no_event_tells_ends_with_the_turn(claude: Claude, next_event: str) -> None:
    if next_event == "prompt":
        claude.prompt("something else")
    elif next_event == "stop":
        claude.stop(background_tasks=[])
    else:
        claude.answer("SessionEnd", reason="prompt_input_exit")
    assert (case(claude.book).state, case(claude.book).answered_by) == (
        "expired",
        "the runtime's question got no yes",
    )
    assert len(rejections(claude.book)) == 1, "a row tells of it"
    claude.prompt("and again")
    assert len(rejections(claude.book)) == 1


def test_another_sessions_turn_answers_nothing(claude: Claude) -> None:
    other = Claude(claude.book, TERMINAL)
    other.prompt()
    other.answer("PostToolBatch", tool_calls=[{"tool_name": "Read", "tool_input": {}, "tool_use_id": "t1"}])
    other.stop(background_tasks=[])
    assert case(claude.book).pending


def test_a_yes_that_comes_after_the_turn_is_one_all_the_same(claude: Claude, path: Path) -> None:
    """A subagent's question may be open while the main agent's next turn begins."""
    claude.prompt("meanwhile")
    path.write_bytes(SHORTER)
    assert claude.after("Write", given(path), "t1") == {}
    assert path.read_bytes() == SHORTER
    assert case(claude.book).state == "approved"


@pytest.mark.parametrize(
    ("error", "interrupted", "yes"),
    [
        ("Exit code 1\nrm: cannot remove 'x'", False, True),
        ("Command was interrupted", True, False),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", False, False),
        ("PreToolUse:Bash hook error: refused", False, False),
    ],
)
def test_a_failed_call_is_a_yes_only_if_it_ran(
    book: Book, path: Path, error: str, interrupted: bool, yes: bool
) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt()
    assert decision(claude.bash("rm chapter.md x", "t1")) == "ask"
    path.unlink()  # by a job of the agent's, say
    command = {"tool_name": "Bash", "tool_input": {"command": "rm chapter.md x"}, "tool_use_id": "t1"}
    claude.answer("PostToolUseFailure", **command, error=error, is_interrupt=interrupted)
    assert path.exists() is not yes


def test_a_write_that_failed_is_no_yes(claude: Claude, path: Path) -> None:
    path.write_bytes(SHORTER)
    claude.answer("PostToolUseFailure", tool_name="Write", tool_input=given(path), tool_use_id="t1", error="EACCES")
    assert path.read_bytes() == chapter(2500)


def test_a_no_is_final(claude: Claude, path: Path) -> None:
    call = {"tool_name": "Write", "tool_input": given(path), "tool_use_id": "t1", "tool_response": "no"}
    claude.answer("PostToolBatch", tool_calls=[call])
    path.write_bytes(SHORTER)
    claude.after("Write", given(path), "t1")
    assert path.read_bytes() == chapter(2500), "what was turned down and is there all the same is put back"


def test_what_a_person_answered_otherwise_meanwhile_stays_answered(claude: Claude) -> None:
    with claude.book.open() as proxy, proxy.ledger.transaction():
        cases.move(proxy.ledger, case(claude.book).id, cases.PENDING, "approved", 1.0, "terminal")
    claude.stop(background_tasks=[])
    assert case(claude.book).state == "approved"
    assert rejections(claude.book) == []


def test_the_question_about_a_delete_says_what_yes_does(book: Book, path: Path) -> None:
    asks = Claude(book, TERMINAL)
    asks.prompt()
    said = asks.bash("rm chapter.md", "t9")
    assert decision(said) == "ask"
    assert "Yes deletes chapter.md" in reason(said)
    assert "waits" not in reason(said)
    assert "other work" not in reason(said)
