"""A client of `stet mcp` over stdio, driven from plain functions: the SDK's own client, a server process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import IO, Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListRootsResult, Root
from stet_kit import STET, Book

Talk = Callable[[Client], Awaitable[Any]]


def talk(
    book: Book,
    story: Talk,
    *,
    roots: Sequence[Path] | None = None,
    mode: Any = "auto",
    home: Path | None = None,
    real: bool = False,
) -> Any:
    """Start the server in the book's folder, let `story` use a client of it, end it. `roots` None: no roots at all.

    The server is a fork of this process, which has imported the SDK; with `real` it is the installed `stet`.
    """

    async def given(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=r.as_uri()) for r in roots or ()])  # type: ignore[arg-type]

    async def run(server: Any) -> Any:
        async with Client(server, mode=mode, list_roots_callback=None if roots is None else given) as client:
            return await asyncio.wait_for(story(client), 100)

    folder = home or book.root
    if real:
        return asyncio.run(
            run(StdioServerParameters(command=str(STET), args=["mcp"], cwd=str(folder), env=book.user.environment()))
        )
    import firewall.agents.mcp_server  # noqa: F401 - once, and not in each fork

    pid, to, back = book.user.beside("mcp", cwd=folder)
    try:
        return asyncio.run(run(_lines(to, back)))
    finally:
        to.close()
        back.close()
        assert os.waitpid(pid, 0)[1] == 0, "the server ends well with its client"


@contextlib.asynccontextmanager
async def _lines(to: IO[bytes], back: IO[bytes]) -> AsyncIterator[Any]:
    """Messages over two pipes, a line each: a client's side of stdio is a server's, seen from the other end."""
    text = io.TextIOWrapper(to, encoding="utf-8")  # type: ignore[type-var]
    with io.TextIOWrapper(back, encoding="utf-8") as heard:  # type: ignore[type-var]
        async with stdio_server(anyio.wrap_file(heard), anyio.wrap_file(text)) as streams:
            try:
                yield streams
            finally:
                text.close()  # the server ends, and so does what is heard of it
                await streams[1].aclose()


def said(result: CallToolResult) -> str:
    """The words of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")
