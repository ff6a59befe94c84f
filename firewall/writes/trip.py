"""Raising an alert: stage the work in progress, record, write the JSON line."""

from __future__ import annotations

import contextlib
import json

from firewall.errors import StetError, StorageError
from firewall.text.words import count_words
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding
from firewall.writes import cases
from firewall.writes.asking import Origin
from firewall.writes.assess import Assessed
from firewall.writes.facts import sha256
from firewall.writes.ledger import Ledger
from firewall.writes.proposal import WordCounts
from firewall.writes.prose import text_of
from firewall.writes.records import Case, change_of

if TYPE_CHECKING:
    from firewall.writes.alerts import Alert


def raise_alert(
    ledger: Ledger,
    a: Assessed,
    *,
    kind: str,
    ident: str,
    findings: tuple[Finding, ...],
    reason: str,
    attempts: int,
    origin: Origin,
    change_set: str = "",
) -> Alert:
    """Stage, record and return the alert. A trip latches the artifact in the same transaction."""
    # Only here: git, temporary files and dates cost a hook more to import than a judgement takes.
    from firewall.writes import alerts, staging
    from firewall.writes.alerts import Alert

    assert a.artifact is not None
    artifact = a.artifact
    change = staging.Change(artifact.path, a.reading.data, a.content, executable=bool(a.reading.mode & 0o100))
    stamp = alerts.when(origin.at).replace(":", "").replace("-", "")
    name = f"{artifact.path.replace('/', '-')}-{stamp}-{ident}"
    staged = staging.stage(ledger.root, [change], name, f"{artifact.path} ({reason})", f"Alert {ident}")
    proposal = sha256(a.content)
    target = a.new_target.relative if a.new_target else ""
    what = change_of(a.reading.sha256, proposal, target)
    alert = Alert(
        ident, origin.at, kind, artifact.path, reason, attempts, origin.session, origin.source, proposal,
        findings, staged, change=what,
    )  # fmt: skip
    value = alert.to_json()
    case = Case(
        ident, origin.at, artifact.id, artifact.path, kind, "open", change_set, a.reading.sha256, proposal, target,
        json.dumps({**value, "stop_reason": a.proposal.stop_reason, "words": words(a)._asdict()}), None, "",
    )  # fmt: skip
    with ledger.transaction():
        if a.content is not None:
            ledger.save(proposal, a.content)
        cases.add(ledger, case)
        ledger.append(
            kind,
            origin.at,
            artifact=artifact.id,
            old=a.reading.sha256,
            new=proposal,
            session=origin.session,
            source=origin.source,
            data={"alert": ident, "branch": staged.branch},
        )
        if kind == "trip":
            ledger.set_state(artifact.id, alert=ident)
    try:
        alerts.record(ledger.folder, value)
    except StorageError as error:
        with contextlib.suppress(StetError), ledger.transaction(durable=False):  # it stands in the ledger
            ledger.append("alert-unwritten", origin.at, artifact=artifact.id, data={"why": error.message})
    return alert


def words(a: Assessed) -> WordCounts:
    """Words on disk, proposed, and in the mark, as far as anybody has counted."""
    if a.unread:
        after = 0 if a.content is None else count_words(text_of(a.facts.path, a.content))
        return WordCounts(max(a.facts.counts.disk, 0), after, max(a.facts.counts.mark, 0))
    m = a.measures
    return WordCounts(m.disk_words, 0 if a.content is None else m.new_words, m.mark_words)
