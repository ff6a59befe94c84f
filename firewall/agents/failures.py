"""Edits that failed before or while they ran: attempts, though nothing was proposed that could be judged."""

from __future__ import annotations

from firewall.agents import events, once, places
from firewall.agents.events import Answer, Event, ToolCall
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome

if TYPE_CHECKING:
    from firewall.writes.proposal import WriteResult
    from firewall.writes.proxy import WriteProxy

EDITS = frozenset((events.EDIT, events.NOTEBOOK, events.PATCH))
ANCHOR = "edit-anchor"


def counted(proxy: WriteProxy, event: Event, call: ToolCall, asker: str = "") -> list[WriteResult]:
    """An edit of a guarded file that failed is an attempt, once, whichever events and hooks tell of it."""
    if not call.failed or call.kind not in EDITS or not call.path:
        return []
    target = places.target(proxy, event, call, call.path)
    if target.problem or not places.is_ours(proxy, target):
        return []
    message = f"{target.relative}: the edit failed ({call.failed[:300]}). Read the file again before the next one."
    finding = Finding(ANCHOR, Outcome.BLOCK, message, {"tool": call.name})
    if call.id:
        return [proxy.attempt(target.real, finding)] if _is_first(proxy, event, call) else []
    with once.alone(proxy):
        kept = once.key(event, call)
        if once.before(proxy, kept, asker, numbered=False) is not None:
            return []
        once.remember(proxy, kept, Answer("block"), asker)
        return [proxy.attempt(target.real, finding)]


def _is_first(proxy: WriteProxy, event: Event, call: ToolCall) -> bool:
    with proxy.ledger.transaction():
        return bool(
            proxy.ledger.change(
                "INSERT INTO counted VALUES (?, ?) ON CONFLICT (call) DO NOTHING RETURNING call",
                (once.of_session(event.session, call.id), proxy.origin().at),
            )
        )
