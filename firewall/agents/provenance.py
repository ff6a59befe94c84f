"""What git brings: text that was committed before the agent's turn began is no agent's text.

A change passes as git's, and becomes the baseline, where the file's new bytes stood at its path in a commit that was
reachable from the refs when the turn began (made while no agent was at work), or are those that git took away before
(taken.py), and where the old bytes are safe: at its path in a commit that is reachable now, or the agent's own of this
turn over a baseline that is. That commit may be dropped again, so what git takes away is remembered. A file that is
gone passes where HEAD is such a commit without it, or where git removed the worktree that it was in. Everything else
is judged. Blobs are compared by their bytes; a filter that git would run may be the agent's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from firewall.agents.turns import Turn
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

STAGING = "/stet/staging/"
"""What is in the name of each of Stet's own branches."""
MOST_TIPS = 50
"""Commits that are asked each for itself, where no one question answers for all."""
MOST_NAMES = 4000
"""`commit:path` names asked for at once."""


class Change(NamedTuple):
    """One file: its path below the project, the bytes the ledger knew and those on the disk (None: no file).

    `at` is its path in git where that is another, as in a worktree that git removed; `back`: git took these very bytes
    away before.
    """

    path: str
    old: bytes | None
    new: bytes | None
    artifact: Artifact | None = None
    at: str = ""
    back: bool = False


class Safe(NamedTuple):
    """What git keeps of a text that it took away: which bytes, whether they are what the disk had (else what a person
    last accepted of it), under which path (from the top of the repository), blob and commit ('' for an older one)."""

    data: bytes
    is_old: bool
    at: str
    blob: str
    commit: str


def brought(proxy: WriteProxy, turn: Turn, changes: Sequence[Change]) -> dict[str, Safe | None]:
    """The paths whose change git brought, with what it keeps of the text before (None for what nobody will miss).
    Where git cannot be asked, none."""
    from firewall.writes.git import find_repository

    if not turn.refs or not changes:
        return {}
    try:
        repository = find_repository(proxy.root)
        then = commits_then(proxy, turn)
        if repository is None or not then:
            return {}
        return _brought(proxy, turn, repository, then, changes)
    except (StetError, ValueError):
        return {}


def commits_then(proxy: WriteProxy, turn: Turn) -> list[str]:
    """The commits that were there when the turn began, and are people's."""
    data = proxy.ledger.load(turn.refs) if turn.refs else None
    return [line for line in (data or b"").decode("ascii").split("\n") if line]


def _brought(
    proxy: WriteProxy, turn: Turn, repository: Repository, then: Sequence[str], changes: Sequence[Change]
) -> dict[str, Safe | None]:
    hasher = hash_name(repository)
    at = {c.path: c.at or repository.prefix + c.path for c in changes}
    new = [(at[c.path], blob) for c in changes if c.new is not None and not c.back for blob in blobs(hasher, c.new)]
    there = _stored(repository, [blob for _, blob in new])
    known = reachable(repository, then, [one for one in new if one[1] in there])
    gone = _gone(repository, then, [at[c.path] for c in changes if c.new is None and not c.at])
    came = []
    for c in changes:
        if c.new is None:
            comes = bool(c.at) or at[c.path] in gone
        else:
            comes = c.back or any((at[c.path], blob) in known for blob in blobs(hasher, c.new))
        if comes:
            came.append(c)
    if not came:
        return {}
    own = {c.path: base for c in came for base in [_base_of_own(proxy, turn, c)] if base is not None}
    asked = [(at[c.path], blob) for c in came for text in (c.old, own.get(c.path)) for blob in blobs(hasher, text)]
    now = reachable(repository, heads(repository), asked)
    out: dict[str, Safe | None] = {}
    for c in came:
        if c.old is None or (c.path in own and own[c.path] == c.new):
            out[c.path] = None
        for text in (own.get(c.path), c.old):
            for blob in blobs(hasher, text):
                if text is not None and text != c.new and (at[c.path], blob) in now:
                    out[c.path] = Safe(text, text == c.old, at[c.path], blob, now[at[c.path], blob])
    return out


def _base_of_own(proxy: WriteProxy, turn: Turn, change: Change) -> bytes | None:
    """What a person last accepted of a file whose old bytes an agent wrote in this turn; None for other old bytes."""
    if change.old is None or change.artifact is None or change.artifact.disk == change.artifact.baseline:
        return None
    rows = proxy.ledger.query(
        "SELECT kind, at FROM journal WHERE artifact=? AND new=? AND kind NOT IN (?, ?, ?, ?, ?)"
        " ORDER BY seq DESC LIMIT 1",
        (change.artifact.id, change.artifact.disk, *PROPOSED),
    )
    if not rows or rows[0][0] != "commit" or rows[0][1] < turn.opened_at:
        return None
    return proxy.ledger.load(change.artifact.baseline)


# -- what the repository has -------------------------------------------------------------------------------


def heads(repository: Repository) -> list[str]:
    """The commits that refs, HEAD and the stash name now, without Stet's own staging branches: what only those have is
    an agent's proposal, or a text that no person put there."""
    out = repository.run("for-each-ref", "--format=%(objectname) %(refname)", action="list the refs")
    rows = [line.split(" ") for line in out.decode("utf-8", "surrogateescape").split("\n") if STAGING not in line]
    found = dict.fromkeys(row[0] for row in rows if row[0])
    found |= dict.fromkeys(filter(None, [repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")]))
    found |= dict.fromkeys(repository.ask("reflog", "show", "--format=%H", "refs/stash").split())
    # Git peels tags only here: one whose object is gone would keep the others from being listed.
    return list(dict.fromkeys(commits(repository, [f"{one}^{{commit}}" for one in found])))


def commits(repository: Repository, names: Sequence[str]) -> list[str]:
    """Those of the objects that are commits."""
    if not names:
        return []
    out = repository.run("cat-file", "--batch-check=%(objectname) %(objecttype)", data=_lines(names), action="look")
    return [line.split(" ")[0] for line in out.decode("ascii").split("\n") if line.endswith(" commit")]


def trusted(proxy: WriteProxy) -> list[str] | None:
    """The commits to begin from that no agent made: the refs' own, or their nearest ancestors. None without git."""
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return None
        tips = heads(repository)
        made = {str(row[0]) for row in proxy.ledger.query("SELECT id FROM made WHERE root=?", (proxy.ledger.root_id,))}
        out: dict[str, None] = {}
        todo, done = list(tips), set(tips)
        while todo:
            out |= dict.fromkeys(tip for tip in todo if tip not in made)
            asked = [tip for tip in todo if tip in made]
            todo = [p for p in _parents(repository, asked) if p not in done]
            done |= set(todo)
        return list(out)
    except (StetError, ValueError):
        return []  # nothing is known to be a person's


def _parents(repository: Repository, commits: Sequence[str]) -> list[str]:
    if not commits:
        return []
    out = repository.walk("rev-list", "--no-walk", "--parents", "--stdin", data=_lines(commits), action="list parents")
    return list(dict.fromkeys(p for line in out.decode("ascii").splitlines() for p in line.split()[1:]))


def note_made(proxy: WriteProxy, snapshots: Iterable[str]) -> None:
    """Remember the commits that the refs have now and had not when the turns with these snapshots began."""
    from firewall.writes.git import find_repository

    first = next((sha for sha in snapshots if sha), "")
    data = proxy.ledger.load(first) if first else b""
    try:
        repository = find_repository(proxy.root)
        if repository is None:
            return
        then = [line for line in (data or b"").decode("ascii").split("\n") if line]
        lines = _lines(heads(repository)) + b"".join(b"^" + one.encode() + b"\n" for one in then)
        out = repository.walk("rev-list", "--stdin", data=lines, action="list the commits")
    except (StetError, ValueError):
        return
    made = out.decode("ascii").split()
    if made:
        with proxy.ledger.transaction():
            for one in made:
                proxy.ledger.change("INSERT OR IGNORE INTO made VALUES (?, ?)", (proxy.ledger.root_id, one))


def reachable(
    repository: Repository, commits: Sequence[str], wanted: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Those of the (path, blob) pairs that stand so in a commit reachable from `commits`, with the one of these that
    has it, '' where an older one does. Paths are from the top of the repository."""
    commits = [commit for commit in commits if commit]  # git takes `:path` for the index, which anybody fills
    if not wanted or not commits:
        return {}
    asked = set(wanted)
    paths = [*dict.fromkeys(path for path, _ in wanted)]
    found: dict[tuple[str, str], str] = {}
    for start in range(0, len(commits), max(1, MOST_NAMES // len(paths))):
        some = commits[start : start + max(1, MOST_NAMES // len(paths))]
        names = [(path, commit) for commit in some for path in paths if "\n" not in path]
        data = _lines([f"{commit}:{path}" for path, commit in names])
        out = repository.run("cat-file", "--batch-check=%(objectname)", data=data, action="look")
        for (path, commit), line in zip(names, out.decode("ascii", "replace").split("\n"), strict=False):
            if (path, line) in asked:
                found.setdefault((path, line), commit)
        if len(found) == len(asked):
            return found
    return found | dict.fromkeys(_in_history(repository, commits, sorted(asked - found.keys())), "")


def _in_history(
    repository: Repository, commits: Sequence[str], wanted: Sequence[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of the pairs that stood so in an earlier commit. Git lists each blob once, under one of its paths: one
    that is listed under another is asked about alone."""
    if not wanted:
        return set()
    there = listed(repository, commits, list(dict.fromkeys(path for path, _ in wanted)))
    blobs = {blob for _, blob in there}
    elsewhere = [one for one in wanted if one not in there and one[1] in blobs]
    found = {one for one in elsewhere if one in listed(repository, commits, [one[0]])}
    return found | {one for one in wanted if one in there}


def listed(
    repository: Repository, commits: Sequence[str], paths: Sequence[str], before: float | None = None
) -> set[tuple[str, str]]:
    """(path, blob) of what the paths held in the history of the commits, or of that up to `before` (Unix seconds)."""
    data = _lines(commits) + b"--\n" + _lines([path for path in paths if "\n" not in path])
    words = ["rev-list", "--objects", "--full-history", "--stdin"]
    words += [] if before is None else [f"--before={int(before)}"]
    out = repository.walk(*words, data=data, action="read the history")
    lines = (line.partition(b" ") for line in out.split(b"\n"))
    return {(path.decode("utf-8", "surrogateescape"), blob.decode("ascii")) for blob, _, path in lines if path}


def _gone(repository: Repository, then: Sequence[str], paths: Sequence[str]) -> set[str]:
    """Those of the paths that HEAD has not, where HEAD is a commit that was there then."""
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if paths else ""
    if not head or missing_from(repository, then, [head]):
        return set()
    return {path for path, blob in blobs_at(repository, head, paths).items() if not blob}


def missing_from(repository: Repository, tips: Sequence[str], commits: Sequence[str]) -> bool:
    """Is any of the commits not reachable from the tips?"""
    lines = _lines(commits) + b"".join(b"^" + one.encode() + b"\n" for one in tips if one)
    return bool(repository.walk("rev-list", "--max-count=1", "--stdin", data=lines, action="look"))


def blobs_at(repository: Repository, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """What a commit has at each path (from the top of the repository), '' for nothing."""
    asked = [path for path in paths if "\n" not in path]
    data = _lines([f"{commit}:{path}" for path in asked])
    out = repository.run("cat-file", "--batch-check=%(objectname)", data=data, action="look")
    lines = out.decode("utf-8", "replace").split("\n")
    return {p: "" if line.endswith(" missing") else line for p, line in zip(asked, lines, strict=False)}


def _stored(repository: Repository, blobs: Sequence[str]) -> set[str]:
    if not blobs:
        return set()
    out = repository.run("cat-file", "--batch-check=%(objectname) %(objecttype)", data=_lines(blobs), action="look")
    return {line.split(" ")[0] for line in out.decode("ascii").split("\n") if line.endswith(" blob")}


# -- blobs by their bytes ----------------------------------------------------------------------------------


def hash_name(repository: Repository) -> str:
    """The hash that the repository names its objects by."""
    return "sha256" if repository.ask("rev-parse", "--show-object-format") == "sha256" else "sha1"


def blobs(hasher: str, data: bytes | None) -> list[str]:
    """The ids that these bytes have as a blob: as they are, and with the line ends that git keeps; none for None."""
    if data is None:
        return []
    texts = [data, data.replace(b"\r\n", b"\n")] if b"\r\n" in data else [data]
    return [hashlib.new(hasher, b"blob %d\0" % len(text) + text).hexdigest() for text in texts]


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
