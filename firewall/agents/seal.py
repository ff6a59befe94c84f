"""Was Stet's record changed past Stet? Looked at whenever the disk is looked at; where it was, everything is refused.

The database lets no other program write a row, and tells of one that did (firewall/writes/database.py).
The head of the journal is noted outside the state folder, so that an older ledger put in place of the newer one is
noticed, and so is a journal that was rewritten since. What keeps a file safe must follow from the journal: a latch
from its trip, a grant from a person's, the version on the disk from the last change. A process of the same user that
forges all of it, hashes included, is not stopped by this; the README's threat model says so.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from pathlib import Path

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import known
from firewall.writes.database import RESTORE, StateTampered
from firewall.writes.ledger import Ledger, chain
from firewall.writes.records import Artifact, Entry

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

VERSIONS = (
    "'adopt','outside','renew','commit','delete','rename','restore','approve','edit','reset','accept'"
)  # fmt: skip
"""Kinds of journal entries after which the disk holds their `new`."""
OPENED = "'reset','accept','approve','edit','reject'"
"""Kinds that open a latched file."""
OPERATOR = "operator"
"""Where the ledger keeps the operator's passphrase (firewall/writes/person.py, which costs an import)."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Head(NamedTuple):
    """The last journal entry when the record was last seen well, the settings that only a person changes, and which
    start of the machine that was. `told`: an alert was raised since. `rows`: how many were written
    by then, or before."""

    seq: int
    hash: str
    policy: str
    operator: str
    boot: str
    told: bool = False
    rows: int = 0


def check(proxy: WriteProxy) -> None:
    """Raises StateTampered, once with an alert, where the record was changed past Stet."""
    path, before = _noted(proxy)
    past = proxy.ledger.written_past()
    detail = past or (_rewritten(proxy.ledger, before) if before else "")
    detail = detail or _unlatched(proxy.ledger) or _given(proxy.ledger, proxy.origin().at)
    if not detail:
        return
    fix = (
        RESTORE
        if past
        else (
            "Look at `stet log --verify`. If it was a person (a backup put back, say), remove "
            f"{path}; else restore the state folder from a backup, or, as a person, run `stet init --adopt`."
        )
    )
    if before is None or not before.told:
        _alert(proxy, detail)
        head = before or _head(proxy.ledger)
        _note(path, head._replace(told=True))
    raise StateTampered(detail=detail, fix=fix)


def seal(proxy: WriteProxy) -> None:
    """Note the record as it is now, having been found well. That it cannot be noted changes no verdict."""
    path, before = _noted(proxy)
    now = _head(proxy.ledger)
    if before is None or now != before._replace(rows=now.rows):  # more rows alone are not worth a note
        _note(path, now)


def follows(ledger: Ledger, artifact: Artifact) -> bool:
    """Does what the ledger says of a file follow from the journal?"""
    rows = ledger.query(
        f"SELECT new FROM journal WHERE artifact=? AND kind IN ({VERSIONS}) ORDER BY seq DESC LIMIT 1",  # noqa: S608
        (artifact.id,),
    )
    return bool(rows) and rows[0][0] == artifact.disk


def tampered(artifact: Artifact) -> StateTampered:
    """The error for a file whose record does not follow."""
    return StateTampered(
        detail=f"what it says of {artifact.path} is not what the journal says",
        fix="Look at `stet log --verify`; put a backup of the state folder back, or, as a person, run"
        " `stet init --adopt`.",
    )


def _rewritten(ledger: Ledger, before: Head) -> str:
    """Is the noted entry still there, with an unbroken chain up to now?"""
    rows = ledger.query(
        "SELECT seq, at, artifact, kind, old, new, session, source, data, hash FROM journal WHERE seq>=? ORDER BY seq",
        (before.seq - 1,),
    )
    entries = [Entry(*row) for row in rows]
    if before.seq and not any((entry.seq, entry.hash) == (before.seq, before.hash) for entry in entries[:2]):
        if before.boot and before.boot != _boot():
            return ""  # the machine went down before the last entries were safe on its disk
        return f"journal entry {before.seq} is not what it was"
    for one, after in itertools.pairwise(entries):
        if after.seq != one.seq + 1 or after.hash != chain(one.hash, tuple(after)[:-1]):
            return f"the journal does not hold together at entry {after.seq}"
    if ledger.query("SELECT n FROM writes")[0][0] < before.rows:
        return "the count of what is written began anew"
    kinds = {entry.kind for entry in entries if entry.seq > before.seq}
    now = _head(ledger)
    if before.policy and before.policy != now.policy and "policy" not in kinds:
        return "another policy is in force, and no person accepted one"
    if before.operator and before.operator != now.operator and "operator" not in kinds:
        return "the operator's passphrase is another, and no person set one"
    return ""


def _unlatched(ledger: Ledger) -> str:
    """A file that tripped, that nobody opened, and that is not latched."""
    rows = ledger.query(
        "SELECT a.path FROM (SELECT artifact, max(seq) AS seq FROM journal WHERE kind='trip' GROUP BY artifact) t"  # noqa: S608
        " JOIN artifacts a ON a.id=t.artifact WHERE a.alert='' AND NOT EXISTS"
        f" (SELECT 1 FROM journal j WHERE j.artifact=t.artifact AND j.seq>t.seq AND j.kind IN ({OPENED})) LIMIT 1"
    )
    return f"{rows[0][0]} was latched and is not, and no person opened it" if rows else ""


def _given(ledger: Ledger, at: float) -> str:
    """A grant that no person gave."""
    for ident, uses in ledger.query("SELECT id, uses FROM grants WHERE uses>0 AND expires>?", (at,)):
        rows = ledger.query(
            "SELECT json_extract(data, '$.uses') FROM journal WHERE kind='grant' AND json_extract(data, '$.id')=?",
            (ident,),
        )
        if not rows or uses > rows[0][0]:
            return f"the grant {ident} is none that a person gave"
    return ""


def _head(ledger: Ledger) -> Head:
    rows = ledger.query("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1")
    seq, last = (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")
    from firewall.writes import disk

    policy, operator = (
        disk.sha256((ledger.meta(key) or "").encode("utf-8", "replace")) for key in ("policy", OPERATOR)
    )
    return Head(seq, last, policy, operator, _boot(), rows=int(ledger.query("SELECT n FROM writes")[0][0]))


def _boot() -> str:
    try:
        return _BOOT.read_bytes().decode("ascii").strip()  # to read it as text imports a codec
    except (OSError, ValueError):
        return ""


def _noted(proxy: WriteProxy) -> tuple[Path, Head | None]:
    try:
        path = known.head_file(proxy.root)
    except StetError:  # nobody's home: then what follows from the journal is all there is
        return Path(os.devnull) / "head", None
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a note is a file")  # a FIFO would hold every event up for ever
        value = json.loads(path.read_bytes())
        return path, Head(
            int(value["seq"]), str(value["hash"]), str(value["policy"]), str(value["operator"]), str(value["boot"]),
            bool(value["told"]), int(value.get("rows", 0)),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return path, None  # the folder moved, or the note was lost: what follows from the journal is still looked at


def _note(path: Path, head: Head) -> None:
    with contextlib.suppress(OSError):
        temp = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        temp.write_text(json.dumps(head._asdict()), "utf-8")
        temp.replace(path)


def _alert(proxy: WriteProxy, detail: str) -> None:
    from firewall.writes import alerts
    from firewall.writes.alerts import Alert
    from firewall.writes.staging import Staged

    origin = proxy.origin()
    alert = Alert(
        id=f"A{os.urandom(4).hex()}",
        at=origin.at,
        kind="tampered",
        path="the record",
        reason=f"Stet's record was changed past Stet: {detail}",
        attempts=0,
        session=origin.session,
        source=origin.source,
        proposal="",
        findings=(),
        staged=Staged(problem=str(proxy.state)),
        change="none",
    )
    with contextlib.suppress(StetError):
        alerts.record(proxy.state, alert.to_json())
    with contextlib.suppress(StetError):
        proxy.tell(alert)
