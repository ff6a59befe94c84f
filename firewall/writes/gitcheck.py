"""Judging git's commits and index: reads the objects, asks the pure judge (commits.py), keeps nothing.

The policy is the one in force here, tightened to nothing less than the stet.toml of the base: what a pull request
does to its own stet.toml does not loosen how it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firewall.errors import PolicyError
from firewall.policy import Policy, parse_policy
from firewall.policy.merge import in_force
from firewall.verdict import Outcome
from firewall.writes import gitobjects, project
from firewall.writes.commits import File, Judged, is_judged, judge_files, same_kind
from firewall.writes.git import GitFailed, NoRepository, Repository, find_repository
from firewall.writes.gitobjects import Change, Commit
from firewall.writes.paths import POLICY_FILE
from firewall.writes.protection import Protection
from firewall.writes.proxy import WriteProxy

_KINDS = {"A": "added", "D": "deleted", "R": "renamed", "U": "unmerged"}


class Checked(NamedTuple):
    """A commit, or the index, with the verdict of every protected file that it changes."""

    commit: Commit
    files: tuple[Judged, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst of its files."""
        return max((f.verdict.outcome for f in self.files), default=Outcome.ALLOW)

    @property
    def allowed(self) -> bool:
        """May all of it stand?"""
        return self.outcome < Outcome.HOLD

    def to_json(self) -> dict[str, object]:
        """One JSON object; `commit` is null for the index, `parent` for a first commit."""
        return {
            "commit": self.commit.id or None,
            "parent": self.commit.parent or None,
            "subject": self.commit.subject,
            "outcome": self.outcome.label,
            "judged": len(self.files),
            "files": [f.to_json() for f in self.files],
        }


def check_commit(proxy: WriteProxy, revision: str) -> Checked:
    """One commit against its first parent. Raises NoRepository, GitFailed."""
    repository = _repository(proxy)
    (commit,) = gitobjects.read_commits(repository, [gitobjects.resolve(repository, revision)])
    policy = _policy(proxy, repository, commit.parent)
    return _check(repository, [commit], policy)[0]


def check_range(proxy: WriteProxy, text: str) -> Iterator[Checked]:
    """Each commit of `A..B` against its own first parent, parents first. Raises as `check_commit`, and BadRange."""
    repository = _repository(proxy)
    first, last = gitobjects.ends(repository, text)
    policy = _policy(proxy, repository, first)
    idents = gitobjects.commits_between(repository, first, last)
    batch: list[Commit] = []
    for commit in gitobjects.read_commits(repository, idents):
        batch.append(commit)
        if len(batch) == gitobjects.AT_ONCE:
            yield from _check(repository, batch, policy)
            batch = []
    yield from _check(repository, batch, policy)


def check_staged(proxy: WriteProxy) -> Checked:
    """What the index would commit, against HEAD. Raises as `check_commit`."""
    repository = _repository(proxy)
    return _check(repository, [gitobjects.staged(repository)], proxy.policy)[0]


def _repository(proxy: WriteProxy) -> Repository:
    found = find_repository(proxy.root)
    if found is None:
        raise NoRepository(root=proxy.root)
    return found


def _policy(proxy: WriteProxy, repository: Repository, base: str) -> Policy:
    """The base's own stet.toml, where it has one of this project that can be read, tightened by the one in force."""
    if not base:
        return proxy.policy
    name = f"{base}:{repository.prefix}{POLICY_FILE}"
    data = gitobjects.objects(repository, [name])[name]
    try:
        there = parse_policy((data or b"").decode("utf-8-sig"), f"{POLICY_FILE} of {base[:12]}")
    except (PolicyError, UnicodeDecodeError):
        return proxy.policy
    if there.project.id != proxy.policy.project.id:
        return proxy.policy
    return in_force(there, proxy.policy)


def _check(repository: Repository, commits: Sequence[Commit], policy: Policy) -> list[Checked]:
    limits, rules = project.limits(policy), project.protection(policy)
    wanted = [[c for change in commit.changes for c in _judged_parts(change, rules)] for commit in commits]
    blobs = {b for changes in wanted for c in changes for b in (c.old_blob, c.new_blob) if b}
    found = gitobjects.objects(repository, sorted(blobs))
    for blob, data in found.items():
        if data is None:
            reason = f"the content {blob[:12]} is not in this clone"
            raise GitFailed(action="read the commits", reason=reason, command="fetch --refetch")
    out = []
    for commit, changes in zip(commits, wanted, strict=True):
        files = [
            File(
                c.path,
                _KINDS.get(c.status, "modified"),
                found[c.old_blob] if c.old_blob else None,
                found[c.new_blob] if c.new_blob else None,
                c.old_path if c.old_path != c.path else "",
            )
            for c in changes
        ]
        out.append(Checked(commit, tuple(judge_files(files, limits, rules))))
    return out


def _judged_parts(change: Change, rules: Protection) -> list[Change]:
    """What of a change is judged: nothing where no guarded content is touched; a rename out of the guarded files,
    or into ones that are judged in another way, is a delete and an addition."""
    if change.status == "U":
        return [change] if is_judged(change.path, rules) else []
    if change.old_path != change.path and not same_kind(change.old_path, change.path, rules):
        gone = change._replace(path=change.old_path, new_blob="", status="D")
        come = change._replace(old_path=change.path, old_blob="", status="A")
        return [*_judged_parts(gone, rules), *_judged_parts(come, rules)]
    if not is_judged(change.path, rules) or not (change.old_blob or change.new_blob):
        return []
    if change.old_blob == change.new_blob and change.old_path == change.path:
        return []  # its mode alone
    if not change.new_blob:
        return [change._replace(status="D")]  # deleted, or a link or a folder in its place
    return [change if change.old_blob else change._replace(status="A")]
