"""The Claude Agent SDK's callback: its shapes in and out, and the SDK itself with the real Claude Code."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import agent_clients
import pytest
from fake_messages import FakeMessages, say, tool
from stet_kit import STUB, Book, chapter, reword

from firewall.agents import sdk
from firewall.errors import NoProject


class Matcher(NamedTuple):
    """HookMatcher's fields."""

    matcher: str | None
    hooks: list[sdk.Callback]
    timeout: float
    on_failure: str = "continue"


class Session:
    """Fires hook inputs as the SDK does: verbatim keys of 2.1.332, one event loop."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.hook = sdk.callback(book.root)
        self.number = 0

    def fire(self, name: str, **more: Any) -> dict[str, Any]:
        """One event; the answer."""
        given = {
            "session_id": "57bd23b5", "transcript_path": "/w/t.jsonl", "cwd": str(self.book.root),
            "permission_mode": "acceptEdits", "hook_event_name": name, **more,
        }  # fmt: skip
        return asyncio.run(self.hook(given, more.get("tool_use_id"), {"signal": None}))  # type: ignore[arg-type]

    def call(self, tool_name: str, **tool_input: Any) -> dict[str, Any]:
        """PreToolUse of a call."""
        self.number += 1
        return self.fire("PreToolUse", tool_name=tool_name, tool_input=tool_input, tool_use_id=f"toolu_{self.number}")


def denied(answer: dict[str, Any]) -> str:
    """The reason of a denial."""
    specific = answer["hookSpecificOutput"]
    assert specific["hookEventName"] == "PreToolUse"
    assert specific["permissionDecision"] == "deny"
    return str(specific["permissionDecisionReason"])


def test_the_hooks_are_for_every_event_and_block_when_they_fail(book: Book) -> None:
    made = sdk.hooks(book.root, matcher=Matcher)
    assert set(made) == {"UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"}
    for name, (one,) in made.items():
        assert one.matcher is None, "every tool"
        assert one.on_failure == ("continue" if "Stop" in name else "block")
        assert len(one.hooks) == 1


def test_a_folder_that_is_not_guarded_is_said_at_once(tmp_path: Any, book: Book) -> None:
    with pytest.raises(NoProject):
        sdk.hooks(tmp_path, matcher=Matcher)


def test_honest_calls_pass_in_silence_and_a_stub_is_denied(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    agent = Session(book)
    assert agent.fire("UserPromptSubmit", prompt="mend it") == {}
    assert agent.call("Read", file_path=str(path)) == {}
    old = text.decode().rstrip().rsplit("\n", 1)[-1]
    assert (
        agent.call("Edit", file_path=str(path), old_string=old, new_string=f"{old} At last.", replace_all=False) == {}
    )
    assert agent.call("Glob", pattern="*.md") == {}
    stub = agent.call("Write", file_path=str(path), content=STUB.decode())
    assert "the floor is 1020" in denied(stub)
    assert "continue_" not in stub
    agent.call("Write", file_path=str(path), content=STUB.decode() + "1\n")
    last = agent.call("Write", file_path=str(path), content=STUB.decode() + "2\n")
    denied(last)
    assert last["continue_"] is False, "the SDK's own name for it"
    assert "continue" not in last
    assert last["stopReason"]
    assert path.read_bytes() == text


def test_what_a_shell_did_is_put_back_and_the_model_told(book: Book) -> None:
    text = chapter(1200)
    path = book.put("chapter.md", text)
    agent = Session(book)
    agent.fire("UserPromptSubmit", prompt="mend it")
    assert agent.call("Bash", command="python3 shorten.py") == {}
    path.write_bytes(STUB)
    told = agent.fire(
        "PostToolUse", tool_name="Bash", tool_input={"command": "python3 shorten.py"}, tool_use_id="toolu_1",
        tool_response={"stdout": "", "stderr": "", "interrupted": False}, duration_ms=20,
    )  # fmt: skip
    assert told["decision"] == "block"
    assert "put back" in told["reason"]
    assert path.read_bytes() == text
    assert agent.fire("Stop", stop_hook_active=False, background_tasks=[]) == {}
    path.write_bytes(reword(text))  # between turns: a person
    assert agent.fire("UserPromptSubmit", prompt="again") == {}
    assert path.read_bytes() == reword(text)


@pytest.mark.parametrize(
    "given",
    [
        {"hook_event_name": "PreToolUse"},
        {"hook_event_name": "PreToolUse", "tool_name": None, "tool_input": {}},
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a.md"}},
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": 7, "content": b"x"}},
        None,
        [],
        object(),
    ],
)
def test_what_cannot_be_understood_is_denied(book: Book, given: Any) -> None:
    hook = sdk.callback(book.root)
    answer = asyncio.run(hook(given, None, None))  # type: ignore[arg-type]
    assert denied(answer)


def test_a_broken_record_denies(book: Book) -> None:
    path = book.put("chapter.md", chapter(100))
    agent = Session(book)
    (book.state_folder / "ledger.db").unlink()
    assert "record" in denied(agent.call("Write", file_path=str(path), content="x"))


def test_the_sdk_itself_with_the_real_program(book: Book) -> None:
    agent_sdk = pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed (180 MB)")
    program = agent_clients.program(agent_clients.CLAUDE)
    text = chapter(1200)
    path = book.put("chapter.md", text)
    old = text.decode().rstrip().rsplit("\n", 1)[-1]
    script = [
        [tool("Read", file_path=str(path))],
        [tool("Edit", file_path=str(path), old_string=old, new_string=f"{old} At last.")],
        [tool("Write", file_path=str(path), content=STUB.decode())],
        [tool("Bash", command="echo gone > chapter.md", description="mend")],
        [say("done")],
    ]
    with FakeMessages(script) as api:
        options = agent_sdk.ClaudeAgentOptions(
            cwd=str(book.root),
            cli_path=str(program),
            hooks=sdk.hooks(book.root),
            permission_mode="acceptEdits",
            allowed_tools=["Read", "Write", "Edit", "Bash"],
            env={
                **book.user.environment(), "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "dummy",
                "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_TMPDIR": str(book.user.folder),
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            },
        )  # fmt: skip

        async def run() -> None:
            async for _ in agent_sdk.query(prompt="mend the chapter", options=options):
                pass

        asyncio.run(asyncio.wait_for(run(), 150))
        assert "the floor is" in api.told(2)
        assert "put back" in api.told(3)
    assert path.read_bytes().rstrip().endswith(b"At last.")
