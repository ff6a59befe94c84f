"""What is lost by itself is put back before anything long is judged: a runtime ends a hook that takes its time.

Text may move from one file to another, so the files of a command are judged together. Where they are many bytes, each
file that stood before is judged alone first, the smallest first, and what would be refused so is put back at once. If
all together passes after all, the agent's version takes its place again. A note in the ledger tells the next hook
what one that was ended had put back; a file over which two were ended is refused unread.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Collection, Mapping, Sequence

from firewall.agents import living
from firewall.digest import by_hash
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import disk, observe
from firewall.writes.proposal import WordCounts, WriteResult

if TYPE_CHECKING:
    from typing import Any

    from firewall.agents.sweep import Item, Swept
    from firewall.agents.turns import Turn
    from firewall.writes.disk import Reading
    from firewall.writes.proxy import WriteProxy

SMALL = 32_000
"""Bytes of changed files that are judged together at once: a rule that takes a minute for these was never seen."""
SECONDS = 3.0
"""How long files are judged alone; honest changes of hundreds of files do not take twice as long."""
LONG = 600.0
"""Seconds after which a note is of a process that was ended, where nobody can tell whether it lives."""
MOST_TRIES = 2
"""Hooks that were ended over the same bytes, after which these are refused unread."""


class Put(NamedTuple):
    """A file that is back for now: what stands there, where what stood in its place is, and the journal's entry that
    has the agent's version."""

    reading: Reading
    aside: tuple[str, ...]
    number: int


def first(proxy: WriteProxy, turn: Turn, items: Sequence[Item]) -> dict[str, Put]:
    """Put back what is lost by itself; by path, what was. The locks are held."""
    size = sum(len(item.data or b"") for item in items)
    if size <= SMALL or not math.isfinite(turn.opened_at):  # nobody ends a watch for its slowness
        return {}
    from firewall.agents import restoring
    from firewall.agents.judging import wanted
    from firewall.writes.assess import assess

    tries = {sha: count + 1 for sha, count in _asked(_note(proxy)).items()}
    shas = [item.reading.sha256 for item in items if item.reading is not None and item.data is not None]
    asked = {sha: tries.get(sha, 1) for sha in shas}
    _remember(proxy, {}, asked)
    out: dict[str, Put] = {}
    until = time.monotonic() + SECONDS
    for item in sorted(items, key=lambda item: len(item.data or b"")) if len(items) > 1 else ():
        known = item.artifact
        if item.moved_to or known is None or not known.disk:
            continue
        if time.monotonic() > until:
            break
        if assess(proxy.bench(), [wanted(proxy, item)])[0].verdict.allowed:
            continue
        done = restoring.at_once(proxy, item)
        if done is None:
            continue  # it changed again; the next look finds it
        reading = disk.read(proxy.root / item.path, proxy.limits.max_bytes)
        out[item.path] = Put(reading, done, _journal(proxy, item))
        _remember(proxy, {path: one.number for path, one in out.items()}, asked)
    return out


def _journal(proxy: WriteProxy, item: Item) -> int:
    """An entry by which the agent's version can be had again, whatever becomes of this process."""
    origin = proxy.origin()
    assert item.artifact is not None
    with proxy.ledger.transaction():
        return proxy.ledger.append(
            "put-back", origin.at, artifact=item.artifact.id, old=item.artifact.disk,
            new=item.reading.sha256 if item.reading and item.data is not None else "", session=origin.session,
            source=origin.source, data={"first": True},
        )  # fmt: skip


def stand(proxy: WriteProxy, items: Sequence[Item], put: dict[str, Put]) -> None:
    """Give these the agent's version again: together they pass. Raises disk.Replaced, StorageError."""
    for item in items:
        now = put.get(item.path)
        if now is None:
            continue
        path = proxy.root / item.path
        if item.data is None:
            disk.remove(path, now.reading)
        else:
            disk.replace(path, item.data, now.reading)
        del put[item.path]


def stayed(items: Sequence[Item], put: Mapping[str, Put]) -> list[Swept]:
    """What is said of files that should have got the agent's version again, and did not: somebody else changed one."""
    return [_said(item.path, put[item.path].number) for item in items if item.path in put]


def end(proxy: WriteProxy) -> None:
    """All of it was judged."""
    if _note(proxy, own=True):
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.change("DELETE FROM meta WHERE key=?", (_key(proxy),))


# -- what a process left that was ended ------------------------------------------------------------------------


def left(proxy: WriteProxy) -> list[Swept]:
    """What a hook had put back that was ended before it could say so. Told of once."""
    note = _note(proxy)
    if not note or not note["back"]:
        return []
    _remember(proxy, {}, note["asked"], note)
    return [_said(path, number) for path, number in sorted(note["back"].items())]


def _said(path: str, number: int) -> Swept:
    from firewall.agents.sweep import RESTORED, Swept
    from firewall.writes.alerts import quoted

    said = (
        f"{path} was put back as it was before: Stet could not end judging it with the files that changed with it."
        f" What you wrote is kept: a person brings it back with `stet restore {quoted(path)} --to {number}`."
    )
    return Swept(path, RESTORED, None, said)


def endless(proxy: WriteProxy, items: Sequence[Item]) -> Collection[str]:
    """The paths of files with bytes over which too many hooks were ended."""
    bad = {sha for sha, count in _asked(_note(proxy)).items() if count >= MOST_TRIES}
    # One file may be to blame for all that were judged with it: the largest is, and those behind it next time.
    some = [i for i in items if i.reading is not None and i.data is not None and i.reading.sha256 in bad]
    return {max(some, key=lambda item: (len(item.data or b""), item.path)).path} if some else set()


def refused(proxy: WriteProxy, item: Item) -> Swept:
    """Refuse a file unread: a new one stays and is told of, one that was there is put back. The locks are held."""
    from firewall.agents import left as staying
    from firewall.agents import restoring
    from firewall.agents.sweep import RESTORED, Swept

    message = f"{item.path}: it was not judged in the time that a hook has, {MOST_TRIES} times. Split it."
    finding = Finding("check-broken", Outcome.BLOCK, message, {"bytes": len(item.data or b"")})
    window = proxy.limits.window_days
    artifact = observe.look(proxy.ledger, item.path, disk.MISSING, window, proxy.origin(), judged=True).artifact
    sha = item.reading.sha256 if item.reading else ""
    attempts = max(0, proxy.limits.attempts - artifact.attempts)
    counts = WordCounts(artifact.disk_words, 0, artifact.mark_words)
    verdict = judge([finding], [finding.rule])
    result = WriteResult(item.path, verdict, False, False, artifact.attempts, attempts, counts, None, by_hash(sha))
    if not artifact.disk:
        return staying.note(proxy, item, artifact, result)
    restoring.at_once(proxy, item)
    number = _journal(proxy, item._replace(artifact=artifact))
    said = f"{message} It was put back as it was before; `stet show {number} --content` prints what you wrote."
    return Swept(item.path, RESTORED, result, said)


# -- the note --------------------------------------------------------------------------------------------------


def _key(proxy: WriteProxy) -> str:
    return f"precaution-{proxy.ledger.root_id}"


def _asked(note: Mapping[str, Any]) -> dict[str, int]:
    return dict(note.get("asked", {}))


def _note(proxy: WriteProxy, *, own: bool = False) -> dict[str, Any]:
    """The note of a process that was ended (with `own`, whoever's it is); {} for none."""
    text = proxy.ledger.meta(_key(proxy))
    if not text:
        return {}
    note: dict[str, Any] = json.loads(text)
    gone = living.is_gone(str(note["by"])) or proxy.origin().at - float(note["at"]) > LONG
    return note if own or gone else {}


def _remember(
    proxy: WriteProxy, back: Mapping[str, int], asked: Mapping[str, int], before: Mapping[str, Any] | None = None
) -> None:
    """Write it anew; `before` keeps whose it is."""
    by = before["by"] if before else living.mark(os.getpid())
    at = before["at"] if before else proxy.origin().at
    text = json.dumps({"by": by, "at": at, "back": dict(back), "asked": dict(asked)})
    with proxy.ledger.transaction():
        proxy.ledger.set_meta(_key(proxy), text)
