"""Committing judged proposals, and finishing or undoing what a killed process left (invariants 2 to 5).

The old bytes and the intent are durable before the first replace; the outcome is written without a sync of
its own, since an intent without one is answered from what the disk shows. Steps of one change set stand or
fall together: a failure puts the steps before it back.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from firewall.errors import Busy, StetError, StorageError
from firewall.text.shown import came
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import claims, disk, moves
from firewall.writes.asking import Origin
from firewall.writes.claims import Claims
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.lock import FileLock, lock_path
from firewall.writes.prose import text_of
from firewall.writes.records import Artifact, Intent

if TYPE_CHECKING:
    from typing import Any


class Step(NamedTuple):
    """One file's part of a commit.

    `data` is the new bytes, None for a delete; with `target` the file keeps its bytes and gets that name below
    the project. `after` are the artifact's columns once it is done. `carried` says anew, by id of the artifact it
    came from, who holds text of whom: (holder, sha of the units, journal entry or 0 for this commit's). `blobs`
    are further bytes that these name. `relied` are other artifacts, by id, with the hash that was judged; `claims`
    what the commit takes with it. `there`: somebody has done it to the disk already; it is only recorded. `stands`: the
    bytes that are nobody's version and stand where a new file goes; they give way to it and to nothing else.
    """

    artifact: Artifact
    path: Path
    old: Reading
    data: bytes | None
    kind: str
    after: Mapping[str, object]
    note: Mapping[str, object]
    target: str = ""
    carried: Mapping[int, Sequence[tuple[int, str, int]]] = {}
    blobs: tuple[bytes, ...] = ()
    relied: Mapping[int, str] = {}
    claims: Claims = Claims()
    there: bool = False
    stands: Reading | None = None

    @property
    def place(self) -> Reading:
        """What the disk holds before."""
        return self.stands or self.old

    @property
    def new_sha(self) -> str:
        """The sha256 on disk afterwards, '' for a delete."""
        if self.target:
            return self.old.sha256
        return "" if self.data is None else disk.sha256(self.data)


def commit(ledger: Ledger, steps: Sequence[Step], origin: Origin) -> None:
    """Make it so, all of it. On disk.Replaced or StorageError the old bytes stand, of every step; on
    claims.LateAnswer nothing was begun.

    Where that is not sure (disk.NotSynced, an interrupt), the intents stay for `settle_set` to answer.
    """
    change_set = os.urandom(6).hex()
    intents = []
    plans = []
    with ledger.transaction():
        _still_stand(ledger, steps)
        for step in steps:
            plans.append(_plan(step, origin, claims.take(ledger, step.claims, origin.at)))
            for data in (step.old.data, step.data, *step.blobs):
                if data is not None:
                    ledger.save(disk.sha256(data), data)
            intents.append(
                ledger.begin(
                    step.artifact.id,
                    change_set,
                    step.old.sha256,
                    step.new_sha,
                    plans[-1],
                    step.target,
                )
            )
    done: list[Step] = []
    made: list[Path] = []
    try:
        for step in steps:
            made += _apply(ledger.root, step)
            done.append(step)
    except BaseException as error:
        if isinstance(error, (StetError, disk.Replaced)) and not isinstance(error, disk.NotSynced):
            _put_back(ledger, done)
        disk.remove_folders(made)
        if isinstance(error, (StetError, disk.Replaced)):
            _close_failed(ledger, steps, plans, intents, error, origin)
        raise
    # The files are changed and safe. Where the outcome cannot be noted (a full disk), the intents stay, and the
    # next look at the artifacts notes it: to report a failure now would be untrue.
    with contextlib.suppress(StetError), ledger.transaction(durable=False):
        for step, plan, intent in zip(steps, plans, intents, strict=True):
            _record(ledger, step.artifact.id, step.old.sha256, step.new_sha, plan, origin, step)
            ledger.end(intent)


def _still_stand(ledger: Ledger, steps: Sequence[Step]) -> None:
    """Are the artifacts that the verdict relied on still what was judged? Raises disk.Replaced. Their locks are
    not held: that no commit of theirs is under way, and none has ended, is seen here, in the transaction."""
    ours = {step.artifact.id for step in steps}
    relied = {ident: sha for step in steps for ident, sha in step.relied.items() if ident not in ours}
    for ident, sha in relied.items():
        rows = ledger.query(
            "SELECT disk, (SELECT count(*) FROM intents WHERE artifact=a.id) FROM artifacts a WHERE id=?", (ident,)
        )
        if rows != [(sha, 0)]:
            raise disk.Replaced


def _plan(step: Step, origin: Origin, taken: Mapping[str, Any]) -> dict[str, Any]:
    """What `_record` needs, as JSON values, so that a later process can do it as well."""
    return {
        "kind": step.kind,
        "columns": dict(step.after),
        "carried": {str(k): [list(row) for row in rows] for k, rows in step.carried.items()},
        "note": dict(step.note),
        "session": origin.session,
        "source": origin.source,
        "target": step.target,
        "claims": dict(taken),
        "there": step.there,
    }


def _apply(root: Path, step: Step) -> list[Path]:
    """Change the disk; returns the folders made."""
    if step.there:
        if not _is_there(root, step):
            raise disk.Replaced
        return []
    if step.target:
        target = root / step.target
        made = disk.create_folders(target)
        disk.rename(step.path, target, step.old)
        return made
    if step.data is None:
        disk.remove(step.path, step.old)
        return []
    made = disk.create_folders(step.path)
    try:
        disk.replace(step.path, step.data, step.place)
    except BaseException:
        disk.remove_folders(made)
        raise
    return made


def _is_there(root: Path, step: Step) -> bool:
    """Does the disk hold what somebody else is said to have done?"""
    if step.target and _sha_there(step.path) and not _is_same(step.path, root / step.target):
        return False
    return _sha_there(root / step.target if step.target else step.path) == step.new_sha


def _is_same(path: Path, other: Path) -> bool:
    """Do two names lead to one file, where a file system knows no upper and lower case?"""
    try:
        return path.name.casefold() == other.name.casefold() and path.samefile(other)
    except OSError:
        return False


def _sha_there(path: Path) -> str:
    """The hash of the file at `path`; '' where there is none, or something else stands in its place or on the way."""
    if os.path.realpath(path.parent) != str(path.parent):
        return ""
    try:
        return disk.read(path).sha256
    except StorageError:
        return ""


def _put_back(ledger: Ledger, done: Sequence[Step]) -> None:
    """Undo the steps before a failed one, the last first. What cannot be put back keeps its intent."""
    for step in reversed(done):
        if step.there:
            continue
        with contextlib.suppress(StetError, disk.Replaced):
            if step.target:
                target = ledger.root / step.target
                disk.rename(target, step.path, disk.read(target))
            elif step.place.data is None:
                disk.remove(step.path, disk.read(step.path))
            else:
                now = disk.read(step.path)
                if now.sha256 == step.new_sha:
                    like = step.place._replace(sha256=now.sha256) if now.data is None else now
                    disk.replace(step.path, step.place.data, like)


def _close_failed(
    ledger: Ledger,
    steps: Sequence[Step],
    plans: Sequence[Mapping[str, Any]],
    intents: Sequence[int],
    error: Exception,
    origin: Origin,
) -> None:
    """Close intents where the disk surely holds what it held; leave the others to `settle`."""
    for step, plan, intent in zip(steps, plans, intents, strict=True):
        with contextlib.suppress(StetError):
            if not step.there and disk.read(step.path).sha256 != step.place.sha256:
                continue
            with ledger.transaction(durable=False):
                ledger.end(intent)
                claims.give_back(ledger, plan["claims"])
                ledger.append(
                    "undone",
                    origin.at,
                    artifact=step.artifact.id,
                    session=origin.session,
                    source=origin.source,
                    data={"why": str(error) or "the file changed meanwhile"},
                )


def _record(
    ledger: Ledger,
    artifact: int,
    old: str,
    new: str,
    plan: Mapping[str, Any],
    origin: Origin,
    step: Step | None = None,
) -> None:
    """The outcome: journal, columns, arrivals, what the session saw. Inside a transaction."""
    seq = ledger.append(
        plan["kind"],
        origin.at,
        artifact=artifact,
        old=old,
        new=new,
        session=plan["session"],
        source=plan["source"],
        data=plan["note"],
    )
    if plan["target"]:
        ledger.rename(artifact, plan["target"], origin.at)
    columns = dict(plan["columns"])
    if columns.pop("answers", False):
        columns["answered"] = seq
    if "baseline_at" in columns:  # a new file, or a person's yes: nobody holds text of it
        columns |= {"mark_away": "", "high_away": ""} | ({"accepted": seq} if old else {})
        moves.record_carried(ledger, artifact, (), seq)
    ledger.set_state(artifact, disk=new, **columns)
    for ident, rows in plan["carried"].items():
        moves.record_carried(ledger, int(ident), [(int(r[0]), str(r[1]), int(r[2])) for r in rows], seq)
    if plan["session"]:
        saw(ledger, plan["session"], artifact, new, origin.at)
    if plan["target"] or not new:
        return
    path = step.artifact.path if step else _path(ledger, artifact)
    before = step.old.data if step else ledger.load(old)
    after = step.data if step else ledger.load(new)
    added = came(path, text_of(path, before), text_of(path, after))
    moves.record_arrivals(ledger, artifact, added, origin.at)


def saw(ledger: Ledger, session: str, artifact: int, sha: str, at: float) -> None:
    """Remember what a session last read or wrote of an artifact. Inside a transaction."""
    ledger.change(
        "INSERT INTO seen VALUES (?, ?, ?, ?)"
        " ON CONFLICT (session, artifact) DO UPDATE SET sha=excluded.sha, at=excluded.at",
        (session, artifact, sha, at),
    )


def _path(ledger: Ledger, artifact: int) -> str:
    return str(ledger.query("SELECT path FROM artifacts WHERE id=?", (artifact,))[0][0])


# -- after a crash ---------------------------------------------------------------------------------------


def recover(ledger: Ledger, origin: Origin) -> list[str]:
    """Finish or undo commits without an outcome. Returns one line for each, for the log.

    A change set of which only a part reached the disk is put back whole. An intent whose artifact is locked
    belongs to a living process and is left alone.
    """
    said: list[str] = []
    for change_set in dict.fromkeys(i.change_set for i in ledger.intents()):
        intents = [i for i in ledger.intents() if i.change_set == change_set]
        names = sorted({n for i in intents for n in (i.path, i.target) if n})
        try:
            with contextlib.ExitStack() as stack:
                for name in names:
                    stack.enter_context(FileLock(lock_path(ledger.folder, ledger.root, name), 0.0, name))
                intents = [i for i in ledger.intents() if i.change_set == change_set]
                said += settle_set(ledger, intents, origin)
        except Busy:
            continue
        except StorageError as error:
            said.append(error.message)
    return said


def settle_set(ledger: Ledger, intents: Sequence[Intent], origin: Origin) -> list[str]:
    """Give the intents of one change set their outcome. Hold the artifacts' locks: the writer is dead then."""
    for intent in intents:
        for leftover in disk.leftovers(ledger.root / intent.path):
            with contextlib.suppress(OSError):
                leftover.unlink()
    reached = [_reached(ledger.root, i) for i in intents]
    if not all(reached):
        for intent, there in zip(intents, reached, strict=True):
            if there:
                _unreach(ledger, intent)
        reached = [False] * len(intents)
    with ledger.transaction():
        return [_settle(ledger, i, there, origin) for i, there in zip(intents, reached, strict=True)]


def _settle(ledger: Ledger, intent: Intent, reached: bool, origin: Origin) -> str:
    """Record the outcome of one intent. Returns what was found, in one line. Inside a transaction."""
    ledger.end(intent.id)
    plan = json.loads(intent.after)
    if reached:
        plan["note"] = {**plan["note"], "recovered": True}
        _record(ledger, intent.artifact, intent.old, intent.new, plan, origin)
        return f"{intent.path}: a commit cut short had reached the disk and is recorded now."
    claims.give_back(ledger, plan.get("claims", {}))
    ledger.append(
        "undone",
        origin.at,
        artifact=intent.artifact,
        session=origin.session,
        source=origin.source,
        data={"why": "the process ended before the replace"},
    )
    return f"{intent.path}: a commit cut short had not reached the disk; the old bytes stand."


def _reached(root: Path, intent: Intent) -> bool:
    if intent.target:
        return disk.read(root / intent.target).sha256 == intent.old and disk.read(root / intent.path).data is None
    return disk.read(root / intent.path).sha256 == intent.new


def _unreach(ledger: Ledger, intent: Intent) -> None:
    """Put one step of a broken change set back; what somebody else did to the disk is looked at anew instead."""
    if json.loads(intent.after).get("there"):
        return
    path = ledger.root / intent.path
    if intent.target:
        target = ledger.root / intent.target
        disk.rename(target, path, disk.read(target))
        return
    now = disk.read(path)
    old = ledger.load(intent.old)
    if old is None:
        disk.remove(path, now)
    else:
        disk.replace(path, old, now)
