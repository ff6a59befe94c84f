"""Committing a judged proposal, and finishing or undoing what a killed process left (invariants 2 to 5)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from firewall.errors import Busy, StetError, StorageError
from firewall.writes import disk
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.lock import FileLock, lock_name
from firewall.writes.records import Artifact, Intent


class NotRecorded(StorageError):
    """The artifact is written and synced; only its outcome is not in the ledger yet."""

    code = "not-recorded"
    template = "{path} is written, but the outcome could not be put into Stet's record: {reason}."
    next_step = (
        "Free the space or fix the permission. The record is finished when Stet next looks at the file."
    )


class Origin(NamedTuple):
    """Who asks, and when: the session, the source (cli, hook, run …) and seconds since 1970 UTC."""

    session: str
    source: str
    at: float


class Plan(NamedTuple):
    """What a commit will do: the new bytes (None: delete), the mark afterwards, and what to note.

    `renews` makes the new bytes the baseline: a person stands behind them.
    """

    data: bytes | None
    mark: str
    kind: str
    note: Mapping[str, object]
    renews: bool = False


def commit(ledger: Ledger, artifact: Artifact, path: Path, old: Reading, plan: Plan, origin: Origin) -> str:
    """Make it so; returns the sha256 now on disk. On disk.Replaced or StorageError the old bytes stand.

    Where they do not (disk.NotSynced, NotRecorded, an interrupt), the intent stays for `settle` to answer.
    """
    new = "" if plan.data is None else disk.sha256(plan.data)
    with ledger.transaction():
        if old.data is not None:
            ledger.save(old.sha256, old.data)
        if plan.data is not None:
            ledger.save(new, plan.data)
        seq = ledger.append(
            "intent",
            origin.at,
            artifact=artifact.id,
            old=old.sha256,
            new=new,
            session=origin.session,
            source=origin.source,
        )
        intent = ledger.begin(artifact.id, old.sha256, new, plan.mark, seq)
    made: list[Path] = []
    try:
        if plan.data is None:
            disk.remove(path, old)
        else:
            made = disk.create_folders(path)
            disk.replace(path, plan.data, old)
    except BaseException as error:
        disk.remove_folders(made)
        if isinstance(error, (StetError, disk.Replaced)):
            _settle_failure(ledger, artifact, path, intent, seq, new, error, origin)
        raise
    try:
        with ledger.transaction(durable=False):
            _record(ledger, artifact.id, intent, old.sha256, new, plan, origin)
    except StetError as error:
        reason = error.fields.get("reason", error.message)
        raise NotRecorded(path=artifact.path, reason=reason) from None
    return new


def _settle_failure(
    ledger: Ledger,
    artifact: Artifact,
    path: Path,
    intent: int,
    seq: int,
    new: str,
    error: Exception,
    origin: Origin,
) -> None:
    """Close the intent where the disk surely holds what it held; else leave it to the next start."""
    with contextlib.suppress(StetError):
        if disk.read(path).sha256 == new:
            return
        with ledger.transaction(durable=False):
            ledger.end(intent)
            ledger.append(
                "undone",
                origin.at,
                artifact=artifact.id,
                session=origin.session,
                source=origin.source,
                data={"intent": seq, "why": str(error) or "changed meanwhile"},
            )


def _record(
    ledger: Ledger, artifact: int, intent: int, old: str, new: str, plan: Plan, origin: Origin
) -> None:
    ledger.append(
        plan.kind,
        origin.at,
        artifact=artifact,
        old=old,
        new=new,
        session=origin.session,
        source=origin.source,
        data=plan.note,
    )
    values: dict[str, object] = {"disk": new, "mark": plan.mark, "attempts": 0}
    if plan.renews:
        values |= {"baseline": new, "baseline_at": origin.at, "mark": new}
    ledger.set_state(artifact, **values)
    ledger.end(intent)


def recover(ledger: Ledger, root: Path, lock_folder: Path, origin: Origin) -> list[str]:
    """Finish or undo commits without an outcome. Returns one line for each, for the log.

    An intent whose artifact is locked belongs to a living process and is left alone.
    """
    said = []
    for intent in ledger.intents():
        try:
            with FileLock(lock_folder / lock_name(root, intent.path), 0.0, intent.path):
                if not any(i.id == intent.id for i in ledger.intents()):
                    continue
                said.append(_recover_one(ledger, root, intent, origin))
        except Busy:
            continue
        except StorageError as error:
            said.append(f"{intent.path}: {error.message}")
    return said


def _recover_one(ledger: Ledger, root: Path, intent: Intent, origin: Origin) -> str:
    return settle(ledger, intent, disk.read(root / intent.path), origin)


def settle(ledger: Ledger, intent: Intent, now: Reading, origin: Origin) -> str:
    """Give an intent the outcome that the disk shows. Hold the artifact's lock: its writer is dead then.

    Returns what was found, in one line.
    """
    artifact, name = intent.artifact, intent.path
    for leftover in disk.leftovers(ledger.root / name):
        with contextlib.suppress(OSError):
            leftover.unlink()
    with ledger.transaction():
        if now.sha256 == intent.new:
            note = {"recovered": True, "intent": intent.journal}
            data = now.data
            plan = Plan(data, intent.mark, "commit" if data is not None else "delete", note)
            _record(ledger, artifact, intent.id, intent.old, intent.new, plan, origin)
            return f"{name}: a commit cut short had reached the disk and is recorded now."
        ledger.end(intent.id)
        ledger.append(
            "undone",
            origin.at,
            artifact=artifact,
            session=origin.session,
            source=origin.source,
            data={"intent": intent.journal, "why": "the process ended before the replace"},
        )
    return f"{name}: a commit cut short had not reached the disk; the old bytes stand."
