"""What commands say is true where it is said, and leads on: to the next command, with the right number."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from stet_kit import Home, at_terminal, chapter


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    """A guarded git folder with a committed chapter of 1,200 words."""
    root = tmp_path / "w"
    root.mkdir()
    (root / "ch.md").write_bytes(chapter(1200))
    git(user, root, "init", "-q")
    git(user, root, "add", ".")
    git(user, root, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "one")
    assert user.quick("init", cwd=root).status == 0
    return root


def git(user: Home, root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, env=user.environment(), capture_output=True)


def held(user: Home, folder: Path) -> str:
    """The id of a delete that waits."""
    return str(user.quick("write", "ch.md", "--delete", "--json", cwd=folder).json()["held"])


def tripped(user: Home, folder: Path) -> str:
    """The id of the alert of a latched chapter."""
    for number in range(3):
        done = user.quick("write", "ch.md", "--json", cwd=folder, data=b"stub %d\n" % number)
    return str(done.json()["alert"]["id"])


# -- deletes -----------------------------------------------------------------------------------------------


def test_a_check_of_a_delete_does_not_say_that_something_waits(user: Home, folder: Path) -> None:
    done = user.quick("check", "ch.md", "--delete", cwd=folder)
    assert "waits" not in done.err
    assert "other work" not in done.err
    assert user.quick("pending", "--json", cwd=folder).json() == []


def test_a_write_that_is_held_says_what_waits_and_how_to_see_it(user: Home, folder: Path) -> None:
    done = user.quick("write", "ch.md", "--delete", cwd=folder)
    (waits,) = user.quick("pending", "--json", cwd=folder).json()
    assert f"waits for a person as {waits['id']}" in done.err
    assert f"`stet show {waits['id']}`" in done.err


def test_a_person_is_told_how_to_commit_what_is_meant(user: Home, folder: Path) -> None:
    git(user, folder, "rm", "-q", "ch.md")
    status, out = at_terminal(user, folder, "check", "--staged")
    assert status == 1
    assert "git commit --no-verify" in out
    assert "waits" not in out
    asked = user.quick("check", "--staged", cwd=folder, env={"CLAUDECODE": "1"})
    assert asked.status == 1
    assert "no-verify" not in asked.err, "an agent is told no way round"
