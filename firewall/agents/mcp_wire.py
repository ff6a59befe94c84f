"""Standard input and output of the MCP server: what the SDK leaves undone there.

It drops a line that it cannot read, so that a client waits for ever: a model that spelled half a character (`\\ud83d`)
makes one. Here such a question is answered. Knows nothing of the protocol but that a question has an `id`.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import IO, Any

Reading = Callable[[str], object]
"""Reads a line as a message, or raises."""
Refusing = Callable[[str | int, str], Awaitable[None]]
"""Answers the question of this id with a sentence."""

UNREADABLE = (
    "Stet could not read this call, so nothing was done: it is no JSON that stands for whole characters ({why})."
    " Write characters out instead of escaping them, and call again."
)


class Heard:
    """Lines of the client, without those that cannot be read: of these a question is answered by `refuse`."""

    def __init__(self, lines: IO[str], read: Reading) -> None:
        self._lines = lines
        self._read = read
        self.refuse: Refusing | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await asyncio.to_thread(self._lines.readline):
            asked = self._unreadable(line)
            if asked is None or self.refuse is None:
                yield line
            else:
                await self.refuse(*asked)

    def _unreadable(self, line: str) -> tuple[str | int, str] | None:
        """The id of a question that is no message, and what to say to it; None for a message and for what has no id."""
        try:
            self._read(line)
        except ValueError as error:
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                return None
            asked = said.get("id") if isinstance(said, dict) and "method" in said else None
            if not isinstance(asked, (str, int)) or isinstance(asked, bool):
                return None
            return asked, UNREADABLE.format(why=_why(error))
        return None


def _why(error: ValueError) -> str:
    found: list[dict[str, Any]] = error.errors() if hasattr(error, "errors") else []
    return str(found[0]["msg"])[:200] if found else type(error).__name__


@contextlib.contextmanager
def lines() -> Iterator[IO[str]]:
    """Standard input, line by line; meanwhile nobody else, no child either, can read of it."""
    own = os.dup(0)
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # not closed with it: a thread may still wait there for a line when the server ends
        yield io.TextIOWrapper(os.fdopen(own, "rb", closefd=False), "utf-8", "replace")
    finally:
        os.dup2(own, 0)


@contextlib.contextmanager
def client_may_leave() -> Iterator[None]:
    """A client that is gone ends the server, and is no error."""
    try:
        yield
    except BaseExceptionGroup as group:
        rest = group.split(ConnectionError)[1]
        if rest is not None:
            raise rest from None
        with contextlib.suppress(OSError):  # what Python would still write at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ConnectionError:
        pass
