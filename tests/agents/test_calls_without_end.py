"""Tool calls that still run when their agent has stopped: what changes meanwhile may be theirs, or a person's."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hook_kit import TERMINAL, Claude, decision, with_chapter
from stet_kit import Book

from firewall.agents import hook, lasting, living, turns
from firewall.writes import cases

STUB = "A stub.\n"


@pytest.fixture
def path(book: Book) -> Path:
    """A chapter of 2,500 words that is known."""
    return with_chapter(book)


@pytest.fixture
def claude(book: Book, path: Path) -> Claude:
    """A session whose agent has stopped while its call t9 ran."""
    session = Claude(book)
    session.prompt()
    assert session.bash("work", "t9") == {}
    session.stop()
    return session


def is_open(claude: Claude) -> bool:
    """Is the session's turn open?"""
    with claude.book.open() as proxy:
        return turns.is_open(proxy, claude.session)


def pending(book: Book) -> int:
    """How many held proposals wait. No file has a failed attempt."""
    with book.open() as proxy:
        assert not any(a.attempts for a in proxy.ledger.artifacts()), "it may be a person's"
        return len(cases.every(proxy.ledger, ("hold",), cases.PENDING))


@pytest.mark.parametrize("event", ["prompt", "another call", "a write", "another's prompt", "another's call", "stop"])
def test_what_it_left_is_put_back_by_whatever_event_comes_first(claude: Claude, path: Path, event: str) -> None:
    before = path.read_bytes()
    path.write_text(STUB)
    said = {
        "prompt": claude.prompt,
        "another call": lambda: claude.bash("ls", "t10"),
        "a write": lambda: claude.before("Write", {"file_path": str(path.parent / "new.md"), "content": "New.\n"}),
        "another's prompt": Claude(claude.book).prompt,
        "another's call": lambda: Claude(claude.book).bash("ls"),
        "stop": claude.stop,
    }[event]()
    assert path.read_bytes() == before
    assert "chapter.md" in str(said), "somebody is told"
    assert decision(said) == ""
    assert pending(claude.book) == 1


@pytest.mark.parametrize("end", ["PostToolUse", "PostToolUseFailure", "PostToolBatch"])
def test_its_end_ends_the_turn(claude: Claude, path: Path, end: str) -> None:
    before = path.read_bytes()
    assert is_open(claude)
    path.write_text(STUB)
    call = {"tool_name": "Bash", "tool_input": {"command": "work"}, "tool_use_id": "t9", "tool_response": "x"}
    claude.answer(end, **({"tool_calls": [call]} if end == "PostToolBatch" else call), error="Exit code 1")
    assert path.read_bytes() == before
    assert pending(claude.book) == 1
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert claude.prompt() == {}
    assert path.read_text() == "A person's stub.\n"


def test_each_of_several_has_to_end(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    for ident in ("t1", "t2", "t3"):
        claude.bash("work", ident)
    claude.ran("work", "t2")
    claude.stop()
    claude.ran("work", "t1")
    assert is_open(claude)
    before = path.read_bytes()
    path.write_text(STUB)
    claude.ran("work", "t3")
    assert path.read_bytes() == before
    assert not is_open(claude)


def test_without_one_a_persons_edit_between_turns_is_the_baseline(book: Book, path: Path) -> None:
    claude = Claude(book)
    claude.prompt()
    claude.bash("work", "t1")
    claude.ran("work", "t1")
    claude.stop()
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert claude.prompt() == {}
    assert path.read_text() == "A person's stub.\n"


@pytest.mark.parametrize("why", ["refused", "of a batch", "no with words"])
def test_a_call_that_nobody_let_run_holds_no_turn_open(book: Book, path: Path, why: str) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt()
    if why == "refused":
        assert decision(claude.bash("stet reset chapter.md", "t1")) == "deny"
    elif why == "of a batch":
        claude.bash("work", "t1")
        claude.answer("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t1"}])
    else:
        assert decision(claude.bash("rm chapter.md", "t1")) == "ask"
        claude.answer("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t1",
                                                    "tool_response": "The user doesn't want to do that"}])  # fmt: skip
    claude.stop()
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert claude.prompt() == {}
    assert path.read_text() == "A person's stub.\n"


def test_one_that_a_person_interrupted_is_over_at_their_next_prompt(book: Book, path: Path) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt()
    claude.bash("rm chapter.md", "t1")  # asked, and Esc: no event tells of it
    claude.prompt()
    claude.stop()
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert claude.prompt() == {}
    assert path.read_text() == "A person's stub.\n"


def test_one_that_outlives_the_next_turn_too_is_not_forgotten(claude: Claude, path: Path) -> None:
    before = path.read_bytes()
    claude.prompt()
    claude.stop()
    path.write_text(STUB)
    assert "stet approve" in str(claude.prompt())
    assert path.read_bytes() == before


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the hour pass that a call without an end is kept."""
    return lambda: monkeypatch.setattr(lasting, "CALL_SECONDS", 0.0)


def test_one_that_never_ends_is_kept_for_an_hour(claude: Claude, path: Path, later: Callable[[], None]) -> None:
    later()
    claude.prompt()
    claude.stop()
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert claude.prompt() == {}
    assert path.read_text() == "A person's stub.\n"


def test_nobody_knows_when_one_ended_that_never_told(claude: Claude, path: Path, later: Callable[[], None]) -> None:
    before = path.read_bytes()
    path.write_text(STUB)
    later()
    assert "stet approve" in str(claude.prompt())
    assert path.read_bytes() == before
    assert pending(claude.book) == 1


def test_an_end_after_that_hour_ends_the_turn(claude: Claude, later: Callable[[], None]) -> None:
    later()
    claude.ran("work", "t9")
    assert not is_open(claude)


def test_the_end_of_the_session_is_that_of_its_calls(claude: Claude, path: Path) -> None:
    before = path.read_bytes()
    path.write_text(STUB)
    claude.answer("SessionEnd", reason="other")
    assert path.read_bytes() == before
    assert pending(claude.book) == 1
    assert not is_open(claude)
    path.write_text("A person's stub.\n")
    assert Claude(claude.book).prompt() == {}
    assert path.read_text() == "A person's stub.\n"


def test_another_session_answers_for_its_own_turn(claude: Claude, path: Path) -> None:
    """The other's calls, stop and end are nothing to this one's call; while the other is at work, changes count."""
    before = path.read_bytes()
    other = Claude(claude.book)
    other.prompt()
    other.bash("work", "t9")
    path.write_text(STUB)
    assert "failed attempt 1" in str(other.ran("work", "t9"))
    other.stop()
    other.answer("SessionEnd", reason="other")
    assert is_open(claude)
    path.write_text("Another stub.\n")
    assert "stet approve" in str(claude.prompt())
    assert path.read_bytes() == before
    claude.ran("work", "t9")
    claude.stop()
    assert not is_open(claude)


@pytest.mark.parametrize("prompted", [True, False])
def test_once_the_agent_is_at_work_again_its_attempts_count(claude: Claude, path: Path, prompted: bool) -> None:
    if prompted:
        claude.prompt()
    claude.bash("work", "t10")
    path.write_text(STUB)
    assert "failed attempt 1" in str(claude.ran("work", "t10"))


def test_a_dead_runtimes_calls_are_over(claude: Claude, path: Path) -> None:
    before = path.read_bytes()
    with claude.book.open() as proxy, proxy.ledger.transaction():
        proxy.ledger.set_meta(f"runs {proxy.ledger.root_id} {claude.session}", _ended_process())
    path.write_text(STUB)
    assert "stet approve" in str(Claude(claude.book).answer("SessionStart", source="startup"))
    assert path.read_bytes() == before
    assert not is_open(claude)


def _ended_process() -> str:
    words = living.mark(os.getpid()).split(" ")
    return " ".join([*words[:3], "4194304", "1"])


def test_a_runtime_that_does_not_tell_of_every_end_leaves_none_open(book: Book, path: Path) -> None:
    """Codex tells of no end of a call that failed: a person's edits would be taken for its work."""

    def tell(event: str) -> None:
        value = {"session_id": "s", "cwd": str(book.root), "hook_event_name": event, "tool_name": "Bash",
                 "tool_use_id": "c1", "tool_input": {"command": "work"}, "turn_id": "1", "prompt": "x"}  # fmt: skip
        data = json.dumps(value).encode()
        assert hook.respond("codex", data, state=str(book.state_folder), root=str(book.root)).status == 0

    for event in ("UserPromptSubmit", "PreToolUse", "Stop"):
        tell(event)
    path.write_text("A person's stub.\n")
    tell("UserPromptSubmit")
    assert path.read_text() == "A person's stub.\n"


def test_a_great_many_calls_are_kept_in_bounds(book: Book) -> None:
    claude = Claude(book)
    claude.prompt()
    with book.open() as proxy:
        for number in range(lasting._MOST + 20):
            lasting.began(proxy, claude.session, f"t{number}")
        assert len(lasting._unended(proxy, claude.session)) == lasting._MOST
        assert not lasting.ended(proxy, claude.session, ["t1"])
