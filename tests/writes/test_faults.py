"""Operation 1, 2, 3 … of a write fails until none does: old bytes or new bytes, and a whole journal.

Invariants 1, 2, 3 and 5. What a failed write left is settled before the next look at the artifact, in the
same process or a new one, and is never taken for a person's own change.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

import pytest
from faults import Fail, every_operation
from stet_kit import STUB, Book, NewBook, chapter, no_leftovers, reword

from firewall.errors import StetError
from firewall.writes import cases, disk
from firewall.writes.operator import verify_journal
from firewall.writes.proxy import WriteProxy

CODES = [errno.EIO, errno.ENOSPC, errno.EACCES, errno.EINTR, 0]
NAMES = ["EIO", "ENOSPC", "EACCES", "EINTR", "Ctrl-C"]
MOST = 400
"""More operations than a write may take; a loop that never ends is a failure."""
NEWEST = 8
"""More entries of the journal than one step adds."""


def settled(book: Book, allowed: list[bytes | None], *, whole: bool = True) -> bytes | None:
    """What a new process finds: one of the allowed contents, all of it recorded, nothing left over.

    Without `whole` only the snapshots of the newest entries are read: those before were read at earlier steps.
    """
    path = book.root / "ch.md"
    with book.open() as proxy:
        now = path.read_bytes() if path.exists() else None
        assert now in allowed
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        assert known.disk == ("" if now is None else disk.sha256(now))
        assert proxy.ledger.intents() == []
        journal = proxy.ledger.journal()
        assert verify_journal(journal) is None
        assert [e.kind for e in journal if e.kind in ("outside", "renew")] == [], "taken for a person's change"
        for entry in journal if whole else journal[-NEWEST:]:
            for sha in (entry.old, entry.new):
                if sha:
                    proxy.ledger.load(sha)
    assert no_leftovers(book.root) == []
    return now


@pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
@pytest.mark.parametrize("code", CODES, ids=NAMES)
def test_a_commit_that_fails_anywhere_leaves_old_or_new_bytes(book: Book, code: int, after: bool) -> None:
    old = chapter(1000)
    book.write("ch.md", old)
    path = book.root / "ch.md"
    path.chmod(0o640)
    for number in range(1, MOST):
        new = reword(old, f"w{number}".encode())
        fail = Fail(number, code, after=after)
        with every_operation(fail, at_once=False) as operations, book.open() as proxy:
            operations.start()
            try:
                result = proxy.write(path, new)
                assert result.committed
                assert path.read_bytes() == new
            except StetError as error:
                assert path.read_bytes() in (old, new)
                if "as it was" in error.message:
                    assert path.read_bytes() == old, f"{error.message} at {fail.hit}"
            except KeyboardInterrupt:
                assert code == 0
            operations.stop()
            # The same process goes on: it sees what happened and can write.
            again = reword(old, f"x{number}".encode())
            assert proxy.write(path, again).committed, f"stuck after {fail.hit}"
        old = again
        assert settled(book, [again], whole=not fail.hit) == again
        assert path.stat().st_mode & 0o7777 == 0o640
        if not fail.hit:
            break
    else:
        pytest.fail("the write never came through")
    assert number > 10


@pytest.mark.parametrize("code", CODES, ids=NAMES)
def test_a_new_process_settles_what_a_failed_one_left(book: Book, code: int) -> None:
    old = chapter(1000)
    book.write("ch.md", old)
    path = book.root / "ch.md"
    for number in range(1, MOST):
        new = reword(old, f"w{number}".encode())
        fail = Fail(number, code)
        try:
            with every_operation(fail):  # opening the ledger included
                assert book.write("ch.md", new).committed
        except StetError as error:
            if "as it was" in error.message:
                assert path.read_bytes() == old, f"{error.message} at {fail.hit}"
        except KeyboardInterrupt:
            assert code == 0
        now = settled(book, [old, new], whole=not fail.hit)
        assert now is not None
        old = now
        if not fail.hit:
            assert now == new
            break
    else:
        pytest.fail("the write never came through")
    assert number > 20


@pytest.mark.parametrize("code", CODES, ids=NAMES)
def test_a_refusal_that_fails_anywhere_changes_no_byte_and_never_forgets_the_count(
    new_book: NewBook, code: int
) -> None:
    book = new_book(rules={"attempts": 10_000})
    text = chapter(1000)
    book.write("ch.md", text)
    path = book.root / "ch.md"
    before = 0
    for number in range(1, MOST):
        fail = Fail(number, code)
        with every_operation(fail, at_once=False) as operations, book.open() as proxy:
            operations.start()
            try:
                result = proxy.write(path, STUB + f"{number}".encode())
                assert not result.committed
                assert result.attempt == before + 1
            except (StetError, KeyboardInterrupt):
                pass
        settled(book, [text], whole=not fail.hit)
        with book.open() as proxy:
            known = proxy.ledger.artifact("ch.md")
            assert known is not None
            refusals = [e for e in proxy.ledger.journal(known.id) if e.kind in ("refuse", "hold")]
            assert known.attempts == len(refusals)
            assert known.attempts in (before, before + 1)
            before = known.attempts
        if not fail.hit:
            break
    else:
        pytest.fail("the refusal never came through")


@pytest.mark.parametrize(
    ("code", "first", "step"), [(errno.EIO, 1, 1), (errno.ENOSPC, 1, 2), (0, 2, 2)], ids=["EIO", "ENOSPC", "Ctrl-C"]
)
def test_a_trip_that_fails_anywhere_ends_latched_with_one_alert(
    new_book: NewBook, code: int, first: int, step: int
) -> None:
    text = chapter(1000)
    for number in range(first, MOST, step):
        book = new_book(f"b{number}", rules={"attempts": 1})
        book.write("ch.md", text)
        fail = Fail(number, code)
        with every_operation(fail, at_once=False) as operations, book.open() as proxy:
            operations.start()
            with contextlib.suppress(StetError, KeyboardInterrupt):
                proxy.write(book.root / "ch.md", STUB)
        for n in range(2):  # whatever was lost, the next refusal makes good
            assert not book.write("ch.md", STUB + bytes([97 + n])).committed
        assert book.write("ch.md", reword(text)).tripped
        settled(book, [text])
        with book.open() as proxy:
            assert len(cases.every(proxy.ledger, ("trip", "staged"))) == 1
        if not fail.hit:
            break
    else:
        pytest.fail("the trip never came through")


def test_folders_made_for_a_write_that_failed_are_gone_again(book: Book) -> None:
    for number in range(1, MOST):
        fail = Fail(number, errno.EIO)
        with every_operation(fail, at_once=False) as operations, book.open() as proxy:
            operations.start()
            try:
                assert proxy.write(book.root / "a" / "b" / "new.md", b"new words\n").committed
            except StetError:
                if not (book.root / "a/b/new.md").exists():
                    assert not (book.root / "a").exists(), f"folders stayed behind after {fail.hit}"
        if not fail.hit:
            break
        if (book.root / "a/b/new.md").exists():  # the bytes stand and only the last sync was reported lost
            (book.root / "a/b/new.md").unlink()
            (book.root / "a/b").rmdir()
            (book.root / "a").rmdir()
    assert (book.root / "a/b/new.md").read_bytes() == b"new words\n"


@pytest.mark.parametrize("after", [False, True], ids=["not-done", "done"])
def test_a_removal_that_fails_anywhere_leaves_the_file_or_no_file_and_says_which(tmp_path: Path, after: bool) -> None:
    path = tmp_path / "a.md"
    for number in range(1, MOST):
        path.write_bytes(b"words\n")
        old = disk.read(path)
        fail = Fail(number, errno.EIO, after=after)
        try:
            with every_operation(fail):
                disk.remove(path, old)
            assert not path.exists()
        except StetError as error:
            if "as it was" in error.message:
                assert path.read_bytes() == b"words\n", f"{error.message} at {fail.hit}"
        if not fail.hit:
            break
    assert not path.exists()


def test_what_the_ledger_does_is_seen(book: Book) -> None:
    """Else nothing here could fail there, and the tests would hold for nothing."""
    names: list[str] = []
    with every_operation(lambda number, name, done: names.append(name)), book.open() as proxy:
        proxy.write(book.root / "a.md", b"words\n")
    assert {"sql BEGIN", "sql INSERT", "sql COMMIT", "fsync"} <= set(names)


def test_a_transaction_whose_commit_fails_is_not_left_open(book: Book) -> None:
    with book.open() as proxy:
        seen: list[str] = []

        def at_commit(number: int, name: str, done: bool) -> None:
            if name == "sql COMMIT" and not done and not seen:
                seen.append(name)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with every_operation(at_commit), WriteProxy(book.found()) as other, pytest.raises(StetError):
            other.write(book.root / "a.md", b"words\n")
            other.write(book.root / "b.md", b"words\n")
        assert seen
        assert proxy.write(book.root / "c.md", b"words\n").committed
        assert proxy.ledger.query("PRAGMA integrity_check") == [("ok",)]
