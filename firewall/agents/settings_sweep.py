"""The part of a sweep that is about policy and settings files: put back in a turn, kept between turns."""

from __future__ import annotations

from firewall.agents import protected_settings, unnamed
from firewall.agents.walk import nameless, walk
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.manifest import Changes
    from firewall.agents.sweep import Swept
    from firewall.writes.proxy import WriteProxy


SWITCHED = protected_settings.SWITCHED
"""The fate of a file that git changed with the branch: it stays, and changes no rule."""


def put_back(proxy: WriteProxy, changes: Changes) -> list[Swept]:
    """Bring policy and settings files back to what a person left."""
    if not changes.guarded:
        return []
    from firewall.agents import turns
    from firewall.agents.sweep import PUT_BACK, Swept

    turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
    out = []
    for path, what, number in protected_settings.put_back(proxy, turn, changes.guarded):
        if what == protected_settings.SWITCHED:
            path = unnamed.shown(path)
            message = (
                f"{path} is as this branch has it. The rules and hooks in force stay those that a person accepted."
            )
            out.append(Swept(path, SWITCHED, None, message))
            continue
        kept = f" What you wrote is kept: `stet show {number} --content` prints it." if number else ""
        why = "has a name that is not UTF-8" if unnamed.is_key(path) else "keeps the guard in place"
        path = unnamed.shown(path)
        message = f"{path} {why}, so only a person changes it; it was {what}.{kept}"
        out.append(Swept(path, PUT_BACK, None, message))
    return out


def take(proxy: WriteProxy, changes: Changes) -> None:
    """Keep them as they are: a person left them so."""
    known = protected_settings.kept(proxy.ledger)
    if not changes.guarded and known and all(name in known for name in changes.unnamed):
        return
    found = walk(str(proxy.root), proxy.protection)
    protected_settings.take(proxy, [*found.policies, *map(unnamed.key, nameless(found))])
