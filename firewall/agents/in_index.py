"""Refused text that git has all the same: on the disk it was put back, but `git add` or a commit took it before.

The agent is told at once how to take it out of git's index, and a person when the agent is done, so that nobody commits
it unseen. Later it passes as what git brings (provenance.py) only if a commit had it before it was refused.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from firewall.digest import sha256
from firewall.errors import StetError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Outcome
from firewall.writes.records import PROPOSED, Artifact

if TYPE_CHECKING:
    from firewall.agents.provenance import Safe
    from firewall.agents.sweep import Item
    from firewall.agents.turns import Turn
    from firewall.writes.git import Repository
    from firewall.writes.ledger import Ledger
    from firewall.writes.proxy import WriteProxy

_REFUSED = frozenset((*PROPOSED, "put-back"))
"""Kinds of journal entries whose bytes did not land, or were taken back."""
_MOST = 200
"""Files whose staged text is looked at."""
_NAMED = 5
"""Files that are named."""


class Staged(NamedTuple):
    """A guarded file whose text in the index is not that of the work tree; `ours` is its path below the project."""

    ours: str
    blob: str
    data: bytes
    artifact: Artifact


def refused_at(ledger: Ledger, artifact: int, sha: str) -> float | None:
    """When these bytes were first refused, in seconds since 1970 UTC; None where that is not the last known of them."""
    rows = ledger.query("SELECT kind, at FROM journal WHERE artifact=? AND new=? ORDER BY seq", (artifact, sha))
    if not rows or rows[-1][0] not in _REFUSED:
        return None
    return min(float(at) for kind, at in rows if kind in _REFUSED)


def _landed(ledger: Ledger, artifact: int, sha: str) -> bool:
    """Did these bytes ever stand in the work tree, as far as is known?"""
    rows = ledger.query("SELECT DISTINCT kind FROM journal WHERE artifact=? AND new=?", (artifact, sha))
    return any(kind not in _REFUSED for (kind,) in rows)


def without_refused(
    proxy: WriteProxy, turn: Turn, items: Sequence[Item], safe: Mapping[str, Safe | None], back: Collection[str]
) -> dict[str, Safe | None]:
    """`safe` (provenance.brought) less the files whose bytes were refused before any commit that was there when the
    turn began had them. Those of `back` stood on the disk once, and are as they were."""
    out = dict(safe)
    for item in items:
        read = item.reading
        if item.path not in out or item.path in back or item.artifact is None or read is None or read.data is None:
            continue
        at = refused_at(proxy.ledger, item.artifact.id, read.sha256)
        if at is not None and not _stood_before(proxy, turn, item, at):
            del out[item.path]
    return out


def _stood_before(proxy: WriteProxy, turn: Turn, item: Item, at: float) -> bool:
    """Did a commit of before `at` have the item's bytes at its path? No, where git cannot be asked."""
    from firewall.agents import provenance
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return False
        path = repository.prefix + item.path
        wanted = {(path, blob) for blob in provenance.blobs(provenance.hash_name(repository), item.data)}
        then = provenance.commits_then(proxy, turn)
        return not wanted.isdisjoint(provenance.listed(repository, then, [path], before=at - 1.0))
    except (StetError, ValueError):
        return False


def taken_out(*names: str) -> str:
    """The command, as Markdown, that gives the index the text of the last commit again."""
    from firewall.writes.alerts import quoted

    return f"`git restore --staged {' '.join(map(quoted, names))}`"


def has(proxy: WriteProxy, items: Sequence[Item]) -> set[str]:
    """The paths of those whose bytes, which were put back, are in git's index."""
    from firewall.agents import adopting, provenance
    from firewall.writes.git import find_repository

    asked = [i for i in items if i.reading is not None and i.data is not None and "\n" not in i.path]
    asked = [i for i in asked if i.reading and adopting.index_written(proxy.root, i.reading.identity[3] / 1e9)]
    if not asked:
        return set()
    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return set()
        hasher = provenance.hash_name(repository)
        at = {i.path: repository.prefix + i.path for i in asked}
        there = provenance.blobs_at(repository, "", at.values())  # no commit before the colon is the index
    except (StetError, ValueError):
        return set()
    return {i.path for i in asked if there.get(at[i.path]) in provenance.blobs(hasher, i.data)}


def told(proxy: WriteProxy, turn: Turn | None) -> str:
    """What a person should know of refused text in the index or the last commit when an agent is done; '' where there
    is none, or all of it was told of."""
    from firewall.agents import adopting, provenance
    from firewall.writes.git import find_repository

    if turn is None or not adopting.index_written(proxy.root, turn.opened_at):
        return ""
    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return ""
        found = _staged(proxy, repository)
        head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        paths = [repository.prefix + one.ours for one in found]
        there = provenance.blobs_at(repository, head, paths) if head and paths else {}
    except (StetError, ValueError):
        return ""
    committed = [one for one in found if there.get(repository.prefix + one.ours) == one.blob]
    bad = [one for one in found if _is_refused(proxy, one, is_new=one not in committed)]
    if not _is_news(proxy, bad):
        return ""
    said = []
    for where, some in (("index", [b for b in bad if b not in committed]), ("last commit", committed)):
        names = [one.ours for one in some if one in bad]
        if not names:
            continue
        how = f"{taken_out(*names[:_NAMED])} takes it out"
        if some is committed:
            how = "Commit the work tree's before you push"
        more = " and others" if len(names) > _NAMED else ""
        said.append(
            f"Git's {where} has a refused text of {', '.join(names[:_NAMED])}{more}; the work tree has not. {how}."
        )
    return " ".join(said)


def _staged(proxy: WriteProxy, repository: Repository) -> list[Staged]:
    """The known files whose text in the index is not what the work tree has."""
    from firewall.writes import gitobjects

    out = repository.run("diff-files", "--raw", "-z", "--abbrev=64", "--no-renames", action="compare the index")
    words = out.decode("utf-8", "surrogateescape").split("\0")
    rows = zip(words[::2], words[1::2], strict=False)  # modes, blobs and what changed; the path
    names = [(path.removeprefix(repository.prefix), head.split(" ")) for head, path in rows]
    some = [(name, head[2], proxy.ledger.artifact(name)) for name, head in names if head[-1] == "M"][:_MOST]
    known = [(name, blob, artifact) for name, blob, artifact in some if artifact is not None and artifact.disk]
    sizes = gitobjects.sizes(repository, [blob for _, blob, _ in known])
    known = [one for one in known if (sizes[one[1]] or 0) <= proxy.limits.max_bytes]
    data = gitobjects.objects(repository, [blob for _, blob, _ in known])
    read = [Staged(name, blob, data[blob] or b"", artifact) for name, blob, artifact in known]
    return [one for one in read if sha256(one.data) != one.artifact.disk]


def _is_refused(proxy: WriteProxy, one: Staged, *, is_new: bool) -> bool:
    """Was the staged text refused, or do the rules refuse it now? Then it is noted in the journal, as nobody's attempt.
    Only a text is judged that is not the last commit's, which may be a person's, and never stood in the work tree: an
    earlier state of it may have been staged."""
    sha = sha256(one.data)
    if refused_at(proxy.ledger, one.artifact.id, sha) is not None:
        return True
    if not is_new or _landed(proxy.ledger, one.artifact.id, sha):
        return False
    result = proxy.check(proxy.root / one.ours, one.data)
    if result.verdict.outcome < Outcome.HOLD:
        return False
    origin = proxy.origin()
    with proxy.ledger.transaction():
        proxy.ledger.save(sha, one.data)
        proxy.ledger.append(
            "refuse", origin.at, artifact=one.artifact.id, old=one.artifact.disk, new=sha, session=origin.session,
            source=origin.source, data={"findings": [f.to_json() for f in result.verdict.findings], "attempt": 0},
        )  # fmt: skip
    return True


def _is_news(proxy: WriteProxy, bad: Sequence[Staged]) -> bool:
    """Is there any, and was not just this told of?"""
    key = f"in-index-{proxy.ledger.root_id}"
    now, before = json.dumps([[one.ours, one.blob] for one in bad]), proxy.ledger.meta(key) or "[]"
    if now != before:
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.set_meta(key, now)
    return bool(bad) and now != before
