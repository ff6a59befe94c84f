"""The real Claude Code as a client of the server, with a scripted model: what lands, what does not, what it is told."""

from __future__ import annotations

import json
import os
import subprocess

import agent_clients
from fake_messages import FakeMessages, say, tool
from stet_kit import STET, STUB, Book, chapter

TOOLS = ["read_file", "write_file", "edit_file", "append_file", "request_review"]


def test_a_story_through_mcp_alone(book: Book) -> None:
    program = agent_clients.program(agent_clients.CLAUDE)
    text = chapter(1200)
    path = book.put("chapter.md", text)
    old = text.decode().rstrip().rsplit("\n", 1)[-1]
    servers = {"mcpServers": {"stet": {"type": "stdio", "command": str(STET), "args": ["mcp"]}}}
    (book.user.folder / "mcp.json").write_text(json.dumps(servers))
    stub = {"path": "chapter.md", "content": STUB.decode()}
    script = [
        [tool("mcp__stet__read_file", path="chapter.md")],
        [tool("mcp__stet__edit_file", path="chapter.md", old_text=old, new_text=f"{old} At last.")],
        [tool("mcp__stet__write_file", **stub)],
        [tool("mcp__stet__write_file", **stub, base="")],
        [tool("mcp__stet__request_review", path="chapter.md", reason="It is old.", change="delete")],
        [say("done")],
    ]
    with FakeMessages(script) as api:
        done = subprocess.run(
            [
                program, "-p", "mend the chapter", "--mcp-config", book.user.folder / "mcp.json",
                "--strict-mcp-config", "--permission-mode", "acceptEdits",
                "--allowedTools", ",".join(f"mcp__stet__{name}" for name in TOOLS),
            ],
            cwd=book.root,
            env=book.user.environment(
                ANTHROPIC_BASE_URL=api.url,
                ANTHROPIC_API_KEY="dummy",
                DISABLE_TELEMETRY="1",
                DISABLE_AUTOUPDATER="1",
                CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
                CLAUDE_CODE_TMPDIR=str(book.user.folder),
            ),
            capture_output=True,
            text=True,
            timeout=180,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(api.requests) == len(script), [api.told(n) for n in range(len(api.requests) - 1)]
        assert old in api.told(0), "Claude Code says which folder is open, so the file may be read"
        assert "chapter.md: written, 1200 -> 1202 words." in api.told(1)
        assert "the floor is" in api.told(2)
        assert "left before the file is latched" in api.told(2)
        assert "exactly this was refused before" in api.told(3)
        assert "waits as P" in api.told(4)
    landed = path.read_bytes()
    assert landed.rstrip().endswith(b"At last.")
    assert landed.startswith(text.rstrip()[:200])
    waits = book.user.quick("pending", "--json", cwd=book.root).json()
    assert [(c["path"], c["change"]) for c in waits] == [("chapter.md", "delete")]
    assert not os.path.exists(book.root / "mcp.json")
