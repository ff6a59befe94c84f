"""`stet watch`: look at the guarded files whenever the system says that something changed. Sole importer of watchdog.

Events only say when to look; what changed is found by the look itself, so that a lost event delays a look and misses
nothing: there is one every few seconds anyway. Changes are left to settle first, and a file that a writer still holds
open is waited for, so that a save in several steps (a backup, a rename, a truncation) and a burst over many files are
each one change set. Sharp edge: watchdog says nothing where a folder below the first cannot be watched, because the
system's limit is reached; so the watches are counted.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

from firewall.agents import unforeseen
from firewall.agents.rounds import FolderGone, Rounds, Told
from firewall.errors import StetError
from firewall.values import NamedTuple
from firewall.writes import protection
from firewall.writes.paths import BOOK_FILE, POLICY_FILE

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

SETTLE = 0.4
"""Seconds without a change before a look."""
PATIENCE = 5.0
"""Seconds after the first change at which a look is taken in any case: a writer that never ends hides nothing."""
EVERY = 10.0
"""Seconds between looks without any event."""
_EVENTS = [
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
    FileClosedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
]  # fmt: skip
_CLOSES = sys.platform.startswith("linux")
"""Does the system tell when a writer closes a file?"""


class CannotWatch(StetError):
    """The system will not tell of changes."""

    code = "cannot-watch"
    template = "{root} cannot be watched: {detail}."
    next_step = "{fix}"


class LookFailed(StetError):
    """A look that ended in an exception which nobody foresaw."""

    code = "look-failed"
    template = "What changed could not be judged, by a fault of Stet's or of this machine: {detail}."
    next_step = "The watch goes on, and each look tries again. If it fails once more, report this sentence."


class Trouble(NamedTuple):
    """A look that could not be taken; the next one tries again."""

    error: StetError


class Burst:
    """Changes that are not yet looked at: since when, the latest, and the files a writer has open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._first = 0.0
        self._last = 0.0
        self._open: set[str] = set()

    def add(self, event: FileSystemEvent) -> None:
        """One more change."""
        now = self._clock()
        self._first = self._first or now
        self._last = now
        name = os.fsdecode(event.src_path)
        if isinstance(event, FileModifiedEvent) and _CLOSES:
            self._open.add(name)
        elif isinstance(event, (FileClosedEvent, FileDeletedEvent, FileMovedEvent)):
            self._open.discard(name)

    def due(self, settle: float) -> float:
        """Seconds until a look is due; infinity where there is nothing to look at."""
        if not self._first:
            return float("inf")
        quiet = PATIENCE if self._open else settle
        return max(0.0, min(self._last + quiet, self._first + PATIENCE) - self._clock())

    def clear(self) -> None:
        """All was looked at."""
        self._first = 0.0
        self._open.clear()


class _Handler(FileSystemEventHandler):
    """Passes on what may concern a guarded file."""

    def __init__(self, rounds: Rounds, events: queue.SimpleQueue[FileSystemEvent | None]) -> None:
        self._rounds = rounds
        self._events = events

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called on watchdog's thread."""
        names = [os.fsdecode(name) for name in (event.src_path, event.dest_path) if name]
        if any(self._concerns(name, event.is_directory) for name in names):
            self._events.put(event)

    def _concerns(self, name: str, folder: bool) -> bool:
        path = os.path.relpath(name, self._rounds.root).replace(os.sep, "/")
        parts = path.split("/")
        if any(part in protection.NEVER for part in parts):
            return False
        if folder or parts[-1].lower() in (POLICY_FILE, BOOK_FILE):
            return True
        return protection.is_protected(path, self._rounds.proxy.protection)


class Watch:
    """A watch over one folder, as an iterator over what came of each look."""

    def __init__(self, rounds: Rounds, settle: float = SETTLE, every: float = EVERY) -> None:
        self._rounds = rounds
        self._settle = settle
        self._every = every
        self._events: queue.SimpleQueue[FileSystemEvent | None] = queue.SimpleQueue()
        self._stopped = False
        self._said = ""
        self.signal = 0
        """The signal that ended the watch."""

    def stop(self, number: int = 0, _frame: object = None) -> None:
        """End after the look that is under way. As a signal handler it lets a second signal interrupt at once."""
        if number:
            self.signal = number
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        self._stopped = True
        self._events.put(None)

    def run(self, started: Callable[[], None] = lambda: None) -> Iterator[list[Told] | Trouble]:
        """Look until stopped; `started` is called once changes are being seen. Raises CannotWatch and FolderGone."""
        observer = self._observe()
        try:
            yield from self._look()  # something may have changed before the watch stood
            started()
            yield from self._loop(observer)
        finally:
            observer.stop()
            observer.join(10)

    def _loop(self, observer: BaseObserver) -> Iterator[list[Told] | Trouble]:
        burst = Burst()
        at = time.monotonic() + self._every
        while not self._stopped:
            due = burst.due(self._settle)
            wait = due if due < float("inf") else max(0.0, at - time.monotonic())  # no look in the middle of a burst
            if not wait:
                burst.clear()
                yield from self._look()
                at = time.monotonic() + self._every
                if not observer.is_alive():
                    raise CannotWatch(root=self._rounds.root, detail="the system's events ended", fix="Start it again.")
                continue
            try:
                event = self._events.get(timeout=wait)
            except queue.Empty:
                continue
            if event is not None:
                burst.add(event)
        yield from self._look()

    def _look(self) -> Iterator[list[Told] | Trouble]:
        """One look, and what there is to say of it; the same trouble is told of once."""
        trouble: StetError | None
        try:
            told, trouble = self._rounds.look()
        except FolderGone:
            raise
        except StetError as error:
            told, trouble = [], error
        except Exception as error:  # a watch that ends guards nothing
            told, trouble = [], LookFailed(detail=unforeseen.told(error))
        if told:
            yield told
        if trouble is not None and trouble.message != self._said:
            yield Trouble(trouble)
        self._said = trouble.message if trouble else ""

    def _observe(self) -> BaseObserver:
        root = self._rounds.root
        observer = Observer()
        try:
            observer.schedule(_Handler(self._rounds, self._events), str(root), recursive=True, event_filter=_EVENTS)
            observer.start()
            missing = unwatched(root)
        except OSError as error:
            raise CannotWatch(root=root, detail=error.strerror or str(error), fix=_LIMITS) from None
        if missing:
            observer.stop()
            detail = f"{missing} of its folders are beyond the system's limit of watches"
            raise CannotWatch(root=root, detail=detail, fix=_LIMITS)
        return observer


_LIMITS = (
    "Raise fs.inotify.max_user_watches (or max_user_instances) with sysctl, end other programs that watch files, or"
    " watch a smaller folder."
)


def unwatched(root: Path) -> int:
    """How many folders below `root` this process does not watch, though it should; 0 where nobody can tell."""
    watches = _watches()
    if watches is None:
        return 0
    for _ in range(3):  # folders come and go while they are counted
        folders = 1 + sum(
            not os.path.islink(os.path.join(folder, name))  # noqa: PTH114, PTH118 - many of them
            for folder, names, _ in os.walk(root)
            for name in names
        )
        watches = _watches() or 0
        if watches >= folders:
            return 0
        time.sleep(0.2)
    return folders - watches


def _watches() -> int | None:
    """The inotify watches that this process has, as the kernel counts them."""
    found = None
    try:
        for info in Path("/proc/self/fdinfo").iterdir():
            try:
                lines = info.read_text("ascii", "replace").splitlines()
            except OSError:
                continue  # closed meanwhile
            count = sum(line.startswith("inotify wd:") for line in lines)
            found = (found or 0) + count if count else found
    except OSError:
        return None
    return found
