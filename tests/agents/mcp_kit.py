"""A client of `stet mcp` over stdio, driven from plain functions: the SDK's own client, a real server process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, ListRootsResult, Root
from stet_kit import STET, Book

Talk = Callable[[Client], Awaitable[Any]]


def talk(
    book: Book, story: Talk, *, roots: Sequence[Path] | None = None, mode: Any = "auto", home: Path | None = None
) -> Any:
    """Start the server in the book's folder, let `story` use a client of it, end it. `roots` None: no roots at all."""

    async def given(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=r.as_uri()) for r in roots or ()])  # type: ignore[arg-type]

    async def run() -> Any:
        server = StdioServerParameters(
            command=str(STET), args=["mcp"], cwd=str(home or book.root), env=book.user.environment()
        )
        async with Client(server, mode=mode, list_roots_callback=None if roots is None else given) as client:
            return await asyncio.wait_for(story(client), 100)

    return asyncio.run(run())


def said(result: CallToolResult) -> str:
    """The words of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")
