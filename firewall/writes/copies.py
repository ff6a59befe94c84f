"""A writer's own copy of a guarded file may be deleted again: what it was copied from has every byte of it."""

from __future__ import annotations

from collections.abc import Sequence

from firewall.errors import StorageError
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import disk, protection
from firewall.writes.bench import Assessed, Bench
from firewall.writes.records import Artifact

RULE = "delete"


def spared(bench: Bench, out: Sequence[Assessed], a: Assessed) -> Assessed:
    """The delete without the rule's finding, where an older guarded file has the very same bytes and stays.

    The file must be nobody's but the writer's: never a person's, never answered for, and its mark no other text. That
    the older one stays keeps the count of failed attempts where it belongs.
    """
    known = a.artifact
    if known is None or a.content is not None or a.new_target or RULE not in a.verdict.rules:
        return a
    if not known.disk or known.disk != known.mark or known.disk != known.high or known.accepted or known.answered:
        return a
    rows = bench.ledger.query(
        "SELECT 1 FROM journal WHERE artifact=? AND kind IN ('adopt', 'renew', 'outside', 'approve') AND new<>''"
        " LIMIT 1",
        (known.id,),
    )
    twin = None if rows else _twin(bench, out, known)
    if twin is None:
        return a
    found = [f for f in a.verdict.findings if f.rule != RULE]
    said = Finding(RULE, Outcome.ALLOW, f"{known.path} is a copy of {twin}, which stays.", {"stands": twin})
    return a._replace(verdict=judge([*found, said], a.verdict.checks))


def _twin(bench: Bench, out: Sequence[Assessed], known: Artifact) -> str | None:
    """The path of an older guarded file with these bytes, in the record and on the disk, that nobody changes now."""
    rows = bench.ledger.query(
        "SELECT path FROM artifacts WHERE root=? AND disk=? AND id<? ORDER BY id",
        (bench.ledger.root_id, known.disk, known.id),
    )
    changed = {a.target.relative for a in out}
    for (path,) in rows:
        if path in changed or not protection.is_protected(path, bench.protection):
            continue
        try:
            if disk.read(bench.ledger.root / path, bench.limits.max_bytes).sha256 == known.disk:
                return str(path)
        except StorageError:
            continue
    return None
