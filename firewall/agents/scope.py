"""Which files are guarded, and which of them a client may name: those inside the folders that it has opened."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from firewall.errors import UsageError
from firewall.writes import paths, protection
from firewall.writes.paths import POLICY_FILE, Target
from firewall.writes.protection import Protection
from firewall.writes.proxy import WriteProxy


class OutsideRoots(UsageError):
    """A path outside the folders that the client has opened."""

    code = "outside-roots"
    template = "{path} is outside the folders that the client has opened ({roots})."
    next_step = "Name a file inside them, or let the person open another folder."


class NotGuarded(UsageError):
    """A file that is no artifact."""

    code = "not-guarded"
    template = "{path} is not a guarded file: guarded are the names that [protect] of stet.toml gives ({names})."
    next_step = "Use another tool for files that are not text of this project."


class BadPath(UsageError):
    """A path that names nothing which could be a file of this project."""

    code = "bad-path"
    template = "{path} {problem}."
    next_step = "Name a text file inside {root}; list_files shows them."


class SameName(UsageError):
    """A file is to get the name that it has."""

    code = "same-name"
    template = "{path} has that name already; nothing was done."
    next_step = "Give another name for new_path, or leave it as it is."


def allowed(proxy: WriteProxy, path: str, roots: Sequence[Path] | None, *, folder: bool = False) -> Target:
    """The guarded file (or the folder) that a client names. Raises BadPath, OutsideRoots, NotGuarded.

    `roots` are the folders that the client has opened, links resolved here; None where it speaks of none. An
    empty list allows nothing.
    """
    named = proxy.root / path
    target = paths.resolve(named, proxy.root, proxy.state)
    if folder and "\0" not in path:
        real = Path(os.path.realpath(named))
        home = Path(os.path.realpath(proxy.root))
        if not os.path.isdir(real) or not real.is_relative_to(home):  # noqa: PTH112 - no length of a path raises here
            raise BadPath(path=path, problem="is not a folder of this project", root=home)
        target = Target(real, real.relative_to(home).as_posix(), "")
    inside = roots is None or any(target.real.is_relative_to(os.path.realpath(root)) for root in roots)
    if not inside:
        raise OutsideRoots(path=path, roots=", ".join(map(str, roots or ())) or "none")
    if target.problem:
        raise BadPath(path=path, problem=target.problem, root=proxy.root)
    if not folder and not protection.is_protected(target.relative, proxy.protection):
        raise NotGuarded(path=target.relative, names=", ".join(proxy.protection.extensions))
    return target


def other_name(proxy: WriteProxy, target: Target, path: str, roots: Sequence[Path] | None) -> Target:
    """The guarded file that a client names as a new name for `target`. Raises SameName, and what `allowed` does."""
    new = allowed(proxy, path, roots)
    if new.relative == target.relative:
        raise SameName(path=target.relative)
    return new


def guarded_files(root: Path, start: Path, rules: Protection) -> Iterator[tuple[str, int]]:
    """(path below the project, size) of the guarded files below a folder; other projects inside are left out."""
    home = os.path.realpath(root)
    for folder, folders, names in os.walk(start):
        inner = folder != home and POLICY_FILE in names
        folders[:] = [] if inner else sorted(f for f in folders if f not in protection.NEVER)
        if inner:
            continue
        for name in sorted(names):
            full = os.path.join(folder, name)  # noqa: PTH118 - a path object for each file would cost more
            relative = os.path.relpath(full, home).replace(os.sep, "/")
            if protection.is_protected(relative, rules):
                with contextlib.suppress(FileNotFoundError):  # gone since its folder was read
                    info = os.lstat(full)
                    if stat.S_ISREG(info.st_mode):
                        yield relative, info.st_size
