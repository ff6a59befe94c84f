"""Which new files a session's own call made, while its turn lasts (firewall/writes/scratch.py has the line)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.precaution import Put
    from firewall.agents.restoring import Refused
    from firewall.agents.sweep import Item
    from firewall.agents.turns import Turn
    from firewall.writes.bench import Assessed
    from firewall.writes.proxy import WriteProxy

MOST_NAMES = 50_000
"""Names that git is asked about; of more, nobody knows whether git had them."""


def note(proxy: WriteProxy, turn: Turn, pairs: Sequence[tuple[Item, Assessed]]) -> None:
    """Note what the look has found and is about to accept, or to leave: the files that are new are the session's own
    if a call of it has just ended; what else is on any list and was changed otherwise is on it no longer."""
    known = {a.artifact.id: (item, a) for item, a in pairs if a.artifact is not None}
    mine = turn.command is not None and bool(proxy.origin().session)
    new = _new(proxy, turn, pairs) if mine else set()
    renamed = {ident: item.moved_to for ident, (item, _) in known.items() if item.moved_to}
    if not known or not (new or any(known.keys() & had.keys() for _, _, had in _lists(proxy))):
        return
    other = known_to_git(proxy, turn, list(renamed.values())) if mine and renamed else set()  # a name with a past
    with proxy.ledger.transaction(durable=False):
        for ident, session, had in _lists(proxy):
            is_mine = mine and session == proxy.origin().session
            has = dict(had)
            for one in known.keys() & (had.keys() | new):
                if not is_mine or renamed.get(one) in other:
                    has.pop(one, None)
                elif known[one][0].data is not None:
                    has[one] = _is_typed(turn, *known[one], before=had.get(one, False))
            if has != had:
                proxy.ledger.set_meta(f"own {ident}", json.dumps(dict(sorted(has.items()))))


def _lists(proxy: WriteProxy) -> list[tuple[int, str, dict[int, bool]]]:
    """Of each open turn: its id, its session, and the artifacts it made, True for text of the model's own."""
    rows = proxy.ledger.query(
        "SELECT t.id, t.session, coalesce(m.value, '{}') FROM turns t LEFT JOIN meta m ON m.key='own ' || t.id"
        " WHERE t.root=? AND t.closed_at IS NULL AND t.expires>?",
        (proxy.ledger.root_id, proxy.origin().at),
    )
    return [(int(i), str(s), {int(one): bool(typed) for one, typed in json.loads(v).items()}) for i, s, v in rows]


def _is_typed(turn: Turn, item: Item, a: Assessed, *, before: bool) -> bool:
    """Is the file the model's own words now? What was stays so until a command has written it anew."""
    from firewall.writes.prose import text_of

    return is_typed(text_of(item.path, item.data), turn.command or "") or (before and not a.scratch)


def stays(proxy: WriteProxy, one: Refused, put: Mapping[str, Put]) -> bool:
    """Is it an own file that is refused as a new one would be, and stays like one (left.py)? Its version before is let
    go, since an agent that finds it again would take it for what its program printed now. Not where others need it."""
    from firewall.agents import left
    from firewall.writes import moves, scratch

    item, a, result = one
    if not a.scratch or a.artifact is None or item.data is None or item.path in put:
        return False
    if not left.speaks_of_new(result) or moves.origins(proxy.ledger, a.artifact.id):
        return False
    origin = proxy.origin()
    with proxy.ledger.transaction():
        proxy.ledger.adopt(item.path, "", origin.at, 0)
        proxy.ledger.append(
            "delete", origin.at, artifact=a.artifact.id, old=a.artifact.disk, session=origin.session,
            source=origin.source, data={scratch.NOTE: True},
        )  # fmt: skip
    return True


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
    from firewall.text.words import words

    there = words(text)
    said = set(words(command.replace("\\n", " ")))
    return 2 * sum(word in said for word in there) > len(there)


def _new(proxy: WriteProxy, turn: Turn, pairs: Sequence[tuple[Item, Assessed]]) -> set[int]:
    """The ids of those that nobody knew before: neither Stet nor, at the beginning of the turn, git."""
    from firewall.writes import scratch

    found = {
        a.artifact.id: item.path
        for item, a in pairs
        if a.artifact and item.data is not None and not item.moved_to and scratch.is_new(proxy.ledger, a.artifact)
    }
    known = known_to_git(proxy, turn, list(found.values())) if found else set()
    return {ident for ident, path in found.items() if path not in known}


def known_to_git(proxy: WriteProxy, turn: Turn, paths: list[str]) -> set[str]:
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
