"""The only module that changes a protected file: read, replace atomically, sync.

A commit is: temporary file beside the target, all bytes, owner and mode, fsync; a last look that the
target still is what the verdict was computed on; `os.replace`; fsync of the folder. Whatever fails, the
temporary file is gone and the target is its old bytes (invariants 1, 2 and 4).
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from firewall import digest
from firewall.errors import StorageError
from firewall.values import NamedTuple

TEMP_PREFIX = ".stet-"
"""Names of temporary files begin so; a hash of the file's name, a random part and `.tmp` follow."""


class Reading(NamedTuple):
    """A file as read: its bytes (None where there is none), their sha256, and what identifies it."""

    data: bytes | None
    sha256: str
    mode: int
    uid: int
    gid: int
    links: int
    identity: tuple[int, int, int, int]


MISSING = Reading(None, "", 0o644, -1, -1, 0, (0, 0, 0, 0))


def sha256(data: bytes) -> str:
    """Hex sha256 of the bytes."""
    return digest.sha256(data)


def read(path: Path, limit: int | None = None) -> Reading:
    """The regular file at `path`, or MISSING. Raises StorageError for anything else there.

    Opened without following a link and without blocking, so a FIFO or a swapped link cannot hang or
    redirect the read. With `limit`, a larger file raises StorageError instead of filling memory.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        fd = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return MISSING
    except NotADirectoryError:
        return MISSING
    except ValueError as error:  # a NUL in its name
        raise StorageError(action="read", path=path, reason=str(error)) from None
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise StorageError(action="read", path=path, reason="it is not a regular file")
        if limit is not None and info.st_size > limit:
            reason = f"it has {info.st_size} bytes and the limit is {limit} ([rules] max_bytes)"
            raise StorageError(action="judge", path=path, reason=reason)
        data = _all_of(fd, info.st_size)
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None
    finally:
        _close(fd)
    identity = (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns)
    mode = stat.S_IMODE(info.st_mode)
    return Reading(data, sha256(data), mode, info.st_uid, info.st_gid, info.st_nlink, identity)


def _close(fd: int) -> None:
    with contextlib.suppress(OSError):  # nothing was written through it
        os.close(fd)


def _all_of(fd: int, size: int) -> bytes:
    """All bytes of an open file, which may have another size by now."""
    piece = os.read(fd, max(size + 1, 4096))
    if len(piece) == size:  # asked for one more: this is its end
        return piece
    pieces = [piece]
    while piece:
        piece = os.read(fd, max(size + 1, 4096))
        pieces.append(piece)
    return b"".join(pieces)


class NotSynced(StorageError):
    """The change is made, and the system would not confirm that it is safe on the disk."""

    code = "not-synced"
    template = "{path} {state}, but the system could not confirm that this is safe on the disk: {reason}."
    next_step = "Look at the disk's health. Stet records what it finds there the next time it looks at the file."


class Replaced(Exception):
    """The target is no longer the bytes that were judged; nothing was written."""


def replace(path: Path, data: bytes, old: Reading) -> None:
    """Make `path` hold exactly `data`, if it still holds `old`. Durable when it returns.

    Raises Replaced when somebody else changed the file meanwhile, StorageError when the system refuses, and
    NotSynced where the new bytes are in place and nobody can say that they will survive a power cut.
    """
    temp = path.parent / f"{_temp_prefix(path)}{os.urandom(8).hex()}.tmp"
    placed = False
    action = "write"
    try:
        _write_temp(temp, data, old, path)
        if read(path).sha256 != old.sha256:
            raise Replaced
        action = "replace"
        temp.replace(path)
        placed = True
        action = "sync the folder of"
        sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        if action != "write" and _holds(path, data):  # a rename may be done and reported as failed
            raise NotSynced(path=path, state="has the new content", reason=reason) from None
        raise StorageError(action=action, path=path, reason=reason) from None
    finally:
        if not placed:
            with contextlib.suppress(OSError):
                temp.unlink()


def _holds(path: Path, data: bytes) -> bool:
    with contextlib.suppress(StorageError):
        return read(path).data == data
    return False


def _write_temp(temp: Path, data: bytes, old: Reading, path: Path) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    fd = os.open(temp, flags | getattr(os, "O_BINARY", 0), 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        if hasattr(os, "fchown") and old.data is not None:
            info = os.fstat(fd)
            if (old.uid, old.gid) != (info.st_uid, info.st_gid):
                os.fchown(fd, old.uid, old.gid)  # refused where we may not: then the write is refused
        if hasattr(os, "fchmod"):
            os.fchmod(fd, old.mode if old.data is not None else 0o666 & ~current_umask())
        if old.data is not None:
            _copy_attributes(path, fd)
        os.fsync(fd)
    finally:
        os.close(fd)


def _copy_attributes(path: Path, fd: int) -> None:
    """Carry extended attributes (ACLs among them) over; those the system keeps for itself are left to it."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError:
        return  # the file system has none
    for name in names:
        with contextlib.suppress(OSError):
            os.setxattr(fd, name, os.getxattr(path, name, follow_symlinks=False))


def create_folders(path: Path) -> list[Path]:
    """Make the missing folders above `path`, each synced into its parent; returns those it made."""
    missing = []
    folder = path.parent
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    missing.reverse()
    try:
        for folder in missing:
            folder.mkdir(exist_ok=True)
            sync_folder(folder.parent)
    except OSError as error:
        remove_folders(missing)
        raise StorageError(action="make the folder of", path=path, reason=error.strerror or str(error)) from None
    return missing


def remove_folders(made: list[Path]) -> None:
    """Take away again what `create_folders` made, as far as it is empty."""
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            folder.rmdir()


def remove(path: Path, old: Reading) -> None:
    """Take the file away, if it still holds `old`. Raises as `replace` does."""
    try:
        if read(path).sha256 != old.sha256:
            raise Replaced
        path.unlink()
        sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        if not os.path.lexists(path):
            raise NotSynced(path=path, state="is removed", reason=reason) from None
        raise StorageError(action="remove", path=path, reason=reason) from None


def rename(path: Path, target: Path, old: Reading) -> None:
    """Give a file that still holds `old` another name that nobody has. Raises as `remove`, and Replaced where
    the name is taken."""
    try:
        if read(path).sha256 != old.sha256 or os.path.lexists(target):
            raise Replaced
        path.rename(target)
        sync_folder(target.parent)
        if target.parent != path.parent:
            sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        if not os.path.lexists(path) and os.path.lexists(target):
            raise NotSynced(path=path, state="is renamed", reason=reason) from None
        raise StorageError(action="rename", path=path, reason=reason) from None


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; a system that cannot sync folders (Windows) has no need to."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def current_umask() -> int:
    """The process's umask, read without changing it where the system shows it."""
    try:
        for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    except (OSError, ValueError):
        pass
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def leftovers(path: Path) -> list[Path]:
    """Temporary files that killed commits of this one file left beside it. Hold its lock while asking."""
    prefix = _temp_prefix(path)
    try:
        return [p for p in path.parent.iterdir() if p.name.startswith(prefix) and p.name.endswith(".tmp")]
    except OSError:
        return []


def _temp_prefix(path: Path) -> str:
    return f"{TEMP_PREFIX}{sha256(os.fsencode(path.name))[:12]}-"
