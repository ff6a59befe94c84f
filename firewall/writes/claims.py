"""What a commit takes with it: answers to cases, uses of grants. Taken with the intent, given back if it is undone.

So of two answers to one case exactly one wins, a grant is never used more often than it says, and a commit that
did not reach the disk has answered nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import cases, disk
from firewall.writes.ledger import Ledger

if TYPE_CHECKING:
    from typing import Any


class LateAnswer(StetError):
    """An answer to what has been answered, or has expired."""

    code = "late-answer"
    template = "{id} no longer waits for an answer: it is {state}{detail}."
    next_step = "`stet show {id}` shows what came of it; `stet pending` and `stet alerts` list what waits."


class Claims(NamedTuple):
    """Cases that a commit answers, each with the state it gets; alerts that it closes on the way, if they are
    still open; grants of which it takes a use. `by` is how the person was known."""

    cases: tuple[tuple[str, str], ...] = ()
    closes: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    by: str = ""


def take(ledger: Ledger, claims: Claims, at: float) -> dict[str, Any]:
    """Take them, inside the intent's transaction. Returns what `give_back` needs, as JSON values.

    Raises LateAnswer where somebody was quicker, and disk.Replaced where a grant is used up, so that the
    proposal is judged again without it.
    """
    taken = []
    for ident, after in (*claims.cases, *((ident, "answered") for ident in claims.closes)):
        before = cases.state_of(ledger, ident)
        if cases.move(ledger, ident, cases.PENDING, after, at, claims.by):
            taken.append([ident, before, after])
        elif ident not in claims.closes:
            raise late(ledger, ident)
    for ident in claims.grants:
        if not cases.use_grant(ledger, ident):
            raise disk.Replaced
    return {"cases": taken, "grants": list(claims.grants)}


def give_back(ledger: Ledger, taken: Mapping[str, Any]) -> None:
    """Undo `take`. Inside the transaction that closes the intent."""
    for ident, before, after in taken.get("cases", ()):
        cases.reopen(ledger, ident, after, before)
    for ident in taken.get("grants", ()):
        cases.return_grant(ledger, ident)


def late(ledger: Ledger, ident: str) -> LateAnswer:
    """The error for a case that does not wait any more."""
    case = cases.get(ledger, ident)
    detail = f" ({case.answered_by})" if case and case.answered_by else ""
    return LateAnswer(id=ident, state=case.state if case else "gone", detail=detail)
