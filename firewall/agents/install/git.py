"""Git: a pre-commit hook that runs `stet check --staged`, beside whatever hook is there already.

The hook goes where git looks for it: core.hooksPath counts, and all worktrees of a repository share one. In a shell
script that is there it is a block at the top, so that the script's own name and folder stay what it expects; any
other program is kept under another name and run after it. A branch that has no stet.toml is not guarded and commits
as before.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
import stat
import sys
from pathlib import Path

from firewall.agents.install import settings
from firewall.errors import StetError, StorageError
from firewall.writes.git import GitFailed, GitSilent, NoRepository, as_theirs, find_repository
from firewall.writes.paths import POLICY_FILE

BEGIN = "# >>> stet: judges what is to be committed; `stet install git --undo` takes it out >>>"
END = "# <<< stet <<<"
BEFORE = "pre-commit.before-stet"
_BLOCK = re.compile(rf"^{re.escape(BEGIN)}\n.*?^{re.escape(END)}\n", re.DOTALL | re.MULTILINE)
_SHELL = re.compile(
    rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?(?:sh|bash|dash|zsh|ksh|ash)(?:[ \t]+-\w+)*[ \t]*\n"
)
_CHAIN = f'if [ -x "$(dirname "$0")/{BEFORE}" ]; then exec "$(dirname "$0")/{BEFORE}" "$@"; fi\n'


class HooksShared(StetError):
    """core.hooksPath of all repositories."""

    code = "hooks-shared"
    template = "The hooks of this repository are in {folder}, which core.hooksPath names for all your repositories."
    next_step = "Set core.hooksPath for this repository alone, then run it again; nothing was changed."


class HookInTheWay(StetError):
    """Two hooks that would both have to be kept aside."""

    code = "hook-in-the-way"
    template = "{hook} is no shell script, and {before} is there already, so it cannot be kept under that name."
    next_step = "Remove the one that is no longer wanted, then run it again; nothing was changed."


def install(root: Path, undo: bool = False) -> list[str]:
    """Put the hook in, or take it out; what was done, in sentences. Doing it again changes nothing.

    Raises NoRepository, HooksShared, HookInTheWay, StorageError.
    """
    repository = find_repository(root)
    if repository is None:
        raise NoRepository(root=root)
    top = repository.top
    hook = hooks_folder(top) / "pre-commit"
    try:
        if undo:
            return _undo(hook)
        return _install(hook, block(repository.prefix.rstrip("/")))
    except OSError as error:
        raise StorageError(action="write", path=hook, reason=error.strerror or str(error)) from None


def is_installed(root: Path) -> bool:
    """Is Stet in the pre-commit hook? Raises NoRepository, HooksShared."""
    repository = find_repository(root)
    if repository is None:
        return False
    return BEGIN.encode() in (_read(hooks_folder(repository.top) / "pre-commit") or b"")


def works(root: Path) -> tuple[Path, str] | None:
    """The hook with Stet in it, and what is wrong with it, '' for nothing; None where Stet is in none. Raises
    NoRepository, HooksShared."""
    repository = find_repository(root)
    if repository is None:
        return None
    hook = hooks_folder(repository.top) / "pre-commit"
    found = _BLOCK.search((_read(hook) or b"").decode("utf-8", "surrogateescape"))
    if found is None:
        return None
    if not os.access(hook, os.X_OK):
        return hook, "git does not run it, since it is not executable"
    line = next((line for line in found[0].splitlines() if line.endswith(" check --staged")), "")
    runs = shlex.split(line)[:1]
    if not runs or not (os.access(runs[0], os.X_OK) or shutil.which(runs[0])):
        return hook, f"{runs[0] if runs else 'its program'} is gone, so that it refuses every commit"
    return hook, ""


def hooks_folder(top: Path) -> Path:
    """Where git looks for the hooks of the work tree at `top`. Raises HooksShared, NoRepository."""
    found = _ask(top, "rev-parse", "--git-path", "hooks")
    if not found:
        raise NoRepository(root=top)
    folder = Path(os.path.normpath(top / found))
    scope = _ask(top, "config", "--show-scope", "--get", "core.hooksPath").split("\t")[0]
    if scope in ("global", "system"):
        raise HooksShared(folder=folder)
    return folder


def block(below: str) -> str:
    """The lines that judge a commit of the project at `below`, relative to the top of the work tree.

    Where the program is gone, the commit is refused.
    """
    policy = shlex.quote(f"HEAD:{below}/{POLICY_FILE}" if below else f"HEAD:{POLICY_FILE}")
    folder = '"$(git rev-parse --show-toplevel)"' + (shlex.quote(f"/{below}") if below else "")
    return "\n".join(
        [
            BEGIN,
            "(",
            f"  git cat-file -e {policy} 2>/dev/null || [ -e {folder}/{POLICY_FILE} ] || exit 0",
            f"  cd {folder} || exit 1",
            f"  {shlex.quote(program())} check --staged",
            ") || exit 1",
            END,
            "",
        ]
    )


def program() -> str:
    """The `stet` that runs now, by its whole path."""
    beside = Path(sys.executable).with_name("stet")
    return str(beside) if beside.exists() else shutil.which("stet") or "stet"


def _install(hook: Path, lines: str) -> list[str]:
    there = _read(hook)
    before = hook.with_name(BEFORE)
    if there is None and not hook.is_symlink():
        _write(hook, f"#!/bin/sh\n{lines}{_CHAIN}", 0o755)
        return [f"{hook} judges every commit from now on."]
    text = _shell_text(hook, there)
    if text is not None:
        old = _BLOCK.search(text)
        if old:
            new = text[: old.start()] + lines + text[old.end() :]
        else:
            first, _, rest = text.partition("\n")
            new = f"{first}\n{lines}{rest}"
        if new == text:
            return [f"{hook} judges every commit already."]
        _write(hook, new, stat.S_IMODE(hook.stat().st_mode))
        if old:
            return [f"{hook} calls this program now."]
        return [f"{hook} judges every commit from now on, and then does what it did before."]
    if os.path.lexists(before):
        raise HookInTheWay(hook=hook, before=before.name)
    hook.rename(before)
    try:
        _write(hook, f"#!/bin/sh\n{lines}{_CHAIN}", 0o755)
    except BaseException:
        before.rename(hook)
        raise
    return [f"{hook} judges every commit from now on; what was there is kept as {before.name} and runs after it."]


def _undo(hook: Path) -> list[str]:
    there = _read(hook)
    before = hook.with_name(BEFORE)
    text = there.decode("utf-8", "surrogateescape") if there is not None and not hook.is_symlink() else ""
    old = _BLOCK.search(text)
    if not old:
        return [f"{hook} has nothing of Stet's in it."]
    rest = text[: old.start()] + text[old.end() :]
    if rest != f"#!/bin/sh\n{_CHAIN}":
        _write(hook, rest, stat.S_IMODE(hook.stat().st_mode))
        return [f"{hook} does what it did before."]
    if os.path.lexists(before):
        before.replace(hook)
        return [f"{hook} is again what it was before."]
    hook.unlink()
    return [f"{hook} is removed."]


def _shell_text(hook: Path, data: bytes | None) -> str | None:
    """The text of a shell script that git runs; None for anything else, a link among it."""
    if data is None or hook.is_symlink() or not os.access(hook, os.X_OK):
        return None  # git does not run what is not executable, and neither shall we make it
    if not _SHELL.match(data) or b"\0" in data:
        return None
    return data.decode("utf-8", "surrogateescape")


def _read(hook: Path) -> bytes | None:
    return settings.contents(hook)


def _write(hook: Path, text: str, mode: int) -> None:
    """All of it or nothing, never a half hook."""
    hook.parent.mkdir(parents=True, exist_ok=True)
    temp = hook.with_name(f"{hook.name}.{secrets.token_hex(4)}.tmp")
    try:
        temp.write_bytes(text.encode("utf-8", "surrogateescape"))
        temp.chmod(mode)
        temp.replace(hook)
    finally:
        temp.unlink(missing_ok=True)


def would_commit(root: Path, name: str) -> bool:
    """Would git take a file of this folder into a commit: is there a repository, and is the file not ignored? Yes as
    well where it gives no answer."""
    try:
        status, _ = as_theirs(root, "check-ignore", "-q", "--", name)
    except GitSilent:
        return True
    except GitFailed:
        return False
    return status == 1  # 0: ignored; 128: no repository


def _ask(top: Path, *words: str) -> str:
    """One line from git as the person's own git would answer it: hooks and settings of theirs count here. Raises
    GitFailed."""
    status, out = as_theirs(top, *words)
    return os.fsdecode(out).strip() if status == 0 else ""
