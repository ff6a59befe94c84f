"""The hook that .pre-commit-hooks.yaml offers, run by the real pre-commit.

pre-commit would install this package into an environment of its own, from the network; here its hook runs the `stet`
that is installed already, everything else as offered.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from stet_kit import STET, STUB, Home, chapter, reword

OFFERED = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
pytest.importorskip("pre_commit", reason="pre-commit is not installed (it is in the extra `dev`)")


class Repo(NamedTuple):
    """A repository of a user, guarded, with pre-commit's hook in place."""

    user: Home
    top: Path

    def run(self, *words: str, status: int | None = 0) -> str:
        """Standard output and error of a program in the repository."""
        environment = self.user.environment(
            PRE_COMMIT_HOME=str(self.user.folder / "cache"), PRE_COMMIT_COLOR="never", PRE_COMMIT_ALLOW_NO_CONFIG=None
        )
        environment["PATH"] = f"{STET.parent}:{environment['PATH']}"
        done = subprocess.run(words, cwd=self.top, env=environment, capture_output=True, text=True, timeout=120)
        said = done.stdout + done.stderr
        assert status is None or done.returncode == status, said
        return said

    def git(self, *words: str, status: int | None = 0) -> str:
        return self.run("git", *words, status=status)

    def commit(self, message: str, status: int) -> str:
        return self.git("commit", "-q", "-m", message, status=status)


@pytest.fixture
def repo(user: Home, tmp_path: Path) -> Repo:
    made = Repo(user, tmp_path / "book")
    made.top.mkdir()
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.name", "A Writer")
    made.git("config", "user.email", "writer@example.org")
    assert user.quick("init", ".", cwd=made.top).status == 0
    (hook,) = yaml.safe_load(OFFERED.read_text("utf-8"))
    hook = {**hook, "language": "system"}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (made.top / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    (made.top / "a.md").write_bytes(chapter(1200))
    (made.top / "b.md").write_bytes(chapter(300, 2))
    made.git("add", ".")
    made.commit("first", 0)
    made.run(sys.executable, "-m", "pre_commit", "install")
    return made


def test_the_manifest_is_one(repo: Repo) -> None:
    repo.run(sys.executable, "-m", "pre_commit", "validate-manifest", str(OFFERED))
    repo.run(sys.executable, "-m", "pre_commit", "validate-config")


def test_an_honest_commit_lands_and_a_stub_does_not(repo: Repo) -> None:
    (repo.top / "a.md").write_bytes(reword(chapter(1200)))
    repo.git("add", "a.md")
    repo.commit("honest", 0)
    head = repo.git("rev-parse", "HEAD")
    (repo.top / "a.md").write_bytes(STUB)
    repo.git("add", "a.md")
    said = repo.commit("stub", 1)
    assert "word-floor" in said
    assert "the floor is" in said
    assert repo.git("rev-parse", "HEAD") == head
    assert (repo.top / "a.md").read_bytes() == STUB, "pre-commit and Stet leave the work tree alone"


def test_a_commit_that_only_deletes_is_seen(repo: Repo) -> None:
    repo.git("rm", "-q", "b.md")
    assert "delete" in repo.commit("gone", 1)


def test_what_is_not_staged_is_not_judged_and_comes_back(repo: Repo) -> None:
    (repo.top / "b.md").write_bytes(reword(chapter(300, 2)))
    repo.git("add", "b.md")
    (repo.top / "a.md").write_bytes(STUB)
    repo.commit("b alone", 0)
    assert (repo.top / "a.md").read_bytes() == STUB
    assert "b.md" in repo.git("show", "--stat", "HEAD")
