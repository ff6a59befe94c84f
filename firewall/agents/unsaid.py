"""What `stet watch` put back while an agent was at work: the agent's hook, which finds nothing changed, tells it.

Without it the agent takes its change for done. The first hook that looks tells of it, once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.sweep import Swept
    from firewall.writes.proxy import WriteProxy

MOST = 100
"""Files that are remembered."""
LONG = 3600.0
"""Seconds after which nobody is told any more: whoever changed them has gone on."""


def keep(proxy: WriteProxy, swept: Sequence[Swept]) -> None:
    """Remember what was put back, and why."""
    said = {one.path: one.message for one in swept if one.refused and one.message}
    if not said:
        return
    at = proxy.origin().at
    rows = [row for row in _kept(proxy) if row[0] not in said] + [(path, text, at) for path, text in said.items()]
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.set_meta(key(proxy), json.dumps(rows[-MOST:]))


def taken(proxy: WriteProxy) -> list[Swept]:
    """What nobody has told the agent yet; from now on somebody has."""
    from firewall.agents.sweep import RESTORED, Swept

    rows = _kept(proxy)
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.change("DELETE FROM meta WHERE key=?", (key(proxy),))
    since = proxy.origin().at - LONG
    return [Swept(path, RESTORED, None, text) for path, text, at in rows if at >= since]


def key(proxy: WriteProxy) -> str:
    """Where it is kept in the ledger."""
    return f"unsaid-{proxy.ledger.root_id}"


def _kept(proxy: WriteProxy) -> list[tuple[str, str, float]]:
    return [(str(p), str(t), float(at)) for p, t, at in json.loads(proxy.ledger.meta(key(proxy)) or "[]")]
