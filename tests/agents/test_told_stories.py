"""What the real programs' models and people are told, with the real Claude Code, Codex, Gemini CLI, opencode, Qwen."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_clients import CLAUDE
from claude_runner import Guarded, answers
from fake_messages import say, tool
from other_runners import Codex, Gemini, Opencode, Qwen
from other_runners import Guarded as Other
from stet_kit import chapter, reword


@pytest.fixture
def guarded(tmp_path: Path) -> Guarded:
    """A guarded book with the hooks of Claude Code."""
    return Guarded(tmp_path, CLAUDE)


def kinds(guarded: Guarded, *wanted: str) -> list[str]:
    """The rules of what was refused, in order."""
    rows = guarded.stet_ok("log", "chapter.md", "--json").json()
    return [f["rule"] for e in rows if e["kind"] in wanted for f in e["data"].get("findings", ())[:1]]


def test_hooks_installed_twice_count_once(guarded: Guarded) -> None:
    guarded.stet_ok("install", "claude", "--local")
    path = str(guarded.chapter)
    ran = guarded.run(
        answers(
            tool("Read", file_path=path),
            tool("Write", file_path=path, content="# Chapter\n\nTo be continued.\n"),
            tool("Write", file_path=path, content="# Chapter\n\nThe end.\n"),
            say("done"),
        )
    )
    assert "word-floor" in ran.told[1] and "repeat" not in ran.told[1]
    assert "Failed attempt 1; 2 left" in ran.told[1]
    assert "Failed attempt 2; 1 left" in ran.told[2]
    assert len(kinds(guarded, "refuse", "hold")) == 2


@pytest.mark.parametrize("number", [1, 2])
def test_failed_edits_are_told_and_counted_one_by_one(guarded: Guarded, number: int) -> None:
    path = str(guarded.chapter)
    edits = [tool("Edit", file_path=path, old_string=f"nowhere {n}", new_string="x") for n in range(number)]
    for _ in range(2):  # the scripted API uses the same ids in both sessions
        ran = guarded.run(answers(tool("Read", file_path=path), *edits, say("done")))
    assert kinds(guarded, "refuse") == ["edit-anchor"] * (2 if number == 1 else 3), "each is a row of its own"
    if number == 1:
        assert "failed attempt 2; 1 left before the file is latched" in ran.told[1]
    else:
        assert len(ran.told) == 1, "the third failed attempt ended the run"


def test_a_failing_command_that_broke_a_file_is_told_in_its_own_event(guarded: Guarded) -> None:
    before = guarded.chapter.read_bytes()
    ran = guarded.run(answers(tool("Bash", command="echo x > chapter.md; exit 3", description="x"), say("done")))
    assert guarded.chapter.read_bytes() == before
    assert "chapter.md was put back" in ran.told[0]


def test_a_session_that_insists_is_stopped(guarded: Guarded) -> None:
    path = str(guarded.chapter)
    for number in range(3):
        guarded.stet("write", "chapter.md", data=b"stub %d\n" % number)
    text = reword(chapter(2500)).decode()
    writes = [tool("Write", file_path=path, content=f"{text}{n}.\n") for n in range(6)]
    ran = guarded.run(answers(tool("Read", file_path=path), *writes, say("done")))
    assert len(ran.told) == 3, "read and two refusals were answered by the model; the third ended the run"
    assert "Go on with other work" in ran.told[2]


@pytest.mark.parametrize("runtime", [Codex, Gemini, Opencode, Qwen], ids=lambda r: r.name)
def test_each_model_is_told_truly_whether_it_goes_on(tmp_path: Path, runtime: type[Other]) -> None:
    guarded = runtime(tmp_path)
    ran = guarded.run(
        [
            [guarded.read("chapter.md")],
            *[[guarded.write("chapter.md", f"# Chapter\n\nStub {n}.\n")] for n in range(3)],
            [guarded.shell("ls")],
            [say("done")],
        ]
    )
    told = "\n".join(ran.told)
    assert "STET ALERT" not in told, "the operator's block is no model's"
    assert "The run ends here" not in told
    if runtime is Gemini:
        assert len(ran.told) == 3, "no request follows the trip"
    else:
        assert "every further proposal for it is refused until a person resets it" in ran.told[3], ran
        assert "Go on with other work" in ran.told[3]
        assert len(ran.told) == 5, "and it went on"
