"""SQLite connections of the pipeline. The only module here that imports `sqlite3`.

Every statement runs in its own transaction unless `immediate` is used, so a guarded UPDATE is atomic across
threads and processes. One connection belongs to one thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import RunStateBroken

Connection = sqlite3.Connection
BUSY_SECONDS = 30.0


def open_database(path: Path, schema: str) -> Connection:
    """The database at `path`, made private to the user at first sight, with `schema` (idempotent DDL) run.

    Raises RunStateBroken where it cannot be opened or is no database.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(schema)
    except (sqlite3.Error, OSError) as error:
        raise RunStateBroken(detail=str(error), path=path) from None
    return db


def peek_database(path: Path) -> Connection:
    """The database at `path`, for reading alone. Raises RunStateBroken where it cannot be opened."""
    try:
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    except (sqlite3.Error, OSError) as error:
        raise RunStateBroken(detail=f"{path}: {error}", path=path) from None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raises RunStateBroken for what the database at `path`, or the JSON in it, is not."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise RunStateBroken(detail=f"{path}: {error}", path=path) from None


def memory_database(schema: str) -> Connection:
    """A database that lives as long as its connection."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(schema)
    return db


@contextmanager
def immediate(db: Connection) -> Iterator[None]:
    """One write transaction: what is read inside cannot be changed by another process before it ends."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
