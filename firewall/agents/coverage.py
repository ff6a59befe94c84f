"""What a session has read of a guarded file, in lines: who never saw a text cannot write it anew.

A read that the runtime reports is noted with the lines it showed; a file that a shell command names, or that the
person's prompt put before the agent, counts as read. A change by somebody else makes what was read worth nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from firewall import jsons
from firewall.agents.events import Seen
from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome
from firewall.writes import disk
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from firewall.writes.bench import Assessed
    from firewall.writes.ledger import Ledger
    from firewall.writes.paths import Target
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

RULE = "unread"
WHOLE = Seen(1, 0, 0)
"""A read that showed all there is."""
Spans = list[tuple[int, int]]
"""Lines that were shown: first and last, in order, apart."""


def note(ledger: Ledger, session: str, artifact: Artifact, seen: Seen, at: float) -> None:
    """The session was shown these lines of the file as it is now. Inside a transaction."""
    last, spans, total = _known(ledger, session, artifact)
    if seen.total == 0:
        spans, total = [(1, 1)], 1
    else:
        spans, total = merged([*spans, (seen.first, seen.first + seen.lines - 1)]), seen.total
    ledger.change(
        "INSERT OR REPLACE INTO coverage VALUES (?, ?, ?, ?, ?, ?)",
        (session, artifact.id, last, jsons.dumps(spans), total, at),
    )


def saw(proxy: WriteProxy, target: Target, seen: Seen) -> None:
    """The session was shown lines of a file, if the file is as the ledger knows it."""
    artifact = proxy.ledger.artifact(target.relative)
    reading = disk.read(target.real, proxy.limits.max_bytes)
    if artifact is None or reading.data is None:
        return
    if reading.sha256 != artifact.disk:
        from firewall.agents import unmerged

        if not unmerged.stands(proxy, target.relative, reading.sha256):  # which has all of both sides
            return
    if seen.total < 0:
        seen = seen._replace(total=max(1, len(reading.data.splitlines())))
    from firewall.writes import commit

    origin = proxy.origin()
    with proxy.ledger.transaction(durable=False):
        commit.saw(proxy.ledger, origin.session, artifact.id, artifact.disk, origin.at)
        note(proxy.ledger, origin.session, artifact, seen, origin.at)


def shown(proxy: WriteProxy, command: str) -> None:
    """Long files that a shell command names count as read; short ones need no reading."""
    tokens, parts = _words(command)
    if not (tokens & _EVERYTHING or any(map(_is_pattern, parts))):
        from firewall.agents import memory

        known = f"//{memory.listed(proxy)}//"
        if not any(f"/{part}/" in known for part in parts if part):
            return  # no file's name, and no folder's, is in the command
    rows = proxy.ledger.query(
        "SELECT path, id FROM artifacts WHERE root=? AND disk<>'' AND (disk_words<0 OR disk_words>=?)",
        (proxy.ledger.root_id, proxy.limits.floor_from),
    )
    ids = {str(path): int(ident) for path, ident in rows}
    named = [ids[path] for path in named_in(command, ids)]
    origin = proxy.origin()
    for start in range(0, len(named), _BATCH):
        batch = named[start : start + _BATCH]
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.change(
                "INSERT OR REPLACE INTO coverage SELECT ?, a.id,"  # noqa: S608 - marks
                " (SELECT coalesce(max(seq), 0) FROM journal WHERE artifact=a.id), '[[1, 1]]', 1, ?"
                f" FROM artifacts a WHERE a.id IN ({', '.join('?' * len(batch))})",
                (origin.session, origin.at, *batch),
            )


def merged(spans: Iterable[tuple[int, int]]) -> Spans:
    """The same lines as spans in order that neither meet nor overlap."""
    out: Spans = []
    for first, last in sorted(s for s in spans if s[1] >= s[0]):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return out


def covered(spans: Spans, total: int) -> int:
    """How many of lines 1 to `total` were shown."""
    return sum(max(0, min(last, total) - first + 1) for first, last in spans)


def finding(ledger: Ledger, session: str, a: Assessed) -> Finding | None:
    """A whole-file write over a long file of which the session saw a part or nothing, and of which words are lost."""
    if a.artifact is None or a.facts.disk is None or a.content is None or a.unread or a.grants or a.scratch:
        return None
    least = a.facts.limits.floor_from
    if a.measures.disk_words < least or not a.measures.from_disk.lost:
        return None
    _, spans, total = _known(ledger, session, a.artifact)
    read = covered(spans, total)
    if total and read >= total:
        return None
    seen = f"you have read {read} of its {total} lines" if read else "you have not read it"
    message = (
        f"{a.target.relative} has {a.measures.disk_words} words and {seen} in this session. "
        "Read all of it before you write it anew, or change passages of it in place."
    )
    evidence = {"lines_read": read, "lines": total, "words": a.measures.disk_words, "from": least}
    return Finding(RULE, Outcome.HOLD, message, evidence)


def _known(ledger: Ledger, session: str, artifact: Artifact) -> tuple[int, Spans, int]:
    """The file's last change, and what the session saw since somebody else changed it."""
    rows = ledger.query("SELECT coalesce(max(seq), 0) FROM journal WHERE artifact=?", (artifact.id,))
    last = int(rows[0][0])
    rows = ledger.query("SELECT seq, spans, total FROM coverage WHERE session=? AND artifact=?", (session, artifact.id))
    if not rows:
        return last, [], 0
    others = ledger.query(
        "SELECT 1 FROM journal WHERE artifact=? AND seq>? AND session<>? AND new<>old"
        " AND kind NOT IN (?, ?, ?, ?, ?) LIMIT 1",
        (artifact.id, rows[0][0], session, *PROPOSED),
    )
    if others:
        return last, [], 0
    return last, [(int(a), int(b)) for a, b in jsons.loads(rows[0][1])], int(rows[0][2])


_BATCH = 400
_EVERYTHING = frozenset((".", "*", "-r", "-R", "-rn", "-nr", "--recursive"))
_LONGEST, _MOST_PATTERNS = 255, 100
"""Characters of a pattern, and patterns of one command, that are looked at: no hook may work on one for a minute. What
only others name counts as not shown."""
_TOKEN = Pattern(r"[^\s'\"`;|&()<>=,]+")


def named_in(command: str, paths: Iterable[str]) -> list[str]:
    """Those of the paths (below the project, with `/`) that a shell command may have shown: it names the file, a
    pattern that matches it, or a folder that it is in."""
    tokens, last = _words(command)
    if tokens & _EVERYTHING:
        return list(paths)
    patterns = sorted(t for t in last if _is_pattern(t) and len(t) <= _LONGEST)[:_MOST_PATTERNS]
    inside: dict[str, bool] = {}
    out = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in inside:
            inside[folder] = bool(last.intersection(folder.split("/")) - {""})
        if name in last or inside[folder] or (patterns and any(fnmatchcase(name, p) for p in patterns)):
            out.append(path)
    return out


def _words(command: str) -> tuple[set[str], set[str]]:
    """The words of a command, and the last part of each, where they are paths."""
    tokens = {t.rstrip("/") or "/" for t in _TOKEN.findall(command)}
    return tokens, {t.rsplit("/", 1)[-1] for t in tokens}


def _is_pattern(word: str) -> bool:
    return any(c in word for c in "*?[")
