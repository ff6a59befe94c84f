"""The real programs, started in a folder below the guarded one and in another project: who reads whose hooks."""

from __future__ import annotations

import shutil
from pathlib import Path

import claude_runner
import other_runners
import pytest
from agent_clients import CLAUDE, CLAUDE_OLD
from claude_runner import Ran, answers
from fake_messages import say, tool
from other_runners import Codex, Gemini, Opencode, Qwen
from stet_kit import chapter

from firewall.agents.install import reading, runtimes

Any = claude_runner.Guarded | other_runners.Guarded
NAMES = ["claude", "claude-old", "codex", "gemini", "opencode", "qwen"]
OTHERS = {runner.name: runner for runner in (Codex, Gemini, Opencode, Qwen)}


def guarded(name: str, folder: Path, *install: str) -> Any:
    """A guarded book with the hooks of one runtime, and a folder below it."""
    made: Any
    if name in OTHERS:
        made = OTHERS[name](folder, *install)
    else:
        made = claude_runner.Guarded(folder, CLAUDE if name == "claude" else CLAUDE_OLD, *install)
    (made.root / "sub").mkdir()
    return made


def spoil(made: Any, *files: Path) -> Ran:
    """A session whose shell overwrites files."""
    commands = [f"echo gone > '{path}'" for path in files]
    if isinstance(made, claude_runner.Guarded):
        away = {path.parent for path in files} - {made.started_in or made.root}
        more = [word for folder in sorted(away) for word in ("--add-dir", str(folder))]
        calls = [tool("Bash", command=command, description="x") for command in commands]
        return made.run(answers(*calls, say("done")), more=more)
    return made.run([*([made.shell(command)] for command in commands), [say("done")]])


def of_the_user(made: Any, folder: Path) -> Path:
    """A file of another guarded folder, whose hooks are in the user's own settings alone."""
    folder.mkdir()
    theirs = folder / "theirs.md"
    theirs.write_bytes(chapter(1500, seed=3))
    assert made.user.quick("init", cwd=folder).status == 0
    more = {"PATH": made.path} if isinstance(made, claude_runner.Guarded) else {}
    runtime = "claude" if isinstance(made, claude_runner.Guarded) else made.name
    done = made.user.quick("install", runtime, "--user", cwd=folder, env=more)
    assert done.status == 0, done
    if isinstance(made, Gemini):  # it starts in no folder that the user does not trust
        made.put(made.user.home / ".gemini" / "trustedFolders.json", {str(folder.parent): "TRUST_FOLDER"})
    return theirs


@pytest.mark.parametrize(
    ("name", "git"), [*((name, True) for name in NAMES), ("codex", False), ("opencode", False), ("claude", False)]
)
def test_a_session_below_reads_the_folders_hooks_only_where_that_is_said_and_the_users_own_always(
    tmp_path: Path, name: str, git: bool
) -> None:
    made = guarded(name, tmp_path)
    if not git:
        shutil.rmtree(made.root / ".git")
    theirs = of_the_user(made, tmp_path / "other book")
    before, before_theirs = made.chapter.read_bytes(), theirs.read_bytes()
    made.started_in = made.root / "sub"
    ran = spoil(made, made.chapter, theirs)
    assert len(ran.told) == 2, ran
    reads_above = reading.reads_above(runtimes.module(name.partition("-")[0]), made.root, made.started_in)
    assert (made.chapter.read_bytes() == before) is reads_above, ran
    assert theirs.read_bytes() == before_theirs, "the session was started in another project, and it is guarded"


# Where a session was started, a hook of the user's own is asked alike (tests/agents/test_elsewhere.py plays it).
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_hooks_of_the_users_own_guard_a_folder_from_below(tmp_path: Path, name: str) -> None:
    made = guarded(name, tmp_path, "--user")
    before = made.chapter.read_bytes()
    made.started_in = made.root / "sub"
    ran = spoil(made, made.chapter)
    assert ran.told, ran
    assert made.chapter.read_bytes() == before, ran
