"""A person said no to a runtime's own question: what was asked about is turned down.

Seen running with Claude Code 2.1.332: a no that is Esc is told by no event at all, the next one is the person's next
prompt; a no with words for the model is told by the batch. A "No" without words was not tried, and is met either way.
So what was asked and not done when the batch, the turn or the session ends, or the person asks for something else, was
not wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents import once
from firewall.values import TYPE_CHECKING
from firewall.writes import cases

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Case

BY = "the runtime's question"
LAPSED = "the runtime's question got no yes"
"""By what a question ended that no event tells an answer of; a yes that comes after all is still one."""


def decline(proxy: WriteProxy, calls: Sequence[str]) -> tuple[str, ...]:
    """The runtime is done with these calls (their ids), and those that a person was asked about did not run: turned
    down. Returns the ids of what is."""
    session = proxy.origin().session
    keys = [once.of_session(session, call) for call in calls if call]
    if not keys:
        return ()
    marks = ", ".join("?" * len(keys))
    rows = proxy.ledger.query(f"SELECT held FROM asked WHERE call IN ({marks}) ORDER BY held", keys)  # noqa: S608
    return _turned_down(proxy, [str(held) for (held,) in rows], "rejected", BY)


def lapse(proxy: WriteProxy) -> tuple[str, ...]:
    """The session's turn ends, or begins anew: what its runtime asked about and did not do was not wanted."""
    rows = proxy.ledger.query(
        "SELECT a.held FROM asked a JOIN cases c ON c.id=a.held WHERE json_extract(c.data, '$.session')=? ORDER BY 1",
        (proxy.origin().session,),
    )
    return _turned_down(proxy, [str(held) for (held,) in rows], "expired", LAPSED)


def has_lapsed(case: Case) -> bool:
    """Did its question end without an answer that any event tells of?"""
    return case.state == "expired" and case.answered_by == LAPSED


def _turned_down(proxy: WriteProxy, held: Sequence[str], state: str, by: str) -> tuple[str, ...]:
    """Close the cases that wait, each with a row in the journal."""
    if not held:
        return ()
    origin = proxy.origin()
    done = []
    with proxy.ledger.transaction():
        for ident in held:
            case = cases.get(proxy.ledger, ident)
            if state != "expired":  # a yes may come yet: the question of a subagent is open longer than a turn
                proxy.ledger.change("DELETE FROM asked WHERE held=?", (ident,))
            if case is None or not cases.move(proxy.ledger, ident, cases.PENDING, state, origin.at, by):
                continue
            proxy.ledger.append(
                "reject", origin.at, artifact=case.artifact, old=case.disk, session=origin.session,
                source=origin.source, data={"cases": [ident], "by": by},
            )  # fmt: skip
            done.append(ident)
    return tuple(done)
