"""A path that is longer than the system takes is refused in words, wherever it is named."""

from __future__ import annotations

import pytest
from hook_kit import Claude, decision, reason
from stet_kit import Book, chapter

from firewall.agents.files import Files
from firewall.agents.scope import SameName
from firewall.errors import StetError

DEEP = "a/" * 2100 + "b.md"
ROUND = "a/../" * 1000 + "note.md"
LONG = pytest.mark.parametrize("path", [DEEP, ROUND, "ä" * 2000 + "/b.md"])


@LONG
@pytest.mark.parametrize("command", ["check", "write", "log", "clean"])
def test_no_command_takes_it_for_a_bug(book: Book, path: str, command: str) -> None:
    book.put("note.md", chapter(300))
    done = book.user.quick(command, path, cwd=book.root, data=b"A few words.\n")
    assert done.status in (1, 2)
    assert "Traceback" not in done.err
    assert "this is a bug" not in done.err


@LONG
def test_the_hook_refuses_it(book: Book, path: str) -> None:
    book.put("note.md", chapter(300))
    claude = Claude(book)
    claude.prompt()
    said = claude.before("Write", {"file_path": f"{book.root}/{path}", "content": "A few words.\n"})
    assert decision(said) == "deny"
    assert "OSError" not in reason(said)
    assert "longer than" in reason(said)
    for command in (f"rm -r {path}", f"mv note.md {path}", f"mv {path} other.md", f"git mv note.md {path}"):
        assert "hook-failed" not in reason(claude.bash(command)), command
    assert (book.root / "note.md").read_bytes() == chapter(300)


@LONG
def test_mcp_refuses_it(book: Book, path: str) -> None:
    book.put("note.md", chapter(300))
    files = Files(book.root, "s")
    for call in (
        lambda: files.write(path, "A few words.\n"),
        lambda: files.read(path),
        lambda: files.list(path),
        lambda: files.edit(path, "a", "b"),
        lambda: files.append(path, "More.\n"),
        lambda: files.move("note.md", path),
        lambda: files.history(path),
        lambda: files.review(path, "why", "delete"),
    ):
        with pytest.raises(StetError):
            call()


@pytest.mark.parametrize("name", ["note.md", "./note.md", "x/../note.md"])
def test_a_file_is_not_moved_to_the_name_it_has(book: Book, name: str) -> None:
    book.put("note.md", chapter(300))
    files = Files(book.root, "s")
    with pytest.raises(SameName, match=r"note\.md has that name already"):
        files.move("note.md", name)
    with pytest.raises(SameName):
        files.review("note.md", "why", "move", new_path=name)
