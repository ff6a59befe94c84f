"""From an allowed proposal to the step that commits it: new marks, debts, what other artifacts take over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from firewall.text.units import units
from firewall.text.words import count_words
from firewall.writes import disk, marks
from firewall.writes.assess import Assessed, Bench, last_commit
from firewall.writes.claims import Claims
from firewall.writes.commit import Step
from firewall.writes.moves import Holder
from firewall.writes.prose import text_of


def step(bench: Bench, a: Assessed) -> Step | None:
    """The step, or None where the disk holds what is proposed already."""
    assert a.artifact is not None
    if a.new_target is not None:
        return Step(a.artifact, a.target.real, a.reading, a.content, "rename", {"attempts": 0},
                    {"from": a.target.relative, "to": a.new_target.relative}, target=a.new_target.relative)  # fmt: skip
    if a.sha256 == a.reading.sha256:
        return None
    after = marks.fresh(a.content, a.measures.new_words) if a.grants else marks.after(a.facts, a.measures)
    blobs = [data for data in (after.mark, after.high, after.start, after.guests) if data is not None]
    columns: dict[str, object] = {
        "mark": _sha(after.mark),
        "high": _sha(after.high),
        "start": _sha(after.start),
        "guests": _sha(after.guests),
        **after.counts,
        "attempts": 0,
    }
    if a.facts.step_back:
        columns |= _before_growth(bench, a)
    if a.grants or a.facts.disk is None:
        columns |= {"baseline": _sha(a.content), "baseline_at": bench.origin.at}
        columns["base_words"] = a.measures.new_words
    others: dict[int, Mapping[str, object]] = {}
    if after.moved:
        others, more = _taken_over(bench, a, after.moved, after.debt_moved)
        blobs += more
    words = {"before": a.measures.disk_words, "after": a.measures.new_words, "mark": a.measures.mark_words}
    note: dict[str, object] = {
        "words": words,
        "grew": after.grew,
        "mark": a.artifact.mark,
        "high": a.artifact.high,
        "structural": list(a.facts.structural) if a.facts.structural else None,
        "rules": list(a.verdict.rules),
        "grants": [g.id for g in a.grants],
    }
    kind = "commit" if a.content is not None else "delete"
    given = Claims(grants=tuple(g.id for g in a.grants), by="grant")
    return Step(a.artifact, a.target.real, a.reading, a.content, kind, columns, note, "", others, tuple(blobs), given)


def _sha(data: bytes | None) -> str:
    return "" if data is None else disk.sha256(data)


def _before_growth(bench: Bench, a: Assessed) -> dict[str, object]:
    """The marks as they were before the growth that is taken back."""
    assert a.artifact is not None
    last = last_commit(bench.ledger, a.artifact)
    assert last is not None
    old, note = last
    out: dict[str, object] = {}
    for name in ("mark", "high"):
        sha = str(note.get(name, old))
        words = a.measures.new_words if sha == old else -1
        out |= {name: sha, f"{name}_words": words, f"{name}_kept": words}
    return out


def _taken_over(
    bench: Bench, a: Assessed, moved: Counter[tuple[str, ...]], debt: int
) -> tuple[dict[int, Mapping[str, object]], list[bytes]]:
    """The columns of the artifacts that now answer for the moved units, and the bytes of their new marks."""
    left = Counter(moved)
    total = sum(len(unit) * n for unit, n in moved.items())
    others: dict[int, Mapping[str, object]] = {}
    blobs: list[bytes] = []
    for holder in a.holders:
        taken: Counter[tuple[str, ...]] = holder.found & left
        left -= taken
        if taken:
            words = sum(len(unit) * n for unit, n in taken.items())
            columns, data = _answers_for(bench, holder, taken, -(-debt * words // max(1, total)), a.measures.is_long)
            others[holder.artifact] = columns
            blobs += data
    return others, blobs


def _answers_for(
    bench: Bench, holder: Holder, taken: Counter[tuple[str, ...]], debt: int, long: bool
) -> tuple[dict[str, object], list[bytes]]:
    """A holder's columns: units its mark lacks are added to it, all of them to its guests; debt and long come along."""
    row = bench.ledger.query(
        "SELECT mark, disk, debt, long, guests, guests_words, guests_kept FROM artifacts WHERE id=?", (holder.artifact,)
    )[0]
    columns: dict[str, object] = {"debt": int(row[2]) + debt, "long": int(bool(row[3]) or long)}
    text = text_of(holder.path, bench.ledger.load(row[0]))
    lacking = taken - Counter(u.words for u in units(text))
    blobs = []
    if lacking and row[0] != row[1]:
        blobs.append(_with_units(text, lacking))
        words = count_words(blobs[0].decode("utf-8", "replace"))
        columns |= {"mark": disk.sha256(blobs[0]), "mark_words": words, "mark_kept": -1}
    here = text_of(holder.path, bench.ledger.load(row[4]))
    new = taken - Counter(u.words for u in units(here))
    if new:
        blobs.append(_with_units(here, new))
        words = count_words(blobs[-1].decode("utf-8", "replace"))
        added = words - (int(row[5]) if here else 0)
        kept = added if not here else int(row[6]) + added if int(row[6]) >= 0 else -1
        columns |= {"guests": disk.sha256(blobs[-1]), "guests_words": words, "guests_kept": kept}
    return columns, blobs


def _with_units(text: str, more: Counter[tuple[str, ...]]) -> bytes:
    added = "\n\n".join(" ".join(unit) for unit in more.elements())
    return f"{text.rstrip()}\n\n{added}\n".lstrip("\n").encode("utf-8", "surrogatepass")
