"""Work in progress goes to a private git branch.

Two commits on `stet/staging/…`: what was on disk, then what was refused, so their diff is what the writer
wanted. Only plumbing, with a temporary index: HEAD, the index, the work tree and the stash are never
touched (invariant 9).
"""

from __future__ import annotations

import os
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from firewall.errors import StetError
from firewall.values import NamedTuple
from firewall.writes.git import GitSilent, Repository, find_repository

_STAMP = "%Y%m%dT%H%M%SZ"
_AUTHOR = {
    "GIT_AUTHOR_NAME": "Stet",
    "GIT_AUTHOR_EMAIL": "stet@localhost",
    "GIT_COMMITTER_NAME": "Stet",
    "GIT_COMMITTER_EMAIL": "stet@localhost",
}


class Staged(NamedTuple):
    """Where work in progress went. `branch` is '' where there is no git; `problem` says why, if it failed."""

    branch: str = ""
    disk_commit: str = ""
    proposal_commit: str = ""
    problem: str = ""


class Change(NamedTuple):
    """One file of a staging: its name below the project, its bytes before and after (None: no file)."""

    path: str
    disk: bytes | None
    proposed: bytes | None
    executable: bool = False


def stage(root: Path, changes: list[Change], name: str, subject: str, body: str) -> Staged:
    """Put the changes on branch `stet/staging/<name>`. Never raises: a failure is data in `problem`."""
    try:
        repository = find_repository(root)
        if repository is None:
            return Staged(problem="there is no git repository; the store keeps the proposal")
        return _stage(repository, changes, name, subject, body)
    except Exception as error:  # staging is a service to people; the refusal stands without it
        detail = error.message if isinstance(error, StetError) else str(error)
        return Staged(
            problem=f"git could not stage it ({' '.join(detail.split())[:300]}); the store keeps the proposal"
        )


PUT_BACK = "put-back-"
"""How the names of branches begin that keep what was put back; the time in UTC follows."""


def put_back_name(at: float) -> str:
    """A new name for what is put back at that time (seconds since 1970 UTC)."""
    return f"{PUT_BACK}{datetime.fromtimestamp(at, UTC):{_STAMP}}-{os.urandom(4).hex()}"


def put_back(root: Path, until: float) -> list[tuple[str, str]]:
    """(name, commit) of the branches with what was put back until then, those left out that somebody built on."""
    try:
        repository = find_repository(root)
        if repository is None:
            return []
        fields = "--format=%(refname:short) %(objectname) %(authoremail)"
        lines = repository.ask("for-each-ref", fields, f"refs/heads/stet/staging/{PUT_BACK}*").splitlines()
    except GitSilent:
        return []
    out = []
    for line in lines:
        name, commit, author = line.split(" ", 2)
        made = _made(name.removeprefix(f"stet/staging/{PUT_BACK}"))
        if author == f"<{_AUTHOR['GIT_AUTHOR_EMAIL']}>" and made is not None and made <= until:
            out.append((name, commit))
    return out


def _made(rest: str) -> float | None:
    """The time in a name, None where there is none."""
    try:
        return datetime.strptime(rest.partition("-")[0], _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def branches(root: Path) -> list[str]:
    """The names of the staging branches that are there; none where git gives no answer."""
    try:
        repository = find_repository(root)
        if repository is None:
            return []
        return repository.ask("for-each-ref", "--format=%(refname:short)", "refs/heads/stet/staging/").split()
    except GitSilent:
        return []


def remove(root: Path, branch: str, commit: str) -> bool:
    """Take a staging branch away that is still where it was put. Git's own gc frees what only it held."""
    try:
        repository = find_repository(root)
        if repository is None or not branch.startswith("stet/staging/"):
            return False
        repository.run("update-ref", "-d", f"refs/heads/{branch}", commit, action="remove a staging branch")
    except StetError:
        return False  # gone already, or somebody built on it: theirs
    return True


def _stage(repository: Repository, changes: list[Change], name: str, subject: str, body: str) -> Staged:
    branch = f"stet/staging/{_safe(name)}"
    with tempfile.TemporaryDirectory(prefix="stet-index-") as temporary:
        environment = {**_AUTHOR, "GIT_INDEX_FILE": str(Path(temporary) / "index")}

        def run(*arguments: str, data: bytes | None = None) -> str:
            return repository.run(*arguments, data=data, environment=environment, action="stage it").decode().strip()

        zero = "0" * len(run("hash-object", "--stdin", data=b""))  # a repository may use sha256
        head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}", environment=environment)
        run("read-tree", head) if head else run("read-tree", "--empty")
        commits: list[str] = []
        parent = head
        for side, title in ((0, f"On disk: {subject}"), (1, f"Refused: {subject}")):
            lines = []
            for change in changes:
                data = (change.disk, change.proposed)[side]
                mode = "100755" if change.executable else "100644"
                if data is None:
                    lines.append(f"0 {zero}\t{repository.prefix}{change.path}".encode())
                    continue
                blob = run("hash-object", "-w", "--no-filters", "--stdin", data=data)
                lines.append(f"{mode} {blob}\t{repository.prefix}{change.path}".encode())
            run("update-index", "-z", "--index-info", data=b"".join(line + b"\0" for line in lines))
            tree = run("write-tree", "--missing-ok")  # a partial clone has no blob of the other files
            parents = ["-p", parent] if parent else []
            text = f"{title}\n\n{body}\n".encode()
            parent = run("commit-tree", tree, *parents, "-F", "-", data=text)
            commits.append(parent)
        run("update-ref", f"refs/heads/{branch}", commits[1], zero)
    return Staged(branch, commits[0], commits[1])


def _safe(name: str) -> str:
    """A branch name git takes: letters, digits, dot, dash and underscore, no `..`, no `.lock`."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    safe = re.sub(r"\.{2,}", ".", safe).strip(".-")
    return (safe.removesuffix(".lock") or "artifact")[:120]
