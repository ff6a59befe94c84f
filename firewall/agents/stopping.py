"""When an agent's run is to end: a file was latched, or a session asks again and again for files that are."""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents import once
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.writes.proposal import WriteResult
    from firewall.writes.proxy import WriteProxy

MOST = 3
"""Refusals of latched files in one turn after which the run ends: none of them can succeed, and each is paid for."""


def notice(proxy: WriteProxy, results: Sequence[WriteResult]) -> str:
    """What the person is told where these results are to end the run; '' where it may go on."""
    from firewall.agents import telling

    raised = telling.notice(results)
    if raised:
        return raised
    latched = sorted({r.path for r in results if r.tripped and not r.verdict.allowed})
    if not latched:
        return ""
    count = _refused(proxy)
    return telling.insists(latched, count) if count >= MOST else ""


def _refused(proxy: WriteProxy) -> int:
    """Refusals of latched files in the session's turn, each of which has a row of its own in the journal."""
    root, session = proxy.ledger.root_id, proxy.origin().session
    rows = proxy.ledger.query(
        "SELECT count(*) FROM journal WHERE kind='refused-latched' AND session=?2 AND at>=coalesce((SELECT"
        " max(opened_at) FROM turns WHERE root=?1 AND session=?2 AND closed_at IS NULL), 0) AND artifact IN"
        " (SELECT id FROM artifacts WHERE root=?1 AND alert<>'')",
        (root, session),
    )
    return int(rows[0][0])


def remember(proxy: WriteProxy) -> None:
    """The session's run is to end. Claude Code 2.1.197 was seen to hear that only after the batch, so it is said there
    again."""
    origin = proxy.origin()
    with proxy.ledger.transaction():
        proxy.ledger.change("INSERT OR REPLACE INTO told VALUES (?, ?, 0, '')", (_key(proxy), origin.at))


def taken(proxy: WriteProxy) -> bool:
    """Was the session's run to end? Asked once; a person's prompt begins anew."""
    if not proxy.ledger.query("SELECT 1 FROM told WHERE call=?", (_key(proxy),)):
        return False
    with proxy.ledger.transaction():
        return bool(proxy.ledger.change("DELETE FROM told WHERE call=? RETURNING call", (_key(proxy),)))


def _key(proxy: WriteProxy) -> str:
    return once.of_session(proxy.origin().session, "\0stopping")
