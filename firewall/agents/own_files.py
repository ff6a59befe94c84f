"""Which new files a session's own call made, while its turn lasts (firewall/writes/scratch.py has the line)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from firewall.errors import StetError
from firewall.text.words import words
from firewall.values import TYPE_CHECKING
from firewall.writes import scratch
from firewall.writes.prose import text_of

if TYPE_CHECKING:
    from firewall.agents.sweep import Item
    from firewall.agents.turns import Turn
    from firewall.writes.bench import Assessed
    from firewall.writes.proxy import WriteProxy

MOST_NAMES = 50_000
"""Names that git is asked about; of more, nobody knows whether git had them."""


def note(proxy: WriteProxy, turn: Turn, pairs: Sequence[tuple[Item, Assessed]]) -> None:
    """Note what the look has found and is about to accept, or to leave: the files that are new are the session's own
    if a call of it has just ended; what else is on any list and was changed otherwise is on it no longer."""
    origin = proxy.origin()
    ledger = proxy.ledger
    rows = ledger.query(
        "SELECT t.id, t.session, coalesce(m.value, '{}') FROM turns t LEFT JOIN meta m ON m.key='own ' || t.id"
        " WHERE t.root=? AND t.closed_at IS NULL AND t.expires>?",
        (ledger.root_id, origin.at),
    )
    mine = turn.command is not None and bool(origin.session)
    new = _new(proxy, turn, pairs) if mine and any(session == origin.session for _, session, _ in rows) else {}
    for ident, session, value in rows:
        had = {int(one): bool(typed) for one, typed in json.loads(value).items()}
        has = dict(had)
        for item, a in pairs:
            if a.artifact is None or (a.artifact.id not in had and a.artifact.id not in new):
                continue
            one = a.artifact.id
            if not mine or session != origin.session:
                has.pop(one, None)
            elif item.data is not None:
                typed = is_typed(text_of(item.path, item.data), turn.command or "")
                has[one] = typed or (had.get(one, False) and not a.scratch)
        if has != had:
            with ledger.transaction(durable=False):
                ledger.set_meta(scratch.key(int(ident)), json.dumps({str(one): typed for one, typed in has.items()}))


def forget(proxy: WriteProxy, session: str) -> None:
    """The agent has stopped, or a person has spoken: from now on somebody may take its files for theirs."""
    ledger = proxy.ledger
    gone = (
        "key>='own ' AND key<'own!' AND CAST(substr(key, 5) AS INTEGER) NOT IN"
        " (SELECT id FROM turns WHERE closed_at IS NULL AND NOT (root=? AND session=?))"
    )
    values = (ledger.root_id, session)
    if ledger.query(f"SELECT 1 FROM meta WHERE {gone} LIMIT 1", values):  # noqa: S608 - a constant
        with ledger.transaction():
            ledger.change(f"DELETE FROM meta WHERE {gone}", values)  # noqa: S608 - a constant


def is_typed(text: str, command: str) -> bool:
    """Did the model write the text itself: by a tool that writes what it is given (no command), or in its command?"""
    if not command:
        return True
    there = words(text)
    said = set(words(command.replace("\\n", " ")))
    return 2 * sum(word in said for word in there) > len(there)


def _new(proxy: WriteProxy, turn: Turn, pairs: Sequence[tuple[Item, Assessed]]) -> dict[int, str]:
    """Those that nobody knew before, by id: neither Stet nor, at the beginning of the turn, git."""
    found = {
        a.artifact.id: item.path
        for item, a in pairs
        if a.artifact and item.data is not None and not item.moved_to and scratch.is_new(proxy.ledger, a.artifact)
    }
    known = _known_to_git(proxy, turn, list(found.values())) if found else set()
    return {ident: path for ident, path in found.items() if path not in known}


def _known_to_git(proxy: WriteProxy, turn: Turn, paths: list[str]) -> set[str]:
    """Those of the paths that a commit had which was there when the turn began; all where it cannot be told."""
    from firewall.agents import provenance
    from firewall.writes.git import find_repository

    if not turn.refs:
        return set()  # there was no repository then
    try:
        repository = find_repository(proxy.root)
        commits = provenance.commits_then(proxy, turn)
        if repository is None:
            return set()
        if not commits:  # none was there, or none that a person made
            return set(paths) if repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") else set()
        names = [(path, f"{commit}:{repository.prefix}{path}") for path in paths for commit in commits]
        if len(names) > MOST_NAMES or any("\n" in name for _, name in names):
            return set(paths)
        data = "".join(f"{name}\n" for _, name in names).encode("utf-8", "surrogateescape")
        out = repository.run("cat-file", "--batch-check=%(objectname)", data=data, action="look")
        lines = out.decode("utf-8", "replace").split("\n")
        return {path for (path, _), line in zip(names, lines, strict=False) if not line.endswith(" missing")}
    except (StetError, ValueError):
        return set(paths)
