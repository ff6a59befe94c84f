"""Who asks for a change, and whether an agent is at work."""

from __future__ import annotations

from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from firewall.writes.ledger import Ledger


class Origin(NamedTuple):
    """Who asks, and when: the session, the source (cli, hook, run …) and seconds since 1970 UTC."""

    session: str
    source: str
    at: float


def turn_open(ledger: Ledger, at: float) -> bool:
    """Is an agent's turn open in this folder?"""
    return bool(
        ledger.query(
            "SELECT 1 FROM turns WHERE root=? AND closed_at IS NULL AND expires>? LIMIT 1", (ledger.root_id, at)
        )
    )
