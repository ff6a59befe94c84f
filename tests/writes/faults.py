"""Makes operation number n of the system fail, and counts operations, for the fault and kill tests.

What is counted: each call of the operating system that changes or secures something (open, write, fsync,
rename, unlink, mkdir, chmod …) and each statement given to SQLite.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from firewall.writes import database

OPERATIONS = (
    "open", "write", "fsync", "close", "replace", "rename", "unlink", "mkdir", "rmdir", "chmod",
    "fchmod", "fchown", "fstat", "listxattr", "getxattr", "setxattr",
)  # fmt: skip

Event = Callable[[int, str, bool], None]
"""Called with the operation's number (from 1), its name, and whether it was done already; may raise."""


class Operations:
    """Counts operations from `start` on."""

    def __init__(self) -> None:
        self.count = -1

    def start(self) -> None:
        """The next operation is number 1."""
        self.count = 0

    def stop(self) -> None:
        """Count no more: nothing fails from here on."""
        self.count = -1

    def next(self) -> int:
        """The number of the operation that comes now, 0 while nothing is counted."""
        if self.count < 0:
            return 0
        self.count += 1
        return self.count


@contextlib.contextmanager
def every_operation(event: Event, *, at_once: bool = True) -> Iterator[Operations]:
    """Calls `event` before and after each counted operation while the block runs.

    SQLite statements are seen on connections made inside the block. Without `at_once`, numbers begin when
    the block calls `start`.
    """
    operations = Operations()
    if at_once:
        operations.start()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            number = operations.next()
            try:
                event(number, name, False)
            except (OSError, KeyboardInterrupt):
                if name == "close":  # Linux lets go of the descriptor whatever close reports
                    real(*arguments, **options)
                raise
            value = real(*arguments, **options)
            try:
                event(number, name, True)
            except BaseException:
                if name == "open":
                    real_close(value)
                raise
            return value

        return call

    class Connection(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            number = operations.next()
            name = f"sql {str(arguments[0]).split()[0]}"
            try:
                event(number, name, False)
            except OSError as error:
                raise sqlite3.OperationalError(f"disk I/O error ({error.strerror})") from None
            cursor = super().execute(*arguments)
            with contextlib.suppress(OSError):  # a statement that was done does not report that it was not
                event(number, name, True)
            return cursor

    real_close = os.close
    real_connect = database.sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return real_connect(*arguments, **options, factory=Connection)

    kept = {name: getattr(os, name) for name in OPERATIONS if hasattr(os, name)}
    try:
        for name, real in kept.items():
            setattr(os, name, counted(name, real))
        database.sqlite3.connect = connect  # the module that the ledger uses, whichever that is
        yield operations
    finally:
        for name, real in kept.items():
            setattr(os, name, real)
        database.sqlite3.connect = real_connect


class Fail:
    """An event that raises at operation `number`: an OSError with `code`, or KeyboardInterrupt for code 0.

    With `after`, the operation is done first and the failure reported all the same, as a network file
    system may. `hit` is the name of the operation that failed, '' while none has.
    """

    def __init__(self, number: int, code: int, *, after: bool = False) -> None:
        self.number = number
        self.code = code
        self.after = after
        self.hit = ""

    def __call__(self, number: int, name: str, done: bool) -> None:
        if number != self.number or done is not self.after or self.hit:
            return
        self.hit = name
        if self.code == 0:
            raise KeyboardInterrupt
        raise OSError(self.code, os.strerror(self.code))
