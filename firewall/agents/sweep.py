"""Judging what is on the disk already: what an agent's shell, script or git did to guarded files.

While a turn is open, all files that are not as the ledger knows them are judged together, as one change set of
whole-file writes. What git brings (provenance.py) passes. Of the rest, those that the rules refuse are put back at
once, from the ledger and only over the bytes that were judged; the others are judged again without them, and
recorded like any commit if they pass. Between turns everything is a person's.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents import manifest, reach, turns
from firewall.agents.manifest import Changes
from firewall.agents.turns import Turn
from firewall.errors import Busy, StorageError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk
from firewall.writes.disk import Reading
from firewall.writes.proposal import WriteResult
from firewall.writes.records import Artifact

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

ROUNDS = 4
"""How often files that change while they are looked at are looked at anew; the next look finds the rest."""
MANY_NEW = 500
"""New files that are still judged together with those that changed, so that text may move from these to those."""
AT_ONCE = 2000
"""Files adopted in one transaction."""

ACCEPTED, RESTORED, REMOVED, ADOPTED, PUT_BACK = "accepted", "restored", "removed", "adopted", "put-back"
LEFT, DROPPED = "left", "dropped"


class Swept(NamedTuple):
    """What became of one file.

    `fate`: accepted (judged and recorded; the file is as the agent left it), restored (refused or held; the file is
    as it was), left (a new file that was refused, and stays), removed (one that a person turned away before), adopted
    (a person's, or git brought it), put-back (a settings or policy file), dropped (git took it away before and keeps it
    no more: it waits for a person). `message` is for the agent; '' where there is nothing to say.
    """

    path: str
    fate: str
    result: WriteResult | None
    message: str

    @property
    def refused(self) -> bool:
        """Was the disk changed back?"""
        return self.fate in (RESTORED, REMOVED, PUT_BACK)


class Item(NamedTuple):
    """A file that is not as the ledger knows it. `reading` is what is there, None for something that is no readable
    file; `moved_to` is the new name of a file that was renamed, and then `reading` is of that."""

    path: str
    artifact: Artifact | None
    reading: Reading | None
    moved_to: str = ""

    @property
    def data(self) -> bytes | None:
        """The bytes there, None for no file."""
        return self.reading.data if self.reading else None


def sweep(
    proxy: WriteProxy,
    turn: Turn | None,
    session: str,  # noqa: ARG001 - the proxy knows it too
    *,
    settings: bool = True,
    counted: bool = True,
) -> list[Swept]:
    """Look at all guarded files and deal with those that changed; by path. Without a turn they are adopted.

    Policy and settings files are left alone without `settings`: `stet watch` sees to them itself. Without `counted`
    what is put back is no attempt of anybody's and waits for a person: it may well be theirs.

    Raises StateBroken, StorageError, NotPutBack and Busy where it cannot be done: then nobody knows what is on
    the disk.
    """
    from firewall.agents import seal

    seal.check(proxy)
    before = _interrupted(proxy)
    out = _swept(proxy, turn, manifest.look(proxy), settings=settings, counted=counted)
    out += [one for one in before if one.path not in {s.path for s in out}]
    out += _dropped(proxy, turn)
    seal.seal(proxy)
    return out


def _interrupted(proxy: WriteProxy) -> list[Swept]:
    """What a hook put back that was ended before it was done."""
    if not proxy.ledger.meta(f"precaution-{proxy.ledger.root_id}"):
        return []
    from firewall.agents import precaution

    return precaution.left(proxy)


def _dropped(proxy: WriteProxy, turn: Turn | None) -> list[Swept]:
    """What git took from the work tree in an agent's hands, and keeps no more."""
    if not proxy.ledger.meta(f"taken-{proxy.ledger.root_id}"):
        return []
    from firewall.agents import dropped

    return dropped.between(proxy) if turn is None else dropped.look(proxy)


def _swept(proxy: WriteProxy, turn: Turn | None, changes: Changes, *, settings: bool, counted: bool) -> list[Swept]:
    if turn is not None and not changes:
        return []
    from firewall.agents import settings_sweep, worktrees

    worktrees.note(proxy)
    if turn is None:
        return _adopt(proxy, changes)
    out = settings_sweep.put_back(proxy, changes) if settings else []
    if changes.closed:
        changes = _opened(proxy, changes)
    for some in _in_turn(changes):
        names: Sequence[str] = some
        for _ in range(ROUNDS):
            if not names:
                break
            done, names = _in_portions(proxy, turn, names, counted=counted)
            manifest.dealt_with(proxy, changes, [s.path for s in done if s.fate in (ACCEPTED, ADOPTED)])
            out += done
        if names:
            raise Busy(path=names[0], seconds=0)
    last = {s.path: s for s in out}  # a file that changed again while it was dealt with is told of once
    return sorted(last.values(), key=lambda s: s.path)


def _in_turn(changes: Changes) -> list[Sequence[str]]:
    """The files to judge together. Where a great many are new, those that stood before come first and alone: what
    was lost is put back before anything else is read, however long that takes."""
    if len(changes.new) <= MANY_NEW:
        return [changes.files]
    return [sorted({*changes.changed, *changes.missing}), changes.new]


def _in_portions(
    proxy: WriteProxy, turn: Turn, names: Sequence[str], *, counted: bool
) -> tuple[list[Swept], list[str]]:
    """Judge as many together as this process may hold locks of; where that is not all, what moved from one portion
    to another looks lost in the one, and is put back."""
    from firewall.agents import judging

    most = reach.room_for(len(names))
    out: list[Swept] = []
    again: list[str] = []
    for start in range(0, len(names), most):
        done, late = judging.judge(proxy, turn, names[start : start + most], counted=counted)
        out += done
        again += late
    return out, again


def settle(
    proxy: WriteProxy, session: str, *, counted: bool = True, command: str | None = None, at_work: bool = False
) -> list[Swept]:
    """`sweep` for whatever turn is open now; `command` is as in Turn. Where the session is known to be `at_work` though
    its turn has ended, what changed is judged all the same: it may be the agent's, or a person's, so it counts for
    nobody and waits."""
    turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
    if turn is None and at_work:
        turn = turns.ended(proxy.ledger, session)
        counted = counted and turn is None
    turn = turn and turn._replace(command=command)
    done = sweep(proxy, turn, session, counted=counted)
    if proxy.ledger.meta(f"unsaid-{proxy.ledger.root_id}"):
        from firewall.agents import unsaid

        done += [one for one in unsaid.taken(proxy) if one.path not in {s.path for s in done}]
    return done


# -- a person's ------------------------------------------------------------------------------------------------


def _adopt(proxy: WriteProxy, changes: Changes) -> list[Swept]:
    """What changed between turns is a person's. Files that cannot be read are left for the next look."""
    from firewall.agents import settings_sweep

    settings_sweep.take(proxy, changes)
    if not changes.files:
        return []
    from firewall.agents import judging, left
    from firewall.writes import observe

    names = changes.files
    done: list[str] = []
    for start in range(0, len(names), AT_ONCE):
        seen = []
        for item in judging.items(proxy, names[start : start + AT_ONCE]):
            reading = item.reading
            if reading is None and reach.no_text(proxy, item.path):
                reading = disk.MISSING  # it is a person's way to take the file out of the guard
            if reading is not None and not left.is_left(proxy, item):
                seen.append((item.path, item.artifact.disk if item.artifact else "", reading))
        done += observe.adopt_changes(proxy.ledger, seen, proxy.origin())
    manifest.dealt_with(proxy, changes, done)
    return [Swept(path, ADOPTED, None, "") for path in done]


def _opened(proxy: WriteProxy, changes: Changes) -> Changes:
    """Open folders that were closed to us, if they are ours, and look again. Raises StorageError for the others."""
    for folder in changes.closed:
        path = proxy.root / folder
        try:
            path.chmod(path.stat().st_mode | 0o700)
        except OSError as error:
            raise StorageError(action="look into", path=path, reason=error.strerror or str(error)) from None
    again = manifest.look(proxy)
    if again.closed:
        raise StorageError(action="look into", path=again.closed[0], reason="nobody may list it")
    return again
