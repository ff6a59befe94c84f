"""Refused text that git has all the same: on the disk it was put back, but `git add` or a commit took it before.

The agent is told at once how to take it out of git's index, and a person when it is done (kept_in_git.py). Later it
passes as what git brings (provenance.py) only if a commit had it before it was refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from firewall.agents.provenance import Safe
    from firewall.agents.sweep import Item
    from firewall.agents.turns import Turn
    from firewall.writes.ledger import Ledger
    from firewall.writes.proxy import WriteProxy

_REFUSED = frozenset((*PROPOSED, "put-back"))
"""Kinds of journal entries whose bytes did not land, or were taken back."""


def refused_at(ledger: Ledger, artifact: int, sha: str) -> float | None:
    """When these bytes were first refused, in seconds since 1970 UTC; None where that is not the last known of them."""
    rows = ledger.query("SELECT kind, at FROM journal WHERE artifact=? AND new=? ORDER BY seq", (artifact, sha))
    if not rows or rows[-1][0] not in _REFUSED:
        return None
    return min(float(at) for kind, at in rows if kind in _REFUSED)


def stood(ledger: Ledger, artifact: int, sha: str) -> bool:
    """Did these bytes ever stand in the work tree, as far as is known?"""
    rows = ledger.query("SELECT DISTINCT kind FROM journal WHERE artifact=? AND new=?", (artifact, sha))
    return any(kind not in _REFUSED for (kind,) in rows)


def without_refused(
    proxy: WriteProxy, turn: Turn, items: Sequence[Item], safe: Mapping[str, Safe | None], back: Collection[str]
) -> dict[str, Safe | None]:
    """`safe` (provenance.brought) less the files whose bytes were refused before any commit that was there when the
    turn began had them. Those of `back` stood on the disk once, and are as they were."""
    out = dict(safe)
    for item in items:
        read = item.reading
        if item.path not in out or item.path in back or item.artifact is None or read is None or read.data is None:
            continue
        at = refused_at(proxy.ledger, item.artifact.id, read.sha256)
        if at is not None and not _stood_before(proxy, turn, item, at):
            del out[item.path]
    return out


def _stood_before(proxy: WriteProxy, turn: Turn, item: Item, at: float) -> bool:
    """Did a commit of before `at` have the item's bytes at its path? No, where git cannot be asked."""
    from firewall.agents import provenance
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return False
        path = repository.prefix + item.path
        wanted = {(path, blob) for blob in provenance.blobs(provenance.hash_name(repository), item.data)}
        then = provenance.commits_then(proxy, turn)
        return not wanted.isdisjoint(provenance.listed(repository, then, [path], before=at - 1.0))
    except (StetError, ValueError):
        return False


def taken_out(*names: str) -> str:
    """The command, as Markdown, that gives the index the text of the last commit again."""
    from firewall.writes.alerts import quoted

    return f"`git restore --staged {' '.join(map(quoted, names))}`"


def has(proxy: WriteProxy, items: Sequence[Item]) -> set[str]:
    """The paths of those whose bytes, which were put back, are in git's index."""
    from firewall.agents import adopting, provenance
    from firewall.writes.git import find_repository

    asked = [i for i in items if i.reading is not None and i.data is not None and "\n" not in i.path]
    asked = [i for i in asked if i.reading and adopting.index_written(proxy.root, i.reading.identity[3] / 1e9)]
    if not asked:
        return set()
    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return set()
        hasher = provenance.hash_name(repository)
        at = {i.path: repository.prefix + i.path for i in asked}
        there = provenance.blobs_at(repository, "", at.values())  # no commit before the colon is the index
    except (StetError, ValueError):
        return set()
    return {i.path for i in asked if there.get(at[i.path]) in provenance.blobs(hasher, i.data)}
