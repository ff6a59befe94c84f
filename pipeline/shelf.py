"""What became of each section of a book: the record that a second run reads before it does anything.

A row is written when a section's place on disk is settled. Between the replace on disk and the row lies
a moment in which a kill loses the row; the next run then finds the section standing and only writes the row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from pipeline.db import immediate, is_begun, open_database, peek_database, reading
from pipeline.errors import RunStateBroken

_SCHEMA = """
CREATE TABLE IF NOT EXISTS section (
  ident TEXT PRIMARY KEY,
  status TEXT NOT NULL,  -- see Row
  file TEXT NOT NULL,
  title TEXT NOT NULL,
  sha256 TEXT NOT NULL,  -- of the section's text as it was put into the file
  record TEXT NOT NULL   -- JSON: what the work gave, and what the write proxy said
) STRICT;
CREATE TABLE IF NOT EXISTS place (  -- every text that was ever put into a chapter
  file TEXT NOT NULL,
  title TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (file, title, sha256)
) STRICT;
CREATE TABLE IF NOT EXISTS whole_file (  -- files that are made as a whole, each version of them
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (file, sha256)
) STRICT;
"""


class Row(NamedTuple):
    """`status`: written (in its chapter), kept (a person's text stands), staged (a person is asked), rejected (a
    person said no), or refused (try again)."""

    ident: str
    status: str
    file: str
    title: str
    sha256: str
    record: dict[str, Any]


class Shelf:
    """The rows of one book. Use as a context manager, in one thread."""

    def __init__(self, path: Path) -> None:
        self._db = open_database(path, _SCHEMA)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def get(self, ident: str) -> Row | None:
        """The row of a section's work."""
        found = self._db.execute("SELECT * FROM section WHERE ident = ?", (ident,)).fetchone()
        return None if found is None else _row(found)

    def put(self, row: Row) -> None:
        """Write a row, in the place of the one that was there."""
        with immediate(self._db):
            self._db.execute(
                "INSERT INTO section VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " status = excluded.status, file = excluded.file, title = excluded.title,"
                " sha256 = excluded.sha256, record = excluded.record",
                (*row[:5], json.dumps(row.record, ensure_ascii=True)),
            )
            if row.status == "written":
                self._db.execute(
                    "INSERT INTO place VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (row.file, row.title, row.sha256)
                )

    def others(self, file: str, title: str, ident: str) -> list[Row]:
        """The rows of work on this section other than `ident`: of earlier plans and earlier tries."""
        rows = self._db.execute(
            "SELECT * FROM section WHERE file = ? AND title = ? AND ident <> ?", (file, title, ident)
        )
        return [_row(found) for found in rows]

    def ours(self, file: str, title: str) -> frozenset[str]:
        """Hashes of all texts that were ever put into this place; a person's edit is none of them."""
        rows = self._db.execute("SELECT sha256 FROM place WHERE file = ? AND title = ?", (file, title))
        return frozenset(str(sha) for (sha,) in rows)

    def places(self) -> list[tuple[str, str]]:
        """(file, title) of everything that was ever written, in order."""
        rows = self._db.execute("SELECT DISTINCT file, title FROM place ORDER BY file, title")
        return [(str(file), str(title)) for file, title in rows]

    def put_file(self, file: str, sha256: str) -> None:
        """Remember a version of a file that was made as a whole."""
        self._db.execute("INSERT INTO whole_file VALUES (?, ?) ON CONFLICT DO NOTHING", (file, sha256))

    def our_files(self, file: str) -> frozenset[str]:
        """Hashes of all versions of it that we made."""
        rows = self._db.execute("SELECT sha256 FROM whole_file WHERE file = ?", (file,))
        return frozenset(str(sha) for (sha,) in rows)


def peek(path: Path) -> tuple[list[Row], frozenset[str]]:
    """All rows of the book whose shelf is at `path`, and the files it made as a whole. Nothing is written.

    Raises RunStateBroken where it cannot be read, or a section's row or its text is gone.
    """
    if not is_begun(path):
        return [], frozenset()
    with closing(peek_database(path)) as db, reading(path):
        rows = [_row(found) for found in db.execute("SELECT * FROM section ORDER BY ident")]
        told = {row.title for row in rows if isinstance(row.record, dict) and isinstance(row.record.get("text"), str)}
        for title in (*(row.title for row in rows), *(t for (t,) in db.execute("SELECT title FROM place"))):
            if title not in told:
                raise RunStateBroken(detail=f"{path}: the text of the section {title!r} is gone", path=path)
        return rows, frozenset(str(file) for (file,) in db.execute("SELECT DISTINCT file FROM whole_file"))


def standing_in(kept: Mapping[str, Any], shelf: Shelf) -> frozenset[tuple[str, str]]:
    """Sections of a kept plan that are in the book, as (chapter title, title)."""
    plans = kept["blueprint"]["sections"]
    rows = [shelf.get(ident) for ident, _ in kept["sections"]]
    return frozenset(
        (plan["chapter_title"], plan["title"])
        for plan, row in zip(plans, rows, strict=True)
        if row is not None and row.status in ("written", "kept")
    )


def _row(found: Any) -> Row:
    ident, status, file, title, sha256, record = found
    return Row(ident, status, file, title, sha256, json.loads(record))
