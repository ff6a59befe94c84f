"""Putting back what was refused, from the ledger, and keeping what the agent made of it on a staging branch."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from firewall.agents import obstacles
from firewall.errors import StetError, StorageError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk, staging

if TYPE_CHECKING:
    from firewall.agents.precaution import Put
    from firewall.agents.sweep import Item, Swept
    from firewall.agents.turns import Turn
    from firewall.writes.bench import Assessed
    from firewall.writes.proposal import WriteResult
    from firewall.writes.proxy import WriteProxy

MOST = 3
"""Findings that an agent is told of one file."""
Refused = tuple["Item", "Assessed", "WriteResult"]


class NotPutBack(StetError):
    """A refused change that still stands, since the file could not be written."""

    code = "not-put-back"
    template = "{path} could not be put back, so the refused version stands: {reason}."
    next_step = "See that it and its folder may be written and that there is space; the next look puts it back."


class Restored(NamedTuple):
    """What came of putting files back: each with what was done to it (a fate) and where what stood in its place is
    now; the names of those that changed again meanwhile; and the first that could not be written."""

    done: list[tuple[Refused, str, str]]
    late: list[str]
    failed: NotPutBack | None = None


def restore(proxy: WriteProxy, refused: Sequence[Refused], there: Mapping[str, Put] | None = None) -> Restored:
    """Put each file back. One that cannot be written keeps no other from it.

    The bytes replaced are those that were judged; the ledger keeps them first, those of a latched file too. `there`
    are back already. The locks are held.
    """
    _save(proxy, [item for item, _, _ in refused])
    _sweep_up([proxy.root / item.path for item, _, _ in refused])
    before = there or {}
    done: list[tuple[Refused, str, str]] = []
    late: list[str] = []
    failed: NotPutBack | None = None
    for one in refused:
        item = one[0]
        try:
            aside: list[str] = list(before[item.path].aside) if item.path in before else []
            fate = "restored" if item.path in before else _restore(proxy, item, aside)
            done.append((one, fate, ", ".join(os.path.relpath(path, proxy.root) for path in aside if path)))
        except StorageError as error:
            failed = failed or NotPutBack(path=item.path, reason=error.fields.get("reason") or error.message)
        except disk.Replaced:
            late += [name for name in (item.path, item.moved_to) if name]
    return Restored(done, late, failed)


def at_once(proxy: WriteProxy, item: Item) -> tuple[str, ...] | None:
    """Put one file back before it is judged with others; where what stood in its place is. None where it changed again
    or cannot be written. The lock is held."""
    _save(proxy, [item])
    aside: list[str] = []
    try:
        _restore(proxy, item, aside)
    except (StorageError, disk.Replaced):
        return None
    return tuple(aside)


def _save(proxy: WriteProxy, items: Sequence[Item]) -> None:
    with proxy.ledger.transaction():
        for item in items:
            if item.reading is not None and item.reading.data is not None:
                proxy.ledger.save(item.reading.sha256, item.reading.data)


def _sweep_up(paths: Sequence[Path]) -> None:
    """Take away what a process left that was ended while it put these back. Their locks are held."""
    for folder in {path.parent for path in paths}:
        try:
            names = [path.name for path in folder.iterdir()]
        except OSError:
            continue  # gone with what was in it
        if any(name.startswith(disk.TEMP_PREFIX) and name.endswith(".tmp") for name in names):
            for path in (path for path in paths if path.parent == folder):
                for leftover in disk.leftovers(path):
                    with contextlib.suppress(OSError):
                        leftover.unlink()


def _restore(proxy: WriteProxy, item: Item, aside: list[str]) -> str:
    path = proxy.root / item.path
    before = proxy.ledger.load(item.artifact.disk) if item.artifact else None
    if item.moved_to:
        assert item.reading is not None
        aside += obstacles.clear_above(path, proxy.root)
        disk.create_folders(path)
        disk.rename(proxy.root / item.moved_to, path, item.reading)
        return "restored"
    if before is None:
        assert item.reading is not None
        disk.remove(path, item.reading)
        return "removed"
    now = item.reading
    if now is None:
        aside.append(obstacles.clear(path))
        now = disk.MISSING
    if now.data is None:
        aside += obstacles.clear_above(path, proxy.root)
    made = disk.create_folders(path)
    _make_writable(path.parent)
    try:
        disk.replace(path, before, now)
    except BaseException:
        disk.remove_folders(made)
        raise
    return "restored"


def _make_writable(folder: Path) -> None:
    """A folder of ours that was closed to writing holds up no putting back."""
    if not os.access(folder, os.W_OK | os.X_OK):
        with contextlib.suppress(OSError):
            folder.chmod(folder.stat().st_mode | 0o300)


def staged(proxy: WriteProxy, back: Sequence[tuple[Refused, str, str]]) -> list[Swept]:
    """What is said of each file that was put back. The agent's versions go to one branch; those of files that
    tripped have one already."""
    from firewall.agents import in_index, unmerged
    from firewall.agents.sweep import Swept

    changes = [
        staging.Change(
            item.moved_to or item.path, a.reading.data, item.data, executable=bool(item.reading.mode & 0o100)
        )
        for (item, a, result), _, _ in back
        if item.data is not None and item.reading is not None and result.alert is None and not item.moved_to
    ]
    branch = _stage(proxy, changes) if changes else ""
    named = {change.path for change in changes}
    in_git = in_index.has(proxy, [item for (item, _, _), _, _ in back if not item.moved_to])
    cut_off = unmerged.cut_off(proxy, [item for (item, _, _), _, _ in back if not item.moved_to])
    out = []
    for (item, _, result), fate, aside in back:
        alert = result.alert
        at = alert.staged.branch if alert else branch if item.path in named else ""
        at = f"on the branch {at}" if at else ""
        message = _message(item, fate, result, at or kept_at(proxy, item), aside)
        if item.path in in_git:
            message += (
                f" Git's index still has it: {in_index.taken_out(item.path)} takes it out, before anybody commits it."
            )
        if item.path in cut_off:
            message += unmerged.again(item.path)
        out.append(Swept(item.path, fate, result, message))
    return out


def _stage(proxy: WriteProxy, changes: list[staging.Change]) -> str:
    origin = proxy.origin()
    name = staging.put_back_name(origin.at)
    what = changes[0].path if len(changes) == 1 else f"{len(changes)} files"
    said = staging.stage(proxy.root, changes, name, f"{what} (put back)", f"Session {origin.session or '-'}")
    return said.branch


def kept_at(proxy: WriteProxy, item: Item) -> str:
    """Where the store keeps what was put back, as words with the command that brings it again."""
    from firewall.writes.alerts import quoted

    rows = proxy.ledger.query(
        "SELECT j.seq FROM journal j JOIN artifacts a ON a.id=j.artifact WHERE a.root=? AND a.path=? AND j.new=?"
        " ORDER BY j.seq DESC LIMIT 1",
        (proxy.ledger.root_id, item.path, item.reading.sha256 if item.reading else ""),
    )
    number = f": a person brings it back with `stet restore {quoted(item.path)} --to {rows[0][0]}`" if rows else ""
    return f"in Stet's store{number}"


def waiting(proxy: WriteProxy, turn: Turn, refused: Sequence[Refused]) -> list[Refused]:
    """Under a watch what is put back waits for a person, and does so before: one that is ended in between has offered
    it. The bytes are in the ledger by then."""
    from firewall.agents import standing

    if turn.session != standing.SESSION:
        return list(refused)
    from firewall.writes import holding

    _save(proxy, [item for item, _, _ in refused])
    return [
        (item, a, result if result.held or result.alert else result._replace(held=holding.offer(proxy, result)))
        for item, a, result in refused
    ]


def offered(proxy: WriteProxy, restored: Restored, only: Collection[str] | None = None) -> Restored:
    """Let what was put back wait for a person, whose it may be: all of it, or these paths. It is in the journal as
    well; nothing is counted."""
    from firewall.writes import holding

    done = []
    origin = proxy.origin()
    for (item, a, result), fate, aside in restored.done:
        if only is not None and item.path not in only:
            done.append(((item, a, result), fate, aside))
            continue
        held = holding.offer(proxy, result)
        if item.artifact and not item.moved_to:
            with proxy.ledger.transaction():
                proxy.ledger.append(
                    "put-back", origin.at, artifact=item.artifact.id, old=item.artifact.disk, new=result.sha256,
                    session=origin.session, source=origin.source,
                    data={"findings": [f.to_json() for f in result.verdict.findings], "case": held},
                )  # fmt: skip
        done.append(((item, a, result._replace(held=held)), fate, aside))
    return restored._replace(done=done)


def _message(item: Item, fate: str, result: WriteResult, where: str, aside: str) -> str:
    """For the agent: what is true now, why, and where its version is."""
    worst = [f for f in result.verdict.findings if f.outcome >= result.verdict.outcome]
    findings = [f.message for f in worst[:MOST]]
    what = {
        "restored": f"{item.path} was put back as it was before",
        "removed": f"{item.path} was new and is taken away again",
    }[fate]
    if item.moved_to:
        what = f"{item.path} has its old name back (it was moved to {item.moved_to})"
    kept = ""
    if item.data is not None:
        kept = f" Your version is kept {where}."
    if aside:
        kept += f" What stood in its place is {aside} now."
    waits = f" It waits for a person as {result.held}." if result.held else ""
    return f"{what}: {' '.join(findings)}{kept}{waits}"
