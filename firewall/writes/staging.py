"""Work in progress goes to a private git branch. The sole importer of GitPython.

Two commits on `stet/staging/…`: what was on disk, then what was refused, so their diff is what the writer
wanted. Only plumbing, with a temporary index: HEAD, the index, the work tree and the stash are never
touched (invariant 9), and no hook, filter, signing program or editor of the repository runs.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

_AUTHOR = {
    "GIT_AUTHOR_NAME": "Stet",
    "GIT_AUTHOR_EMAIL": "stet@localhost",
    "GIT_COMMITTER_NAME": "Stet",
    "GIT_COMMITTER_EMAIL": "stet@localhost",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}
_QUIET = [
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.autocrlf=false",
]  # fmt: skip
_environment = threading.Lock()


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
    top = find_repository(root)
    if top is None:
        return Staged(problem="there is no git repository; the store keeps the proposal")
    try:
        return _stage(root, top, changes, name, subject, body)
    except Exception as error:  # staging is a service to people; the refusal stands without it
        detail = " ".join(str(getattr(error, "stderr", "") or error).split())
        return Staged(problem=f"git could not stage it ({detail[:300]}); the store keeps the proposal")


def find_repository(root: Path) -> Path | None:
    """The work tree that `root` is in: the nearest folder at or above it with a `.git`."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            return folder
    return None


def _stage(root: Path, top: Path, changes: list[Change], name: str, subject: str, body: str) -> Staged:
    from git import Git, GitCommandError

    git = Git(str(root))
    base = ["git", *_QUIET, f"--git-dir={top / '.git'}", f"--work-tree={top}"]
    prefix = root.resolve().relative_to(top.resolve()).as_posix()
    folder = "" if prefix == "." else prefix + "/"
    branch = f"stet/staging/{_safe(name)}"
    with tempfile.TemporaryDirectory(prefix="stet-index-") as temporary, _no_git_environment():
        environment = {**_AUTHOR, "GIT_INDEX_FILE": str(Path(temporary) / "index")}

        def run(*arguments: str, data: bytes | None = None, check: bool = True) -> str:
            with _as_file(data) as stdin:
                try:
                    out = git.execute([*base, *arguments], istream=stdin, env=environment)
                except GitCommandError:
                    if check:
                        raise
                    return ""
            return str(out).strip()

        zero = "0" * len(run("hash-object", "--stdin", data=b""))  # a repository may use sha256
        head = run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", check=False)
        run("read-tree", head) if head else run("read-tree", "--empty")
        commits: list[str] = []
        parent = head
        for side, title in ((0, f"On disk: {subject}"), (1, f"Refused: {subject}")):
            lines = []
            for change in changes:
                data = (change.disk, change.proposed)[side]
                mode = "100755" if change.executable else "100644"
                if data is None:
                    lines.append(f"0 {zero}\t{folder}{change.path}".encode())
                    continue
                blob = run("hash-object", "-w", "--no-filters", "--stdin", data=data)
                lines.append(f"{mode} {blob}\t{folder}{change.path}".encode())
            run("update-index", "-z", "--index-info", data=b"".join(line + b"\0" for line in lines))
            tree = run("write-tree")
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


@contextlib.contextmanager
def _as_file(data: bytes | None) -> Iterator[BinaryIO | None]:
    """Bytes as a real file for a child's standard input, or nothing."""
    if data is None:
        yield None
        return
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield cast("BinaryIO", file)


@contextlib.contextmanager
def _no_git_environment() -> Iterator[None]:
    """Run without GIT_* variables: a hook or an agent may have set GIT_DIR to somewhere else."""
    with _environment:
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
        try:
            yield
        finally:
            os.environ.update(kept)
