"""A hook in the user's own settings answers the sessions that have to do with its project, and no others."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hook_kit import HEADLESS
from stet_kit import STET, Book, chapter

from firewall.agents import hook
from firewall.agents.events import Reply


class Session:
    """Claude Code somewhere, asking the hook that a guarded book has in the user's own settings."""

    def __init__(self, book: Book, cwd: Path, session: str = "elsewhere", environment: dict[str, str] | None = None):
        self.book, self.cwd, self.session, self.state = book, cwd, session, book.state_folder
        self.environment = {**HEADLESS, **(environment or {})}

    def tell(self, event: str, **fields: object) -> Reply:
        value = {
            "session_id": self.session, "transcript_path": "", "cwd": str(self.cwd), "permission_mode": "acceptEdits",
            "hook_event_name": event, **fields,
        }  # fmt: skip
        return hook.respond(
            "claude", json.dumps(value).encode(), state=str(self.state), root=str(self.book.root),
            environment=self.environment, every_session=True,
        )  # fmt: skip

    def before(self, tool: str, **given: object) -> Reply:
        return self.tell("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=f"{tool}-{given}")

    def after(self, tool: str, **given: object) -> Reply:
        call = f"{tool}-{given}"
        return self.tell("PostToolUse", tool_name=tool, tool_input=given, tool_use_id=call, tool_response={})


@pytest.fixture
def guarded(book: Book) -> Book:
    path = book.put("chapter.md", chapter(1500))
    with book.open() as proxy:
        proxy.adopt([path])
    return book


def turns(book: Book) -> list[str]:
    """Sessions with an open turn in the book."""
    with book.open() as proxy:
        return [str(row[0]) for row in proxy.ledger.query("SELECT session FROM turns WHERE closed_at IS NULL")]


def test_a_session_elsewhere_is_none_of_its_business(guarded: Book, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    there = Session(guarded, other)
    assert there.tell("SessionStart", source="startup") == Reply()
    assert there.tell("UserPromptSubmit", prompt="do it") == Reply()
    assert there.before("Write", file_path=str(other / "chapter.md"), content="stub") == Reply()
    assert there.before("Bash", command="ls -la && sed -i 's/a/b/' x.md > /dev/null") == Reply()
    guarded.put("chapter.md", b"A person writes this while an agent works elsewhere.\n")
    assert there.after("Bash", command="ls -la") == Reply()
    assert there.tell("Stop", stop_hook_active=False) == Reply()
    assert turns(guarded) == []
    assert (guarded.root / "chapter.md").read_bytes().startswith(b"A person"), "and stays theirs"


@pytest.mark.parametrize(
    "name",
    ["chapter.md", "./chapter.md", "../BOOK/chapter.md", "~/../BOOK/chapter.md"],
)
def test_a_write_into_it_is_judged_wherever_it_comes_from(guarded: Book, tmp_path: Path, name: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "link").symlink_to(guarded.root)
    for path in (guarded.root / "chapter.md", tmp_path / "link" / "chapter.md"):
        said = Session(guarded, other, str(path)).before("Write", file_path=str(path), content="stub\n")
        assert "word-floor" in said.out
    inside = Session(guarded, guarded.root).before("Write", file_path="chapter.md", content="another stub\n")
    assert '"deny"' in inside.out


@pytest.mark.parametrize("by", ["name", "above", "link", "variable"])
def test_a_shell_that_goes_there_is_watched_until_its_turn_ends(
    guarded: Book, tmp_path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = guarded.root.parent / "other"
    other.mkdir()
    (tmp_path / "link").symlink_to(guarded.root)
    monkeypatch.setenv("WHERE", str(guarded.root))
    command = {
        "name": f"cd '{guarded.root}' && echo gone > chapter.md",
        "above": "cd .. && for f in */chapter.md; do echo gone > $f; done",
        "link": f"echo gone > {tmp_path / 'link'}/chapter.md",
        "variable": 'cd "$WHERE" && echo gone > chapter.md',
    }[by]
    before = (guarded.root / "chapter.md").read_bytes()
    there = Session(guarded, other)
    assert there.before("Bash", command=command).out == ""
    assert turns(guarded) == ["elsewhere"]
    guarded.put("chapter.md", b"gone\n")
    assert "put back" in there.after("Bash", command=command).out
    assert (guarded.root / "chapter.md").read_bytes() == before
    guarded.put("chapter.md", b"gone again\n")
    assert "chapter.md" in there.after("Bash", command="true").out, "the turn is open"
    there.tell("Stop", stop_hook_active=False)
    assert (guarded.root / "chapter.md").read_bytes() == before
    there.tell("Stop", stop_hook_active=True)
    assert turns(guarded) == []


def test_a_session_above_or_started_inside_is_judged(guarded: Book, tmp_path: Path) -> None:
    above = Session(guarded, guarded.root.parent, "above")
    assert above.before("Bash", command="true") == Reply()
    moved_on = Session(guarded, tmp_path, "moved", {"CLAUDE_PROJECT_DIR": str(guarded.root)})
    assert moved_on.before("Bash", command="true") == Reply()
    below = guarded.root / "deep" / "er"
    below.mkdir(parents=True)
    assert Session(guarded, below, "below").before("Bash", command="true") == Reply()
    assert set(turns(guarded)) == {"above", "moved", "below"}


def _shell(runtime: str, cwd: Path, command: str) -> tuple[dict[str, object], dict[str, object]]:
    """A runtime's events before and after a call of its shell."""
    if runtime == "opencode":
        asked = {"tool": "bash", "sessionID": "s", "callID": "c"}
        given = {"args": {"command": command, "description": "x"}}
        return (
            {"hook": "tool.execute.before", "input": asked, "output": given, "cwd": str(cwd)},
            {"hook": "tool.execute.after", "input": asked | given, "output": {}, "cwd": str(cwd)},
        )
    name = {"claude": "Bash", "codex": "Bash"}.get(runtime, "run_shell_command")
    common = {"session_id": "s", "transcript_path": "", "cwd": str(cwd), "tool_name": name, "tool_use_id": "c"}
    before, after = ("BeforeTool", "AfterTool") if runtime == "gemini" else ("PreToolUse", "PostToolUse")
    call = {**common, "tool_input": {"command": command}}
    return {**call, "hook_event_name": before}, {**call, "hook_event_name": after, "tool_response": {}}


@pytest.mark.parametrize("place", ["below", "elsewhere"])
@pytest.mark.parametrize("runtime", ["claude", "codex", "gemini", "opencode", "qwen"])
def test_a_shell_of_any_runtime_is_answered_wherever_its_session_was_started(
    guarded: Book, tmp_path: Path, runtime: str, place: str
) -> None:
    """What the real programs send; tests/agents/test_where_sessions_start.py starts them."""
    cwd = guarded.root / "sub" if place == "below" else tmp_path / "other"
    cwd.mkdir()
    file = guarded.root / "chapter.md"
    kept = file.read_bytes()

    def ask(value: dict[str, object]) -> Reply:
        return hook.respond(
            runtime, json.dumps(value).encode(), state=str(guarded.state_folder), root=str(guarded.root),
            environment=HEADLESS, every_session=True,
        )  # fmt: skip

    before, after = _shell(runtime, cwd, f"echo gone > '{file}'")
    assert ask(before).status == 0
    file.write_bytes(b"gone\n")
    said = ask(after)
    assert file.read_bytes() == kept, said
    assert "chapter.md" in said.out + said.err, said


def test_a_tool_that_nobody_knows_is_judged_by_the_paths_it_is_given(guarded: Book, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    there = Session(guarded, other)
    there.before("mcp__x__y", where={"deep": [str(other / "a.md")]})
    assert turns(guarded) == []
    there.before("mcp__x__y", where={"deep": [str(guarded.root / "a.md")]})
    assert turns(guarded) == ["elsewhere"]


def test_a_folder_that_is_gone_stops_nobody_elsewhere(guarded: Book, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    moved = tmp_path / "moved"
    there, here = Session(guarded, other), Session(guarded, moved)
    started = Session(guarded, other, environment={"CLAUDE_PROJECT_DIR": str(guarded.root)})
    guarded.root.rename(moved)
    assert there.before("Write", file_path=str(other / "a.md"), content="x") == Reply()
    said = here.before("Write", file_path=str(moved / "a.md"), content="x").out
    assert "folder-moved" in said and str(moved) in said and "stet install claude --user" in said
    said = started.before("Write", file_path=str(moved / "a.md"), content="x").out
    assert "folder-moved" in said and "no such folder" in said, "an agent that moves the folder away is not rid of it"


@pytest.mark.parametrize("program", [["stet-hook"], ["stet", "hook"]], ids=" ".join)
def test_the_programs_own_words(guarded: Book, tmp_path: Path, program: list[str]) -> None:
    """As settings call it, in a process of its own."""
    other = tmp_path / "other"
    other.mkdir()
    words = [
        str(STET.with_name(program[0])), *program[1:], "claude", "--state", str(guarded.state_folder), "--root",
        str(guarded.root),
    ]  # fmt: skip
    call = {"file_path": str(guarded.root / "chapter.md"), "content": "stub"}
    for cwd, path, refused in ((other, str(other / "a.md"), False), (other, call["file_path"], True)):
        event = {
            "session_id": "s", "cwd": str(cwd), "permission_mode": "default", "hook_event_name": "PreToolUse",
            "tool_name": "Write", "tool_use_id": path, "tool_input": {**call, "file_path": path},
        }  # fmt: skip
        done = subprocess.run(
            [*words, "--user"], input=json.dumps(event).encode(), capture_output=True, timeout=60,
            env=guarded.user.environment(),
        )  # fmt: skip
        assert done.returncode == 0, done
        assert (b'"deny"' in done.stdout) is refused


# -- a clone whose committed settings name the folder they come from ---------------------------------------------


@pytest.fixture
def cloned(guarded: Book, tmp_path: Path) -> Path:
    """Another folder with the same files, stet.toml among them; nobody installed anything there."""
    there = tmp_path / "clone"
    shutil.copytree(guarded.root, there)
    return there


def in_clone(book: Book, there: Path, event: str, environment: dict[str, str] | None = None, **fields: object) -> Reply:
    """What the hook of the first folder's own settings says in a session of the other."""
    value = {"session_id": "c", "cwd": str(there), "permission_mode": "acceptEdits", "hook_event_name": event, **fields}
    return hook.respond(
        "claude", json.dumps(value).encode(), state=str(book.state_folder), root=str(book.root),
        environment={**HEADLESS, **(environment or {})},
    )  # fmt: skip


def test_a_clone_is_guarded_as_itself_and_says_whose_hooks_it_has(guarded: Book, cloned: Path) -> None:
    path = cloned / "chapter.md"
    for event in ("SessionStart", "UserPromptSubmit"):
        said = in_clone(guarded, cloned, event, prompt="do it", source="startup").out
        assert str(guarded.root) in said and "stet install claude" in said, said
    said = in_clone(
        guarded, cloned, "PreToolUse", tool_name="Write", tool_use_id="1",
        tool_input={"file_path": str(path), "content": "A stub.\n"},
    ).out  # fmt: skip
    assert '"deny"' in said and "chapter.md: 1500 -> 2 words" in said, said
    path.write_bytes(b"A stub.\n")
    said = in_clone(
        guarded, cloned, "PostToolUse", tool_name="Bash", tool_use_id="2", tool_input={"command": "x"}, tool_response={}
    ).out
    assert "put back" in said
    assert path.read_bytes() == chapter(1500)
    assert in_clone(guarded, cloned, "Stop").out == ""
    with guarded.open() as proxy:
        known = proxy.ledger.artifact("chapter.md")
        assert known is not None
        assert known.attempts == 0, "the first folder has nothing to do with it"


def test_a_session_of_the_folder_is_its_own_wherever_its_shell_went(guarded: Book, cloned: Path) -> None:
    started = {"CLAUDE_PROJECT_DIR": str(guarded.root)}
    assert in_clone(guarded, guarded.root, "UserPromptSubmit", prompt="do it").out == ""
    (guarded.root / "chapter.md").write_bytes(b"A stub.\n")
    call = {"tool_name": "Bash", "tool_use_id": "2", "tool_input": {"command": "cd ../clone"}, "tool_response": {}}
    for environment in (started, {}):  # by the folder that it was started in, or by its open turn
        said = in_clone(guarded, cloned, "PostToolUse", environment, **call).out
        assert "name" not in said.replace("hookEventName", "")
    assert (guarded.root / "chapter.md").read_bytes() == chapter(1500)


def test_doctor_calls_hooks_of_another_folder_bad(guarded: Book, cloned: Path) -> None:
    assert guarded.user.quick("install", "codex", cwd=guarded.root).status == 0
    shutil.copytree(guarded.root / ".codex", cloned / ".codex")
    found = guarded.user.quick("doctor", "--json", cwd=cloned).json()
    said = [one for one in found if one["about"] == "codex" and one["state"] == "bad"]
    assert any(str(guarded.root) in one["said"] and "stet install codex" in one["fix"] for one in said), found
