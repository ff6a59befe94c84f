"""Failed attempts go with the text: a file that takes over what another had before it was deleted takes over its
refusals, as a rename does. Else each copy under a new name would begin anew."""

from __future__ import annotations

from collections.abc import Sequence

from firewall.writes.bench import Assessed
from firewall.writes.ledger import Ledger


def hand_on(ledger: Ledger, judged: Sequence[Assessed]) -> None:
    """Before deletes are committed: those who hold their text have failed as often in a row, at least."""
    rows = [
        (a.artifact.attempts, holder.artifact, a.artifact.attempts)
        for a in judged
        if a.artifact and a.artifact.attempts and a.content is None and not a.new_target and not a.grants
        for holder in a.holders
        if not holder.released
    ]
    if not rows:
        return
    with ledger.transaction():
        for attempts, holder, least in rows:
            ledger.change("UPDATE artifacts SET attempts=? WHERE id=? AND attempts<?", (attempts, holder, least))


def failed_since(ledger: Ledger, ident: int, answered: int, since: float) -> int:
    """Failed attempts at an artifact, and at those that are gone and whose text it holds, since then and since a person
    last answered for it, however interleaved with good ones. A lost race is none."""
    rows = ledger.query(
        "SELECT count(*) FROM journal WHERE kind IN ('refuse','hold') AND at>=?2 AND seq>?3"
        " AND coalesce(json_extract(data, '$.attempt'), 1)>0 AND (artifact=?1 OR artifact IN"
        " (SELECT c.origin FROM carried c JOIN artifacts o ON o.id=c.origin WHERE c.holder=?1 AND o.disk=''))",
        (ident, since, answered),
    )
    return int(rows[0][0])
