"""A project's record left open between two questions, for a server. To open it takes half as long as to answer.

It is opened anew wherever that would find anything else: another policy on disk or accepted, another folder, a record
that was put in place of this one or written past SQLite, a log of SQLite's that is gone. What a question made fail is
closed as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from firewall.errors import StetError
from firewall.writes import pinned, project

if TYPE_CHECKING:
    from firewall.agents.events import Event
    from firewall.agents.sweep import Swept
    from firewall.writes.proxy import WriteProxy

    Opened = tuple[WriteProxy, list[Swept]]
    """A project, and what was put back so that it could be opened."""

Files = tuple[tuple[int, ...], ...]
"""What tells whether the files of a record and its folder are the same: () for one that is not there."""


class Kept:
    """The last project opened. Whoever uses it lets one question at a time in."""

    def __init__(self) -> None:
        self._proxy: WriteProxy | None = None
        self._files: Files = ()

    @contextlib.contextmanager
    def project(
        self, opening: Callable[[Path, Path, Event], Opened], root: Path, state: Path, event: Event
    ) -> Iterator[Opened]:
        """The project, open: still, or by `opening`, whose errors are raised."""
        earlier: list[Swept] = []
        proxy = self._current(root, state)
        if proxy is None:
            self.close()
            before = _files(root, state)
            proxy, earlier = opening(root, state, event)
            self._proxy, self._files = proxy, _files(root, state)
            if before[:2] != self._files[:2]:  # nobody knows which of them was opened
                self._files = ()
        try:
            yield proxy, earlier
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of it."""
        if self._proxy is not None:
            self._proxy.ledger.close()
        self._proxy = None

    def _current(self, root: Path, state: Path) -> WriteProxy | None:
        proxy = self._proxy
        if proxy is None or (proxy.root, proxy.state) != (root, state) or _files(root, state) != self._files:
            return None
        try:
            found = project.recorded(root, state)
            if (pinned.read(proxy.ledger), found.text) != (proxy.texts.pinned, proxy.texts.disk):
                return None
            proxy.look_after()
        except StetError:  # whatever it was: opened anew it is told as ever
            return None
        return proxy


def _files(root: Path, state: Path) -> Files:
    """Of the folder, the record, SQLite's log of it and the log's index. The record itself is written by checkpoints
    only, so that any other change of it shows that somebody wrote past SQLite."""
    out: list[tuple[int, ...]] = []
    for path in (root, state / "ledger.db", state / "ledger.db-wal", state / "ledger.db-shm"):
        try:
            info = path.stat()
        except OSError:
            out.append(())
            continue
        changed = (info.st_size, info.st_mtime_ns, info.st_ctime_ns) if path.name == "ledger.db" else ()
        out.append((info.st_dev, info.st_ino, *changed))
    return tuple(out)
