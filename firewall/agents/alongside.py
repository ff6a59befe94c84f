"""What git takes away along with what it brings: text that a file holds for another, a name that a file got.

A file that git takes away or replaces may hold text of others, which moved there in an agent's turn; it may be another
file under a new name, while its old name has a stub. Then it is no matter of git alone, and the change is judged like
any other.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from firewall.agents import provenance, taken
from firewall.agents.taken import Taken
from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes import disk, moves
from firewall.writes.git import find_repository
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from firewall.agents.provenance import Safe
    from firewall.agents.sweep import Item
    from firewall.agents.turns import Turn
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy


def check(
    proxy: WriteProxy, turn: Turn, came: dict[str, Item], back: dict[str, Taken], safe: Mapping[str, Safe | None]
) -> dict[str, str]:
    """Leave those out of `came` that others answer for. Returns the files that have an old name again: by that, the
    name that git took away."""
    names: dict[str, str] = {}
    while True:
        bad = _lacking(proxy, came, back) | _owing(proxy, came)
        if not bad:
            names, bad = _old_names(proxy, turn, came, safe)
        if not bad:
            return names
        for path in bad:
            del came[path]
            back.pop(path, None)


# -- text of others ------------------------------------------------------------------------------------------


def _lacking(proxy: WriteProxy, came: Mapping[str, Item], back: Mapping[str, Taken]) -> set[str]:
    """Files that come back without those that hold text of theirs, so that they would miss it."""
    out = set()
    for path, row in back.items():
        units = proxy.ledger.query(
            "SELECT json_extract(c.value, '$[0]') FROM journal j, json_each(j.data, '$.carried') c WHERE j.seq=?",
            (row.seq,),
        )
        for (holder,) in units:
            found = next((p for p, i in came.items() if i.artifact and i.artifact.id == holder), "")
            if found in back or (not found and not _changed_since(proxy, int(holder), row.seq)):
                continue
            out.add(path)
    return out


def _changed_since(proxy: WriteProxy, artifact: int, seq: int) -> bool:
    return bool(
        proxy.ledger.query(
            "SELECT 1 FROM journal WHERE artifact=? AND seq>? AND new<>old AND kind NOT IN (?, ?, ?, ?, ?) LIMIT 1",
            (artifact, seq, *PROPOSED),
        )
    )


def _owing(proxy: WriteProxy, came: Mapping[str, Item]) -> set[str]:
    """Files from which git takes text of others, so that those fall below their floors."""
    by_id = {item.artifact.id: path for path, item in came.items() if item.artifact}
    if not by_id or not proxy.ledger.query("SELECT 1 FROM carried LIMIT 1"):
        return set()
    from firewall.agents.judging import wanted
    from firewall.writes.assess import assess

    owing = {ident for ident in by_id if moves.origins(proxy.ledger, ident)}
    if not owing:
        return set()
    origins = {origin for ident in owing for origin in moves.origins(proxy.ledger, ident)}
    others = {c.holder for origin in origins for c, _ in moves.carried(proxy.ledger, origin)}
    involved = [came[by_id[ident]] for ident in sorted((owing | origins | others) & by_id.keys())]
    judged = assess(proxy.bench(), [wanted(proxy, item) for item in involved])
    return {
        item.path
        for item, a in zip(involved, judged, strict=True)
        if item.artifact and item.artifact.id in owing and (a.unread or any(not one.verdict.allowed for one in a.owed))
    }


# -- names ---------------------------------------------------------------------------------------------------


def _old_names(
    proxy: WriteProxy, turn: Turn, came: Mapping[str, Item], safe: Mapping[str, Safe | None]
) -> tuple[dict[str, str], set[str]]:
    """Files that go back to a name they had, by that name; and those that git takes away while another text stands
    under the name they had."""
    renamed = {
        path: names
        for path, item in came.items()
        if item.data is None and (names := _names_before(proxy, item)) and item.artifact and item.artifact.disk
    }
    back: dict[str, str] = {}
    bad: set[str] = set()
    if not renamed:
        return back, bad
    try:
        repository = find_repository(proxy.root)
        then = provenance.commits_then(proxy, turn)
        for path, names in renamed.items():
            here = [name for name in names if name in came and came[name].data is not None and name not in back]
            if here:
                back[here[0]] = path
            elif repository is None or not _may_go(proxy, turn, repository, then, names, safe[path]):
                bad.add(path)
    except (StetError, ValueError):
        return {}, set(renamed)
    return back, bad


def _names_before(proxy: WriteProxy, item: Item) -> list[str]:
    """The other names that a file had, the last first."""
    if item.artifact is None:
        return []
    rows = proxy.ledger.query(
        "SELECT json_extract(data, '$.from') FROM journal WHERE artifact=? AND kind='rename' ORDER BY seq DESC",
        (item.artifact.id,),
    )
    return [name for name in dict.fromkeys(str(row[0]) for row in rows) if name != item.path]


def _may_go(
    proxy: WriteProxy, turn: Turn, repository: Repository, then: list[str], names: list[str], kept: Safe | None
) -> bool:
    """May git take a renamed file away? Where people's commits had it under its new name; or where under its old ones
    all is as in HEAD."""
    if math.isfinite(turn.opened_at) and kept is not None:
        pair = (kept.at, kept.blob)
        if pair in provenance.reachable(repository, then, [pair]):
            return True
    hasher = provenance.hash_name(repository)
    at = {name: repository.prefix + name for name in names}
    head = provenance.blobs_at(repository, "HEAD", at.values())
    for name in names:
        data = disk.read(proxy.root / name, proxy.limits.max_bytes).data
        blob = head.get(at[name], "")
        if (data is None and blob) or (data is not None and blob not in provenance.blobs(hasher, data)):
            return False
    return True


def rename_back(proxy: WriteProxy, names: Mapping[str, str], came: Mapping[str, Item]) -> set[str]:
    """Let the artifacts have their old names again, marks and all; the names that git took away."""
    origin = proxy.origin()
    for new, old in names.items():
        artifact = came[old].artifact
        assert artifact is not None
        with proxy.ledger.transaction():
            proxy.ledger.rename(artifact.id, new, origin.at)
            proxy.ledger.append(
                "rename", origin.at, artifact=artifact.id, old=artifact.disk, new=artifact.disk, session=origin.session,
                source=origin.source, data={"from": old, "to": new, "by": "git"},
            )  # fmt: skip
    return set(names.values())


# -- remembering ---------------------------------------------------------------------------------------------


def remember(
    proxy: WriteProxy,
    came: Mapping[str, Item],
    done: Collection[str],
    safe: Mapping[str, Safe | None],
    names: Mapping[str, str],
) -> None:
    """Note what git took away, so that it is known when the last commit that has it is dropped."""
    new = []
    back = []
    now = {old: name for name, old in names.items()}
    for path, item in came.items():
        kept = safe[path]
        if path not in done or item.artifact is None:
            continue
        there = proxy.ledger.artifact(now.get(path, path))
        sha = there.disk if there else ""
        if sha:
            back.append((item.artifact.id, sha))
        if kept is None or not kept.data.strip() or disk.sha256(kept.data) == sha:
            continue
        seq = there.accepted if there and there.id == item.artifact.id and kept.is_old else 0
        new.append(
            Taken(item.artifact.id, path, disk.sha256(kept.data), kept.at, kept.blob, kept.commit, seq)
        )  # fmt: skip
    if new or back:
        taken.change(proxy, new, back)
