"""Seeing an artifact before judging: what is on disk, and whose it is.

A change that Stet did not make is a person's and becomes the baseline, unless an agent's turn is open: then it
is judged (firewall/agents/sweep.py), and here the ledger's version counts until that is done. A baseline older than
the window gives way to what is on disk. Anything else leaves the marks alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firewall.text.shown import came
from firewall.text.words import count_words
from firewall.writes import disk, moves
from firewall.writes.asking import Origin, turn_open
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.prose import text_of
from firewall.writes.records import Artifact, Standing

DAY = 86_400.0


def as_known(ledger: Ledger, known: Artifact | None, reading: Reading) -> Reading:
    """The reading as if the disk held what the ledger knows of the file."""
    sha = known.disk if known else ""
    if reading.sha256 == sha:
        return reading
    return reading._replace(data=ledger.load(sha), sha256=sha)


def observe(
    ledger: Ledger, path: str, reading: Reading, window_days: float, origin: Origin, *, judged: bool | None = None
) -> Artifact:
    """The artifact as the ledger knows it once it has seen this reading. Saves bytes it had not seen.

    With `judged` (None: while an agent's turn is open), a change that Stet did not make is left to those who judge it.
    """
    if judged is None:
        judged = turn_open(ledger, origin.at)
    return look(ledger, path, reading, window_days, origin, judged=judged).artifact


def look(
    ledger: Ledger, path: str, reading: Reading, window_days: float, origin: Origin, *, judged: bool,
    asked: Standing | None = None,
) -> Standing:  # fmt: skip
    """The same, with what else the ledger may have of the artifact; `asked` is that, where somebody just did."""
    # Whoever settled a sibling's unfinished commit since has settled this one as well: then it is asked anew.
    standing = asked if asked and not asked.unsettled else ledger.standing(path, origin.at)
    if standing is None:
        return Standing(_adopt(ledger, path, disk.MISSING if judged else reading, "adopt", "", origin))
    known = standing.artifact
    # What a writer left that died or was interrupted is not a person's change.
    for intent in ledger.intents(known.id) if standing.unsettled else ():
        from firewall.writes import commit

        siblings = [i for i in ledger.intents() if i.change_set == intent.change_set]
        commit.settle_set(ledger, siblings, origin)
        known = ledger.artifact(path) or known
    if judged:
        reading = as_known(ledger, known, reading)
    if known.disk != reading.sha256:
        return Standing(_adopt(ledger, path, reading, "outside", known.disk, origin))
    old = origin.at - known.baseline_at > window_days * DAY
    if old:
        return Standing(_adopt(ledger, path, reading, "renew", known.disk, origin))
    return Standing(known) if standing.unsettled else standing


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


def adopt_changes(
    ledger: Ledger,
    seen: Iterable[tuple[str, str, Reading]],
    origin: Origin,
    notes: Mapping[str, Mapping[str, object]] | None = None,
) -> list[str]:
    """Take what is on the disk for a person's, of many files in one transaction: (path, sha that the ledger had,
    reading). `notes` are for the journal, by path; what a file with such a note holds of others it holds on. Returns
    the paths; one that was changed by a commit meanwhile is left out."""
    done = []
    with ledger.transaction():
        for path, before, reading in seen:
            known = ledger.artifact(path)
            if (known.disk if known else "") != before or (known and ledger.intents(known.id)):
                continue
            text = text_of(path, reading.data)
            kind = "outside" if known else "adopt"
            artifact = _note(ledger, path, reading, kind, before, origin, text, (notes or {}).get(path))
            if known and path in (notes or {}):
                since = (artifact.accepted, known.id, max(0, known.answered, known.accepted))
                ledger.change("UPDATE OR REPLACE carried SET seq=? WHERE holder=? AND seq>=?", since)
            if known and reading.data is not None:
                added = came(path, text_of(path, ledger.load(before)), text)
                moves.record_arrivals(ledger, artifact.id, added, origin.at)
            done.append(path)
    return done


def _adopt(ledger: Ledger, path: str, reading: Reading, kind: str, before: str, origin: Origin) -> Artifact:
    text = text_of(path, reading.data)
    with ledger.transaction():
        artifact = _note(ledger, path, reading, kind, before, origin, text)
        if kind == "outside" and reading.data is not None:
            added = came(path, text_of(path, ledger.load(before)), text)
            moves.record_arrivals(ledger, artifact.id, added, origin.at)
    return artifact


def _note(
    ledger: Ledger,
    path: str,
    reading: Reading,
    kind: str,
    before: str,
    origin: Origin,
    text: str,
    data: Mapping[str, object] | None = None,
) -> Artifact:
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
        data=data,
    )
    if kind == "outside":
        ledger.set_state(artifact.id, accepted=seq)
        artifact = artifact._replace(accepted=seq)
    return artifact
