"""The MCP Inspector, a client of others' making, against the server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import agent_clients
from stet_kit import STET, STUB, Book, chapter


def inspect(book: Book, *words: str, roots: bool = True) -> tuple[int, dict[str, Any]]:
    """One call of the Inspector's command line; its exit status and what it printed."""
    program = agent_clients.program(agent_clients.INSPECTOR)
    server: dict[str, Any] = {"type": "stdio", "command": str(STET), "args": ["mcp"], "cwd": str(book.root)}
    server["env"] = book.user.environment()
    if roots:
        server["roots"] = [{"uri": book.root.as_uri(), "name": "book"}]
    config = Path(book.user.folder) / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"stet": server}}))
    done = subprocess.run(
        [program, "--cli", "--config", config, "--server", "stet", *words],
        cwd=book.root,
        env=book.user.environment(MCP_INSPECTOR_SECRET_STORE="memory"),
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout, done.stderr
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    return done.returncode, value


def call(book: Book, tool: str, roots: bool = True, **arguments: Any) -> tuple[int, dict[str, Any]]:
    """Call a tool."""
    return inspect(
        book, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments), roots=roots
    )


def test_its_schemas_pass_the_strict_look(book: Book) -> None:
    status, listed = inspect(book, "--method", "tools/list", "--strict")
    assert status == 0
    tools = {tool["name"]: tool["annotations"] for tool in listed["tools"]}
    assert len(tools) == 8
    assert tools["read_file"]["readOnlyHint"] is True
    assert tools["write_file"] == {
        "readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False,
    }  # fmt: skip


def test_an_edit_lands_and_a_stub_is_a_failed_call(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    status, read = call(book, "read_file", path="chapter.md", lines=1)
    assert (status, read["structuredContent"]["lines"]) == (0, len(text.decode().splitlines()))
    old = text.decode().rstrip().rsplit("\n", 1)[-1]
    status, edited = call(book, "edit_file", path="chapter.md", old_text=old, new_text=f"{old} At last.")
    assert status == 0, edited
    landed = path.read_bytes()
    assert landed.rstrip().endswith(b"At last.")
    status, stub = call(book, "write_file", path="chapter.md", content=STUB.decode())
    assert status == 5, "the Inspector's word for a tool that failed"
    assert stub["isError"] is True
    assert "the floor is" in stub["content"][0]["text"]
    assert stub["structuredContent"]["attempt"] == 1
    assert path.read_bytes() == landed


def test_without_an_open_folder_it_is_told_so(book: Book) -> None:
    book.put("chapter.md", chapter(100))
    status, read = call(book, "read_file", roots=False, path="chapter.md")
    assert status == 5
    assert "folders that the client has opened (none)" in read["content"][0]["text"]
