"""From a path somebody wrote to the one name an artifact has, and what is wrong with it if anything.

`./a.md`, a symlink to it and `a/../a.md` are one artifact, so its limits belong to the file and not to
the spelling. Looks at the file system; changes nothing.
"""

from __future__ import annotations

import os
import re
import stat
from functools import lru_cache
from pathlib import Path

from firewall.values import NamedTuple
from firewall.writes import known

POLICY_FILE = "stet.toml"
MOST_POLICY = 4_000_000
"""Bytes of a stet.toml that are looked at for its project's id."""
_ID = rb"""^[ \t]*id[ \t]*=[ \t]*["']([^"'\r\n]+)["']"""
LONGEST = 4095
"""Bytes of the longest path that Linux takes (PATH_MAX without its NUL); macOS takes fewer and says so itself."""
BOOK_FILE = "book.toml"
"""Says which lane a book's sources are of."""


class Target(NamedTuple):
    """`real` is where bytes would go (symlinks resolved); `relative` is the artifact's name below the
    project with `/`; `problem` says why nothing may be written there, or is empty."""

    real: Path
    relative: str
    problem: str


def resolve(path: Path, root: Path, state: Path, *, copies: bool = False) -> Target:
    """The artifact that `path` (relative to the working folder, or absolute) names in the project `root`. With `copies`
    files of a worktree or clone below, which was opened as a project itself, have a name here as well."""
    text = os.fspath(path)
    if "\0" in text:
        return Target(root, text.replace("\0", "\\0"), "has a NUL in its name")
    try:
        real, steps, missing = _really(text)
    except OSError as error:
        return Target(path, text, f"cannot be resolved: {error.strerror or error}")
    except UnicodeEncodeError:  # half a character, which no file system has a name for
        said = text.encode("utf-8", "backslashreplace").decode().removeprefix(os.fspath(root)).lstrip(os.sep)
        return Target(root / said, said, "has a name that is not UTF-8")
    where = path if real == text else Path(real)
    home = _real(os.fspath(root))
    if not _is_below(real, home) or real == home:
        return Target(where, text, "is outside the project" if real != home else "is the project's own folder")
    relative = real[len(home) :].lstrip(os.sep).replace(os.sep, "/")
    problem = _problem(where, path, relative, steps, missing, state)
    if not problem and "/" in relative:
        problem = _other_project(where, Path(home), copies=copies)
    return Target(where, relative, problem)


def _really(path: str) -> tuple[str, list[os.stat_result], OSError | None]:
    """Where a path leads, what stands at each step of that way from the top, and why there are no more steps."""
    if path[:1] == os.sep and path[:2] != "//" and os.path.normpath(path) == path:
        steps, missing = _steps(path)
        whole = missing is None or (isinstance(missing, FileNotFoundError) and len(steps) == path.count(os.sep) - 1)
        if whole and not any(stat.S_ISLNK(info.st_mode) for info in steps):
            return path, steps, missing  # as most are written: nothing in it leads elsewhere
    real = os.path.realpath(path)
    return real, *_steps(real)


def _steps(path: str) -> tuple[list[os.stat_result], OSError | None]:
    out: list[os.stat_result] = []
    at = 0
    try:
        while at >= 0:
            at = path.find(os.sep, at + 1)
            out.append(os.lstat(path[:at] if at >= 0 else path))
    except OSError as error:
        return out, error
    return out, None


@lru_cache(maxsize=64)
def _real(folder: str) -> str:
    """Where a project really is, as first seen: once a folder above is exchanged for a link, no path is below it any
    more, and all are refused. Nothing that is to be kept out may be remembered so."""
    return os.path.realpath(folder)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _problem(
    real: Path, asked: Path, relative: str, steps: list[os.stat_result], missing: OSError | None, state: Path
) -> str:
    parts = relative.split("/")
    if ".git" in relative.lower().split("/"):
        return "is inside .git"
    if parts[-1].lower() in (POLICY_FILE, BOOK_FILE):
        return "is a policy file, which only a person changes"
    if _is_inside(os.fspath(real), steps, os.fspath(state)):
        return "is inside Stet's state folder"
    if os.fspath(asked).endswith(("/", os.sep)):
        return "names a folder"
    try:
        size = len(relative.encode())
    except UnicodeEncodeError:
        return "has a name that is not UTF-8"
    if size > 255 and any(len(part.encode()) > 255 for part in parts):
        return "has a name longer than 255 bytes"
    longest = max(len(os.fspath(real)), len(os.fspath(asked)))  # in characters of four bytes at most
    if longest > LONGEST // 4 and any(len(os.fsencode(path)) > LONGEST for path in (real, asked)):
        return f"is longer than the {LONGEST} bytes that the system takes"
    if isinstance(missing, FileNotFoundError):
        nowhere = os.path.islink(asked)  # noqa: PTH114 - a Path's own raises where the path is too long
        return "is a symlink that leads nowhere" if nowhere else _folder_problem(real)
    if isinstance(missing, NotADirectoryError):
        return _folder_problem(real)
    if missing is not None:
        return f"cannot be looked at: {missing.strerror or missing}"
    info = steps[-1]
    if stat.S_ISLNK(info.st_mode):
        return "is a symlink that leads in a circle"
    if stat.S_ISDIR(info.st_mode):
        return "is a folder"
    if not stat.S_ISREG(info.st_mode):
        return "is not a regular file"
    if info.st_nlink > 1:
        return f"has {info.st_nlink} hard links, and an atomic write would break them apart"
    return ""


def _is_inside(real: str, steps: list[os.stat_result], state: str) -> bool:
    """Is one of the steps to a file the state folder, wherever that has been put since? Asked of the folders, not of
    their names, and at every proposal."""
    try:
        kept = os.stat(state)  # noqa: PTH116 - a quarter of what it costs by way of a Path
    except OSError:
        return _is_below(real, os.path.realpath(state))
    return any(info.st_ino == kept.st_ino and info.st_dev == kept.st_dev for info in steps)


def _other_project(real: Path, home: Path, *, copies: bool) -> str:
    """A folder between the project and the file with a stet.toml of its own has a record of its own, and one that had
    a stet.toml has that record still."""
    notes = known.everything()
    for name in real.relative_to(home).parents[:-1]:  # all but the project itself, the nearest first
        folder = home / name
        if os.path.lexists(folder / POLICY_FILE):
            if _is_copy(folder, home) and (copies or known.among(notes, folder) is None):
                continue
            return f"belongs to the project in {name.as_posix()}; ask there"
        if known.among(notes, folder) is not None:
            return f"belongs to {name.as_posix()}, which is guarded and has lost its stet.toml; a person puts it back"
    return ""


def _is_copy(folder: Path, home: Path) -> bool:
    """Is it a worktree or a clone of this very project? Its files are guarded with those of the project, until it is
    opened as a project itself: then the record has them by their names there."""
    ids = []
    for place in (folder, home):
        try:
            with (place / POLICY_FILE).open("rb") as file:
                ids.append(project_id(file.read(MOST_POLICY)))
        except OSError:
            return False
    return ids[0] != "" and ids[0] == ids[1]


def project_id(policy: bytes) -> str:
    """The project's id in the text of a stet.toml, '' where it names none. Enough to tell copies from others; what is
    in force is parsed (firewall/policy)."""
    found = re.search(_ID, policy, re.MULTILINE)
    return found[1].decode("utf-8", "replace") if found else ""


def _folder_problem(real: Path) -> str:
    for parent in real.parents:
        try:
            mode = os.lstat(parent).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            return f"cannot be looked at: {error.strerror or error}"
        return "" if stat.S_ISDIR(mode) else f"would be inside {parent.name}, which is a file"
    return ""
