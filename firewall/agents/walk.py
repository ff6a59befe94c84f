"""One walk over a guarded folder: which guarded files are there, and the signature of each.

A loop for ten thousand files: no call in it that is not needed for each. A folder is opened without following a link,
and its files are looked at by their names in it, so that no path is resolved again for every file.
"""

from __future__ import annotations

import errno
import os
from array import array
from collections.abc import Iterator
from operator import attrgetter

from firewall.agents import unnamed
from firewall.errors import StorageError
from firewall.values import NamedTuple
from firewall.writes import protection
from firewall.writes.paths import BOOK_FILE, POLICY_FILE
from firewall.writes.protection import Protection

_NUMBERS = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino", "st_dev")
"""The numbers of a signature: size, times of change of the content and of the inode (ns), inode, device."""
SIGNED = 8 * 5
"""Bytes of a signature."""
_POLICIES = (POLICY_FILE, BOOK_FILE)
_ALL_BITS = 2**64 - 1
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_BY_NUMBER = os.scandir in os.supports_fd


class Found(NamedTuple):
    """What a walk found.

    `folders`: for every folder that holds guarded files, by its path ('' or with a `/` at its end): their names with
    `/` between them, and their signatures, in the order of the system. `odd` are paths with a guarded name where no
    regular file stands, `policies` other policy files, `closed` folders that cannot be listed, `deep` those whose path
    is longer than the system takes: what is in them is not guarded.
    """

    folders: dict[str, tuple[str, bytes]]
    odd: list[str]
    policies: list[str]
    closed: list[str]
    deep: list[str]

    def paths(self) -> Iterator[str]:
        """The guarded files."""
        for prefix, (names, _) in self.folders.items():
            for name in names.split("/"):
                yield prefix + name


def walk(root: str, rules: Protection, nested: frozenset[str] = frozenset()) -> Found:
    """Guarded files below `root`, by name, links not followed; in `nested` folders another project has the say.

    Raises StorageError where `root` itself cannot be listed.
    """
    found = Found({}, [], [], [], [])
    all_of_them = not rules.exclude
    more = bool(rules.include or rules.exclude or rules.delete_only)
    extensions = frozenset(rules.extensions)
    never = frozenset(protection.NEVER)
    stack = [("", root)]
    while stack:
        prefix, folder = stack.pop()
        names: list[str] = []
        numbers: list[int] = []
        number = -1
        try:
            if _BY_NUMBER:
                number = os.open(folder, _FOLDER | _NO_LINK if prefix else _FOLDER)
            with os.scandir(number if _BY_NUMBER else folder) as entries:
                for entry in entries:
                    name = entry.name
                    _, dot, extension = name.rpartition(".")
                    extension = extension.lower()
                    if extension == "toml" and name.lower() in _POLICIES and not entry.is_dir(follow_symlinks=False):
                        found.policies.append(prefix + name)
                        continue
                    guarded = all_of_them and extension in extensions and dot  # as is_protected has it, without globs
                    if guarded or (more and protection.is_protected(prefix + name, rules)):
                        try:
                            info = entry.stat(follow_symlinks=False)
                        except OSError:  # gone meanwhile, or a folder that cannot be looked into
                            is_odd = entry.is_dir(follow_symlinks=False)
                        else:
                            is_odd = info.st_mode & 0o170000 != 0o100000
                            if not is_odd:
                                names.append(name)
                                numbers += _NUMBERS(info)
                        if not is_odd:
                            continue
                        found.odd.append(prefix + name)
                    if entry.is_dir(follow_symlinks=False) and name not in never and prefix + name not in nested:
                        stack.append((f"{prefix}{name}/", f"{folder}/{name}"))
        except OSError as error:
            if not prefix:
                raise StorageError(action="list", path=root, reason=error.strerror or str(error)) from None
            (found.deep if error.errno == errno.ENAMETOOLONG else found.closed).append(prefix[:-1])
        finally:
            if number >= 0:
                os.close(number)
        if names:
            found.folders[prefix] = ("/".join(names), _packed(numbers))
    return found


def unguarded(found: Found) -> list[str]:
    """What nobody guards, though its name says so: folders that are too deep."""
    return sorted(f"{folder}/" for folder in found.deep)


def nameless(found: Found) -> list[str]:
    """Guarded files whose path is not UTF-8, which the record cannot name (unnamed.py)."""
    return sorted(path for path in (*found.paths(), *found.odd) if not unnamed.is_name(path))


def split(names: str, signatures: bytes) -> dict[str, bytes]:
    """The signatures of one folder by name."""
    return {name: signatures[SIGNED * at : SIGNED * (at + 1)] for at, name in enumerate(names.split("/"))}


def latest_change(signature: bytes) -> int:
    """The later of a file's two times, in ns since 1970."""
    _, content, inode, _, _ = array("q", signature)
    return max(content, inode)


def _packed(numbers: list[int]) -> bytes:
    try:
        return array("q", numbers).tobytes()
    except OverflowError:  # some file systems number their inodes so
        return array("Q", [number & _ALL_BITS for number in numbers]).tobytes()
