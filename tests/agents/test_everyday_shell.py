"""Everyday commands of an agent's shell that lose nothing: they pass, or are asked about in words that are true."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hook_kit import HEADLESS, STUB, TERMINAL, Claude, decision, reason
from stet_kit import Book, chapter
from test_claude_after import run

from firewall.agents import doctor, shell, walk
from firewall.errors import NotFound
from firewall.writes import grants, operator, person
from firewall.writes.proposal import Proposal


@pytest.fixture
def claude(book: Book) -> Claude:
    book.put("ch.md", chapter())
    made = Claude(book, HEADLESS)
    made.prompt()
    return made


def ran(claude: Claude, command: str) -> str:
    """What the shell's command is told, before or after; it is run unless it was denied."""
    said = claude.bash(command)
    if decision(said):
        return reason(said)
    run(claude.book, command)
    return reason(claude.ran(command))


# -- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p book && mv ch.md book/",
        "mkdir book; mv ch.md book",
        "mkdir -p book/part && cd book && mv ../ch.md part",
        "mkdir -m 755 book && mv -t book ch.md",
        "mkdir -p book && git mv ch.md book/ || mv ch.md book/",
    ],
)
def test_a_move_into_a_folder_that_the_command_makes_is_a_rename(claude: Claude, command: str) -> None:
    assert ran(claude, command) == ""
    assert not (claude.book.root / "ch.md").exists()
    with claude.book.open() as proxy:
        assert proxy.ledger.artifact("ch.md") is None
        assert len([a for a in proxy.ledger.artifacts() if a.disk]) == 1


def test_a_made_folder_is_one_for_later_moves_only() -> None:
    first, second = shell.recognised("mv a.md x; mkdir x; mv b.md x")
    assert not first.into
    assert second.into


def test_a_move_out_of_the_guard_is_asked_about_as_a_move(book: Book) -> None:
    book.put("ch.md", chapter())
    book.put("other.md", chapter(seed=2))
    claude = Claude(book, TERMINAL)
    claude.prompt()
    said = claude.bash("mv ch.md ch.bak")
    assert decision(said) == "ask"
    assert "Moving ch.md to ch.bak would take it out of the guard" in reason(said)
    assert "Yes moves ch.md" in reason(said)
    assert "elet" not in reason(said), "nothing is deleted"
    assert "Yes deletes other.md" in reason(claude.bash("rm other.md"))


def test_names_that_change_hands_in_one_command_are_judged_together(book: Book) -> None:
    book.put("ch.md", chapter())
    book.put("note.md", chapter(300, seed=2))
    claude = Claude(book)
    claude.prompt()
    assert ran(claude, "mv ch.md t.md; mv note.md ch.md; mv t.md note.md") == ""
    assert (book.root / "note.md").read_bytes() == chapter()
    assert (book.root / "ch.md").read_bytes() == chapter(300, seed=2)
    assert ran(claude, "mv ch.md t.md && mv note.md ch.md && mv t.md note.md") == "", "and back"
    assert (book.root / "ch.md").read_bytes() == chapter()
    for command, what in (
        ("mv ch.md t.md; rm t.md", "Deleting ch.md"),
        ("mv ch.md t.md; mv t.md /tmp/elsewhere.md", "Moving ch.md to /tmp/elsewhere.md"),
        ("mv ch.md a.md; mv note.md b.md; rm a.md b.md", "Deleting note.md"),
        ("rm note.md; mv ch.md note.md; rm note.md", "Deleting ch.md"),
        ("mv note.md ch.md", "ch.md is as it was"),
    ):
        said = ran(claude, command)
        assert what in said, command
        assert "note.md to ch.md" not in said, "ch.md is guarded: nothing leaves the guard"
        assert (book.root / "ch.md").read_bytes() == chapter()
        claude = Claude(book)
        with book.open() as proxy, proxy.ledger.transaction():
            proxy.ledger.change("UPDATE artifacts SET attempts=0")
        claude.prompt()


# -- copies -----------------------------------------------------------------------------------------------------------


def test_an_agents_own_copy_may_go_again(claude: Claude) -> None:
    assert ran(claude, "cp ch.md backup.md") == ""
    assert ran(claude, "rm backup.md") == ""
    assert not (claude.book.root / "backup.md").exists()
    assert ran(claude, "cp ch.md b.md") == ""
    assert ran(claude, "python3 -c \"import os; os.remove('b.md')\"") == "", "nor is it put back afterwards"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("cp ch.md b.md", "rm b.md ch.md"),
        ("cp ch.md b.md; sed 1,3d twin.md | tac | rev >> b.md", "rm b.md"),  # words that stand nowhere else
        ("true", "rm twin.md"),  # a person's own
    ],
)
def test_no_other_delete_is_excused_by_a_copy(book: Book, first: str, then: str) -> None:
    book.put("ch.md", chapter())
    book.put("twin.md", chapter())
    claude = Claude(book)
    claude.prompt()
    ran(claude, first)
    claude.stop()
    claude.prompt()
    before = sorted(path.name for path in book.root.glob("*.md"))
    assert "Deleting" in ran(claude, then)
    assert sorted(path.name for path in book.root.glob("*.md")) == before


def test_a_copy_of_a_file_that_is_gone_from_the_disk_is_kept(claude: Claude) -> None:
    ran(claude, "cp ch.md b.md")
    claude.stop()
    claude.prompt()
    run(claude.book, "rm ch.md b.md")
    said = reason(claude.ran("x"))
    assert "ch.md was put back" in said
    assert "b.md was put back" in said


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("cp ch.md ch.old.md; sed -i 's/lamp/lantern/' ch.md", "rm ch.old.md"),
        ("cp ch.md b.md; echo 'And one more sentence.' >> b.md", "rm b.md"),
        ("cat ch.md twin.md > book.md", "rm book.md"),
        ("sed 's/lamp/lantern/' ch.md > ch.new.md", "mv ch.new.md ch.md"),
    ],
)
def test_a_copy_of_an_earlier_turn_may_go_while_its_words_stand(book: Book, first: str, then: str) -> None:
    book.put("ch.md", chapter())
    book.put("twin.md", chapter(seed=2))
    claude = Claude(book)
    claude.prompt()
    assert ran(claude, first) == ""
    claude.stop()
    claude.prompt()
    assert ran(claude, then) == ""
    assert not (book.root / then.split()[1]).exists()


@pytest.mark.parametrize("then", ["rm book.md ch.md", "rm book.md twin.md ch.md", "mv twin.md book.md"])
def test_what_a_copy_is_of_must_stay(book: Book, then: str) -> None:
    book.put("ch.md", chapter())
    book.put("twin.md", chapter(seed=2))
    claude = Claude(book)
    claude.prompt()
    assert ran(claude, "cat ch.md twin.md > book.md") == ""
    claude.stop()
    claude.prompt()
    before = {path.name: path.read_bytes() for path in book.root.glob("*.md")}
    assert ran(claude, then) != ""
    assert {path.name: path.read_bytes() for path in book.root.glob("*.md")} == before


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_a_name_that_is_not_utf8_is_told_of(claude: Claude) -> None:
    root = claude.book.root
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.md"))).write_bytes(chapter())
    with claude.book.open() as proxy:
        found = {one.about: one for one in doctor.examine(proxy, claude.book.user.home, "stet")}
    assert found["names"].state == doctor.NOTE
    assert "caf\\udce9.md" in found["names"].said


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_init_names_what_it_cannot_guard(book: Book) -> None:
    folder = book.user.folder / "old"
    folder.mkdir()
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md"))).write_bytes(chapter())
    done = book.user.quick("init", cwd=folder)
    assert done.status == 0
    assert "Judged by no rule" in done.err
    assert "caf\\udce9.md" in done.err


@pytest.mark.skipif(os.name != "posix", reason="paths have an end")
def test_a_path_beyond_the_systems_longest_stops_no_hook(claude: Claude) -> None:
    root = claude.book.root
    here = Path.cwd()
    try:
        os.chdir(root)
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.chdir(here)
    assert ran(claude, "ls") == ""
    claude.book.put("ch.md", STUB)
    assert "put back" in reason(claude.ran("echo > ch.md"))
    with claude.book.open() as proxy:
        assert walk.unguarded(walk.walk(str(root), proxy.protection))
    assert ran(claude, "rm -rf dddd*") == ""


def test_what_never_existed_is_not_accepted(book: Book) -> None:
    with book.open() as proxy, pytest.raises(NotFound):
        operator.accept(proxy, book.root / "nope.md")
    with book.open() as proxy:
        assert proxy.ledger.artifact("nope.md") is None


def test_a_yes_to_the_delete_of_the_original_is_none_to_that_of_its_copy(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    book.put("ch.md", chapter())
    with book.open() as proxy:
        proxy.adopt([book.root / "ch.md"])
        grants.allow(proxy, str(book.root / "ch.md"), ["delete"], 1, 60.0)
    assert book.write("b.md", chapter()).committed
    both = [Proposal(book.root / name, None) for name in ("ch.md", "b.md")]
    with book.open() as proxy:
        assert [r.verdict.allowed for r in proxy.check_set(both)] == [True, False]
        assert proxy.check_set(both[1:])[0].verdict.allowed
