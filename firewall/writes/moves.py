"""Text that went from one artifact to another: what arrived where, and who answers for it.

A unit counts as moved when another artifact got it by a change within the window and holds it on disk now.
From then on the ledger knows it as carried: whatever would take it from its holder is judged by the floors of
the artifact it came from as well, until a person accepts either of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from firewall.digest import sha256
from firewall.text.shown import shown
from firewall.text.units import Unit, is_movable_away, units
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk
from firewall.writes.facts import Facts, Words
from firewall.writes.fate import Away
from firewall.writes.gains import Gains, gains, total, with_gains
from firewall.writes.ledger import Ledger
from firewall.writes.prose import text_of
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from typing import Any


DAY = 86_400.0
_BATCH = 400


class Holder(NamedTuple):
    """An artifact that may hold moved text: its id, path, what it gained and has, and the hash of its bytes as the
    ledger had it.

    `released`: a person accepted it since it got them, so the text is its own now.
    """

    artifact: int
    path: str
    found: Gains
    disk: str
    released: bool = False


class Carried(NamedTuple):
    """Units of one artifact that another holds, since journal entry `seq`; -1: released by structural work."""

    holder: int
    units: tuple[Words, ...]
    seq: int


def unit_key(words: Words) -> str:
    """The name of a unit in the index of arrivals."""
    return sha256("\0".join(words).encode("utf-8", "surrogatepass"))


def pack(given: Iterable[Words]) -> bytes:
    """Units as bytes: one a line, words apart by blanks."""
    return "\n".join(" ".join(unit) for unit in given).encode("utf-8", "surrogatepass")


def unpack(data: bytes | None) -> tuple[Words, ...]:
    """What `pack` packed; nothing for None."""
    text = (data or b"").decode("utf-8", "surrogatepass")
    return tuple(tuple(line.split(" ")) for line in text.split("\n") if line)


def record_arrivals(ledger: Ledger, artifact: int, added: Iterable[Unit], at: float) -> None:
    """Note which units came to an artifact. Inside a transaction."""
    for unit in added:
        ledger.change(
            "INSERT INTO arrivals VALUES (?, ?, ?) ON CONFLICT (unit, artifact) DO UPDATE SET at=excluded.at",
            (unit_key(unit.words), artifact, at),
        )


def gained(ledger: Ledger, artifact: int, path: str, text: str, added: Iterable[Unit] = ()) -> Gains:
    """What of `text` came to the artifact by a change, or comes with this one. A unit that stood there all along is
    its own, and no copy of what is lost elsewhere."""
    there = {u.words for part in (text, shown(path, text)) for u in units(part)}
    keys = {unit_key(words): words for words in there}
    came = {u.words for u in added}
    for row in _by_keys(ledger, "SELECT unit FROM arrivals WHERE artifact=? AND unit IN ({})", (artifact,), list(keys)):
        came.add(keys[str(row[0])])
    return gains(path, text, came)


def holders(ledger: Ledger, wanted: Iterable[Words], but: set[int], since: float) -> list[Holder]:
    """Artifacts other than `but` that got any of the wanted units since then and hold them on disk now."""
    wanted = {words for words in wanted if is_movable_away(words)}
    query = (
        "SELECT DISTINCT a.path, a.id, a.disk FROM arrivals v CROSS JOIN artifacts a ON a.id = v.artifact"
        " WHERE a.root=? AND v.at>=? AND a.disk<>'' AND v.unit IN ({})"
    )
    keys = sorted(map(unit_key, wanted))
    rows = _by_keys(ledger, query, (ledger.root_id, since), keys)
    out = []
    for path, ident, sha in sorted({(str(r[0]), int(r[1]), str(r[2])) for r in rows}):
        if ident in but or "\0" in path:  # a name of nothing: of an artifact whose name another took
            continue
        reading = disk.read(ledger.root / path)
        if reading.sha256 != sha:  # changed behind our back: nothing there is sure
            continue
        found = gained(ledger, ident, path, text_of(path, reading.data))
        if wanted & (found.found.keys() | found.shown.keys()):
            out.append(Holder(ident, path, found, sha))
    return out


def _by_keys(ledger: Ledger, query: str, values: tuple[object, ...], keys: Sequence[str]) -> list[Any]:
    rows: list[Any] = []
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        rows += ledger.query(query.format(", ".join("?" * len(batch))), (*values, *batch))
    return rows


def with_holders(facts: Facts, found: Sequence[Holder]) -> Facts:
    """The facts, with what the holders have and what was released there."""
    there = total(h.found for h in found if not h.released)
    return with_gains(facts, there, total(h.found for h in found if h.released).found)


# -- what is carried -----------------------------------------------------------------------------------------


def carried(ledger: Ledger, origin: int) -> list[tuple[Carried, bool]]:
    """What others hold of an artifact, and whether a person accepted the holder since."""
    rows = ledger.query(
        "SELECT c.holder, c.units, c.seq, max(h.answered, h.accepted)>c.seq FROM carried c"
        " JOIN artifacts h ON h.id = c.holder WHERE c.origin=? ORDER BY c.holder, c.seq",
        (origin,),
    )
    return [(Carried(int(r[0]), unpack(ledger.load(str(r[1]))), int(r[2])), bool(r[3])) for r in rows]


def origins(ledger: Ledger, holder: int) -> list[int]:
    """The artifacts that an artifact holds text of."""
    rows = ledger.query(
        "SELECT DISTINCT c.origin FROM carried c JOIN artifacts h ON h.id = c.holder"
        " WHERE c.holder=? AND max(h.answered, h.accepted)<=c.seq AND c.origin<>c.holder ORDER BY c.origin",
        (holder,),
    )
    return [int(r[0]) for r in rows]


def assigned(away: Iterable[Away], found: Iterable[Holder]) -> list[Carried]:
    """Which holder has which unit that is away. The journal entry is the commit's own, so `seq` is 0 here."""
    left = {holder.artifact: Counter(holder.found.found) for holder in found if not holder.released}
    out: dict[int, list[Words]] = {}
    for unit, now in away:
        for ident, spare in left.items():
            if spare[now] > 0:
                spare[now] -= 1
                out.setdefault(ident, []).append(unit)
                break
    return [Carried(ident, tuple(given), 0) for ident, given in out.items()]


def record_carried(ledger: Ledger, origin: int, rows: Iterable[tuple[int, str, int]], seq: int) -> None:
    """What others hold of an artifact, anew: (holder, sha of the packed units, seq or 0 for this commit's).
    Inside a transaction."""
    ledger.change("DELETE FROM carried WHERE origin=?", (origin,))
    for holder, sha, since in rows:
        ledger.change("INSERT OR REPLACE INTO carried VALUES (?, ?, ?, ?)", (origin, holder, since or seq, sha))


def state(ledger: Ledger, artifact: int) -> list[object]:
    """What a judgement of the artifact depends on besides itself: text carried from it or to it, and the last
    change of any other artifact."""
    last = ledger.query(
        "SELECT seq FROM journal WHERE artifact<>? AND new<>old AND kind NOT IN (?, ?, ?, ?, ?)"
        " ORDER BY seq DESC LIMIT 1",
        (artifact, *PROPOSED),
    )
    rows = ledger.query(
        "SELECT c.origin, c.holder, c.units, c.seq, o.disk, o.mark, o.high, h.disk, h.answered, h.accepted"
        " FROM carried c JOIN artifacts o ON o.id = c.origin JOIN artifacts h ON h.id = c.holder"
        " WHERE c.origin=? OR c.holder=? ORDER BY c.origin, c.holder, c.seq",
        (artifact, artifact),
    )
    return [last, rows]
