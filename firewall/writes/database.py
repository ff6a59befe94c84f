"""SQLite as the ledger uses it: opened once, one writer at a time, its errors told as ours.

The sole importer of sqlite3 in the firewall, of the part in C: the rest is adapters for dates, which take as long to
load and have nothing to do here. WAL with synchronous=FULL, so that an intent is durable before the artifact is touched
(invariant 5); outcomes are written without a sync of their own, since start-up can find them again from the disk.

Other programs cannot change its rows by a line of SQL. Each table has an index that calls a function which only Stet
brings along, so SQLite compiles no INSERT, UPDATE or DELETE for others, with triggers on or off. (It compiles no
VACUUM for them either; a copy of the file and SQLite's own backup are whole records.) What empties a table without a
look at its rows needs no index: Stet signs, at the end of every transaction, which tables have rows, the text of all
tables, indexes and triggers, and how many rows were written ever, which triggers count. So a program that brings the
function along is noticed before Stet writes next, and so is one that takes an index or a trigger away. One that does
all of it, switches triggers off and puts back what it took, is not: see README's threat model. The snapshots and the
journal are not counted: a hash holds each of these.
"""

from __future__ import annotations

import _sqlite3 as sqlite3
import contextlib
import errno
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from firewall.digest import sha256
from firewall.errors import NameNotUtf8, StateBroken, StetError, StorageError
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

Connection = sqlite3.Connection
PAST = "rows were written by a program that is not Stet"
SHAPE = "its tables, indexes or triggers are not as Stet left them"
ONLY = "only_stet_writes_here"
TABLE = "CREATE TABLE "
HASHED = ("blobs", "journal", "writes")
"""Tables that nothing counts: a hash holds each, or it is the count."""
RESTORE = "Restore the state folder from a backup, or, as a person, run `stet init --adopt` to start a new record."


class NotWritable(StorageError):
    """The record cannot be opened or written where it is, and nothing says that it is damaged."""

    next_step = (
        "Nothing says that the record is damaged: see that its file system can be written (it may be mounted "
        "read-only) and that you may use that folder, then try again."
    )


class StateTampered(StateBroken):
    """The record does not follow from itself, or is older than the one that was there."""

    code = "state-tampered"
    template = "Stet's record of this project was changed past Stet: {detail}. Nothing is written until a person acts."
    next_step = "{fix}"


class Database:
    """An open database. All methods raise StateBroken or StorageError only."""

    def __init__(self, path: Path, wait_seconds: float, *, passed_on: bool = False) -> None:
        """Open it, and make it where there is none. With `passed_on`, threads may use it that take turns."""
        self._path = path
        new = not path.exists()
        self._db = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=not passed_on)
        if new:
            path.chmod(0o600)
        with translated("open", path):
            _to_wal(self._db, wait_seconds)
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA foreign_keys=ON")
            self._db.execute("PRAGMA trusted_schema=ON")  # some builds let no index call it else
            self._db.create_function(ONLY, 0, int, deterministic=True)  # 0: the indexes stay empty
        self._form, self._shape, self._counting = -1, "", ""
        self._tables: list[str] = []

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """All or nothing. Without `durable` the commit is not synced by itself. Raises StateTampered before anything is
        written where somebody else has."""
        with translated("write", self._path):
            self._db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            try:
                self._db.execute("BEGIN IMMEDIATE")
                before = self._signed()
                yield
                self._sign(before)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk may have rolled it back already
                    self._db.execute("ROLLBACK")
                raise

    def query(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Rows of a SELECT."""
        with translated("read", self._path):
            return self._db.execute(sql, [plain(v) for v in values]).fetchall()

    def change(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Run an INSERT, UPDATE or DELETE; the rows it RETURNs. In the transaction that is open, else in its own."""
        with translated("write", self._path):
            if self._db.in_transaction:
                return self._db.execute(sql, [plain(v) for v in values]).fetchall()
        with self.transaction():
            return self.change(sql, values)

    def shrink(self) -> None:
        """Give the space of what was deleted back to the system."""
        with translated("write", self._path):
            self._db.execute("VACUUM")
        self.query("PRAGMA wal_checkpoint(TRUNCATE)")

    # -- who writes ----------------------------------------------------------------------------------

    def written_past(self) -> str:
        """What tells that a program which is not Stet wrote to the database; "" where nothing does."""
        with translated("read", self._path):
            if not self._past()[1]:
                return ""
            with self._db:  # once more, in one look: another Stet may have renewed the tables in between
                self._db.execute("BEGIN")
                return self._past()[1]

    def _signed(self) -> int:
        """The count of written rows. Raises StateTampered where that, or what there is, is not signed."""
        count, past = self._past()
        if past:
            raise StateTampered(detail=past, fix=RESTORE)
        return count

    def _past(self) -> tuple[int, str]:
        shape = self._look()
        count, signed, filled = self._count()
        if signed == signature(count, filled, shape):
            return count, ""
        return count, PAST if signed.endswith(f" {shape}") else SHAPE

    def _sign(self, before: int) -> None:
        """Sign what was written since, in the same transaction."""
        shape = self._look()
        count, _, filled = self._count()
        if count != before:
            self._db.execute("UPDATE writes SET signed=?", (signature(count, filled, shape),))

    def _count(self) -> tuple[int, str, str]:
        """How many rows were written, how that was signed, and which tables have rows: a digit each."""
        rows = self._db.execute(self._counting).fetchall()
        return (int(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if len(rows) == 1 else (0, "none", "")

    def _look(self) -> str:
        """A hash of the text of all tables, indexes and triggers, whatever their order. Read anew where SQLite's own
        number for them is another, which a VACUUM changes too, and a backup."""
        form = int(self._db.execute("PRAGMA schema_version").fetchone()[0])
        if form != self._form:
            texts = made(self._db)
            self._shape = sha256("\n".join([f"{name} {sql}" for name, sql in texts]).encode())[:16]
            self._tables = [name for name, sql in texts if sql.startswith(TABLE)]
            counted = [name.replace('"', '""') for name in self._tables if name not in HASHED]
            filled = "||".join([f'EXISTS (SELECT 1 FROM "{name}")' for name in counted]) or "''"  # noqa: S608
            self._counting = f"SELECT n, signed, {filled} FROM writes"  # noqa: S608
            self._form = form
        return self._shape


@contextlib.contextmanager
def opening(path: Path) -> Iterator[None]:
    """What goes wrong while a database is opened, told as ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _told("open", path, error) from None
    except OSError as error:
        raise StorageError(action="open", path=path, reason=error.strerror or str(error)) from None


def signature(count: int, filled: str, shape: str) -> str:
    """What Stet writes beside the count: `filled` tells which tables have rows, `shape` is their text's hash."""
    return f"{sha256(f'{count} rows written, {filled}, {shape}'.encode())} {shape}"


def peek_cases(folder: Path, idents: Iterable[str]) -> dict[str, str]:
    """The states of cases in a project's record, without opening it for more than that; {} where there is none."""
    with _peeking(folder) as db:
        rows = (db.execute("SELECT id, state FROM cases WHERE id=?", (one,)).fetchone() for one in idents) if db else ()
        return {str(row[0]): str(row[1]) for row in rows if row is not None}


def peek_paths(folder: Path) -> list[str] | None:
    """The names of the files in a project's record, without opening it for more than that; None where there is no
    record."""
    with _peeking(folder) as db:
        return None if db is None else [str(r[0]) for r in db.execute("SELECT path FROM artifacts WHERE disk<>''")]


@contextlib.contextmanager
def _peeking(folder: Path) -> Iterator[sqlite3.Connection | None]:
    path = folder / "ledger.db"
    if not path.exists():
        yield None
        return
    with translated("read", path), contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        yield db


def plain(value: T) -> T:
    """A text that SQLite takes: a lone surrogate, from a word that is no UTF-8, as its JSON escape."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "backslashreplace").decode()  # type: ignore[return-value]
    return value


def made(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """The names and texts of all tables, indexes and triggers, by name, but those that are SQLite's own."""
    rows = db.execute("SELECT name, sql FROM sqlite_master").fetchall()  # sorted here, since SQLite takes longer
    return sorted([row for row in rows if row[1] and not row[0].startswith("sqlite_")])


def is_statement(sql: str) -> bool:
    """Does it end with a whole statement?"""
    return bool(sqlite3.complete_statement(sql))


def _to_wal(db: sqlite3.Connection, wait_seconds: float) -> None:
    """Turn on write-ahead logging. SQLite waits for no lock here, so where others begin at once, we do."""
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


class translated:  # noqa: N801 - used like a function
    """sqlite3's errors as ours: a full disk or a busy file is storage, the rest is a broken state.

    A class, since a generator's context costs as much as a query.
    """

    __slots__ = ("_action", "_path")

    def __init__(self, action: str, path: Path) -> None:
        self._action = action
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if isinstance(error, sqlite3.Error):
            raise _told(self._action, self._path, error) from None
        if isinstance(error, UnicodeEncodeError):
            raise NameNotUtf8 from None


def _told(action: str, path: Path, error: sqlite3.Error) -> StetError:
    """What an error of SQLite's is to whoever meets it: what the system refused is no damage, and a new record in place
    of a whole one would forget its marks and latches."""
    text = str(error)
    if isinstance(error, sqlite3.OperationalError):
        is_refused = "readonly" in text or "unable to open" in text
        reason = refused(path) if is_refused else ""
        if reason or "readonly" in text:
            return NotWritable(action=action, path=path, reason=reason or text)
        if any(word in text for word in ("full", "locked", "I/O")):
            return StorageError(action=action, path=path, reason=text)
    return StateBroken(detail=f"{path} is no usable ledger ({text})", fix=RESTORE)


def refused(path: Path) -> str:
    """Why the system lets nobody write the database, its log beside it or anything in their folder; "" where it does.

    SQLite says "unable to open database file" of a folder in the file's place and of a read-only disk alike.
    """
    try:
        for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                os.close(os.open(file, os.O_RDWR | getattr(os, "O_NONBLOCK", 0)))
        if os.access(path.parent, os.F_OK) and not os.access(path.parent, os.W_OK | os.X_OK):
            read_only = os.name != "nt" and os.statvfs(path.parent).f_flag & os.ST_RDONLY
            return os.strerror(errno.EROFS if read_only else errno.EACCES)
    except OSError as error:
        return error.strerror or str(error)
    return ""
