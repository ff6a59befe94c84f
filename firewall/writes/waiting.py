"""What waits for a person, as it is answered: one case, and all that was proposed together with it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from firewall.errors import NotFound, StetError, StorageError
from firewall.text.printable import printable
from firewall.values import NamedTuple
from firewall.writes import cases, claims, disk
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Case


class NothingProposed(StetError):
    """An alert without a proposal: an edit that could not be made, say."""

    code = "nothing-proposed"
    template = "{id} holds no change that could be applied."
    next_step = "`stet show {id}` says what happened; `stet reject {id}` closes it and opens the file again."


class SetBroken(StetError):
    """A change set of which a part cannot be applied any more, or never could."""

    code = "set-broken"
    template = "{id} belongs to a change set that cannot be applied whole: {detail}."
    next_step = "`stet reject {id}` turns the rest down; the writer can propose it again."


class Group(NamedTuple):
    """`case` is the one named; `members` hold one proposal a file, to be applied together; `answered` are all
    cases that the answer answers, alerts about the same proposals among them."""

    case: Case
    members: tuple[Case, ...]
    answered: tuple[Case, ...]


def find(proxy: WriteProxy, ident: str) -> Case:
    """The case that waits. Raises NotFound, and LateAnswer where it waits no longer."""
    case = cases.get(proxy.ledger, ident)
    if case is None:
        fix = "`stet pending` and `stet alerts` list what waits."
        raise NotFound(what="alert or held proposal", name=ident, fix=fix)
    if not case.pending:
        raise claims.late(proxy.ledger, ident)
    return case


def group(proxy: WriteProxy, ident: str) -> Group:
    """What a yes to the case applies. Raises as `find`; NothingProposed, SetBroken where it cannot be whole."""
    case = find(proxy, ident)
    rows = cases.together(proxy.ledger, case)
    waits = [c for c in rows if c.pending]
    members: dict[int, Case] = {c.artifact: c for c in waits if c.change != "none"}
    if case.change == "none":
        raise NothingProposed(id=ident)
    members[case.artifact] = case
    for row in rows:
        if row.artifact not in members and row.change != "none" and not _landed(proxy, row):
            detail = f"{printable(row.path)} is {row.state} ({row.answered_by or 'answered'})"
            raise SetBroken(id=ident, detail=detail)
    blocked = {str(name) for c in rows for name in json.loads(c.data).get("blocked", ())}
    missing = sorted(blocked - {c.path for c in rows})
    if missing:
        raise SetBroken(id=ident, detail=f"{', '.join(map(printable, missing))} was refused outright")
    same = [c for c in waits if c.artifact in members and c.proposal == members[c.artifact].proposal]
    in_order = tuple(sorted(members.values(), key=lambda c: c.path))
    return Group(case, in_order, tuple(same))


def is_stale(proxy: WriteProxy, case: Case) -> bool:
    """Did the file change since the case was made?"""
    return _now(proxy, case.path) != case.disk


def _now(proxy: WriteProxy, path: str) -> str | None:
    """Hash of what stands there, None where something else than a file does."""
    try:
        return disk.read(proxy.root / path).sha256
    except StorageError:
        return None


def names(rows: Sequence[Case]) -> str:
    """The files of the cases, for a sentence."""
    found = sorted({printable(c.path) for c in rows})
    return ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def _landed(proxy: WriteProxy, case: Case) -> bool:
    """The disk holds what the case proposed, whoever wrote it."""
    if case.target:
        return _now(proxy, case.target) == case.disk
    return _now(proxy, case.path) == case.proposal
