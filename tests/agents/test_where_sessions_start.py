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


def spoil(made: Any) -> Ran:
    """A session whose shell overwrites the chapter."""
    command = f"echo gone > '{made.chapter}'"
    if isinstance(made, claude_runner.Guarded):
        outside = () if (made.started_in or made.root) == made.root else ("--add-dir", str(made.root))
        return made.run(answers(tool("Bash", command=command, description="x"), say("done")), more=outside)
    return made.run([[made.shell(command)], [say("done")]])


@pytest.mark.parametrize(
    ("name", "git"), [*((name, True) for name in NAMES), ("codex", False), ("opencode", False), ("claude", False)]
)
def test_a_session_below_reads_the_folders_hooks_only_where_that_is_said(tmp_path: Path, name: str, git: bool) -> None:
    made = guarded(name, tmp_path)
    if not git:
        shutil.rmtree(made.root / ".git")
    before = made.chapter.read_bytes()
    made.started_in = made.root / "sub"
    ran = spoil(made)
    assert ran.told, ran
    reads_above = reading.reads_above(runtimes.module(name.partition("-")[0]), made.root, made.started_in)
    assert (made.chapter.read_bytes() == before) is reads_above, ran


# Qwen Code reads settings as Gemini CLI does, and both Claudes alike: the test above tries them all.
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("qwen", "claude-old")])
def test_hooks_of_the_users_own_guard_it_from_below_and_from_another_project(tmp_path: Path, name: str) -> None:
    made = guarded(name, tmp_path, "--user")
    before = made.chapter.read_bytes()
    other = tmp_path / "other book"
    other.mkdir()
    (other / "theirs.md").write_bytes(chapter(1500, seed=3))
    assert made.user.stet("init", cwd=other).status == 0
    more = {"PATH": made.path} if isinstance(made, claude_runner.Guarded) else {}
    done = made.user.stet("install", name.partition("-")[0], "--user", cwd=other, env=more)
    assert done.status == 0, done
    if isinstance(made, Gemini):  # it starts in no folder that the user does not trust
        made.put(made.user.home / ".gemini" / "trustedFolders.json", {str(tmp_path): "TRUST_FOLDER"})
    for place in (made.root / "sub", other):
        made.started_in = place
        ran = spoil(made)
        assert ran.told, ran
        assert made.chapter.read_bytes() == before, (place, ran)
