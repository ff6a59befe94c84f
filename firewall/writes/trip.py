"""Raising an alert: stage the work in progress, record, write the JSON line."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from firewall.errors import StetError, StorageError
from firewall.verdict import Finding
from firewall.writes import alerts, staging
from firewall.writes.alerts import Alert
from firewall.writes.commit import Origin
from firewall.writes.disk import Reading, sha256
from firewall.writes.ledger import Ledger
from firewall.writes.records import AlertRow, Artifact
from firewall.writes.staging import Change


def raise_alert(
    ledger: Ledger,
    root: Path,
    artifact: Artifact,
    reading: Reading,
    content: bytes | None,
    *,
    kind: str,
    ident: str,
    findings: tuple[Finding, ...],
    reason: str,
    attempts: int,
    origin: Origin,
) -> Alert:
    """Stage, record and return the alert. A trip latches the artifact in the same transaction."""
    change = Change(artifact.path, reading.data, content, executable=bool(reading.mode & 0o100))
    stamp = alerts.when(origin.at).replace(":", "").replace("-", "")
    name = f"{artifact.path.replace('/', '-')}-{stamp}-{ident}"
    staged = staging.stage(root, [change], name, f"{artifact.path} ({reason})", f"Alert {ident}")
    proposal = "" if content is None else sha256(content)
    alert = Alert(
        ident,
        origin.at,
        kind,
        artifact.path,
        reason,
        attempts,
        origin.session,
        origin.source,
        proposal,
        findings,
        staged,
    )
    value = alert.to_json()
    with ledger.transaction():
        if content is not None:
            ledger.save(proposal, content)
        ledger.add_alert(AlertRow(ident, origin.at, artifact.id, kind, "open", proposal, json.dumps(value)))
        ledger.append(
            kind,
            origin.at,
            artifact=artifact.id,
            old=reading.sha256,
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
