"""Git's plumbing, with nothing of the repository's own let loose. The sole importer of GitPython.

Argument lists, never a shell; no hook, filter, signing program, pager, editor, replacement object or network
fetch of the repository runs, and no GIT_* variable of whoever called us counts (a hook or an agent may have
set GIT_DIR to somewhere else). Nothing here touches HEAD, the index, the work tree or the stash (invariant 9).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from firewall.errors import StetError
from firewall.writes.paths import POLICY_FILE

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    # Files that anybody may put into .git, and that take parents away from commits: who has which is what they say.
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_SHALLOW_FILE": os.devnull,
}
_QUIET = [
    "--no-pager",
    "--literal-pathspecs",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.autocrlf=false",
    "-c", "advice.graftFileDeprecated=false",  # said even of an empty one
    "-c", "core.commitGraph=false",  # a copy of the history that anybody may have written
    "-c", "core.splitIndex=false",  # a shared index would be written into the repository, and old ones expired
    "-c", "protocol.allow=never",  # what a partial clone lacks is not fetched by older gits either
]  # fmt: skip
_environment = threading.Lock()
_deadline: float | None = 15.0
"""Seconds that one git command may take, unless somebody waits for it (`be_patient`)."""
QUIET_SECONDS = 60.0
"""How long a repository is not asked again that let a deadline pass: each further question would cost as much."""
_hung: dict[Path, float] = {}
"""When a repository let a deadline pass, by the monotonic clock."""


def be_patient() -> None:
    """From here on git may take its time: a person or CI asked for a whole history."""
    global _deadline
    _deadline = None


class GitFailed(StetError):
    """Git would not do what was asked."""

    code = "git-failed"
    template = "Git could not {action}: {reason}."
    next_step = "Run the same in a shell to see more: `git {command}`."


class GitSilent(GitFailed):
    """Git gave no answer within its deadline, now or a moment ago."""

    code = "git-silent"
    template = "Git gave no answer in time."


class NoRepository(StetError):
    """A question about commits where there is no git repository."""

    code = "no-repository"
    template = "There is no git repository at {root} or above it."
    next_step = "Run it in a clone, or give a file to judge: `stet check PATH`."


class Repository:
    """The git work tree that a folder is in. `prefix` is the folder below its top, '' or ending in `/`."""

    def __init__(self, root: Path, top: Path) -> None:
        self.root = root
        self.top = top
        below = root.resolve().relative_to(top.resolve()).as_posix()
        self.prefix = "" if below == "." else below + "/"

    def run(
        self,
        *arguments: str,
        data: bytes | None = None,
        environment: Mapping[str, str] | None = None,
        action: str = "answer",
    ) -> bytes:
        """Standard output of one git command, whole. Raises GitFailed, which says `action`."""
        out = self._execute(arguments, data, environment)
        if out[0]:
            words = " ".join(out[2].split())
            reason = (words.removeprefix("fatal: ").removeprefix("error: ") or f"status {out[0]}").rstrip(".")
            raise GitFailed(action=action, reason=reason[:300], command=" ".join(arguments[:2]))
        return out[1]

    def walk(self, *arguments: str, data: bytes, action: str) -> bytes:
        """What a command prints of a history, as far as a shallow clone has it. Raises GitFailed."""
        try:
            return self.run(*arguments, data=data, action=action)
        except GitSilent:
            raise
        except GitFailed:
            from firewall.writes import edge

            with edge.file(self) as shallow:
                if not shallow:
                    raise
                return self.run(*arguments, data=data, environment={"GIT_SHALLOW_FILE": shallow}, action=action)

    def ask(self, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
        """The one line that a git command prints, or '' where it fails. Raises GitSilent: no answer is not a no."""
        status, out, _ = self._execute(arguments, None, environment)
        return "" if status else out.decode("utf-8", "surrogateescape").strip()

    def answer(self, *arguments: str) -> tuple[int, bytes, str]:
        """(status, standard output, standard error), for a question to which a status is the answer."""
        return self._execute(arguments, None, None)

    def tracks(self, name: str) -> bool:
        """Does the index, or the last commit, have a file of this name in the project's folder?"""
        staged = self.ask("ls-files", "--cached", "--", name)  # relative to the folder it runs in, which is the root
        return bool(staged or self.ask("rev-parse", "--verify", "--quiet", f"HEAD:{self.prefix}{name}"))

    def _execute(
        self, arguments: tuple[str, ...], data: bytes | None, environment: Mapping[str, str] | None
    ) -> tuple[int, bytes, str]:
        from git import Git, GitCommandNotFound

        if time.monotonic() < _hung.get(self.top, float("-inf")) + QUIET_SECONDS:
            raise GitSilent(command=" ".join(arguments[:2]))
        words = ["git", *_QUIET, f"--git-dir={self.top / '.git'}", f"--work-tree={self.top}", *arguments]
        with no_git_environment(), _as_file(data) as stdin:
            try:
                status, out, err = Git(str(self.root)).execute(
                    words,
                    istream=stdin,
                    env={**_ENVIRONMENT, **(environment or {})},
                    with_extended_output=True,
                    with_exceptions=False,
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                    kill_after_timeout=None if os.name == "nt" else _deadline,
                )
            except GitCommandNotFound:
                raise GitFailed(action="be run", reason="it is not installed", command="--version") from None
        if int(status) == -9 and _deadline is not None:  # a FIFO in the place of one of git's own files, say
            _hung[self.top] = time.monotonic()
            raise GitSilent(command=" ".join(arguments[:2]))
        return int(status), out, str(err)


def as_theirs(folder: Path, *arguments: str) -> tuple[int, bytes]:
    """(status, standard output) of the person's own git in a folder, whose settings count here: for questions about
    these. Raises GitSilent, and GitFailed where there is no git."""
    command = " ".join(arguments[:2])
    with no_git_environment():
        try:
            done = subprocess.run(
                ["git", *arguments], cwd=folder, capture_output=True, check=False, timeout=_deadline,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GitSilent(command=command) from None
        except OSError as error:
            raise GitFailed(action="be run", reason=error.strerror or str(error), command=command) from None
    return done.returncode, done.stdout


def find_repository(root: Path) -> Repository | None:
    """The repository whose work tree `root` is in: that of the nearest folder at or above it with a `.git`.

    Where there are several, it is the outermost that tracks the stet.toml of `root`: a `git init` inside must not
    stand before the history that guarded files have.
    """
    found = [Repository(root, folder) for folder in (root, *root.parents) if os.path.lexists(folder / ".git")]
    if len(found) > 1:
        for repository in reversed(found):
            if repository.tracks(POLICY_FILE):
                return repository
    return found[0] if found else None


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
def no_git_environment() -> Iterator[None]:
    """Run without GIT_* variables."""
    with _environment:
        kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
        try:
            yield
        finally:
            os.environ.update(kept)
