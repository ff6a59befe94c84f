"""What the model is told, with the real Claude Code. What those of other programs are: test_other_stories.py."""

from __future__ import annotations

from pathlib import Path

from agent_clients import CLAUDE
from claude_runner import Guarded, answers
from fake_messages import Block, say, tool
from stet_kit import chapter, reword


def kinds(guarded: Guarded, name: str, *wanted: str) -> list[str]:
    """The rules of what was refused for a file, in order."""
    rows = guarded.stet_ok("log", name, "--json").json()
    return [f["rule"] for e in rows if e["kind"] in wanted for f in e["data"].get("findings", ())[:1]]


def test_hooks_installed_twice_count_once_and_a_failing_command_is_told_of(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path, CLAUDE, more=["other.md"])
    guarded.stet_ok("install", "claude", "--local")
    path, other = str(guarded.chapter), guarded.root / "other.md"
    before = other.read_bytes()
    ran = guarded.run(
        answers(
            tool("Read", file_path=path),
            tool("Write", file_path=path, content="# Chapter\n\nTo be continued.\n"),
            tool("Write", file_path=path, content="# Chapter\n\nThe end.\n"),
            tool("Bash", command="echo x > other.md; exit 3", description="x"),
            say("done"),
        )
    )
    assert "word-floor" in ran.told[1] and "repeat" not in ran.told[1]
    assert "Failed attempt 1; 2 left" in ran.told[1]
    assert "Failed attempt 2; 1 left" in ran.told[2]
    assert len(kinds(guarded, "chapter.md", "refuse", "hold")) == 2
    assert other.read_bytes() == before
    assert "other.md was put back" in ran.told[3], "told in the failing call's own event"


def test_failed_edits_are_told_and_counted_one_by_one(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path, CLAUDE, more=["other.md"])
    path, other = str(guarded.chapter), str(guarded.root / "other.md")

    def wrong(file: str, number: int) -> Block:
        return tool("Edit", file_path=file, old_string=f"nowhere {number}", new_string="x")

    script = answers(
        tool("Read", file_path=path), wrong(path, 0), tool("Read", file_path=other), wrong(other, 0), wrong(other, 1),
        say("done"),
    )  # fmt: skip
    for _ in range(2):  # the scripted API uses the same ids in both sessions
        ran = guarded.run(script)
    assert kinds(guarded, "chapter.md", "refuse") == ["edit-anchor"] * 2, "each is a row of its own"
    assert kinds(guarded, "other.md", "refuse") == ["edit-anchor"] * 3
    assert "failed attempt 2; 1 left before the file is latched" in ran.told[1]
    assert len(ran.told) == 3, "the third failed attempt for one file ended the run"


def test_a_session_that_insists_is_stopped(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path, CLAUDE)
    path = str(guarded.chapter)
    for number in range(3):
        guarded.stet("write", "chapter.md", data=b"stub %d\n" % number)
    text = reword(chapter(2500)).decode()
    writes = [tool("Write", file_path=path, content=f"{text}{n}.\n") for n in range(6)]
    ran = guarded.run(answers(tool("Read", file_path=path), *writes, say("done")))
    assert len(ran.told) == 3, "read and two refusals were answered by the model; the third ended the run"
    assert "Go on with other work" in ran.told[2]
