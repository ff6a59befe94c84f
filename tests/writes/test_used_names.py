"""A name that a guarded file had keeps its record: nothing takes it over, and whoever is owed text stays owed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from stet_kit import Book, prose

from firewall.writes import known
from firewall.writes.proxy import Proposal

STUB = b"# The storm\n\nTo be continued.\n"


def test_a_stub_may_not_come_into_a_chapters_place_and_release_what_was_moved(book: Book) -> None:
    chapter, note = book.put("ch.md", prose(1500).encode()), book.put("note.md", b"Twelve words of a note.\n")
    with book.open() as proxy:
        proxy.adopt([chapter, note])
        assert proxy.write(note, note.read_bytes() + b"\n" + chapter.read_bytes()).committed
        assert proxy.write(chapter, None).committed
        assert proxy.write(book.root / "x.md", STUB).committed
        proxy.rename(book.root / "x.md", chapter)
        back = proxy.write(note, b"Twelve words of a note.\n")
        assert not back.committed
        assert "holds text of ch.md" in " ".join(f.message for f in back.verdict.findings)


def test_the_same_with_a_stub_whose_words_stand_in_the_chapters_place(book: Book) -> None:
    draft = "The second storm came from the north and nobody in the harbour had seen one like it before.\n"
    chapter, note = book.put("ch.md", prose(1500).encode()), book.put("note.md", b"A note.\n")
    with book.open() as proxy:
        proxy.adopt([chapter, note])
        assert proxy.write(note, b"A note.\n\n" + chapter.read_bytes()).committed
        assert proxy.write(chapter, None).committed
        assert proxy.write(book.root / "x.md", draft.encode()).committed
        assert proxy.rename(book.root / "x.md", chapter).committed
        assert chapter.read_text() == draft
        assert not (book.root / "x.md").exists()
        assert not proxy.write(note, b"A note.\n").committed


def test_versions_of_the_name_stay_in_reach(book: Book) -> None:
    chapter = book.put("c.md", prose(1500).encode())
    old = chapter.read_bytes()
    with book.open() as proxy:
        proxy.adopt([chapter])
        ident = proxy.ledger.artifact("c.md")
        assert proxy.write(book.root / "d.md", old).committed
        assert proxy.write(chapter, None).committed
        assert proxy.rename(book.root / "d.md", chapter).committed
        again = proxy.ledger.artifact("c.md")
        assert ident is not None
        assert again is not None
        assert again.id == ident.id
        assert chapter.read_bytes() == old
        kinds = [entry.kind for entry in proxy.ledger.journal(ident.id)]
        assert kinds == ["adopt", "delete", "commit"]


def test_refusals_of_the_name_are_not_washed_off(book: Book) -> None:
    chapter, other = book.put("c.md", prose(1500).encode()), book.root / "d.md"
    with book.open() as proxy:
        proxy.adopt([chapter])
        tripped = False
        for turn in range(8):
            for number in range(2):
                if not tripped:
                    tripped = proxy.write(chapter, f"Gone {turn} {number}.\n".encode()).tripped
            if tripped:
                break
            assert proxy.write(other, chapter.read_bytes()).committed
            assert proxy.write(chapter, None).committed
            assert proxy.rename(other, chapter).committed
        assert tripped


def test_a_rename_onto_a_used_name_in_a_set_says_what_to_do(book: Book) -> None:
    one, two = book.put("one.md", prose(300).encode()), book.put("two.md", prose(300, 7).encode())
    with book.open() as proxy:
        proxy.adopt([one, two])
        proxy.write(book.root / "three.md", one.read_bytes())
        assert proxy.write(one, None).committed
        result = proxy.check_set([Proposal(two, None, rename_to=one)])[0]
        assert "write one.md anew and delete two.md" in result.verdict.findings[0].message


def test_a_name_that_is_free_is_a_rename_there_and_back(book: Book) -> None:
    one, away = book.put("one.md", prose(300).encode()), book.root / "away.md"
    with book.open() as proxy:
        proxy.adopt([one])
        ident = proxy.ledger.artifact("one.md")
        assert proxy.rename(one, away).committed
        assert proxy.rename(away, one).committed
        assert proxy.ledger.artifact("one.md") is not None
        assert ident is not None
        assert [e.kind for e in proxy.ledger.journal(ident.id)] == ["adopt", "rename", "rename"]


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _circle(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("put", [_folder, _pipe, _circle])
def test_what_waits_is_listed_whatever_stands_in_one_files_place(book: Book, put: Callable[[Path], None]) -> None:
    one, two = book.put("one.md", prose(1500).encode()), book.put("two.md", prose(1500, 3).encode())
    with book.open() as proxy:
        proxy.adopt([one, two])
        held = [proxy.write(path, prose(1100, seed).encode()).held for path, seed in ((one, 1), (two, 3))]
    one.unlink()
    put(one)
    listed = book.user.quick("pending", "--json", cwd=book.root)
    assert listed.status == 0, listed.err
    assert {row["id"]: row["stale"] for row in listed.json()} == {held[0]: True, held[1]: False}
    shown = book.user.quick("show", held[0], cwd=book.root)
    assert shown.status == 0, shown.err
    assert "cannot be read now" in shown.out


def test_a_new_folder_with_the_number_of_one_that_is_deleted_is_new(book: Book) -> None:
    folder = book.root.parent / "fresh"
    with book.open() as proxy:
        proxy.adopt([book.put("a.md", b"A word.\n")])
    noted = known.get(book.root)
    assert noted is not None
    shutil.rmtree(book.root)
    folder.mkdir()
    info = folder.stat()
    note = known._note(Path(noted.root))
    note.write_text(json.dumps({**noted._asdict(), "device": info.st_dev, "inode": info.st_ino}))
    assert known.moved_here(folder) is None
    (folder / "a.md").write_bytes(b"A word.\n")
    assert known.moved_here(folder) is not None
    (folder / "a.md").unlink()
    away = Path(noted.state) / "ledger.db"
    away.rename(away.with_name("away"))
    assert known.moved_here(folder) is not None, "a record that is missing makes no new folder of it"
    away.with_name("away").rename(away)
    made = book.user.quick("init", cwd=folder)
    assert made.status == 0, made.err
