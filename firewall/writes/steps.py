"""From an allowed proposal to the step that commits it: new marks, and who holds text of whom from now on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from firewall.writes import disk, marks, moves, scratch
from firewall.writes.assess import last_commit
from firewall.writes.bench import Assessed, Bench
from firewall.writes.claims import Claims
from firewall.writes.commit import Step
from firewall.writes.facts import Words
from firewall.writes.fate import Away
from firewall.writes.marks import Mark
from firewall.writes.measures import Measures
from firewall.writes.moves import Holder

Rows = list[tuple[int, str, int]]


def step(bench: Bench, a: Assessed) -> Step | None:
    """The step, or None where the disk holds what is proposed already."""
    assert a.artifact is not None
    if a.new_target is not None:
        renamed = {"from": a.target.relative, "to": a.new_target.relative}
        return Step(
            a.artifact, a.target.real, a.reading, a.content, "rename", {}, renamed, target=a.new_target.relative,
            there=a.proposal.there,
        )  # fmt: skip
    if a.sha256 == a.reading.sha256:
        return None
    is_fresh = bool(a.grants) or marks.is_new(a.facts)
    anew = bool(a.grants) or a.scratch
    after = marks.fresh(a.content, a.measures.new_words) if anew else marks.after(a.facts, a.measures)
    blobs = [data for data in (after.mark.data, after.high.data) if data is not None]
    columns: dict[str, object] = {"mark": _sha(after.mark.data), "high": _sha(after.high.data)}
    columns |= {**after.counts, "attempts": 0}
    if is_fresh:
        columns |= {"baseline": _sha(a.content), "baseline_at": bench.origin.at}
    elif a.scratch:  # what it was is nobody's, and no person stands behind what it is
        columns |= {"baseline": _sha(a.content), "mark_away": "", "high_away": ""}
    else:
        columns |= _away(after.mark, "mark_away", blobs) | _away(after.high, "high_away", blobs)
        if after.baseline is not None:
            blobs.append(after.baseline)
            columns |= {"baseline": _sha(after.baseline), "base_words": -1}
    if a.facts.step_back and not a.scratch:
        columns |= _before_growth(bench, a)
    words = {"before": a.measures.disk_words, "after": a.measures.new_words, "mark": a.measures.mark_words}
    note: dict[str, object] = {
        "words": words,
        "grew": after.grew,
        "mark": a.artifact.mark,
        "mark_away": a.artifact.mark_away,
        "high": a.artifact.high,
        "high_away": a.artifact.high_away,
        "grown": a.artifact.grown,
        "structural": list(a.facts.structural) if a.facts.structural else None,
        "rules": list(a.verdict.rules),
        "grants": [g.id for g in a.grants],
    }
    if a.scratch:
        note[scratch.NOTE] = True
    carried, relied = _carried(bench, a, after, blobs)
    kind = "commit" if a.content is not None else "delete"
    given = Claims(grants=tuple(g.id for g in a.grants), by="grant")
    return Step(
        a.artifact, a.target.real, a.reading, a.content, kind, columns, note, "", carried, tuple(blobs), relied, given,
        a.proposal.there,
    )  # fmt: skip


def _sha(data: bytes | None) -> str:
    return "" if data is None else disk.sha256(data)


def _away(mark: Mark, column: str, blobs: list[bytes]) -> dict[str, object]:
    return {column: _packed(mark.away, blobs)}


def _packed(given: Iterable[Words], blobs: list[bytes]) -> str:
    """The sha of the units as bytes, which go to the blobs; '' for none."""
    data = moves.pack(given)
    if not data:
        return ""
    blobs.append(data)
    return disk.sha256(data)


def _before_growth(bench: Bench, a: Assessed) -> dict[str, object]:
    """The marks as they were before the growth that is taken back."""
    assert a.artifact is not None
    last = last_commit(bench.ledger, a.artifact)
    assert last is not None
    old, note = last
    out: dict[str, object] = {"base_kept": -1, "grown": note.get("grown", 0)}
    for name in ("mark", "high"):
        sha, away = str(note.get(name, old)), str(note.get(f"{name}_away", ""))
        words = a.measures.new_words if sha == old and not away else -1
        out |= {name: sha, f"{name}_away": away, f"{name}_words": words, f"{name}_kept": words}
    return out


def _carried(
    bench: Bench, a: Assessed, after: marks.Marks, blobs: list[bytes]
) -> tuple[dict[int, Rows], dict[int, str]]:
    """Who holds text of whom after this commit, by origin; and the artifacts that the verdict relied on."""
    carried: dict[int, Rows] = {}
    relied: dict[int, str] = {}
    assert a.artifact is not None
    if a.scratch:
        carried[a.artifact.id] = []
    elif a.holders and not a.grants:
        settled = after.mark.data == after.high.data == a.content
        carried[a.artifact.id] = _rows(bench, a.artifact.id, a.measures, a.holders, blobs, settled=settled)
        relied |= _disks(a.holders)
    for one in a.owed:
        if one.verdict.allowed:
            carried[one.artifact.id] = _rows(bench, one.artifact.id, one.measures, one.holders, blobs, settled=False)
            relied |= {one.artifact.id: one.artifact.disk} | _disks(one.holders)
        elif not a.grants:  # structural: the text is the holder's own from now on
            known = moves.carried(bench.ledger, one.artifact.id)
            carried[one.artifact.id] = _merged(
                [(c.holder, c.units, -1 if c.holder == a.artifact.id else c.seq) for c, _ in known], blobs
            )
    return carried, relied


def _rows(
    bench: Bench, origin: int, measures: Measures, holders: Sequence[Holder], blobs: list[bytes], *, settled: bool
) -> Rows:
    """What others hold of an artifact. `settled`: its marks are its own text and what is away, so that what was
    released is no part of them any more."""
    needed: Counter[Words] = Counter()
    away: Counter[Away] = Counter()
    for reference in measures.all_references:
        away |= Counter(reference.fate.away)
        needed |= Counter(reference.fate.released)
    rows = [(c.holder, c.units, 0) for c in moves.assigned(away.elements(), holders)]
    for c, accepted in () if settled else moves.carried(bench.ledger, origin):
        if accepted or c.seq < 0:
            rows.append((c.holder, tuple((Counter(c.units) & needed).elements()), c.seq))
    return _merged(rows, blobs)


def _merged(rows: Iterable[tuple[int, tuple[Words, ...], int]], blobs: list[bytes]) -> Rows:
    out: dict[tuple[int, int], tuple[Words, ...]] = {}
    for holder, given, seq in rows:
        out[holder, seq] = (*out.get((holder, seq), ()), *given)
    return [(holder, _packed(given, blobs), seq) for (holder, seq), given in out.items() if given]


def _disks(holders: Sequence[Holder]) -> dict[int, str]:
    return {h.artifact: h.disk for h in holders if not h.released}
