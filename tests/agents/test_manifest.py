"""The look that reads nothing where nothing changed: no change passes it, whatever state its memory is in."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import Book, NewBook, chapter, edit_record
from turn_kit import Agent

from firewall.agents import manifest, memory
from firewall.agents.memory import UNSURE, Memory
from firewall.agents.walk import SIGNED, walk
from firewall.writes import disk
from firewall.writes.protection import Protection, is_protected

OLD = 10**18
"""A time of change long ago, in ns."""


def settled(book: Book, count: int = 12) -> list[Path]:
    """Files that Stet knows, of one size, in two folders, changed long ago."""
    paths = [book.put(f"{'ab'[i % 2]}/c{i}.md", b"%02d %b" % (i, chapter(60, seed=i)[:200])) for i in range(count)]
    for path in paths:
        os.utime(path, ns=(OLD, OLD))
    return paths


@pytest.fixture
def agent(book: Book, monkeypatch: pytest.MonkeyPatch) -> Iterator[Agent]:
    """An agent in a folder whose files are remembered, however fresh they are."""
    settled(book)
    monkeypatch.setattr(manifest, "FRESH_NS", 0)
    with Agent(book) as made:
        assert not made.look()
        assert memory.load(made.proxy).listed != UNSURE
        yield made


def changed(agent: Agent) -> set[str]:
    """What a look finds."""
    return set(manifest.look(agent.proxy).files)


def test_where_nothing_changed_no_file_is_read_and_none_looked_at_closer(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(path: Path, *_: object) -> disk.Reading:
        assert path.name == "stet.toml", path
        return real(path)

    def closer(*_: object) -> None:
        raise AssertionError

    real = disk.read
    monkeypatch.setattr(manifest.disk, "read", read)
    monkeypatch.setattr(manifest, "_differing", closer)
    assert not manifest.look(agent.proxy)


def same_size_and_time(agent: Agent) -> set[str]:
    path = agent.path("a/c0.md")
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(OLD, OLD))
    return {"a/c0.md"}


def swapped(agent: Agent) -> set[str]:
    one, other, aside = agent.path("a/c0.md"), agent.path("a/c2.md"), agent.path("a/aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)
    return {"a/c0.md", "a/c2.md"}


def put_in_place(agent: Agent) -> set[str]:
    path, new = agent.path("b/c1.md"), agent.path("new.bin")
    new.write_bytes(path.read_bytes()[::-1])
    os.utime(new, ns=(OLD, OLD))
    new.rename(path)
    return {"b/c1.md"}


def swapped_folders(agent: Agent) -> set[str]:
    agent.shell("mv a aside && mv b a && mv aside b")
    return {f"{folder}/c{i}.md" for i in range(12) for folder in "ab"}


def made(agent: Agent) -> set[str]:
    agent.path("a/more.md").write_bytes(b"New.\n")
    return {"a/more.md"}


def lost(agent: Agent) -> set[str]:
    agent.path("a/c0.md").unlink()
    return {"a/c0.md"}


def folder_lost(agent: Agent) -> set[str]:
    agent.shell("rm -r b")
    return {f"b/c{i}.md" for i in range(1, 12, 2)}


def a_folder_stands_there(agent: Agent) -> set[str]:
    agent.shell("rm a/c0.md && mkdir a/c0.md")
    return {"a/c0.md"}


def a_link_stands_there(agent: Agent) -> set[str]:
    agent.shell("mv a/c0.md c0.bin && ln -s ../c0.bin a/c0.md")
    return {"a/c0.md"}


def a_linked_folder_stands_there(agent: Agent) -> set[str]:
    agent.shell("mv b .elsewhere && ln -s .elsewhere b")
    return {f"{folder}/c{i}.md" for i in range(1, 12, 2) for folder in ("b", ".elsewhere")}


CHANGES = (
    same_size_and_time, swapped, put_in_place, swapped_folders, made, lost, folder_lost, a_folder_stands_there,
    a_link_stands_there, a_linked_folder_stands_there,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: str(c.__name__))
def test_every_change_is_seen(agent: Agent, change: Callable[[Agent], set[str]]) -> None:
    assert changed(agent) == set()
    wanted = change(agent)
    assert changed(agent) == wanted
    assert changed(agent) == wanted, "to look changes nothing about it"


def stored(book: Book) -> bytes:
    """The memory as it lies in the ledger."""
    with sqlite3.connect(book.state_folder / "ledger.db") as db:
        (data,) = db.execute("SELECT files FROM manifests").fetchone()
    db.close()
    assert isinstance(data, bytes)
    return data


def store(book: Book, data: object) -> None:
    """Put something else in its place."""
    edit_record(book.state_folder, "UPDATE manifests SET files=?", (data,))


def of_another_folder(book: Book) -> object:
    return stored(book).replace(os.fsencode(book.root.name), b"elsewhere")


SPOILT: dict[str, Callable[[Book], object]] = {
    "empty": lambda book: b"",
    "half": lambda book: stored(book)[: len(stored(book)) // 2],
    "all but a byte": lambda book: stored(book)[:-1],
    "all but a file": lambda book: stored(book)[:-SIGNED],
    "longer": lambda book: stored(book) + bytes(SIGNED),
    "no signatures": lambda book: stored(book).partition(b"\0")[0],
    "zeros for signatures": lambda book: stored(book).partition(b"\0")[0] + b"\0" + bytes(12 * SIGNED),
    "the form of another release": lambda book: "a/c0.md\0" + "1 2 3 4",
    "another form": lambda book: stored(book).replace(b'"stet 2"', b'"stet 3"'),
    "null": lambda book: b"null\0",
    "wrong types": lambda book: b'["stet 2", "' + os.fsencode(book.root) + b'", 3, 4, {"a": 7}]\0',
    "deep": lambda book: b"[" * 100_000,
    "of another folder": of_another_folder,
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=list(SPOILT))
def test_a_spoilt_memory_hides_no_change_and_is_made_anew(agent: Agent, spoil: Callable[[Book], object]) -> None:
    good = stored(agent.book)
    store(agent.book, spoil(agent.book))
    assert changed(agent) == set()
    assert stored(agent.book) == good, "what was read is remembered again"
    store(agent.book, spoil(agent.book))
    wanted = same_size_and_time(agent) | put_in_place(agent) | made(agent)
    assert changed(agent) == wanted


@given(st.data())
def test_no_piece_and_no_flipped_bit_of_a_memory_passes_for_another(data: st.DataObject) -> None:
    # Names that JSON writes in one way: of an escape's letters either case is the same memory.
    names = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='/\\"'), min_size=1)
    folders = st.dictionaries(names, st.lists(names, min_size=1, max_size=4, unique=True), min_size=1, max_size=4)
    given_folders = data.draw(folders)
    kept = Memory(
        "rules", "a//b",
        {f"{p}/": ("/".join(n), data.draw(st.binary(min_size=SIGNED * len(n), max_size=SIGNED * len(n))))
         for p, n in given_folders.items()},
    )  # fmt: skip
    whole = memory.encoded(kept, "/here")
    assert memory.decoded(whole, "/here") == kept
    assert memory.decoded(whole, "/there") == Memory()
    assert memory.decoded(whole[: data.draw(st.integers(0, len(whole) - 1))], "/here") == Memory()
    spoilt = bytearray(whole)
    spoilt[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert memory.decoded(bytes(spoilt), "/here") != kept


def test_the_memory_of_another_project_is_worth_nothing_here(
    agent: Agent, new_book: NewBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_book("other")
    settled(other)
    with Agent(other) as theirs:
        assert not theirs.look()
    store(agent.book, stored(other))
    read: list[str] = []
    real = disk.read
    monkeypatch.setattr(manifest.disk, "read", lambda path, *more: (read.append(path.name), real(path, *more))[1])
    assert changed(agent) == set()
    assert len([name for name in read if name != "stet.toml"]) == 12, "every file was read"


def test_a_file_that_the_ledger_lost_or_gained_is_seen_though_no_signature_changed(agent: Agent) -> None:
    assert changed(agent) == set()
    with agent.proxy.ledger.transaction():
        agent.proxy.ledger.change("UPDATE artifacts SET disk='' WHERE path='a/c0.md'")
    assert manifest.look(agent.proxy).new == ("a/c0.md",)
    with agent.proxy.ledger.transaction():
        agent.proxy.ledger.change("UPDATE artifacts SET path='a/c99.md' WHERE path='a/c2.md'")
    assert manifest.look(agent.proxy).missing == ("a/c99.md",)


def test_under_other_rules_nothing_is_passed_over(agent: Agent) -> None:
    agent.path("a/notes.log").write_bytes(b"x\n")
    assert changed(agent) == set()
    rules = agent.proxy.protection
    agent.proxy.protection = rules._replace(include=("*.log",))
    assert manifest.look(agent.proxy).new == ("a/notes.log",)
    agent.proxy.protection = rules._replace(exclude=("b/**",))
    assert changed(agent) == set()
    agent.path("b/c1.md").write_bytes(b"short\n")
    assert changed(agent) == set()
    agent.proxy.protection = rules
    assert changed(agent) == {"b/c1.md"}


def test_what_has_changed_just_now_or_is_ahead_of_the_clock_is_read_again(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = settled(book)
    last = max(path.stat().st_ctime_ns for path in paths)
    monkeypatch.setattr(manifest.time, "time_ns", lambda: last + manifest.FRESH_NS)
    with Agent(book) as agent:
        assert not agent.look()
        assert memory.load(agent.proxy).listed == UNSURE, "too fresh to tell the next change"
        monkeypatch.setattr(manifest.time, "time_ns", lambda: last + manifest.FRESH_NS + 1)
        assert not agent.look()
        assert memory.load(agent.proxy).listed != UNSURE
        monkeypatch.setattr(manifest.time, "time_ns", lambda: OLD)  # the clock is set back
        os.utime(paths[0], ns=(OLD, OLD))
        for _ in range(2):
            assert not agent.look()
            assert memory.load(agent.proxy).listed == UNSURE
        before = paths[0].read_bytes()
        paths[0].write_bytes(before[::-1])
        os.utime(paths[0], ns=(OLD, OLD))
        assert changed(agent) == {"a/c0.md"}


def test_names_that_are_no_text_and_numbers_that_are_large_are_told_apart(tmp_path: Path) -> None:
    from firewall.agents.walk import _packed, latest_change

    (tmp_path / os.fsdecode(b"\xff.md")).write_bytes(b"x")
    (tmp_path / "line\nend.md").write_bytes(b"y")
    found = walk(str(tmp_path), Protection(("md",)))
    assert set(found.paths()) == {os.fsdecode(b"\xff.md"), "line\nend.md"}
    kept = Memory("", "", found.folders)
    assert memory.decoded(memory.encoded(kept, str(tmp_path)), str(tmp_path)) == kept
    large = _packed([1, -5, -7, 2**64 - 1, 3])
    assert len(large) == SIGNED
    assert large != _packed([1, -5, -7, 2**64 - 2, 3])
    assert latest_change(large) == -5


def test_one_changed_file_has_no_other_read(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    assert changed(agent) == set()
    agent.path("a/c0.md").write_bytes(b"short\n")
    read: list[str] = []
    real = disk.read
    monkeypatch.setattr(manifest.disk, "read", lambda path, *more: (read.append(path.name), real(path, *more))[1])
    assert changed(agent) == {"a/c0.md"}
    assert set(read) <= {"c0.md", "stet.toml"}


@pytest.mark.parametrize(
    "rules",
    [
        Protection(("md", "toml")),
        Protection(("md", "toml"), include=("kept.bin",)),
        Protection(("md", "toml"), delete_only=("kept.bin", "in.md")),
        Protection(("md", "toml"), delete_only=("kept.bin",), exclude=("a.toml",)),
    ],
)
def test_a_walk_tells_files_from_what_has_their_names(tmp_path: Path, rules: Protection) -> None:
    for folder in ("d.md", "sub", "node_modules", "closed.md"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "in.md").write_bytes(b"x")
    (tmp_path / "sub" / "stet.toml").write_bytes(b"")
    (tmp_path / "sub" / "other.TOML").write_bytes(b"")
    (tmp_path / "sub" / "md").write_bytes(b"")
    (tmp_path / "kept.bin").write_bytes(b"")
    (tmp_path / "stet.toml").mkdir()
    (tmp_path / "stet.toml" / "UP.MD").write_bytes(b"x")
    os.mkfifo(tmp_path / "fifo.md")
    (tmp_path / "link.md").symlink_to("sub/in.md")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "a.toml").write_bytes(b"")
    found = walk(str(tmp_path), rules, frozenset(("closed.md",)))
    kept = {"kept.bin"} if rules.include or rules.delete_only else set()
    texts = {"d.md/in.md", "sub/in.md", "sub/other.TOML", "stet.toml/UP.MD", *(() if rules.exclude else ("a.toml",))}
    assert set(found.paths()) == texts | kept
    assert all(is_protected(path, rules) for path in found.paths())
    assert sorted(found.odd) == ["closed.md", "d.md", "fifo.md", "link.md", "stet.toml"]
    assert found.policies == ["sub/stet.toml"]
    assert found.closed == []
