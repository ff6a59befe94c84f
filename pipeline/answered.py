"""What people answered about staged sections, brought back to the book: an approved section stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firewall.writes.database import peek_cases
from pipeline.shelf import Row, Shelf

YES = ("approved", "edited")


def answered(rows: Mapping[str, Row | None], state: Path) -> dict[str, Row]:
    """Rows of staged sections that a person answered since, as they are now: `kept` after a yes, `rejected` after a no.

    An alert that was closed in another way (`stet reset`, `stet accept`) leaves its section staged, and rejected too:
    nobody waits for an answer any more.
    """
    staged = [row for row in rows.values() if row is not None and row.status == "staged"]
    states = peek_cases(state, [str(row.record.get("alert") or "") for row in staged])
    out = {}
    for row in staged:
        now = states.get(str(row.record.get("alert") or ""), "")
        if now in YES:
            out[row.ident] = row._replace(status="kept")
        elif now not in ("open", "waiting", "escalated"):
            out[row.ident] = row._replace(status="rejected")
    return out


def settle(shelf: Shelf, idents: list[str], state: Path) -> None:
    """Write the answers into the shelf."""
    for row in answered({ident: shelf.get(ident) for ident in idents}, state).values():
        shelf.put(row)
