"""Judging git's commits and index: reads the objects, asks the pure judge (commits.py), keeps nothing.

The policy is the one in force here, tightened to nothing less than the stet.toml of the base: what a pull request
does to its own stet.toml does not loosen how it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firewall.errors import PolicyError, StetError
from firewall.policy import Policy, parse_policy
from firewall.policy.merge import in_force
from firewall.values import NamedTuple
from firewall.verdict import Outcome
from firewall.writes import gitobjects, project
from firewall.writes.commits import File, Judged, is_judged, judge_files, same_kind
from firewall.writes.git import GitFailed, NoRepository, Repository, find_repository
from firewall.writes.gitobjects import Change, Commit
from firewall.writes.paths import POLICY_FILE
from firewall.writes.protection import Protection
from firewall.writes.proxy import WriteProxy

READ_AT_ONCE = 32_000_000
"""Bytes of content that are read for many commits together."""
_KINDS = {"A": "added", "D": "deleted", "R": "renamed", "U": "unmerged"}


class OtherProject(StetError):
    """The commits to judge change which project the files belong to."""

    code = "other-project"
    template = "In {base} {path} is that of project {theirs}, and here it is that of project {ours}."
    next_step = "Put the id back that the project had. A new one begins where a person commits it to the main branch."


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
    """One commit against its parents. Raises NoRepository, GitFailed, OtherProject."""
    repository = _repository(proxy)
    (commit,) = gitobjects.read_commits(repository, [gitobjects.resolve(repository, revision)])
    policy = _policy(proxy, repository, commit.parent)
    return next(_check(repository, [commit], policy))


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
    commit = gitobjects.staged(repository)
    return next(_check(repository, [commit], _policy(proxy, repository, commit.parent)))


def _repository(proxy: WriteProxy) -> Repository:
    found = find_repository(proxy.root)
    if found is None:
        raise NoRepository(root=proxy.root)
    return found


def _policy(proxy: WriteProxy, repository: Repository, base: str) -> Policy:
    """The base's own stet.toml, where it has one of this project that can be read, tightened by the one in force.

    Raises OtherProject where the base's stet.toml is another project's: by a new id nobody loosens the rules.
    """
    ours = proxy.policy
    if not base:
        return ours
    paths = gitobjects.policies(repository, base, POLICY_FILE)
    names = {path: f"{base}:{path}" for path in paths}
    found = gitobjects.objects(repository, list(names.values()))
    there = {path: _read(found[name], base) for path, name in names.items()}
    here = repository.prefix + POLICY_FILE
    if here not in there:  # it was moved here, or this folder was set up since
        theirs = next((p for _, p in sorted(there.items()) if p and p.project.id == ours.project.id), None)
        outer = [path for path in there if repository.prefix.startswith(path.removesuffix(POLICY_FILE))]
        if theirs is None and outer:
            raise OtherProject(
                base=base[:12], path=max(outer, key=len), theirs="the project above", ours=ours.project.id
            )
    else:
        theirs = there[here]
        if theirs and theirs.project.id != ours.project.id:
            raise OtherProject(base=base[:12], path=here, theirs=theirs.project.id, ours=ours.project.id)
    return in_force(theirs, ours) if theirs else ours


def _read(data: bytes | None, base: str) -> Policy | None:
    try:
        return parse_policy((data or b"").decode("utf-8-sig"), f"{POLICY_FILE} of {base[:12]}")
    except (PolicyError, UnicodeDecodeError):
        return None


class _Part(NamedTuple):
    """A change to judge: against the commit's first parent, or as `against` says. `taken` are the blobs, before and
    after, of what other parents did to the file; one that is not `told` is read for what moved into it alone."""

    change: Change
    against: str = ""
    taken: tuple[tuple[str, str], ...] = ()
    told: bool = True

    @property
    def blobs(self) -> list[str]:
        """All that must be read to judge it."""
        taken = (blob for pair in self.taken for blob in pair)
        return [blob for blob in (self.change.old_blob, self.change.new_blob, *taken) if blob]


_Plan = tuple[Commit, list[list[_Part]]]
"""A commit with the change sets to judge, one for each parent."""


def _check(repository: Repository, commits: Sequence[Commit], policy: Policy) -> Iterator[Checked]:
    """Judge the commits. Sizes are asked for first, so that nothing too large to be judged is ever read."""
    limits, rules = project.limits(policy), project.protection(policy)
    plans: list[_Plan] = []
    for commit in commits:
        parts = [_Part(c) for change in commit.changes for c in _judged_parts(change, rules)]
        plans.append((commit, [parts, *_dropped(repository, commit, rules)]))
    sizes = _sizes(repository, plans)
    for group in _groups(plans, sizes):
        wanted = {b for _, sets in group for b in _blobs(sets) if sizes[b] <= limits.max_bytes}
        found = gitobjects.objects(repository, sorted(wanted))
        for commit, sets in group:
            judged: list[Judged] = []
            for parts in sets:
                files = [_file(part, found, sizes) for part in parts]
                told = zip(parts, judge_files(files, limits, rules), strict=True)
                judged += [one for part, one in told if part.told]
            yield Checked(commit, tuple(judged))


def _sizes(repository: Repository, plans: Sequence[_Plan]) -> Mapping[str, int]:
    """How many bytes each blob has. Raises GitFailed where one is not in this clone."""
    blobs = {b for _, sets in plans for b in _blobs(sets)}
    sizes: dict[str, int] = {}
    for blob, size in gitobjects.sizes(repository, sorted(blobs)).items():
        if size is None:
            reason = f"the content {blob[:12]} is not in this clone"
            raise GitFailed(action="read the commits", reason=reason, command="fetch --refetch")
        sizes[blob] = size
    return sizes


def _groups(plans: Sequence[_Plan], sizes: Mapping[str, int]) -> Iterator[list[_Plan]]:
    """Commits whose content is read together: as many as have READ_AT_ONCE bytes, one at least."""
    group: list[_Plan] = []
    total = 0
    for plan in plans:
        size = sum(sizes[b] for b in _blobs(plan[1]))
        if group and total + size > READ_AT_ONCE:
            yield group
            group, total = [], 0
        group.append(plan)
        total += size
    if group:
        yield group


def _blobs(sets: Sequence[Sequence[_Part]]) -> set[str]:
    return {blob for parts in sets for part in parts for blob in part.blobs}


def _file(part: _Part, found: Mapping[str, bytes | None], sizes: Mapping[str, int]) -> File:
    """The content of a part. Where one side is too large to be read, neither is."""
    change = part.change
    too_large = any(blob not in found for blob in part.blobs)
    old, new = ((found[b] if b and not too_large else None) for b in (change.old_blob, change.new_blob))
    return File(
        change.path,
        _KINDS.get(change.status, "modified"),
        old,
        new,
        change.old_path if change.old_path != change.path else "",
        max(sizes[blob] for blob in part.blobs) if too_large else 0,
        part.against,
        () if too_large else tuple((found[a] or b"", found[b] or b"") for a, b in part.taken),
    )


def _dropped(repository: Repository, commit: Commit, rules: Protection) -> Iterator[list[_Part]]:
    """What a merge makes of its further parents, where it is not what they had: a change set for each of them.

    Told is only what that parent itself had changed since the histories parted; the rest is the first parent's work,
    which its own commits answer for.
    """
    for other in commit.others:
        changes = gitobjects.changes_between(repository, other, commit.id)
        judged = [c for change in changes for c in _judged_parts(change, rules) if c.status != "U"]
        if not judged:
            continue
        bases = gitobjects.merge_bases(repository, commit.parent, other)
        since = [{c.path: c for c in gitobjects.changes_between(repository, base, other)} for base in bases]
        own = [c.old_path for c in judged if c.old_blob and all(c.old_path in made for made in since)]
        if not own:
            continue
        rest = [p for p in (commit.parent, *commit.others) if p != other] if bases else []
        theirs = [{c.old_path: c for c in gitobjects.changes_between(repository, bases[0], p)} for p in rest]
        parts = []
        for change in judged:
            origin = since[0][change.old_path].old_path if since and change.old_path in since[0] else change.old_path
            did = [made[origin] for made in theirs if origin in made]
            taken = tuple((c.old_blob, c.new_blob) for c in did if c.old_blob and c.new_blob)
            parts.append(_Part(change, other, taken, change.old_path in own and bool(change.old_blob)))
        yield parts


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
