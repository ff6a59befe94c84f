"""New files that the rules refuse stay where they are: they harm no guarded file, and may be somebody's only copy.

Such a file is told of once, counts as a failed attempt, and is nobody's baseline. Other bytes in it are judged anew; a
person takes it as it is with `stet accept`. Its bytes are in the store, so that it can be had again when it is gone.
That it stands is for the proxy to know as well (firewall/writes/unaccepted.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.values import TYPE_CHECKING
from firewall.verdict import Outcome
from firewall.writes.unaccepted import KIND, sha

if TYPE_CHECKING:
    from firewall.agents.restoring import Refused
    from firewall.agents.sweep import Item, Swept
    from firewall.writes.proposal import WriteResult
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

RULES = frozenset(
    ("bytes", "notebook", "placeholder", "read-artifact", "truncated", "check-broken", "latched", "repeat", "max-bytes")
)
"""Rules that speak of a new text alone, or of none that was read."""
MOST = 3
"""Findings that are told of one file."""


def is_left(proxy: WriteProxy, item: Item) -> bool:
    """Was it left as it is now, and told of? So is what git left with conflicts in it (unmerged.py)."""
    if item.artifact is not None and item.artifact.disk:
        from firewall.agents import unmerged

        return unmerged.is_noted(proxy, item)
    return item.reading is not None and item.data is not None and sha(proxy, item.artifact) == item.reading.sha256


def stays(item: Item, result: WriteResult) -> bool:
    """Is it a new file, refused by rules that speak of nothing but itself?"""
    if item.data is None or item.moved_to or (item.artifact and (item.artifact.disk or item.artifact.mark)):
        return False
    return speaks_of_new(result)


def speaks_of_new(result: WriteResult) -> bool:
    """Is it refused by rules that speak of nothing but the new text?"""
    return RULES.issuperset(f.rule for f in result.verdict.findings if f.outcome >= Outcome.HOLD)


def leave(proxy: WriteProxy, refused: Sequence[Refused]) -> list[Swept]:
    """Note them, bytes and all; what is said of each. The locks are held."""
    out = []
    for item, a, result in refused:
        known = proxy.ledger.artifact(item.path) or a.artifact
        if item.reading is not None and item.reading.data is not None and known is not None:
            out.append(note(proxy, item, known, result))
    return out


def note(proxy: WriteProxy, item: Item, known: Artifact, result: WriteResult) -> Swept:
    """Note one, bytes and all; what is said of it. The lock is held."""
    from firewall.agents.sweep import LEFT, Swept

    origin = proxy.origin()
    assert item.reading is not None and item.reading.data is not None
    with proxy.ledger.transaction():
        proxy.ledger.save(item.reading.sha256, item.reading.data)
        proxy.ledger.append(
            KIND, origin.at, artifact=known.id, new=item.reading.sha256, session=origin.session,
            source=origin.source, data={"findings": [f.to_json() for f in result.verdict.findings]},
        )  # fmt: skip
    return Swept(item.path, LEFT, result, _message(item.path, result))


def _message(path: str, result: WriteResult) -> str:
    from firewall.writes.alerts import quoted

    worst = [f for f in result.verdict.findings if f.outcome >= result.verdict.outcome]
    why = " ".join(f.message for f in worst[:MOST])
    return (
        f"{path} is new; it stays where it is and is not accepted: {why} Mend it, or let a person take it as it is: "
        f"`stet accept {quoted(path)}`."
    )
