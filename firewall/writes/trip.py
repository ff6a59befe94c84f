"""Raising an alert: stage the work in progress, record, write the JSON line."""

from __future__ import annotations

import contextlib
import json

from firewall.errors import StetError, StorageError
from firewall.verdict import Finding
from firewall.writes import alerts, cases, staging
from firewall.writes.alerts import Alert
from firewall.writes.assess import Assessed
from firewall.writes.commit import Origin
from firewall.writes.ledger import Ledger
from firewall.writes.records import Case
from firewall.writes.rules.base import sha256
from firewall.writes.staging import Change


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
) -> Alert:
    """Stage, record and return the alert. A trip latches the artifact in the same transaction."""
    assert a.artifact is not None
    artifact = a.artifact
    change = Change(artifact.path, a.reading.data, a.content, executable=bool(a.reading.mode & 0o100))
    stamp = alerts.when(origin.at).replace(":", "").replace("-", "")
    name = f"{artifact.path.replace('/', '-')}-{stamp}-{ident}"
    staged = staging.stage(ledger.root, [change], name, f"{artifact.path} ({reason})", f"Alert {ident}")
    proposal = sha256(a.content)
    alert = Alert(
        ident, origin.at, kind, artifact.path, reason, attempts, origin.session, origin.source, proposal,
        findings, staged,
    )  # fmt: skip
    value = alert.to_json()
    target = a.new_target.relative if a.new_target else ""
    case = Case(
        ident, origin.at, artifact.id, artifact.path, kind, "open", "", a.reading.sha256, proposal, target,
        json.dumps(value), None, "",
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
