"""What waits for a person, in the ledger: alerts and held proposals, moved by compare-and-swap; grants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firewall import jsons
from firewall.writes.ledger import Ledger
from firewall.writes.records import Case, Grant

_CASE = (
    "c.id, c.at, c.artifact, a.path, c.kind, c.state, c.change_set, c.disk, c.proposal, c.target, c.data,"
    " c.answered_at, c.answered_by"
)
PENDING = ("open", "waiting", "escalated")


def add(ledger: Ledger, case: Case, *, replaces: bool = True) -> None:
    """Keep a case. Inside a transaction. The same proposal held twice is one case, the newer: the older one
    expires, with all that was proposed together with it. Not so without `replaces`, for what cannot be approved."""
    if case.kind == "hold" and replaces:
        ledger.change(
            "UPDATE cases SET state='expired', answered_at=?1, answered_by='proposed again' WHERE kind='hold'"
            " AND state IN ('open', 'waiting', 'escalated') AND change_set<>?2 AND change_set IN"
            " (SELECT change_set FROM cases WHERE artifact=?3 AND kind='hold' AND proposal=?4 AND target=?5"
            " AND state IN ('open', 'waiting', 'escalated'))",
            (case.at, case.change_set, case.artifact, case.proposal, case.target),
        )
    ledger.change(
        "INSERT INTO cases (id, at, artifact, kind, state, change_set, disk, proposal, target, data)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (case.id, case.at, case.artifact, case.kind, case.state, case.change_set, case.disk, case.proposal,
         case.target, case.data),
    )  # fmt: skip


def every(ledger: Ledger, kinds: Sequence[str], states: Sequence[str] = ()) -> list[Case]:
    """Cases of this root of the given kinds (and states, all when empty), oldest first."""
    where = f"c.kind IN ({_marks(kinds)})" + (f" AND c.state IN ({_marks(states)})" if states else "")
    return _select(ledger, where, (*kinds, *states))


def get(ledger: Ledger, ident: str) -> Case | None:
    """The case with this id in this root."""
    found = _select(ledger, "c.id=?", (ident,))
    return found[0] if found else None


def together(ledger: Ledger, case: Case) -> list[Case]:
    """All cases of the case's change set, whatever their state, by path; the case alone where it has none."""
    if not case.change_set:
        return [case]
    return sorted(_select(ledger, "c.change_set=?", (case.change_set,)), key=lambda c: (c.path, c.at, c.id))


def of_artifact(ledger: Ledger, artifact: int, kinds: Sequence[str]) -> list[Case]:
    """What waits about one artifact, oldest first."""
    where = f"c.artifact=? AND c.kind IN ({_marks(kinds)}) AND c.state IN ({_marks(PENDING)})"
    return _select(ledger, where, (artifact, *kinds, *PENDING))


def older(ledger: Ledger, kinds: Sequence[str], states: Sequence[str], since: float) -> list[Case]:
    """Cases raised at or before `since` that are in one of the states."""
    where = f"c.kind IN ({_marks(kinds)}) AND c.state IN ({_marks(states)}) AND c.at<=?"
    return _select(ledger, where, (*kinds, *states, since))


def overdue(ledger: Ledger, kinds: Sequence[str], raised: float, held: float) -> bool:
    """Is there a case of these kinds raised by then that nobody escalated, or a proposal held since then?"""
    rows = ledger.query(
        "SELECT 1 FROM cases c JOIN artifacts a ON a.id = c.artifact WHERE a.root=? AND"  # noqa: S608 - constants
        f" (c.kind IN ({_marks(kinds)}) AND c.state IN ('open', 'waiting') AND c.at<=?"
        " OR c.kind='hold' AND c.state IN ('open', 'waiting', 'escalated') AND c.at<=?) LIMIT 1",
        (ledger.root_id, *kinds, raised, held),
    )
    return bool(rows)


def _select(ledger: Ledger, where: str, values: Sequence[object]) -> list[Case]:
    rows = ledger.query(
        f"SELECT {_CASE} FROM cases c JOIN artifacts a ON a.id = c.artifact"  # noqa: S608 - constants
        f" WHERE a.root=? AND {where} ORDER BY c.at, c.id",
        (ledger.root_id, *values),
    )
    return [Case(*row) for row in rows]


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def state_of(ledger: Ledger, ident: str) -> str:
    """The state of a case, '' where there is none."""
    rows = ledger.query("SELECT state FROM cases WHERE id=?", (ident,))
    return str(rows[0][0]) if rows else ""


def move(ledger: Ledger, ident: str, before: Iterable[str], after: str, at: float, by: str) -> bool:
    """Compare and swap: from one of the states `before` to `after`. False when somebody was quicker.

    Inside a transaction.
    """
    states = list(before)
    rows = ledger.change(
        f"UPDATE cases SET state=?, answered_at=?, answered_by=? WHERE id=? AND state IN ({_marks(states)})"  # noqa: S608
        " RETURNING id",
        (after, at, by, ident, *states),
    )
    return bool(rows)


def reopen(ledger: Ledger, ident: str, now: str, before: str) -> None:
    """Take an answer back that came to nothing: from the state `now` to what it was before. In a transaction."""
    ledger.change(
        "UPDATE cases SET state=?, answered_at=NULL, answered_by='' WHERE id=? AND state=?", (before, ident, now)
    )


def expire_others(ledger: Ledger, artifact: int, at: float, by: str) -> None:
    """What was held of an artifact was made from bytes that are gone, and with it what belonged to it.

    Inside a transaction.
    """
    ledger.change(
        "UPDATE cases SET state='expired', answered_at=?1, answered_by=?2 WHERE kind='hold'"
        " AND state IN ('open', 'waiting', 'escalated') AND (artifact=?3 OR change_set<>'' AND change_set IN"
        " (SELECT change_set FROM cases WHERE artifact=?3 AND kind='hold'"
        " AND state IN ('open', 'waiting', 'escalated')))",
        (at, by, artifact),
    )


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
            jsons.dumps(given.rules),
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
    return [Grant(r[0], r[1], r[2], tuple(jsons.loads(r[3])), r[4], r[5]) for r in rows]


def use_grant(ledger: Ledger, ident: str) -> bool:
    """Take one use of a grant; False when none was left. Inside a transaction."""
    return bool(ledger.change("UPDATE grants SET uses=uses-1 WHERE id=? AND uses>0 RETURNING uses", (ident,)))


def return_grant(ledger: Ledger, ident: str) -> None:
    """Give a use back: what it was taken for came to nothing. Inside a transaction."""
    ledger.change("UPDATE grants SET uses=uses+1 WHERE id=?", (ident,))


def revoke_grant(ledger: Ledger, ident: str) -> bool:
    """Take a grant back; False where no use of it was left. Inside a transaction."""
    rows = ledger.change(
        "UPDATE grants SET uses=0 WHERE id=? AND root=? AND uses>0 RETURNING id", (ident, ledger.root_id)
    )
    return bool(rows)
