"""The part of a sweep that is about policy and settings files: put back in a turn, kept between turns."""

from __future__ import annotations

from firewall.agents import protected_settings
from firewall.agents.walk import walk
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.manifest import Changes
    from firewall.agents.sweep import Swept
    from firewall.writes.proxy import WriteProxy


def put_back(proxy: WriteProxy, changes: Changes) -> list[Swept]:
    """Bring policy and settings files back to what a person left."""
    if not changes.guarded:
        return []
    from firewall.agents.sweep import PUT_BACK, Swept

    out = []
    for path, what, sha in protected_settings.put_back(proxy, changes.guarded):
        kept = f" What you wrote is kept in Stet's store as {sha[:12]}." if sha else ""
        message = f"{path} keeps the guard in place, so only a person changes it; it was {what}.{kept}"
        out.append(Swept(path, PUT_BACK, None, message))
    return out


def take(proxy: WriteProxy, changes: Changes) -> None:
    """Keep them as they are: a person left them so."""
    if not changes.guarded and protected_settings.kept(proxy.ledger):
        return
    found = walk(str(proxy.root), proxy.protection)
    protected_settings.take(proxy, found.policies)
