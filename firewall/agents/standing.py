"""The turn that `stet watch` holds open, so that changes of the disk are judged where no hook tells of an agent.

Unlike an agent's turn it lives for days, and a person commits, pulls and switches branches meanwhile. So the commits
it trusts grow: with what was fetched, and with commits made here whose guarded texts, and whose deletes of such files,
Stet had accepted before. What was only ever committed, and its descendants, stay what they are: judged. A watcher that
dies leaves a turn that ends by itself after a short while.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firewall.agents.turns import Turn
from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes import disk, protection

if TYPE_CHECKING:
    from firewall.writes.git import Repository
    from firewall.writes.gitobjects import Commit
    from firewall.writes.proxy import WriteProxy

SESSION = "watch"
LEASE = 120.0
"""Seconds that the turn lasts unless it is renewed."""
MOST_COMMITS = 500
"""New commits looked into at once; where there are more, none of those made here is trusted."""
_MADE_HERE = ("commit", "rebase", "cherry-pick", "revert", "am")
_ACCEPTED = ("adopt", "outside", "renew", "commit", "rename", "restore", "approve", "edit", "reset", "accept")


def begin(proxy: WriteProxy) -> Turn:
    """Open the turn. What changed before is a person's, unless an agent's turn is open, or one that a watcher left
    when it died a moment ago: then it is judged."""
    left = _mine(proxy)
    if left is not None:
        return renew(proxy, left)
    if not agents_at_work(proxy):
        from firewall.agents.sweep import sweep

        sweep(proxy, None, SESSION)
    from firewall.agents import provenance

    refs = _keep(proxy, provenance.trusted(proxy))
    ledger, at = proxy.ledger, proxy.origin().at
    with ledger.transaction():
        ledger.change(
            "UPDATE turns SET closed_at=? WHERE root=? AND session=? AND closed_at IS NULL",
            (at, ledger.root_id, SESSION),
        )
        ledger.change(
            "INSERT INTO turns (root, session, opened_at, expires, refs) VALUES (?, ?, ?, ?, ?)",
            (ledger.root_id, SESSION, at, at + LEASE, refs),
        )
    turn = _mine(proxy)
    assert turn is not None
    return turn


def renew(proxy: WriteProxy, turn: Turn) -> Turn:
    """Let the turn last on, and trust what came to git by other ways than an agent's hand."""
    refs = turn.refs if agents_at_work(proxy) else _grown(proxy, turn)
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.change("UPDATE turns SET expires=?, refs=? WHERE id=?", (proxy.origin().at + LEASE, refs, turn.id))
    return turn._replace(refs=refs)


def end(proxy: WriteProxy, turn: Turn) -> None:
    """Close it: what changes from now on is a person's."""
    with proxy.ledger.transaction():
        proxy.ledger.change("UPDATE turns SET closed_at=? WHERE id=?", (proxy.origin().at, turn.id))


def agents_at_work(proxy: WriteProxy) -> bool:
    """Is a turn open that is not the watcher's?"""
    rows = proxy.ledger.query(
        "SELECT 1 FROM turns WHERE root=? AND session<>? AND closed_at IS NULL AND expires>? LIMIT 1",
        (proxy.ledger.root_id, SESSION, proxy.origin().at),
    )
    return bool(rows)


def _mine(proxy: WriteProxy) -> Turn | None:
    rows = proxy.ledger.query(
        "SELECT id, session, background, refs FROM turns WHERE root=? AND session=? AND closed_at IS NULL AND expires>?"
        " ORDER BY id DESC LIMIT 1",
        (proxy.ledger.root_id, SESSION, proxy.origin().at),
    )
    # It opened in no time that a commit could lie after: what an agent wrote in its own turn, git may take from it
    # again (provenance.py), and here it may as well be a person's work of today.
    return Turn(int(rows[0][0]), str(rows[0][1]), float("inf"), str(rows[0][3])) if rows else None


def _keep(proxy: WriteProxy, commits: Sequence[str] | None) -> str:
    if commits is None:
        return ""
    data = "\n".join(commits).encode()
    sha = disk.sha256(data)
    with proxy.ledger.transaction():
        proxy.ledger.save(sha, data)
    return sha


# -- commits -----------------------------------------------------------------------------------------------


def _grown(proxy: WriteProxy, turn: Turn) -> str:
    """The snapshot of trusted commits with those that may be trusted by now; the old one where nothing is new."""
    from firewall.agents import provenance
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return turn.refs
        if not turn.refs:  # a repository that was made while we watch
            return _keep(proxy, [])
        then = [line for line in (proxy.ledger.load(turn.refs) or b"").decode("ascii").split("\n") if line]
        heads = [head for head in provenance.heads(repository) if head not in set(then)]
        found = _trustworthy(proxy, repository, then, heads) if heads else []
    except (StetError, ValueError):
        return turn.refs  # git cannot be asked: what was trusted is
    return _keep(proxy, [*then, *found]) if found else turn.refs


def _trustworthy(proxy: WriteProxy, repository: Repository, then: Sequence[str], heads: Sequence[str]) -> list[str]:
    """Those of the new commits that a change may come from, none with a doubtful ancestor."""
    from firewall.writes import gitobjects

    fresh = _between(repository, heads, then)
    made = {str(row[0]) for row in proxy.ledger.query("SELECT id FROM made WHERE root=?", (proxy.ledger.root_id,))}
    remote = repository.run("for-each-ref", "--format=%(objectname)", "refs/remotes", action="list the refs")
    fetched = set(_between(repository, remote.decode("ascii").split(), then)) - _made_here(repository)
    parents = _parents(repository, fresh)
    own = [one for one in fresh if one not in fetched and one not in made]
    good = fetched - made
    if len(own) <= MOST_COMMITS:
        for commit in gitobjects.read_commits(repository, own):
            if _is_accepted(proxy, repository, commit):
                good.add(commit.id)
    out: list[str] = []
    doubtful: set[str] = set()
    for one in fresh:  # parents first
        if one not in good or doubtful & set(parents.get(one, ())):
            doubtful.add(one)
        else:
            out.append(one)
    return out


def _between(repository: Repository, heads: Iterable[str], then: Sequence[str]) -> list[str]:
    """The commits that `heads` have and `then` have not, parents before children."""
    lines = "".join([*(f"{one}\n" for one in heads), *(f"^{one}\n" for one in then)]).encode("ascii")
    words = ("rev-list", "--topo-order", "--reverse", "--ignore-missing", "--stdin")
    return repository.run(*words, data=lines, action="list the commits").decode("ascii").split()


def _parents(repository: Repository, commits: Sequence[str]) -> dict[str, list[str]]:
    if not commits:
        return {}
    lines = "".join(f"{one}\n" for one in commits).encode("ascii")
    out = repository.run("rev-list", "--no-walk", "--parents", "--stdin", data=lines, action="list the parents")
    return {words[0]: words[1:] for line in out.decode("ascii").splitlines() if (words := line.split())}


def _made_here(repository: Repository) -> set[str]:
    """Commits that this work tree made, by what HEAD's own log says."""
    out = repository.ask("reflog", "show", "--format=%H %gs", "HEAD", "--")
    pairs = [line.partition(" ") for line in out.splitlines()]
    return {commit for commit, _, what in pairs if what.startswith(_MADE_HERE)}


def _is_accepted(proxy: WriteProxy, repository: Repository, commit: Commit) -> bool:
    """Does every guarded text that the commit brings stand in the record as one that was accepted, and every file that
    it takes away as one whose going was?"""
    from firewall.writes import gitobjects

    wanted = [c for c in commit.changes if c.new_blob and protection.is_protected(c.path, proxy.protection)]
    blobs = gitobjects.objects(repository, [c.new_blob for c in wanted])
    for change in wanted:
        data = blobs.get(change.new_blob)
        if data is None:
            return False
        if not any(_was_accepted(proxy, disk.sha256(text)) for text in (data, data.replace(b"\n", b"\r\n"))):
            return False
    gone = [c.old_path for c in commit.changes if c.old_blob and (not c.new_blob or c.old_path != c.path)]
    return not _taken_here(repository, commit, [path for path in gone if not _may_be_gone(proxy, repository, path)])


def _may_be_gone(proxy: WriteProxy, repository: Repository, path: str) -> bool:
    """Is it nobody's text, or one that the record knows to have gone, now or before?"""
    inside = path.startswith(repository.prefix) and path.removeprefix(repository.prefix)
    known = proxy.ledger.artifact(inside) if inside and protection.is_protected(inside, proxy.protection) else None
    if known is None or not known.disk:
        return True
    marks = ", ".join("?" * len(_ACCEPTED))
    rows = proxy.ledger.query(
        f"SELECT 1 FROM journal WHERE artifact=? AND new='' AND old<>'' AND kind IN ({marks}) LIMIT 1",  # noqa: S608
        (known.id, *_ACCEPTED),
    )
    return bool(rows)


def _taken_here(repository: Repository, commit: Commit, paths: Sequence[str]) -> list[str]:
    """Those of the paths that the commit itself takes away: a merge has it from its other side, where that had the file
    once and has it no more."""
    from firewall.agents.provenance import blobs_at
    from firewall.writes.gitobjects import merge_bases

    left = list(paths)
    for other in commit.others if left else ():
        now = blobs_at(repository, other, left)
        before = [blobs_at(repository, base, left) for base in merge_bases(repository, commit.parent, other)]
        left = [path for path in left if now.get(path, "?") or not any(one.get(path) for one in before)]
    return left


def _was_accepted(proxy: WriteProxy, sha: str) -> bool:
    marks = ", ".join("?" * len(_ACCEPTED))
    rows = proxy.ledger.query(
        "SELECT 1 FROM journal j JOIN artifacts a ON a.id=j.artifact WHERE a.root=? AND j.new=?"  # noqa: S608
        f" AND j.kind IN ({marks}) LIMIT 1",
        (proxy.ledger.root_id, sha, *_ACCEPTED),
    )
    return bool(rows)
