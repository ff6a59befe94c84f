"""SQLite connections of the pipeline. The only module here that imports `sqlite3`.

Every statement runs in its own transaction unless `immediate` is used, so a guarded UPDATE is atomic across
threads and processes. One connection belongs to one thread. What SQLite or the system has against a file is told as
an error that a user can act on, in `told` alone: a full disk is no damage, and a record that is moved away for it would
have its sections paid for again.
"""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from firewall.errors import StetError
from firewall.writes.database import refused
from pipeline.errors import RunNotKept, RunStateBroken

BUSY_SECONDS = 30.0
_REFUSED = frozenset(
    (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EACCES,
        errno.EPERM,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.EFBIG,
    )
)
_REFUSALS = re.compile(r"is full|I/O error|readonly database|is locked")
_WRAPPED = re.compile(r"^\(\S*\bsqlite3\.\w+\) |\s*(?:\[SQL:|\(Background on this error).*$", re.DOTALL)
"""What SQLAlchemy, which dbos writes with, puts around SQLite's own words."""


class Connection(sqlite3.Connection):
    """A connection whose statements raise RunNotKept or RunStateBroken."""

    path = Path(":memory:")

    def execute(self, *words: Any) -> sqlite3.Cursor:
        with _telling(self.path):
            return super().execute(*words)

    def executescript(self, *words: Any) -> sqlite3.Cursor:
        with _telling(self.path):
            return super().executescript(*words)


def told(path: Path, error: Exception) -> StetError:
    """What an error of SQLite's or of the system's is to whoever meets it at the record `path`."""
    words = " ".join(_WRAPPED.sub("", str(error)).split())
    if isinstance(error, OSError):
        reason = error.strerror or words
        is_refused = error.errno in _REFUSED
    else:
        reason = refused(path) if "unable to open" in words or "readonly" in words else ""
        is_refused = bool(reason or _REFUSALS.search(words))
    if is_refused:
        return RunNotKept(action="use", path=path, reason=reason or words)
    return RunStateBroken(detail=f"{path}: {words}", path=path)


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise told(path, error) from None


def open_database(path: Path, schema: str) -> Connection:
    """The database at `path`, made private to the user at first sight, with `schema` (idempotent DDL) run.

    Raises RunNotKept where the system refuses it, RunStateBroken where it is no database.
    """
    with _telling(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, factory=Connection)
        db.path = path
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(schema)
        return db


def peek_database(path: Path) -> Connection:
    """The database at `path`, for reading alone. Raises RunNotKept, RunStateBroken where it cannot be opened."""
    with _telling(path):
        place = f"{path.absolute().as_uri()}?mode=ro"
        db = sqlite3.connect(place, uri=True, timeout=BUSY_SECONDS, factory=Connection)
        db.path = path
        return db


def is_begun(path: Path) -> bool:
    """Is there a database at `path` with anything in it? One that a full disk or a kill left without a table holds
    nothing, and never held anything. Raises RunNotKept, RunStateBroken."""
    if not path.exists():
        return False
    with closing(peek_database(path)) as db, reading(path):
        return db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raises RunStateBroken, or RunNotKept, for what the database at `path`, or the JSON in it, is not."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise told(path, error) from None


def memory_database(schema: str) -> Connection:
    """A database that lives as long as its connection."""
    db = sqlite3.connect(":memory:", isolation_level=None, factory=Connection)
    db.executescript(schema)
    return db


@contextmanager
def immediate(db: Connection) -> Iterator[None]:
    """One write transaction: what is read inside cannot be changed by another process before it ends."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # SQLite may have rolled back itself, as where the disk is full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
