"""`stet watch` as a real process, whose lines a test waits for."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from stet_kit import STET, Book

SECONDS = 40.0
"""How long a test waits for what must come; the machine is shared."""
QUIET = 2.5
"""How long nothing must be said, for a test to believe that nothing will be."""


class Watching:
    """A watcher of the book's folder; on leaving it is ended as by Ctrl-C."""

    def __init__(self, book: Book, *words: str, prefix: Sequence[str] = ()) -> None:
        self.book = book
        self.root = book.root
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self.process = subprocess.Popen(
            [*prefix, STET, "watch", "--json", *words],
            cwd=book.root,
            env=book.user.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.err: list[str] = []
        self.early: list[dict[str, Any]] = []
        """What was said before the watch stood."""
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def _read_errors(self) -> None:
        assert self.process.stderr
        self.err.extend(self.process.stderr)

    def __enter__(self) -> Self:
        while True:
            line = self._next()
            if line["event"] == "watching":
                return self
            self.early.append(line)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            status = self.end()
            if kind is None:
                assert status == 130, self.err
        for reader in self._readers:
            reader.join(SECONDS)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        assert not [line for line in self.err if "Traceback" in line], self.err

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal and wait; the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(SECONDS)
        for reader in self._readers:
            reader.join(SECONDS)
        return status

    def await_event(self, event: str, path: str | None = None) -> dict[str, Any]:
        """The next line of this kind, about this file; lines of other kinds about it must not come."""
        while True:
            line = self._next(f"{event} of {path}")
            if line["event"] == event and path in (None, line.get("path")):
                return line
            assert path is None or line.get("path") != path, line

    def _next(self, what: str = "watching") -> dict[str, Any]:
        try:
            return self._lines.get(timeout=SECONDS)
        except queue.Empty:
            raise AssertionError(f"no {what} came; {self.process.poll()}; {self.err}") from None

    def said(self) -> list[dict[str, Any]]:
        """All lines until nothing was said for a while."""
        out = []
        while True:
            try:
                out.append(self._lines.get(timeout=QUIET))
            except queue.Empty:
                return out


def git(folder: Path, *words: str) -> str:
    """Run git as a person of the test's own."""
    done = subprocess.run(
        ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout
