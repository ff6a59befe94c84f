"""What git left with conflicts in it stays so until they are resolved: the other side's text is not lost."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hook_kit import Claude, decision, reason
from stet_kit import STUB, Book, chapter, prose
from turn_kit import committed, git

CONFLICT = re.compile(r"<<<<<<<[^\n]*\n(?:.*?)=======\n(.*?)>>>>>>>[^\n]*\n", re.S)
KEEPER, BOY = "The keeper lit the lamp.", "A boy came up the stairs."


@pytest.fixture
def claude(book: Book) -> Claude:
    """Two branches of a person's: both changed two lines, and theirs has a section of 300 words more."""
    base = chapter().decode().rstrip()
    text = f"# Two\n\n{KEEPER}\n\n{base}\n\n{prose(60, 5)}\n\n{BOY}\n"
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "Ada")
    git(book.root, "config", "user.email", "ada@example.org")
    book.put("ch.md", text.encode())
    committed(book.root)
    git(book.root, "checkout", "-q", "-b", "theirs")
    theirs = text.replace(KEEPER, "The warden lit the lamp.").replace(BOY, "A girl came up the stairs.")
    book.put("ch.md", theirs.replace(base, f"{base}\n\n## The storm\n\n{prose(300, 7)}").encode())
    committed(book.root)
    git(book.root, "checkout", "-q", "main")
    book.put("ch.md", text.replace(KEEPER, "The guard lit the lamp.").replace(BOY, "A child came up.").encode())
    committed(book.root)
    return Claude(book)


def runs(claude: Claude, command: str) -> str:
    assert decision(claude.bash(command)) == ""
    subprocess.run(command, shell=True, cwd=claude.book.root, check=False, capture_output=True)
    return reason(claude.ran(command))


def edits(claude: Claude) -> str:
    """Resolve the first conflict by the Edit tool."""
    path: Path = claude.book.root / "ch.md"
    text = path.read_text("utf-8")
    found = CONFLICT.search(text)
    assert found
    said = claude.edit("ch.md", found.group(), found.group(1))
    if decision(said):
        return reason(said)
    path.write_text(text.replace(found.group(), found.group(1)), "utf-8")
    given = {"file_path": str(path), "old_string": found.group(), "new_string": found.group(1)}
    return reason(claude.after("Edit", given))


@pytest.mark.parametrize("merge", ["git merge theirs", "git cherry-pick theirs", "git rebase theirs"])
@pytest.mark.parametrize("way", ["edit", "write", "shell", "abort"])
def test_a_conflict_is_resolved_and_nothing_of_the_other_side_is_lost(claude: Claude, merge: str, way: str) -> None:
    path = claude.book.root / "ch.md"
    claude.prompt()
    said = runs(claude, merge)
    assert "2 conflicts of a merge" in said and "as no attempt" in said
    assert "The storm" in path.read_text() and "<<<<<<<" in path.read_text()
    assert runs(claude, "git status -s") == "", "told once"
    if way == "edit":
        assert "a conflict of a merge" in edits(claude)
        assert edits(claude) == ""
    elif way == "write":
        claude.read("ch.md")
        assert reason(claude.write("ch.md", CONFLICT.sub(r"\1", path.read_text()).encode())) == ""
    elif way == "shell":
        resolved = path.with_suffix(".txt")
        resolved.write_text(CONFLICT.sub(r"\1", path.read_text()))
        assert runs(claude, "cp ch.txt ch.md") == ""
    else:
        assert runs(claude, f"{' '.join(merge.split()[:2])} --abort") == ""
        assert "The guard" in path.read_text()
    claude.stop()
    assert "<<<<<<<" not in path.read_text()
    assert ("The storm" in path.read_text()) is (way != "abort")
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert known.attempts == 0
        assert proxy.ledger.load(known.disk) == path.read_bytes()


def test_markers_are_no_way_past_the_rules(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    before = path.read_bytes()
    claude.prompt()
    fake = f"<<<<<<< HEAD\n{STUB.decode()}\n=======\nless\n>>>>>>> theirs\n"
    path.write_text(before.decode() + fake)
    assert "put back" in reason(claude.ran("x")), "no merge goes on"
    assert "2 conflicts" in runs(claude, "git merge theirs")
    path.write_text(fake)
    assert "put back" in reason(claude.ran("x")), "neither side has the text"
    assert path.read_bytes() == before


def test_what_goes_back_to_before_the_merge_is_told_with_the_way_to_both_sides(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    claude.prompt()
    runs(claude, "git merge theirs")
    path.write_bytes(STUB)
    assert "`git checkout --merge ch.md` brings back the conflict" in reason(claude.ran("x"))
    assert "The storm" not in path.read_text()
    runs(claude, "git checkout --merge ch.md")
    assert "The storm" in path.read_text()
    path.write_text(CONFLICT.sub(r"\1", path.read_text()))
    assert reason(claude.ran("x")) == ""
    git(claude.book.root, "add", "ch.md")
    path.write_bytes(STUB)
    assert "checkout --merge" not in reason(claude.ran("x")), "no merge goes on in it"
    assert "The storm" in path.read_text()


def test_it_is_nobodys_version_while_the_merge_goes_on(claude: Claude) -> None:
    path = claude.book.root / "ch.md"
    claude.prompt()
    runs(claude, "git merge theirs")
    claude.stop()
    claude.prompt()
    claude.stop()
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert b"<<<<<<<" not in (proxy.ledger.load(known.disk) or b"")
    path.write_text(CONFLICT.sub(r"\1", path.read_text()))
    claude.prompt()
    with claude.book.open() as proxy:
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert proxy.ledger.load(known.disk) == path.read_bytes(), "a person resolved it"
