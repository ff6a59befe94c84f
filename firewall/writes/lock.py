"""One writer at a time for an artifact: an advisory lock on a file in the state folder.

The system drops it when the holder dies, so a killed process never leaves an artifact locked.
"""

from __future__ import annotations

import contextlib
import os
import time
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from firewall.digest import sha256
from firewall.errors import Busy, StorageError
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt


class FileLock:
    """Exclusive lock on `path`, waited for at most `seconds`. Raises Busy naming `what`."""

    def __init__(self, path: str | Path, seconds: float, what: str) -> None:
        self._path = path
        self._seconds = seconds
        self._what = what
        self._fd = -1

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()

    def take(self) -> None:
        """Wait for it and hold it."""
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise StorageError(action="lock", path=self._what, reason=error.strerror or str(error)) from None
        deadline = time.monotonic() + self._seconds
        pause = 0.001
        while not _try_lock(self._fd):
            if time.monotonic() >= deadline:
                os.close(self._fd)
                self._fd = -1
                raise Busy(path=self._what, seconds=self._seconds)
            time.sleep(pause)
            pause = min(pause * 2, 0.05)

    def drop(self) -> None:
        """Let go of it, if it is held."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):  # whatever it reports, the descriptor is gone
                os.close(self._fd)  # closing the only descriptor drops the lock
            self._fd = -1


def _try_lock(fd: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:  # pragma: no cover - Windows
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):
        return False
    return True


@lru_cache(maxsize=4096)  # pure, and asked at every proposal
def lock_path(state: Path, root: Path, relative: str) -> str:
    """The lock's file for an artifact: named by a hash, since a path may be longer than a name can be."""
    name = sha256(f"{root}\0{relative}".encode("utf-8", "surrogateescape"))[:32]
    return os.path.join(state, "locks", f"{name}.lock")  # noqa: PTH118 - asked at every proposal
