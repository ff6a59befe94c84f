"""A hook's standard error goes to an agent, so what is meant for the operator does not stand there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hook_kit import with_chapter
from stet_kit import Book

from firewall.writes import cases


def write(content: str, number: int, path: str, runtime: str) -> dict[str, object]:
    """A whole-file write before it runs, as the runtime tells of it."""
    if runtime == "opencode":
        call = {"tool": "write", "sessionID": "s", "callID": f"c{number}"}
        return {"hook": "tool.execute.before", "input": call,
                "output": {"args": {"filePath": path, "content": content}}}  # fmt: skip
    given = {"path": path, "content": content}
    return {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "WriteFile", "tool_input": given,
            "tool_call_id": f"c{number}"}  # fmt: skip


@pytest.mark.parametrize("runtime", ["opencode", "kimi"])
def test_a_trip_shows_the_model_the_refusal_and_nothing_of_the_operators(book: Book, runtime: str) -> None:
    path = with_chapter(book)
    hook = [sys.executable, "-m", "firewall.agents.hook", runtime]
    for number in range(3):
        done = subprocess.run(
            [*hook, "--state", str(book.state_folder), "--root", str(book.root)],
            input=json.dumps({**write(f"stub {number}\n", number, str(path), runtime), "cwd": str(book.root)}).encode(),
            capture_output=True,
            cwd=book.root,
            env=dict(os.environ),
            timeout=120,
            check=False,
        )
        assert done.returncode == 2
    err = done.stderr.decode()
    assert err.startswith("Stet refused this; chapter.md is as it was.")
    assert "latched" in err
    assert "ALERT" not in err
    assert "stet approve" not in err
    with book.open() as proxy:
        assert len(cases.every(proxy.ledger, ["trip"])) == 1
