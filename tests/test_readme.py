"""The README's commands, taken from the README and run as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from stet_kit import Home, at_terminal

README = Path(__file__).parent.parent / "README.md"


def block(name: str) -> list[str]:
    """The lines of the block marked `test: name`."""
    found = re.search(rf"<!-- test: {name} -->\n```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert found, name
    return [line for line in found.group(1).splitlines() if line.strip()]


@pytest.fixture
def shell(tmp_path: Path) -> Home:
    """An empty folder with a `.venv` in it, and a user of its own."""
    user = Home(tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return user


def run(user: Home, lines: list[str], cwd: Path) -> tuple[list[int], str]:
    """Run the lines in one shell as a script would; the exit status of each, and all output."""
    script = "\n".join(f'{line}\necho "status:$?"' for line in lines)
    env = user.environment(PATH=f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", script], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    out = done.stdout + done.stderr
    return [int(s) for s in re.findall(r"^status:(\d+)$", done.stdout, re.MULTILINE)], out


def typed(user: Home, line: str, cwd: Path) -> tuple[int, str]:
    """Run one line at a terminal, typing the word that is asked for, as a person would."""
    path = {"PATH": f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}"}
    return at_terminal(user, cwd, line, program=("bash", "-c"), env=path)


def test_a_refusal_is_seen_and_an_alert_is_answered(shell: Home, tmp_path: Path) -> None:
    statuses, out = run(shell, block("refusal"), tmp_path)
    assert statuses == [0, 0, 0, 0, 1, 1, 4, 4, 0], out
    assert "word-floor: log.md: 1800 -> 3 words; the floor is 1530. Change the sentence in place." in out
    assert "STET ALERT" in out
    assert "1800 log.md" in out
    demo = tmp_path / "demo"
    before = (demo / "log.md").read_bytes()
    steps = [typed(shell, line, demo) for line in block("answer")]
    assert [status for status, _ in steps] == [0] * len(steps), steps
    assert "log.md" in steps[0][1]
    assert "trip" in steps[0][1]
    assert "is open again" in steps[1][1]
    assert "written: log.md" in steps[2][1]
    assert (demo / "log.md").read_bytes() == before, "restore put the version before the good write back"


def test_an_agent_s_hooks_are_installed_and_the_canary_is_refused(shell: Home, tmp_path: Path) -> None:
    run(shell, block("refusal")[:4], tmp_path)
    demo = tmp_path / "demo"
    statuses, out = run(shell, [". ../.venv/bin/activate", *block("install")], demo)
    assert statuses == [0, 0, 0], out
    assert (demo / ".claude" / "settings.json").exists()
    assert "canary write" in out
    assert "was refused: " in out


def test_the_smallest_book_is_planned_and_written(shell: Home, tmp_path: Path) -> None:
    text = re.search(r"<!-- test: book -->\n```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert text
    statuses, out = run(shell, [f"set -e\n{text.group(1)}"], tmp_path)
    assert statuses == [0], out
    assert "Lacking" not in out
    written = (tmp_path / "house/out/01-water.md").read_text("utf-8")
    assert "## The pump\n" in written
    assert "## When it stops\n" in written
    assert "[^s1-1]: `notes/pump.md:1`" in written


def test_the_command_table_is_the_program_s(shell: Home) -> None:
    from pipeline.cli import COMMANDS

    text = README.read_text("utf-8")
    table = text[text.index("## Command line") : text.index("Every command has")]
    for name in COMMANDS:
        assert re.search(rf"(stet|·) {name}\b", table), f"{name} is not in the README's table"


def test_the_readme_is_short_enough_to_read() -> None:
    assert len(README.read_text("utf-8").splitlines()) < 300
