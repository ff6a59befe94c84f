"""After a tool of Claude Code: what is on the disk is judged, the model is told, failed edits count, turns close."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hook_kit import STUB, TERMINAL, Claude, decision, reason, with_chapter
from stet_kit import Book, chapter, edit_record, reword

from firewall.agents import protected_settings, turns
from firewall.writes import cases

SETTINGS = ".claude/settings.json"


@pytest.fixture
def path(book: Book) -> Path:
    return with_chapter(book)


@pytest.fixture
def claude(book: Book, path: Path) -> Claude:
    made = Claude(book)
    made.prompt()
    return made


def attempts(book: Book, name: str = "chapter.md") -> int:
    with book.open() as proxy:
        known = proxy.ledger.artifact(name)
        assert known is not None
        return known.attempts


def is_open(claude: Claude) -> bool:
    with claude.book.open() as proxy:
        return turns.is_open(proxy, claude.session)


def run(book: Book, command: str) -> None:
    subprocess.run(["/bin/bash", "-c", command], cwd=book.root, check=False, capture_output=True)


@pytest.mark.parametrize(
    "command",
    [
        "echo gone > chapter.md",
        "sed -i '5,$d' chapter.md",
        "truncate -s 0 chapter.md",
        "python3 -c \"open('chapter.md','w').write('x')\"",
        "x=chapter.md; rm $x",
        "head -c 100 chapter.md | tee chapter.md.new >/dev/null; mv -f chapter.md.new $PWD/chapter.md",
    ],
)
def test_what_a_shell_spoils_is_put_back_and_told(claude: Claude, path: Path, command: str) -> None:
    run(claude.book, command)
    said = claude.ran(command)
    assert path.read_bytes() == chapter(2500)
    assert set(said) == {"decision", "reason"}
    assert said["decision"] == "block"
    assert "chapter.md was put back" in said["reason"]
    assert "failed attempt 1" in said["reason"]
    assert attempts(claude.book) == 1


@pytest.mark.parametrize("event", ["PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop"])
def test_every_later_event_looks_at_the_disk(claude: Claude, path: Path, event: str) -> None:
    path.write_bytes(STUB)
    fields: dict[str, object] = {
        "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_use_id": "t",
                               "error": "timed out", "is_interrupt": False},
        "PostToolBatch": {"tool_calls": []},
        "Stop": {"stop_hook_active": False, "background_tasks": []},
        "SubagentStop": {"background_tasks": []},
    }[event]  # type: ignore[assignment]  # fmt: skip
    said = claude.answer(event, **fields)
    assert path.read_bytes() == chapter(2500)
    assert "put back" in reason(said)
    if event == "PostToolBatch":
        assert set(said) == {"hookSpecificOutput"}, "`block` would end the run"


def test_a_change_of_the_background_is_judged_before_the_next_command(claude: Claude, path: Path) -> None:
    path.write_bytes(STUB)
    said = claude.bash("ls")
    assert path.read_bytes() == chapter(2500)
    assert decision(said) == "", "the command itself is innocent"
    assert "put back" in reason(said)


def test_three_spoilt_files_in_a_row_stop_the_run(claude: Claude, path: Path) -> None:
    for number in range(3):
        path.write_bytes(b"stub %d\n" % number)
        said = claude.ran("x")
    assert said["continue"] is False
    assert "stet show A" in said["systemMessage"]
    assert said["decision"] == "block"


def test_an_honest_write_is_recorded_in_silence(claude: Claude, path: Path) -> None:
    better = reword(chapter(2500))
    claude.read("chapter.md")
    assert claude.write("chapter.md", better) == {}
    assert path.read_bytes() == better
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        entries = proxy.ledger.query("SELECT kind, session FROM journal WHERE artifact=? ORDER BY seq", (known.id,))
    assert entries[-1] == ("commit", claude.session)


def test_a_write_that_was_allowed_and_landed_as_something_else_is_put_back(claude: Claude, path: Path) -> None:
    claude.read("chapter.md")
    given: dict[str, object] = {"file_path": str(path), "content": reword(chapter(2500)).decode()}
    assert claude.before("Write", given, "t") == {}
    path.write_bytes(chapter(2500)[:340] + b"\0" * 20)
    said = claude.after("Write", given, "t")
    assert said["decision"] == "block"
    assert path.read_bytes() == chapter(2500)


# -- failed edits ------------------------------------------------------------------------------------------


def failed_edit(path: Path, ident: str, said: str) -> dict[str, object]:
    """An Edit as PostToolBatch tells of it."""
    given = {"file_path": str(path), "old_string": "nosuch", "new_string": "x", "replace_all": False}
    return {"tool_name": "Edit", "tool_input": given, "tool_use_id": ident, "tool_response": said}


NOT_FOUND = "<tool_use_error>String to replace not found in file.\nString: nosuch</tool_use_error>"


def test_a_failed_edit_that_only_the_batch_shows_is_an_attempt(claude: Claude, path: Path) -> None:
    said = claude.answer("PostToolBatch", tool_calls=[failed_edit(path, "t1", NOT_FOUND)])
    assert "continue" not in said
    assert "failed attempt 1; 2 left before the file is latched" in reason(said), "what counts is told"
    assert attempts(claude.book) == 1
    claude.answer("PostToolBatch", tool_calls=[failed_edit(path, "t1", NOT_FOUND)])
    assert attempts(claude.book) == 1, "the same call is counted once"
    claude.answer("PostToolBatch", tool_calls=[failed_edit(path, "t2", NOT_FOUND)])
    said = claude.answer("PostToolBatch", tool_calls=[failed_edit(path, "t3", NOT_FOUND)])
    assert said["continue"] is False, "the third trips"
    assert "latched" in reason(said)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_failed_edit_is_one_row_and_one_attempt(claude: Claude, path: Path, number: int) -> None:
    for one in range(number):
        said = claude.answer("PostToolBatch", tool_calls=[failed_edit(path, f"t{one}", NOT_FOUND)])
        assert f"failed attempt {one + 1}" in reason(said) or one == 2
    assert attempts(claude.book) == number
    with claude.book.open() as proxy:
        entries = proxy.ledger.journal()
    assert [json.loads(e.data)["attempt"] for e in entries if "edit-anchor" in e.data and e.kind == "refuse"] == [
        *range(1, number + 1)
    ]


def test_failed_edits_of_one_batch_are_told_together(claude: Claude, path: Path) -> None:
    said = claude.answer("PostToolBatch", tool_calls=[failed_edit(path, f"t{n}", NOT_FOUND) for n in (1, 2)])
    assert "failed attempt 1; 2 left" in reason(said)
    assert "failed attempt 2; 1 left" in reason(said)


def test_a_failure_that_an_event_of_its_own_tells_is_told_in_that_events_form(claude: Claude, path: Path) -> None:
    call = failed_edit(path, "t1", "")
    del call["tool_response"]
    said = claude.answer("PostToolUseFailure", error="String not found in file.", is_interrupt=False, **call)
    assert said["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
    assert "failed attempt 1; 2 left" in said["hookSpecificOutput"]["additionalContext"]
    assert set(said) == {"hookSpecificOutput"}


def test_two_events_of_one_failure_count_once(claude: Claude, path: Path) -> None:
    call = failed_edit(path, "t1", NOT_FOUND)
    claude.answer("PostToolUseFailure", error="String not found in file.", is_interrupt=False,
                  **{k: v for k, v in call.items() if k != "tool_response"})  # fmt: skip
    claude.answer("PostToolBatch", tool_calls=[call])
    assert attempts(claude.book) == 1


@pytest.mark.parametrize(
    "response",
    ["PreToolUse:Edit hook error: Stet refused this", "The user doesn't want to proceed", {"filePath": "x"}, None],
)
def test_other_responses_of_a_batch_are_no_failed_edits(claude: Claude, path: Path, response: object) -> None:
    call = {**failed_edit(path, "t1", ""), "tool_response": response}
    claude.answer("PostToolBatch", tool_calls=[call])
    assert attempts(claude.book) == 0


def test_our_own_refusal_is_not_counted_again(claude: Claude, path: Path) -> None:
    call = failed_edit(path, "t1", "")
    del call["tool_response"]
    claude.answer(
        "PostToolUseFailure", error="PreToolUse:Edit hook error: Stet refused this", is_interrupt=False, **call
    )
    assert attempts(claude.book) == 0


def test_a_persons_interrupt_is_no_attempt(claude: Claude, path: Path) -> None:
    call = failed_edit(path, "t1", "")
    del call["tool_response"]
    claude.answer("PostToolUseFailure", error="interrupted", is_interrupt=True, **call)
    assert attempts(claude.book) == 0


# -- turns -------------------------------------------------------------------------------------------------


def test_between_turns_a_change_is_a_persons(claude: Claude, path: Path) -> None:
    assert claude.stop(background_tasks=[]) == {}
    assert not is_open(claude)
    path.write_bytes(b"My own new beginning.\n")
    assert claude.prompt("go on") == {}
    assert path.read_bytes() == b"My own new beginning.\n"
    assert is_open(claude)


def test_a_turn_stays_open_while_background_tasks_run(claude: Claude, path: Path) -> None:
    claude.stop(background_tasks=[{"id": "b1"}])
    assert is_open(claude)
    path.write_bytes(STUB)
    assert "put back" in reason(claude.stop(background_tasks=[]))
    assert path.read_bytes() == chapter(2500)
    assert is_open(claude), "the model was told, and goes on"
    assert claude.stop(background_tasks=[]) == {}
    assert not is_open(claude)


def test_where_no_prompt_was_seen_the_first_call_opens_the_turn(book: Book, path: Path) -> None:
    claude = Claude(book)
    path.write_bytes(b"A person's short text.\n")
    assert claude.bash("ls", "t1") == {}
    assert path.read_bytes() == b"A person's short text.\n", "before the session it was a person's"
    path.write_bytes(chapter(2500))
    claude.ran("ls", "t1")
    claude.stop()
    assert not is_open(claude)


def test_the_end_of_a_session_closes_its_turn(claude: Claude, path: Path) -> None:
    path.write_bytes(STUB)
    claude.answer("SessionEnd", reason="exit")
    assert path.read_bytes() == chapter(2500)
    assert not is_open(claude)


def test_events_that_nobody_knows_are_silent(claude: Claude) -> None:
    for name in ("Notification", "PreCompact", "FileChanged", "SomethingNew"):
        assert claude.answer(name) == {}


# -- what was read -----------------------------------------------------------------------------------------


def condensed(words: int = 2400) -> dict[str, object]:
    """Almost the whole chapter: what no other rule minds."""
    return {"content": chapter(words).decode()}


def test_a_long_file_read_in_part_is_not_written_anew(claude: Claude, path: Path) -> None:
    claude.read("chapter.md", 1, 16)
    said = claude.before("Write", {"file_path": str(path), **condensed()})
    assert decision(said) == "deny"
    total = len(path.read_text().splitlines())
    assert f"you have read 16 of its {total} lines" in reason(said)


def test_a_long_file_never_read_is_not_written_anew(claude: Claude, path: Path) -> None:
    said = claude.before("Write", {"file_path": str(path), **condensed()})
    assert decision(said) == "deny"
    assert "you have not read it" in reason(said)
    with claude.book.open() as proxy:
        assert [c.kind for c in cases.every(proxy.ledger, ["hold"], ["waiting"])] == ["hold"]


def test_pieces_make_a_whole(claude: Claude, path: Path) -> None:
    total = len(path.read_text().splitlines())
    claude.read("chapter.md", 1, total // 2)
    claude.read("chapter.md", total // 2 + 1, total)
    assert claude.before("Write", {"file_path": str(path), **condensed()}) == {}


@pytest.mark.parametrize("command", ["cat chapter.md", "wc -w *.md", "grep -rn light .", "cat $PWD/chapter.md | head"])
def test_a_shell_that_names_the_file_may_have_shown_it(claude: Claude, path: Path, command: str) -> None:
    assert claude.bash(command) == {}
    assert claude.before("Write", {"file_path": str(path), **condensed()}) == {}


def test_another_sessions_reading_is_not_this_ones(claude: Claude, path: Path) -> None:
    claude.read("chapter.md")
    other = Claude(claude.book)
    other.prompt()
    assert decision(other.before("Write", {"file_path": str(path), **condensed()})) == "deny"


def test_what_somebody_else_changed_must_be_read_again(claude: Claude, path: Path) -> None:
    claude.read("chapter.md")
    claude.stop()
    path.write_bytes(chapter(2500).replace(b"ledger", b"log"))
    claude.prompt()
    said = claude.before("Write", {"file_path": str(path), **condensed()})
    assert decision(said) == "deny"
    assert "changed since you read it" in reason(said)


def test_ones_own_writing_is_known(claude: Claude, path: Path) -> None:
    new = chapter(1500, seed=4)
    assert claude.write("new.md", new) == {}
    assert claude.write("new.md", chapter(1400, seed=4)) == {}
    assert (claude.book.root / "new.md").read_bytes() == chapter(1400, seed=4)


def test_a_write_that_loses_nothing_needs_no_reading(claude: Claude, path: Path) -> None:
    assert claude.write("chapter.md", chapter(2500) + b"\nOne more line at the end.\n") == {}


def test_a_short_file_needs_no_reading(claude: Claude, book: Book) -> None:
    assert claude.write("short.md", chapter(300)) == {}
    other = Claude(book)
    other.prompt()
    assert other.write("short.md", chapter(290)) == {}


# -- what keeps the guard in place -------------------------------------------------------------------------


@pytest.fixture
def settings(book: Book) -> Path:
    """A settings file that carries the hooks, registered as an installer does."""
    file = book.put(SETTINGS, b'{"hooks": {"PreToolUse": [{"matcher": "*"}]}, "permissions": {}}\n')
    with book.open() as proxy:
        protected_settings.register(proxy, file, ("hooks", "disableAllHooks"))
    return file


def test_a_settings_file_without_its_hook_is_put_back_and_the_change_blocked(settings: Path, claude: Claude) -> None:
    before = settings.read_bytes()
    settings.write_bytes(b"{}\n")
    said = claude.answer("ConfigChange", source="project_settings", file_path=str(settings))
    assert said["decision"] == "block"
    assert "only a person" in said["reason"]
    assert settings.read_bytes() == before


def test_a_permission_that_the_person_gave_in_the_runtime_stays(settings: Path, claude: Claude) -> None:
    more = settings.read_bytes().replace(b'"permissions": {}', b'"permissions": {"allow": ["Bash(ls)"]}')
    settings.write_bytes(more)
    assert claude.answer("ConfigChange", source="project_settings", file_path=str(settings)) == {}
    assert settings.read_bytes() == more


@pytest.mark.parametrize("spoilt", [b"", b"[rules]\nword_floor = 0.1\n", b"\xff\xfe", None])
def test_a_policy_spoilt_by_the_agent_is_put_back_at_the_next_event(claude: Claude, spoilt: bytes | None) -> None:
    toml = claude.book.root / "stet.toml"
    before = toml.read_bytes()
    state = claude.book.state_folder
    if spoilt is None:
        toml.unlink()
    else:
        toml.write_bytes(spoilt)
    from firewall.agents import hook

    data = (
        b'{"session_id": "%s", "cwd": "%s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t",'
    )
    data += b' "tool_input": {"command": "ls"}}'
    filled = data % (claude.session.encode(), bytes(claude.book.root))
    reply = hook.respond("claude", filled, state=str(state), root=str(claude.book.root))
    assert reply.status == 0
    assert toml.read_bytes() == before


def test_a_policy_that_a_person_broke_refuses_until_it_is_mended(claude: Claude, path: Path) -> None:
    state = claude.book.state_folder
    claude.stop()
    (claude.book.root / "stet.toml").write_text("not toml")
    from firewall.agents import hook

    data = (
        '{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Write", "tool_use_id": "t",'
        f'"tool_input": {{"file_path": "{path}", "content": "x"}}}}'
    ).encode()
    reply = hook.respond("claude", data, state=str(state), root=str(claude.book.root))
    assert '"deny"' in reply.out
    assert "stet.toml, line 1" in reply.out
    assert (claude.book.root / "stet.toml").read_text() == "not toml"


def test_a_yes_at_the_terminal_to_a_delete(book: Book, path: Path) -> None:
    claude = Claude(book, TERMINAL)
    claude.prompt()
    said = claude.bash("rm chapter.md", "t1")
    assert decision(said) == "ask"
    assert "2500 words" in reason(said)
    path.unlink()
    assert claude.ran("rm chapter.md", "t1") == {}
    assert not path.exists()


@pytest.mark.parametrize("ended", ["Stop", "SessionEnd", "expired"])
@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure", "PostToolBatch", "SubagentStop"])
def test_what_a_call_left_that_outlived_its_turn_is_judged_and_waits(
    claude: Claude, path: Path, ended: str, event: str
) -> None:
    before = path.read_bytes()
    claude.bash("work", "t9")
    if ended == "expired":
        edit_record(claude.book.state_folder, "UPDATE turns SET expires=0")
    else:
        claude.answer(ended, reason="other", stop_hook_active=False)
    path.write_text("A stub.\n")
    call = {"tool_name": "Bash", "tool_input": {"command": "work"}, "tool_use_id": "t9"}
    call |= {"tool_response": {}} if event in ("PostToolUse", "PostToolBatch") else {"error": "Exit code 1"}
    claude.answer(event, **({"tool_calls": [call]} if event == "PostToolBatch" else call))
    assert path.read_bytes() == before
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert known.attempts == 0, "it may be a person's"
        assert len(cases.every(proxy.ledger, ("hold",), cases.PENDING)) == 1
    path.write_text("A person's stub.\n")
    claude.prompt()
    if (ended, event) == ("Stop", "SubagentStop"):
        assert path.read_bytes() == before, "the call has not ended yet"
    else:
        assert path.read_text() == "A person's stub.\n", "and what comes after is a person's"


def test_powershell_is_a_shell_before_and_after(claude: Claude, path: Path) -> None:
    before = path.read_bytes()
    for command in ("Remove-Item chapter.md", "Move-Item .\\chapter.md chapter.bak", "pwsh -c 'del chapter.md'"):
        assert decision(claude.before("PowerShell", {"command": command})) == "deny", command
        edit_record(claude.book.state_folder, "UPDATE artifacts SET attempts=0, alert=''")
    command = {"command": "Set-Content chapter.md 'A stub.'"}
    assert claude.before("PowerShell", command, "p1") == {}
    path.write_bytes(STUB)
    assert "chapter.md" in reason(claude.after("PowerShell", command, "p1"))
    assert path.read_bytes() == before
