"""Text that went from one artifact to another: what arrived where, and whether it is still there.

A unit counts as moved when another artifact got it by a change within the window and holds it on disk now;
that artifact then answers for it in its own mark.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from firewall.text.units import LEAST_WORDS, Unit, units
from firewall.writes import disk
from firewall.writes.ledger import Ledger
from firewall.writes.prose import text_of

DAY = 86_400.0
_BATCH = 400

Pool = dict[tuple[str, ...], int]
"""How often each unit, by its words, stands elsewhere."""


class Holder(NamedTuple):
    """An artifact that holds moved units: its id, path, and which of the wanted units."""

    artifact: int
    path: str
    found: Counter[tuple[str, ...]]


def unit_key(words: tuple[str, ...]) -> str:
    """The name of a unit in the index of arrivals."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()


def record_arrivals(ledger: Ledger, artifact: int, added: Iterable[Unit], at: float) -> None:
    """Note which units came to an artifact. Inside a transaction."""
    for unit in added:
        if len(unit.words) >= LEAST_WORDS:
            ledger.change(
                "INSERT INTO arrivals VALUES (?, ?, ?) ON CONFLICT (unit, artifact) DO UPDATE SET at=excluded.at",
                (unit_key(unit.words), artifact, at),
            )


def holders(ledger: Ledger, wanted: Iterable[Unit], but: set[int], since: float) -> list[Holder]:
    """Artifacts other than `but` that got any of the wanted units since then and hold them on disk now."""
    keys = sorted({unit_key(u.words) for u in wanted if len(u.words) >= LEAST_WORDS})
    arrived: dict[tuple[int, str, str], set[str]] = {}
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        marks = ", ".join("?" * len(batch))
        for row in ledger.query(
            "SELECT a.id, a.path, a.disk, v.unit FROM arrivals v JOIN artifacts a ON a.id = v.artifact"  # noqa: S608
            f" WHERE a.root=? AND v.at>=? AND a.disk<>'' AND v.unit IN ({marks})",
            (ledger.root_id, since, *batch),
        ):
            arrived.setdefault((int(row[0]), str(row[1]), str(row[2])), set()).add(str(row[3]))
    wanted_words = {u.words for u in wanted}
    out = []
    for (ident, path, sha), keys_there in sorted(arrived.items(), key=lambda c: c[0][1]):
        if ident in but:
            continue
        reading = disk.read(ledger.root / path)
        if reading.sha256 != sha:  # changed behind our back: nothing there is sure
            continue
        # A unit that stood there all along is that file's own, and no copy of what is lost here.
        found = Counter(
            u.words
            for u in units(text_of(path, reading.data))
            if u.words in wanted_words and unit_key(u.words) in keys_there
        )
        if found:
            out.append(Holder(ident, path, found))
    return out


def pool(found: Iterable[Holder]) -> Pool:
    """How often each unit stands in any of the holders."""
    total: Counter[tuple[str, ...]] = Counter()
    for holder in found:
        total += holder.found
    return dict(total)
