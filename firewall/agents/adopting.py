"""What git brought in a turn becomes the baseline; what it took away for a while comes back as it was."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes import observe
from firewall.writes.assess import is_latched

if TYPE_CHECKING:
    from typing import Any

    from firewall.agents.sweep import Item
    from firewall.agents.taken import Taken
    from firewall.agents.turns import Turn
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

TICK_NS = 100_000_000
"""Times of two files that were written one after the other may be the wrong way round by so much."""
_MARKS = (
    "baseline", "baseline_at", "mark", "high", "disk_words", "mark_words", "mark_kept", "high_words", "high_kept",
    "base_words", "base_kept", "mark_away", "high_away", "accepted", "grown",
)  # fmt: skip


def brought(proxy: WriteProxy, turn: Turn, items: list[Item]) -> set[str]:
    """The paths of the items that git brought; their bytes are the baseline now. A latched file is not changed so, nor
    one whose text another file needs. The locks are held."""
    from firewall.agents import taken, worktrees

    asked = [i for i in items if i.reading is not None and not (i.artifact and is_latched(i.artifact, proxy.limits))]
    removed = worktrees.removed(proxy, [i.path for i in asked if i.data is None])
    if removed:
        ids = {i.path: i.artifact.id for i in asked if i.artifact}
        others = worktrees.moved_in(proxy, turn, removed, ids)
        removed = {path: at for path, at in removed.items() if path not in others}
        asked = [i for i in asked if i.path not in others]
    asked = [i for i in asked if i.path in removed or is_after_git(proxy, turn, i)]
    if not asked:
        return set()
    from firewall.agents import alongside, in_index, provenance

    known = taken.known(proxy)
    rows = {(row.artifact, row.sha): row for row in known}
    changes = [
        provenance.Change(
            i.path, proxy.ledger.load(i.artifact.disk) if i.artifact else None, i.data, i.artifact,
            removed.get(i.path, ""), _row(rows, i) is not None,
        )
        for i in asked
    ]  # fmt: skip
    safe = provenance.brought(proxy, turn, changes)
    if safe:
        safe = in_index.without_refused(proxy, turn, asked, safe, [c.path for c in changes if c.back])
    came = {item.path: item for item in asked if item.path in safe}
    left = {i.artifact.disk for i in items if i.data is None and i.artifact and i.path not in came}
    came = {path: i for path, i in came.items() if not _is_new(i) or i.reading is None or i.reading.sha256 not in left}
    back = {path: row for path, item in came.items() if (row := _row(rows, item)) is not None and row.seq}
    names = alongside.check(proxy, turn, came, back, safe)
    notes = {path: _before(proxy, item) for path, item in came.items()}
    done = alongside.rename_back(proxy, names, came)
    seen = []
    for path, item in came.items():
        if path in done or item.reading is None:
            continue
        if path in back and item.artifact:
            if _comes_back(proxy, item, item.artifact, back[path]):
                done.add(path)
            continue  # without its marks it is nobody's baseline, and is judged
        known_as = came[names[path]].artifact if path in names else item.artifact
        before = known_as.disk if known_as else ""
        if path in names:
            notes[path] = notes[names[path]]
        if path in names and before == item.reading.sha256:
            done.add(path)  # it has its old name again, and nothing else is new
        else:
            seen.append((path, before, item.reading))
    done |= set(observe.adopt_changes(proxy.ledger, seen, proxy.origin(), notes) if seen else ())
    alongside.remember(proxy, came, done, safe, names)
    return done


def _is_new(item: Item) -> bool:
    """Is it a file that was not there? With the bytes of one that is gone and whose going git does not account for, it
    is that one by another name."""
    return item.data is not None and not (item.artifact and item.artifact.disk)


def _row(rows: dict[tuple[int, str], Taken], item: Item) -> Taken | None:
    """The row of these very bytes, where git took them from this file before."""
    if item.artifact is None or item.reading is None or item.data is None:
        return None
    return rows.get((item.artifact.id, item.reading.sha256))


def is_after_git(proxy: WriteProxy, turn: Turn, item: Item) -> bool:
    """May git have written it? It writes its index after the files. Spares an honest edit all questions."""
    if not turn.refs:
        return False
    if item.reading and item.data is not None:
        return index_written(proxy.root, item.reading.identity[3] / 1e9)
    return index_written(proxy.root, turn.opened_at if math.isfinite(turn.opened_at) else 0.0)  # a watch has no start


def index_written(root: Path, since: float) -> bool:
    """Was git's index written at `since` (seconds since 1970 UTC) or later?"""
    index = _index(root)
    if index is None:
        return False
    try:
        return os.lstat(index).st_mtime_ns >= since * 1e9 - TICK_NS
    except OSError:
        return False


def _index(root: Path) -> Path | None:
    """The index of the work tree that the folder is in."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_dir():
            return git / "index"
        if git.is_file():  # a worktree or a submodule
            try:
                text = git.read_text("utf-8", "surrogateescape")
            except OSError:
                return None
            return folder / text.removeprefix("gitdir:").strip() / "index"
    return None


def _before(proxy: WriteProxy, item: Item) -> dict[str, object]:
    """For the journal: the marks of a file that git replaces, should it bring the same bytes back (a stash, another
    branch)."""
    if item.artifact is None:
        return {"by": "git"}
    rows = proxy.ledger.query("SELECT holder, seq, units FROM carried WHERE origin=?", (item.artifact.id,))
    marks = {name: getattr(item.artifact, name) for name in _MARKS}
    return {"by": "git", **marks, "carried": [list(row) for row in rows]}


def _comes_back(proxy: WriteProxy, item: Item, artifact: Artifact, row: Taken) -> bool:
    """Give a file that git took away and brought again its marks of then. False where they are not to be had."""
    ledger = proxy.ledger
    rows = ledger.query("SELECT data FROM journal WHERE seq=? AND artifact=?", (row.seq, artifact.id))
    data: dict[str, Any] = json.loads(rows[0][0]) if rows else {}
    if item.reading is None or any(name not in data for name in _MARKS) or ledger.intents(artifact.id):
        return False
    try:
        for sha in (*(data[n] for n in ("baseline", "mark", "high", "mark_away", "high_away")), *_units(data)):
            ledger.load(str(sha))
    except StetError:
        return False  # `stet gc` let it go
    origin = proxy.origin()
    with ledger.transaction():
        ledger.set_state(artifact.id, disk=item.reading.sha256, **{name: data[name] for name in _MARKS})
        ledger.change("DELETE FROM carried WHERE origin=?", (artifact.id,))
        for holder, seq, units in data["carried"]:
            ledger.change("INSERT OR REPLACE INTO carried VALUES (?, ?, ?, ?)", (artifact.id, int(holder), seq, units))
        ledger.append(
            "outside", origin.at, artifact=artifact.id, old=artifact.disk, new=item.reading.sha256,
            session=origin.session, source=origin.source, data={**_before(proxy, item), "back": True},
        )  # fmt: skip
    return True


def _units(data: dict[str, Any]) -> list[str]:
    return [str(row[2]) for row in data["carried"]]
