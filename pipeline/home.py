"""Where the record of a book's runs is kept, and the lock that keeps a second run out of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from firewall.errors import Busy
from firewall.writes.lock import FileLock
from pipeline.errors import RunBusy


class Home(NamedTuple):
    """Where a book's record is kept, beside the ledger of its project."""

    folder: Path
    money: Path
    key: str

    @property
    def plan(self) -> Path:
        """The plan that the run began with."""
        return self.folder / "plan.json"

    @property
    def sections(self) -> Path:
        """What became of each section."""
        return self.folder / "sections.sqlite"


def home_of(state: Path, root: Path, folder: Path) -> Home:
    """The place for the book in `folder` of the project at `root`: it moves with the project."""
    below = folder.resolve().relative_to(root.resolve()).as_posix()
    slug = re.sub(r"[^a-z0-9]+", "-", below.casefold()).strip("-")[:40] or "book"
    key = f"{slug}-{hashlib.sha256(below.encode()).hexdigest()[:8]}"
    return Home(state / "books" / key, state / "pipeline.sqlite", key)


@contextmanager
def alone(home: Home, folder: Path) -> Iterator[None]:
    """Keep a second process from running the same book. Raises RunBusy."""
    try:
        with FileLock(home.folder / "lock", 0.5, str(folder)):
            yield
    except Busy as error:
        if error.fields.get("path") != str(folder):
            raise
        raise RunBusy(book=folder) from None
