"""What an agent made in this very turn is its own: it may be written anew and deleted, whatever was in it.

A program's output, a copy, a build: nobody but the agent has seen it, so its past is nothing to guard, and it is judged
as a new file each time. The line, and why it is there:

- only what was new to everybody when a tool call of this session ended (firewall/agents/own_files.py): what comes up
  between calls may be a person's, and a name that was known before has a past that somebody may miss;
- only for the session that made it, and until its turn ends, or anything else changes the file, or a person answers for
  it: then it is somebody's, and guarded like all others;
- what the model itself wrote, word by word, only while it is short: a long text is what the work was for, and is
  guarded as soon as it lands. What a command brought may have any length.

What is owed in it to other files stays owed: text that was moved into it is judged by the floors of where it came from
(owed.py), after this and whatever this says. Its versions are in the store like any other's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from firewall.verdict import judge
from firewall.writes import line_ends
from firewall.writes.bench import Assessed, Bench
from firewall.writes.decide import decide
from firewall.writes.facts import Facts
from firewall.writes.ledger import Ledger
from firewall.writes.records import Artifact

NOTE = "scratch"
"""In the journal's note of a change that was let go for this."""
_REFUSED = ("refuse", "hold")


def own(ledger: Ledger, session: str, at: float) -> dict[int, bool]:
    """The artifacts that the session made in its open turn, by id; True for those whose text the model wrote itself."""
    if not session:
        return {}
    rows = ledger.query(
        "SELECT m.value FROM turns t JOIN meta m ON m.key='own ' || t.id"
        " WHERE t.root=? AND t.session=? AND t.closed_at IS NULL AND t.expires>?",
        (ledger.root_id, session, at),
    )
    return {int(ident): bool(typed) for (value,) in rows for ident, typed in json.loads(value).items()}


def everyones(ledger: Ledger, at: float) -> set[int]:
    """The artifacts that any open turn made."""
    rows = ledger.query(
        "SELECT m.value FROM turns t JOIN meta m ON m.key='own ' || t.id"
        " WHERE t.root=? AND t.closed_at IS NULL AND t.expires>?",
        (ledger.root_id, at),
    )
    return {int(ident) for (value,) in rows for ident in json.loads(value)}


def freed(bench: Bench, a: Assessed) -> Assessed:
    """The proposal judged as if the file were new, where it is the session's own of this turn; else as it was."""
    known = a.artifact
    if known is None or a.unread or a.new_target or bench.lifted or a.facts.structural is not None:
        return a
    if a.content is None and not known.disk:
        return a
    typed = own(bench.ledger, bench.origin.session, bench.origin.at).get(known.id)
    if typed is None or not is_nobodys(bench.ledger, known):
        return a
    if typed and a.measures.before >= bench.limits.floor_from:
        return a
    facts = Facts(
        path=a.facts.path, disk=None, proposed=a.facts.proposed, mark=None, disk_sha="", limits=a.facts.limits,
        path_problem=a.facts.path_problem, stop_reason=a.facts.stop_reason, granted=a.facts.granted,
        loss_only=a.facts.loss_only,
    )  # fmt: skip
    verdict = decide(facts)
    if not verdict.allowed:
        return a._replace(verdict=verdict, scratch=True)
    kept = [f for f in a.verdict.findings if f.rule == line_ends.NAME]
    return a._replace(verdict=judge([*verdict.findings, *kept], verdict.checks), scratch=True)


def is_nobodys(ledger: Ledger, known: Artifact) -> bool:
    """Has nothing but commits, other names and refused proposals ever happened to it: no person, no git?"""
    if known.accepted or known.answered or known.latched:
        return False
    rows = ledger.query("SELECT DISTINCT kind, new='' FROM journal WHERE artifact=?", (known.id,))
    kinds = {str(kind) for kind, nothing in rows if not (kind == "adopt" and nothing)}
    return kinds <= {"commit", "delete", "left", "rename", *_REFUSED}


def is_new(ledger: Ledger, known: Artifact) -> bool:
    """Was nothing ever there, or nothing but what was some turn's own and deleted as such?"""
    if known.disk or known.mark or known.high or known.baseline or not is_nobodys(ledger, known):
        return False
    rows = ledger.query(
        "SELECT kind, data FROM journal WHERE artifact=? AND kind NOT IN ('adopt', 'refuse', 'hold')"
        " ORDER BY seq DESC LIMIT 1",
        (known.id,),
    )
    return not rows or (rows[0][0] == "delete" and bool(_note(rows[0][1]).get(NOTE)))


def _note(data: object) -> Mapping[str, object]:
    note = json.loads(str(data))
    return note if isinstance(note, dict) else {}
