"""In a shallow clone, as far as its history goes, what git brings is git's as in a whole one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hook_kit import Claude, reason
from stet_kit import STUB, Book, chapter
from turn_kit import committed, git

from firewall.errors import StetError
from firewall.writes.git import find_repository


@pytest.fixture
def claude(book: Book, tmp_path: Path) -> Claude:
    """At work in a clone of depth 2 of four commits; a person's chapter was a draft in all but the last."""
    up = tmp_path / "up"
    up.mkdir()
    git(up, "init", "-q")
    git(up, "config", "user.name", "A")
    git(up, "config", "user.email", "a@b")
    for n in range(4):
        (up / "ch.md").write_bytes(chapter() if n == 3 else STUB)
        (up / "note.md").write_text(f"Note {n}.\n")
        committed(up, f"c{n}")
    git(book.root, "init", "-q")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    git(book.root, "fetch", "-q", "--depth", "2", f"file://{up}", "main")
    git(book.root, "reset", "-q", "--hard", "FETCH_HEAD")
    claude = Claude(book)
    claude.prompt()
    return claude


def ran(claude: Claude, command: str) -> str:
    subprocess.run(["/bin/bash", "-c", command], cwd=claude.book.root, check=True, capture_output=True, timeout=60)
    return reason(claude.ran(command))


@pytest.mark.parametrize("command", ["git checkout -q HEAD~1 -- ch.md", "git checkout -q HEAD~1"])
def test_an_earlier_version_comes_back_and_a_stub_does_not(claude: Claude, command: str) -> None:
    path = claude.book.root / "ch.md"
    assert "was put back" in ran(claude, "echo '# Another stub stands here.' > ch.md")
    assert path.read_bytes() == chapter()
    assert ran(claude, command) == ""
    assert path.read_bytes() == STUB
    assert claude.stop() == {}


def test_the_file_takes_no_parents_away_that_are_there(claude: Claude) -> None:
    root = claude.book.root
    repository = find_repository(root)
    assert repository is not None
    commits = git(root, "rev-list", "HEAD")
    shallow = root / ".git/shallow"
    true = shallow.read_text()
    shallow.write_text("".join(f"{one}\n" for one in ["f" * 40, *commits.split()]))
    seen = repository.walk("rev-list", "--stdin", data=b"HEAD\n", action="look").decode()
    assert seen.split() == commits.split()
    shallow.write_text(commits.split()[0] + "\n")
    with pytest.raises(StetError):
        repository.walk("rev-list", "--stdin", data=b"HEAD\n", action="look")
    shallow.write_text(true)
    shallow.unlink()
    os.mkfifo(shallow)  # nobody writes into it
    with pytest.raises(StetError):
        repository.walk("rev-list", "--stdin", data=b"HEAD\n", action="look")
