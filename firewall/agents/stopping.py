"""When an agent's run is to end: a file was latched, or a session asks again and again for files that are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firewall.agents import telling

if TYPE_CHECKING:
    from firewall.writes.proposal import WriteResult
    from firewall.writes.proxy import WriteProxy

MOST = 3
"""Refusals of latched files in one turn after which the run ends: none of them can succeed, and each is paid for."""


def notice(proxy: WriteProxy, results: Sequence[WriteResult]) -> str:
    """What the person is told where these results are to end the run; '' where it may go on."""
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
