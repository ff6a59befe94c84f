"""A record that the system lets nobody write is whole: nobody may be told to start a new one in its place."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from firewall.errors import StateBroken, StetError, StorageError
from firewall.writes.database import Database, opening, translated

CANNOT_OPEN = sqlite3.OperationalError("unable to open database file")
READ_ONLY = sqlite3.OperationalError("attempt to write a readonly database")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A sound database."""
    path = tmp_path / "ledger.db"
    Database(path, 1.0).close()
    return path


def _told(error: sqlite3.Error, ledger: Path, by: Any) -> StetError:
    with pytest.raises(StetError) as told, by:
        raise error
    return told.value


def _ways(ledger: Path) -> tuple[Any, ...]:
    return opening(ledger), translated("open", ledger), translated("write", ledger)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE])
@pytest.mark.parametrize("error", [CANNOT_OPEN, READ_ONLY])
def test_what_the_system_refuses_is_storage(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: sqlite3.OperationalError
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    for way in _ways(ledger):
        told = _told(error, ledger, way)
        assert isinstance(told, StorageError)
        assert os.strerror(number) in told.message
        assert "--adopt" not in told.next_step
        assert "read-only" in told.next_step


def test_a_folder_that_nobody_may_write_is_storage(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _, mode: mode == os.F_OK)
    for way in _ways(ledger):
        told = _told(CANNOT_OPEN, ledger, way)
        assert isinstance(told, StorageError)
        assert os.strerror(errno.EACCES) in told.message


def test_what_the_system_allows_is_a_broken_record(tmp_path: Path, ledger: Path) -> None:
    folder = tmp_path / "folder" / "ledger.db"
    folder.mkdir(parents=True)
    with pytest.raises(StateBroken), opening(folder):
        Database(folder, 1.0)
    for way in _ways(ledger):
        assert isinstance(_told(sqlite3.DatabaseError("file is not a database"), ledger, way), StateBroken)
        ledger.write_bytes(b"no database at all" * 100)
    with pytest.raises(StateBroken), opening(ledger):
        Database(ledger, 1.0)


def test_a_look_leaves_nothing_behind(tmp_path: Path) -> None:
    missing = tmp_path / "ledger.db"
    for way in _ways(missing):
        assert isinstance(_told(CANNOT_OPEN, missing, way), StateBroken)
    assert not list(tmp_path.iterdir())
