"""How many attempts a refusal is: a lost race is none, until the same writer sends the same stale base again.

The file changed between a writer's reading and its write: nobody wanted to destroy anything, and several writers that
lose one race may not latch a file. A writer that was told so and sends it again did not read: then both count.
"""

from __future__ import annotations

import json

from firewall.verdict import Outcome
from firewall.writes.bench import Assessed
from firewall.writes.ledger import Ledger
from firewall.writes.records import PROPOSED

STALE = "stale-base"
_LATEST = 200
"""Refusals of one artifact that are looked back at."""


def stale_base(a: Assessed) -> str | None:
    """The hash that a refused proposal was made from, where that is not what is on the disk."""
    for found in a.verdict.findings:
        if found.rule == STALE:
            return str(found.evidence["base"])
    base = a.proposal.base  # a repeat is refused unread
    return base if a.unread and base is not None and base != a.reading.sha256 else None


def weight(ledger: Ledger, a: Assessed, session: str) -> int:
    """How many attempts this refusal counts for: 0, 1 or 2.

    Against bytes that the writer never saw, other rules may say that words are missing: a base that the file really
    had explains a hold, never a block. A writer without a session's name is known by what it sends.
    """
    assert a.artifact is not None
    base = stale_base(a)
    if base is None:
        return 1
    rows = ledger.query(
        "SELECT session, new, data FROM journal WHERE artifact=? AND kind IN ('refuse','hold') "
        "ORDER BY seq DESC LIMIT ?",
        (a.artifact.id, _LATEST),
    )
    before = []
    for other, new, data in rows:
        note = json.loads(data)
        if other == session and note.get("stale") == base and (session or new == a.sha256):
            before.append(int(note.get("attempt", 1)))
    if before:
        return 2 if before == [0] else 1
    others = [f for f in a.verdict.findings if f.rule not in (STALE, "repeat") and f.outcome >= Outcome.HOLD]
    if any(f.outcome > Outcome.HOLD for f in others) or (others and not _was_there(ledger, a.artifact.id, base)):
        return 1
    return 0


def _was_there(ledger: Ledger, artifact: int, base: str) -> bool:
    """Is this the hash of a content that the artifact had?"""
    rows = ledger.query(
        "SELECT 1 FROM journal WHERE artifact=? AND new=? AND kind NOT IN (?, ?, ?, ?, ?) LIMIT 1",
        (artifact, base, *PROPOSED),
    )
    return bool(rows)
