"""What waits for a person, in the ledger: alerts and held proposals, moved by compare-and-swap; grants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from firewall.writes.ledger import Ledger
from firewall.writes.records import Case, Grant

_CASE = (
    "c.id, c.at, c.artifact, a.path, c.kind, c.state, c.change_set, c.disk, c.proposal, c.target, c.data,"
    " c.answered_at, c.answered_by"
)
PENDING = ("open", "waiting", "escalated")


def add(ledger: Ledger, case: Case) -> None:
    """Keep a case. Inside a transaction. The same proposal held twice is one case, the newer."""
    if case.kind == "hold":
        ledger.change(
            "UPDATE cases SET state='expired', answered_by='proposed again' WHERE artifact=? AND kind='hold'"
            " AND proposal=? AND target=? AND state IN ('open', 'waiting')",
            (case.artifact, case.proposal, case.target),
        )
    ledger.change(
        "INSERT INTO cases (id, at, artifact, kind, state, change_set, disk, proposal, target, data)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (case.id, case.at, case.artifact, case.kind, case.state, case.change_set, case.disk, case.proposal,
         case.target, case.data),
    )  # fmt: skip


def every(ledger: Ledger, kinds: Sequence[str], states: Sequence[str] = ()) -> list[Case]:
    """Cases of this root of the given kinds (and states, all when empty), oldest first."""
    rows = ledger.query(
        f"SELECT {_CASE} FROM cases c JOIN artifacts a ON a.id = c.artifact WHERE a.root=?"  # noqa: S608
        " ORDER BY c.at, c.id",
        (ledger.root_id,),
    )
    found = [Case(*row) for row in rows]
    return [c for c in found if c.kind in kinds and (not states or c.state in states)]


def get(ledger: Ledger, ident: str) -> Case | None:
    """The case with this id in this root."""
    rows = ledger.query(
        f"SELECT {_CASE} FROM cases c JOIN artifacts a ON a.id = c.artifact"  # noqa: S608 - constant columns
        " WHERE a.root=? AND c.id=?",
        (ledger.root_id, ident),
    )
    return Case(*rows[0]) if rows else None


def move(ledger: Ledger, ident: str, before: Iterable[str], after: str, at: float, by: str) -> bool:
    """Compare and swap: from one of the states `before` to `after`. False when somebody was quicker.

    Inside a transaction.
    """
    states = list(before)
    marks = ", ".join("?" * len(states))
    rows = ledger.change(
        f"UPDATE cases SET state=?, answered_at=?, answered_by=? WHERE id=? AND state IN ({marks})"  # noqa: S608
        " RETURNING id",
        (after, at, by, ident, *states),
    )
    return bool(rows)


def answer_artifact(ledger: Ledger, artifact: int, at: float, by: str) -> None:
    """Close what is open of an artifact. Inside a transaction."""
    ledger.change(
        "UPDATE cases SET state='answered', answered_at=?, answered_by=? WHERE artifact=?"
        " AND kind IN ('trip', 'staged') AND state IN ('open', 'waiting', 'escalated')",
        (at, by, artifact),
    )


def grant(ledger: Ledger, given: Grant) -> None:
    """Keep a grant. Inside a transaction."""
    ledger.change(
        "INSERT INTO grants (id, at, pattern, rules, uses, expires, root) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            given.id,
            given.at,
            given.pattern,
            json.dumps(given.rules),
            given.uses,
            given.expires,
            ledger.root_id,
        ),
    )


def grants(ledger: Ledger, now: float) -> list[Grant]:
    """Grants with uses left and not expired, oldest first."""
    rows = ledger.query(
        "SELECT id, at, pattern, rules, uses, expires FROM grants WHERE root=? AND uses>0 AND expires>?"
        " ORDER BY at, id",
        (ledger.root_id, now),
    )
    return [Grant(r[0], r[1], r[2], tuple(json.loads(r[3])), r[4], r[5]) for r in rows]


def use_grant(ledger: Ledger, ident: str) -> bool:
    """Take one use of a grant; False when none was left. Inside a transaction."""
    return bool(ledger.change("UPDATE grants SET uses=uses-1 WHERE id=? AND uses>0 RETURNING uses", (ident,)))
