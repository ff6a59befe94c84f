"""Policy and settings files that git brought or took away: of a commit that was there when the agent's turn began, they
are no agent's.

In the folder's own repository that holds where HEAD has the file just so, and so has the commit that was there and that
HEAD is or stands on, and the person's own version is committed as well: the agent has switched the branch. The rules in
force stay those that a person accepted. In a work tree below (a worktree, a clone, a submodule) it holds for bytes that
stood at their path in such a commit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.writes.paths import POLICY_FILE

if TYPE_CHECKING:
    from firewall.agents.protected_settings import Kept
    from firewall.agents.turns import Turn
    from firewall.writes.disk import Reading
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy


def brought(
    proxy: WriteProxy, turn: Turn | None, files: Mapping[str, tuple[Kept, Reading | None]]
) -> tuple[set[str], set[str]]:
    """Of files that are not as they are kept: those of the folder's own that git switched, and those that git brought
    to a work tree below. Where git cannot be asked, none."""
    if turn is None or not turn.refs or not files:
        return set(), set()
    own = {name: one for name, one in files.items() if not os.path.isabs(name)}  # noqa: PTH117 - a name
    below: dict[str, dict[str, bytes]] = {}
    for name, (_, reading) in list(own.items()):
        folder = work_tree(proxy.root, name)
        if folder:
            del own[name]
            if reading is not None and reading.data is not None:
                below.setdefault(folder, {})[name.removeprefix(folder + "/")] = reading.data
    from firewall.agents import provenance
    from firewall.writes.git import find_repository

    switched: set[str] = set()
    inside: set[str] = set()
    try:
        repository = find_repository(proxy.root)
        then = provenance.commits_then(proxy, turn)
        if repository is None or not then:
            return set(), set()
        switched = _switched(proxy, repository, then, own)
        for folder, texts in below.items():
            inside |= {f"{folder}/{name}" for name in _of_work_tree(proxy, repository, then, folder, texts)}
    except (StetError, ValueError):
        pass
    return switched, inside


def work_tree(root: Path, name: str) -> str:
    """The nearest folder above a file that is a git work tree of its own, below the project; '' for none."""
    folder = name.rpartition("/")[0]
    while folder:
        if os.path.lexists(root / folder / ".git"):
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def _switched(
    proxy: WriteProxy, repository: Repository, then: Sequence[str], files: Mapping[str, tuple[Kept, Reading | None]]
) -> set[str]:
    from firewall.agents import provenance

    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if files else ""
    if not head:
        return set()
    commits = [head, *_bases(repository, then, head)]
    if len(commits) > provenance.MOST_TIPS or (len(commits) == 1 and provenance.missing_from(repository, then, [head])):
        return set()  # nothing of it was there
    hasher = provenance.hash_name(repository)
    there = [provenance.blobs_at(repository, one, [repository.prefix + name for name in files]) for one in commits]
    kept = {name: provenance.blobs(hasher, proxy.ledger.load(one.sha)) for name, (one, _) in files.items()}
    asked = [(repository.prefix + name, blob) for name, some in kept.items() for blob in some]
    safe = {path for path, _ in provenance.reachable(repository, then, asked)}
    out = set()
    for name, (_, reading) in files.items():
        path = repository.prefix + name
        if reading is None or (kept[name] and path not in safe):
            continue
        now = provenance.blobs(hasher, reading.data)
        if all(blobs.get(path, "") in (now or [""]) for blobs in there):
            out.add(name)
    return out


def _bases(repository: Repository, then: Sequence[str], head: str) -> list[str]:
    """The commits on which what was added since stands; none where HEAD is one of those that were there."""
    lines = "".join([f"{head}\n", *(f"^{one}\n" for one in then)]).encode("ascii")
    out = repository.run("rev-list", "--boundary", "--stdin", data=lines, action="list the commits").decode("ascii")
    return [line[1:] for line in out.split("\n") if line.startswith("-")]


def _of_work_tree(
    proxy: WriteProxy, outer: Repository, then: Sequence[str], folder: str, texts: Mapping[str, bytes]
) -> set[str]:
    """Those of the files (from the top of the work tree) that a trusted commit has so."""
    from firewall.agents import provenance
    from firewall.writes.git import Repository

    place = proxy.root / folder
    inner = Repository(place, place)
    links = []
    for tip in then[: provenance.MOST_TIPS]:
        words = outer.ask("ls-tree", "--full-tree", tip, "--", outer.prefix + folder).split()
        links += words[2:3] if words[1:2] == ["commit"] else []
    trusted = provenance.commits(inner, list(dict.fromkeys([*then, *links])))
    hasher = provenance.hash_name(inner)
    asked = [(name, blob) for name, data in texts.items() for blob in provenance.blobs(hasher, data)]
    return {name for name, _ in provenance.reachable(inner, trusted, asked)}


def is_elsewhere(proxy: WriteProxy) -> bool:
    """Has the branch that is checked out no stet.toml, while the accepted one is committed on another? Then its file is
    not there because of git, and the accepted policy holds without it."""
    from firewall.agents import provenance
    from firewall.agents.protected_settings import kept
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        one = kept(proxy.ledger).get(POLICY_FILE)
        texts = [] if one is None or not one.sha else [proxy.ledger.load(one.sha)]
        texts.append((proxy.texts.pinned or "").encode())
        head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if repository else ""
        if repository is None or not head:
            return False
        path = repository.prefix + POLICY_FILE
        if repository.ask("ls-files", "--cached", "--", POLICY_FILE):
            return False
        if provenance.blobs_at(repository, head, [path])[path]:
            return False
        hasher = provenance.hash_name(repository)
        asked = [(path, blob) for text in texts for blob in provenance.blobs(hasher, text)]
        return bool(provenance.reachable(repository, provenance.heads(repository), asked))
    except (StetError, ValueError):
        return False
