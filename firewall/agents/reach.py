"""What of the disk can be read, and how many files can be locked at once."""

from __future__ import annotations

import os
import stat

from firewall.errors import StorageError
from firewall.values import TYPE_CHECKING
from firewall.writes import disk

if TYPE_CHECKING:
    from firewall.writes.disk import Reading
    from firewall.writes.proxy import WriteProxy

SPARE = 128
"""Open files that are left for everything else."""


def read(proxy: WriteProxy, name: str, straight: dict[str, bool]) -> Reading | None:
    """What is there: MISSING for nothing, None for something that is no file one can read. `straight` remembers which
    folders no link leads to."""
    path = proxy.root / name
    folder = str(path.parent)
    if folder not in straight:
        straight[folder] = os.path.realpath(folder) == folder
    if not straight[folder]:
        return disk.MISSING  # a link on the way leads to another file, which has a name of its own
    try:
        return disk.read(path, proxy.limits.max_bytes)
    except StorageError:
        pass
    try:
        info = os.lstat(path)
        if info.st_uid == os.geteuid() and not info.st_mode & 0o400 and (info.st_mode & 0o170000) == 0o100000:
            path.chmod((info.st_mode & 0o7777) | 0o600)  # the agent's, or anyone's; the bytes are what counts
            return disk.read(path, proxy.limits.max_bytes)
    except (OSError, AttributeError, StorageError):
        pass
    return None


def no_text(proxy: WriteProxy, name: str) -> bool:
    """Did somebody put something in the file's place that is no text of this guard's: a link, a folder, a pipe, a file
    that is too large or closed to us?"""
    path = proxy.root / name
    try:
        info = os.lstat(path)
    except OSError:
        return False
    if not stat.S_ISREG(info.st_mode) or info.st_size > proxy.limits.max_bytes:
        return True
    return not os.access(path, os.R_OK)


def room_for(count: int) -> int:
    """How many files can be locked at once: each lock is an open file. The process gets as many as the system has."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        want = count + SPARE
        if soft != resource.RLIM_INFINITY and soft < want:
            soft = want if hard == resource.RLIM_INFINITY else min(hard, want)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return count if soft == resource.RLIM_INFINITY else max(1, min(count, soft - SPARE))
    except (ImportError, ValueError, OSError):
        return 100
