"""Seeing an artifact before judging: what is on disk, and whose it is.

A change that Stet did not make is a person's and becomes the baseline. A baseline older than the window
gives way to what is on disk. Anything else leaves the marks alone.
"""

from __future__ import annotations

from firewall.writes import commit
from firewall.writes.commit import Origin
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.records import Artifact

DAY = 86_400.0


def observe(ledger: Ledger, path: str, reading: Reading, window_days: float, origin: Origin) -> Artifact:
    """The artifact as the ledger knows it once it has seen this reading. Saves bytes it had not seen."""
    known = ledger.artifact(path)
    if known is None:
        return _adopt(ledger, path, reading, "adopt", "", origin)
    for intent in ledger.intents(known.id):  # a writer that died or was interrupted; not a person's change
        commit.settle(ledger, intent, reading, origin)
        known = ledger.artifact(path) or known
    if known.disk != reading.sha256:
        return _adopt(ledger, path, reading, "outside", known.disk, origin)
    if origin.at - known.baseline_at > window_days * DAY and known.mark != known.disk:
        return _adopt(ledger, path, reading, "renew", known.disk, origin)
    return known


def _adopt(ledger: Ledger, path: str, reading: Reading, kind: str, before: str, origin: Origin) -> Artifact:
    with ledger.transaction():
        if reading.data is not None:
            ledger.save(reading.sha256, reading.data)
        artifact = ledger.adopt(path, reading.sha256, origin.at)
        ledger.append(
            kind,
            origin.at,
            artifact=artifact.id,
            old=before,
            new=reading.sha256,
            session=origin.session,
            source=origin.source,
        )
    return artifact
