"""Text of one artifact in another: where it may be found, and what its holder owes to the floors it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from firewall.verdict import Finding
from firewall.writes import moves, protection
from firewall.writes.bench import Assessed, Bench, Owed
from firewall.writes.decide import decide, structural_range
from firewall.writes.facts import Facts, Words
from firewall.writes.gains import Gains
from firewall.writes.measures import Measures
from firewall.writes.moves import DAY, Holder
from firewall.writes.prose import text_of
from firewall.writes.records import Artifact
from firewall.writes.rules import ALL

KEEPING = tuple(rule for rule in ALL if rule.name in ("word-floor", "small-floor", "survival", "hidden"))
"""The rules that ask whether a text is still there."""


def find_holders(bench: Bench, judged: Sequence[Assessed], origin: int, lost: Iterable[Words]) -> tuple[Holder, ...]:
    """Who may hold text of an artifact once the change set is in place: those known to carry some, those that the
    set gives it to, and those that any of the `lost` units came to within the window."""
    wanted = set(lost)
    siblings = {a.artifact.id: a for a in judged if a.artifact and a.artifact.id != origin and not a.new_target}
    found: list[Holder] = []
    for carried, accepted in moves.carried(bench.ledger, origin):
        holder = artifact(bench, carried.holder)
        if accepted or carried.seq < 0:
            found.append(
                Holder(holder.id, holder.path, Gains(Counter(carried.units), {}, {}), holder.disk, released=True)
            )
        elif all(h.artifact != holder.id or h.released for h in found):
            found.append(_now(bench, holder, siblings.get(holder.id)))
    known = {h.artifact for h in found if not h.released}
    for ident, sibling in siblings.items():
        if sibling.artifact is None or ident in known or not _is_protected(bench, sibling.artifact):
            continue
        if wanted & {u.words for u in sibling.measures.came}:
            found.append(_now(bench, sibling.artifact, sibling))
    since = bench.origin.at - bench.limits.window_days * DAY
    others = moves.holders(bench.ledger, wanted, {origin, *siblings, *known}, since)
    found += [h for h in others if protection.is_protected(h.path, bench.protection)]
    return tuple(sorted(found, key=lambda h: (h.path, h.artifact, h.released)))


def _now(bench: Bench, holder: Artifact, sibling: Assessed | None) -> Holder:
    """A holder with what it gained: as the ledger knows it, or as the change set makes it."""
    if sibling is None:
        text = text_of(holder.path, bench.ledger.load(holder.disk))
        return Holder(holder.id, holder.path, moves.gained(bench.ledger, holder.id, holder.path, text), holder.disk)
    found = moves.gained(bench.ledger, holder.id, holder.path, sibling.measures.new, sibling.measures.came)
    return Holder(holder.id, holder.path, found, holder.disk)


def _is_protected(bench: Bench, holder: Artifact) -> bool:
    return protection.is_protected(holder.path, bench.protection)


def artifact(bench: Bench, ident: int) -> Artifact:
    """An artifact by its id."""
    columns = ", ".join(Artifact._fields)
    return Artifact(*bench.ledger.query(f"SELECT {columns} FROM artifacts WHERE id=?", (ident,))[0])  # noqa: S608


def owed(bench: Bench, judged: Sequence[Assessed], a: Assessed) -> tuple[Owed, ...]:
    """How those artifacts stand whose text `a` holds, where `a` takes any words away."""
    if a.artifact is None or not a.holds or a.unread or a.new_target or a.facts.path_problem:
        return ()
    if a.sha256 == a.reading.sha256:
        return ()
    if not (a.measures.from_disk.lost_units or a.measures.may_hide):
        return ()
    out = []
    for ident in moves.origins(bench.ledger, a.artifact.id):
        origin = artifact(bench, ident)
        if bench.origin.at - origin.baseline_at > bench.limits.window_days * DAY:
            continue  # its next look renews it
        out.append(_stands(bench, judged, origin))
    return tuple(out)


def _stands(bench: Bench, judged: Sequence[Assessed], origin: Artifact) -> Owed:
    """An artifact after the change set, by its own references."""
    ledger = bench.ledger
    own = next((a for a in judged if a.artifact and a.artifact.id == origin.id), None)
    data = (ledger.load(origin.disk) if own is None else own.content) or b""
    facts = Facts(
        path=origin.path,
        disk=data,
        proposed=data,
        mark=ledger.load(origin.mark),
        high=ledger.load(origin.high),
        baseline=ledger.load(origin.baseline),
        disk_sha="",
        limits=bench.limits if data.strip() else bench.limits._replace(small_from=1),  # a note that is gone: no note
        mark_away=moves.unpack(ledger.load(origin.mark_away)),
        high_away=moves.unpack(ledger.load(origin.high_away)),
    )
    measures = Measures(facts)
    lost = lost_units(measures)
    holders = find_holders(bench, judged, origin.id, lost)
    measures = Measures(facts := moves.with_holders(facts, holders))
    return Owed(origin, measures, decide(facts, measures, KEEPING), holders)


def lost_units(measures: Measures) -> set[Words]:
    """The units of any reference that are not here whole, and those that are out of sight, as they were seen."""
    references = measures.all_references
    lost = {unit.words for reference in references for unit in reference.change.lost_units}
    lost |= {unit.words for reference in references for unit in reference.shown_change.lost_units}
    return lost.union(*(reference.away for reference in references))


def findings(a: Assessed) -> list[Finding]:
    """What the owed artifacts' rules say, as findings about the holder; none where its own would be lifted."""
    if a.facts.structural is not None and structural_range(a.facts)[0]:
        return []
    return [
        f._replace(
            message=f"{a.target.relative} holds text of {one.artifact.path}, and this takes it away. {f.message}",
            evidence={**f.evidence, "holds_text_of": one.artifact.path},
        )
        for one in a.owed
        for f in one.verdict.findings
        if f.rule not in a.facts.granted
    ]
