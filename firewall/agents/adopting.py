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
    from firewall.agents.turns import Turn
    from firewall.writes.proxy import WriteProxy

TICK_NS = 100_000_000
"""Times of two files that were written one after the other may be the wrong way round by so much."""
_MARKS = (
    "baseline", "baseline_at", "mark", "high", "disk_words", "mark_words", "mark_kept", "high_words", "high_kept",
    "base_words", "base_kept", "mark_away", "high_away", "accepted", "grown",
)  # fmt: skip


def brought(proxy: WriteProxy, turn: Turn, items: list[Item]) -> set[str]:
    """The paths of the items that git brought; their bytes are the baseline now. A latched file is not changed so.
    The locks are held."""
    asked = [i for i in items if i.reading is not None and not (i.artifact and is_latched(i.artifact, proxy.limits))]
    asked = _after_git(proxy, turn, asked)
    if not asked:
        return set()
    done = {item.path for item in asked if _came_back(proxy, turn, item)}
    from firewall.agents import provenance

    changes = [
        provenance.Change(i.path, proxy.ledger.load(i.artifact.disk) if i.artifact else None, i.data, i.artifact)
        for i in asked
        if i.path not in done
    ]
    passed = provenance.brought(proxy, turn, changes)
    came = [item for item in asked if item.path in passed]
    seen = [(i.path, i.artifact.disk if i.artifact else "", i.reading) for i in came if i.reading is not None]
    notes = {item.path: {"by": "git", **_before(proxy, item)} for item in came}
    return done | set(observe.adopt_changes(proxy.ledger, seen, proxy.origin(), notes) if seen else ())


def _after_git(proxy: WriteProxy, turn: Turn, items: list[Item]) -> list[Item]:
    """Those that git may have written: it writes its index after the files. Spares an honest edit all questions."""
    index = _index(proxy.root)
    if index is None or not turn.refs:
        return []
    try:
        written = os.lstat(index).st_mtime_ns
    except OSError:
        return []
    opened = turn.opened_at * 1e9 if math.isfinite(turn.opened_at) else 0.0  # a watch has no beginning
    out = []
    for item in items:
        at = item.reading.identity[3] if item.reading and item.data is not None else opened
        if written >= at - TICK_NS:
            out.append(item)
    return out


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
    """The marks of a file that git replaces, should it bring the same bytes back (a stash, another branch)."""
    if item.artifact is None:
        return {}
    rows = proxy.ledger.query("SELECT holder, seq, units FROM carried WHERE origin=?", (item.artifact.id,))
    return {**{name: getattr(item.artifact, name) for name in _MARKS}, "carried": [list(row) for row in rows]}


def _came_back(proxy: WriteProxy, turn: Turn, item: Item) -> bool:
    """Are these the very bytes that git took away last, in this turn? Then the marks are as they were."""
    if item.artifact is None or item.reading is None:
        return False
    ledger = proxy.ledger
    rows = ledger.query(
        "SELECT old, new, at, data FROM journal WHERE artifact=? AND kind='outside' ORDER BY seq DESC LIMIT 1",
        (item.artifact.id,),
    )
    if not rows or (rows[0][0], rows[0][1]) != (item.reading.sha256, item.artifact.disk) or rows[0][2] < turn.opened_at:
        return False
    data: dict[str, Any] = json.loads(rows[0][3])
    if data.get("by") != "git" or any(name not in data for name in _MARKS) or ledger.intents(item.artifact.id):
        return False
    try:
        for sha in (*(data[n] for n in ("baseline", "mark", "high", "mark_away", "high_away")), *_units(data)):
            ledger.load(str(sha))
    except StetError:
        return False  # `stet gc` let it go
    origin = proxy.origin()
    with ledger.transaction():
        ledger.set_state(item.artifact.id, disk=item.reading.sha256, **{name: data[name] for name in _MARKS})
        for holder, seq, units in data["carried"]:
            ledger.change(
                "INSERT OR REPLACE INTO carried VALUES (?, ?, ?, ?)", (item.artifact.id, int(holder), int(seq), units)
            )
        ledger.append(
            "outside", origin.at, artifact=item.artifact.id, old=item.artifact.disk, new=item.reading.sha256,
            session=origin.session, source=origin.source, data={"by": "git", "back": True},
        )  # fmt: skip
    return True


def _units(data: dict[str, Any]) -> list[str]:
    return [str(row[2]) for row in data["carried"]]
