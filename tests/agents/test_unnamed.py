"""Files whose names are not UTF-8: no rule judges them, so an agent changes none, and a person as they like."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hook_kit import Claude, decision, reason
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter
from turn_kit import Agent, committed, git

from firewall.agents import doctor, protected_settings, unnamed

pytestmark = pytest.mark.skipif(os.name != "posix", reason="names are bytes")
NAME = os.fsdecode(b"caf\xe9.md")
SHELL = "caf$'\\xe9'.md"
"""The same for a shell."""


@pytest.fixture
def book(book: Book) -> Book:
    """A folder with a chapter whose name is Latin-1, and one like any other."""
    book.put("ch.md", chapter(seed=2))
    (book.root / NAME).write_bytes(chapter())
    return book


@pytest.mark.parametrize(
    "command",
    [
        f"echo gone > {SHELL}", f"rm {SHELL}", f"mv {SHELL} other.txt", f"ln -sf /dev/null {SHELL}",
        f"rm {SHELL}; mkdir {SHELL}",
        "python3 -c \"import os; [os.remove(n) for n in os.listdir(b'.') if b'caf' in n]\"",
    ],
)  # fmt: skip
def test_what_an_agent_makes_of_one_is_put_back(book: Book, command: str) -> None:
    with Agent(book) as agent:
        swept = agent.runs(command)
        assert (book.root / NAME).read_bytes() == chapter()
        said = swept[unnamed.shown(unnamed.key(NAME))]
        assert said.refused
        assert "not UTF-8" in said.message
        assert not agent.look() or command.startswith("mv")


def test_the_model_is_told_and_its_version_can_be_had_again(book: Book) -> None:
    claude = Claude(book)
    claude.prompt()
    (book.root / NAME).write_bytes(b"gone\n")
    said = reason(claude.ran("echo"))
    assert "caf\\udce9.md" in said
    number = said.partition("stet show ")[2].split(" ")[0]
    with book.open() as proxy:
        rows = proxy.ledger.query("SELECT old FROM journal WHERE seq=?", (int(number),))
        assert proxy.ledger.load(str(rows[0][0])) == b"gone\n"
    given = {"file_path": str(book.root / NAME), "content": "gone\n"}
    assert decision(claude.before("Write", given)) == "deny"


def test_a_person_changes_removes_and_renames_it_between_turns(book: Book) -> None:
    path = book.root / NAME
    claude = Claude(book)
    for change in (lambda: path.write_bytes(b"mine\n"), path.unlink, lambda: path.write_bytes(chapter(seed=5))):
        claude.prompt()
        claude.stop()
        change()
        there = path.exists()
        assert claude.prompt() == {}
        assert claude.ran("ls") == {}
        assert path.exists() is there
        claude.stop()
    path.rename(book.root / "cafe.md")
    claude.prompt()
    assert not path.exists()
    assert decision(claude.write("cafe.md", b"A stub.\n")) == "deny", "and it is guarded like any other"


def test_a_new_one_is_an_agents_until_its_turn_ends(book: Book) -> None:
    path = Path(os.fsdecode(os.fsencode(book.root) + b"/n\xe9w.txt"))
    claude = Claude(book)
    claude.prompt()
    for text in (b"one\n", b"two\n"):
        path.write_bytes(text)
        assert claude.ran("unzip") == {}
        assert path.read_bytes() == text
    claude.stop()
    claude.prompt()
    path.write_bytes(b"three\n")
    assert "not UTF-8" in reason(claude.ran("x"))
    assert path.read_bytes() == b"two\n"


def test_one_outside_of_the_guard_is_nobodys(book: Book) -> None:
    path = Path(os.fsdecode(os.fsencode(book.root) + b"/pict\xfcre.png"))
    path.write_bytes(b"1")
    with Agent(book) as agent:
        path.write_bytes(b"2")
        assert agent.look() == {}


def test_git_switches_it_with_the_branch(book: Book) -> None:
    git(book.root, "init", "-q", "-b", "main")
    committed(book.root, "one")
    git(book.root, "checkout", "-q", "-b", "other")
    (book.root / NAME).write_bytes(b"short\n")
    committed(book.root, "two")
    git(book.root, "checkout", "-q", "main")
    with Agent(book) as agent:
        assert not any(s.refused for s in agent.runs("git checkout -q other").values())
        assert (book.root / NAME).read_bytes() == b"short\n"


def test_one_is_kept_that_no_settings_file_would_be(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protected_settings, "LARGEST", 15_000)
    (book.root / NAME).write_bytes(chapter(6000))
    with Agent(book) as agent:
        assert agent.runs(f"echo stub > {SHELL}")
        assert (book.root / NAME).read_bytes() == chapter(6000)


def test_one_that_is_too_large_to_keep_is_left_alone_and_doctor_says_so(new_book: NewBook) -> None:
    book = new_book("large", {"max_bytes": 15_000})
    book.put("ch.md", chapter(300))
    (book.root / NAME).write_bytes(chapter(6000))
    with book.open() as proxy:
        (said,) = [found for found in doctor._unguarded(proxy) if found.state == doctor.BAD]
    assert "not kept" in said.said
    assert "caf" in said.said
    with Agent(book) as agent:
        (book.root / NAME).write_bytes(chapter(seed=9))
        assert agent.look() == {}
        assert (book.root / NAME).read_bytes() == chapter(seed=9)


@given(st.binary(min_size=1, max_size=40).filter(lambda data: b"\0" not in data))
def test_keys_are_paths_in_other_words(data: bytes) -> None:
    path = os.fsdecode(data)
    key = unnamed.key(path)
    assert unnamed.is_key(key)
    assert not unnamed.is_key(path)
    assert unnamed.path(key) == path
    key.encode()
    unnamed.shown(key).encode()
