"""A writer's own copy of guarded files may be deleted again: what it was copied from has its words, all but a few.

Words that an older file had all along do not excuse the loss of a person's text (moves.py), but they do make a copy
of what an agent made of them: a back-up, a book put together from its chapters.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from firewall.errors import StetError, StorageError
from firewall.text.shown import shown
from firewall.text.units import units
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import disk, protection, scratch
from firewall.writes.bench import Assessed, Bench
from firewall.writes.gains import gains, total, with_gains
from firewall.writes.measures import Measures
from firewall.writes.prose import text_of
from firewall.writes.records import Artifact
from firewall.writes.rules import delete

RULE = "delete"
MOST_ASKED = 50
"""Older files of other bytes that are looked into, the likest names first: a delete does not read a library."""


def spared(bench: Bench, out: Sequence[Assessed], a: Assessed) -> Assessed:
    """The delete without the rule's finding, where older guarded files have its words and stay.

    The file must be nobody's but the writer's: never a person's, never answered for. That the older ones stay keeps the
    count of failed attempts where it belongs.
    """
    known = a.artifact
    if known is None or a.content is not None or a.new_target or RULE not in a.verdict.rules:
        return a
    if not known.disk or known.accepted or known.answered:
        return a
    rows = bench.ledger.query(
        "SELECT 1 FROM journal WHERE artifact=? AND kind IN ('adopt', 'renew', 'outside', 'approve') AND new<>''"
        " LIMIT 1",
        (known.id,),
    )
    if rows:
        return a
    is_whole = known.disk == known.mark == known.high
    twin = _twin(bench, out, known) if is_whole else None
    stands = [twin] if twin else _parts(bench, out, a, known)
    if not stands:
        return a
    found = [f for f in a.verdict.findings if f.rule != RULE]
    names = ", ".join(stands[:5])
    is_are = "stays" if len(stands) == 1 else "stay"
    said = Finding(RULE, Outcome.ALLOW, f"{known.path} is a copy of {names}, which {is_are}.", {"stands": names})
    return a._replace(verdict=judge([*found, said], a.verdict.checks))


def _twin(bench: Bench, out: Sequence[Assessed], known: Artifact) -> str | None:
    """The path of an older guarded file with these bytes, in the record and on the disk, that nobody changes now."""
    rows = bench.ledger.query(
        "SELECT path, id FROM artifacts WHERE root=? AND disk=? AND id<? ORDER BY id",
        (bench.ledger.root_id, known.disk, known.id),
    )
    changed = {a.target.relative for a in out}
    free = scratch.everyones(bench.ledger, bench.origin.at)
    for path, ident in rows:
        if path in changed or ident in free or not protection.is_protected(path, bench.protection):
            continue
        if _stands(bench, path, known.disk):
            return str(path)
    return None


def _parts(bench: Bench, out: Sequence[Assessed], a: Assessed, known: Artifact) -> list[str]:
    """The older files that have its words between them, as this change set leaves them; none where too many lack."""
    wanted = {u.words for r in a.measures.all_references for u in (*units(r.text), *units(shown(known.path, r.text)))}
    texts = [(path, text) for path, text in _older(bench, out, known) if wanted & {u.words for u in units(text)}]
    if not texts:
        return []
    there = [gains(p, t, {u.words for part in (t, shown(p, t)) for u in units(part)}) for p, t in texts]
    facts = with_gains(a.facts, total(there), a.facts.released)
    return [] if delete.check(facts, Measures(facts)) else [path for path, _ in texts]


def _older(bench: Bench, out: Sequence[Assessed], known: Artifact) -> list[tuple[str, str]]:
    """(path, text) of older guarded files: those of the change set, and those of the likest names."""
    changed = {o.target.relative: o for o in out}
    free = scratch.everyones(bench.ledger, bench.origin.at)  # what may be deleted next holds nothing for others
    texts = []
    for path, o in sorted(changed.items()):
        if o.content is None or o.new_target or o.artifact is None or o.artifact.id in free:
            continue
        if o.artifact.id < known.id and protection.is_protected(path, bench.protection):
            texts.append((path, text_of(path, o.content)))
    rows = bench.ledger.query(
        "SELECT path, disk, id FROM artifacts WHERE root=? AND id<? AND disk<>'' ORDER BY id DESC",
        (bench.ledger.root_id, known.id),
    )
    near = sorted((row for row in rows if row[2] not in free), key=lambda row: -_begins_alike(row[0], known.path))
    for path, sha, _ in near[:MOST_ASKED]:
        if path in changed or "\0" in path or not protection.is_protected(path, bench.protection):
            continue
        if protection.is_loss_only(path, bench.protection) or not _stands(bench, path, sha):
            continue
        try:
            texts.append((path, text_of(path, bench.ledger.load(sha))))
        except StetError:
            continue
    return texts


def _begins_alike(one: str, other: str) -> int:
    """How many characters the names of two files have in common, from the first."""
    names = (path.rpartition("/")[2] for path in (one, other))
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*names, strict=False)))


def _stands(bench: Bench, path: str, sha: str) -> bool:
    """Does the disk hold these bytes there?"""
    try:
        return disk.read(bench.ledger.root / path, bench.limits.max_bytes).sha256 == sha
    except StorageError:
        return False
