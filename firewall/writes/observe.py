"""Seeing an artifact before judging: what is on disk, and whose it is.

A change that Stet did not make is a person's and becomes the baseline. A baseline older than the window
gives way to what is on disk. Anything else leaves the marks alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from firewall.text.diff import compare
from firewall.text.words import count_words
from firewall.writes import commit, moves
from firewall.writes.commit import Origin
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.prose import text_of
from firewall.writes.records import Artifact

DAY = 86_400.0


def observe(ledger: Ledger, path: str, reading: Reading, window_days: float, origin: Origin) -> Artifact:
    """The artifact as the ledger knows it once it has seen this reading. Saves bytes it had not seen."""
    known = ledger.artifact(path)
    if known is None:
        return _adopt(ledger, path, reading, "adopt", "", origin)
    for intent in ledger.intents(known.id):  # a writer that died or was interrupted; not a person's change
        siblings = [i for i in ledger.intents() if i.change_set == intent.change_set]
        commit.settle_set(ledger, siblings, origin)
        known = ledger.artifact(path) or known
    if known.disk != reading.sha256:
        return _adopt(ledger, path, reading, "outside", known.disk, origin)
    old = origin.at - known.baseline_at > window_days * DAY
    if old:
        return _adopt(ledger, path, reading, "renew", known.disk, origin)
    return known


def adopt_all(ledger: Ledger, readings: Iterable[tuple[str, Reading]], origin: Origin) -> int:
    """First sight of many files in one transaction; those known already are left alone. Returns how many."""
    count = 0
    known = {a.path for a in ledger.artifacts()}
    with ledger.transaction():
        for path, reading in readings:
            if path in known or reading.data is None:
                continue
            _note(ledger, path, reading, "adopt", "", origin, text_of(path, reading.data))
            count += 1
    return count


def _adopt(ledger: Ledger, path: str, reading: Reading, kind: str, before: str, origin: Origin) -> Artifact:
    text = text_of(path, reading.data)
    with ledger.transaction():
        artifact = _note(ledger, path, reading, kind, before, origin, text)
        if kind == "outside" and reading.data is not None:
            added = compare(text_of(path, ledger.load(before)), text).added_units
            moves.record_arrivals(ledger, artifact.id, added, origin.at)
    return artifact


def _note(ledger: Ledger, path: str, reading: Reading, kind: str, before: str, origin: Origin, text: str) -> Artifact:
    """The rows of a new baseline. Inside a transaction."""
    if reading.data is not None:
        ledger.save(reading.sha256, reading.data)
    artifact = ledger.adopt(path, reading.sha256, origin.at, count_words(text))
    seq = ledger.append(
        kind,
        origin.at,
        artifact=artifact.id,
        old=before,
        new=reading.sha256,
        session=origin.session,
        source=origin.source,
    )
    if kind == "outside":
        ledger.set_state(artifact.id, accepted=seq)
        artifact = artifact._replace(accepted=seq)
    return artifact
