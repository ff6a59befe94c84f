"""Plays Claude Code against its hook: the events of a session as JSON in, the answer as JSON out."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from stet_kit import Book, chapter

from firewall.agents import hook
from firewall.agents.events import Reply

TERMINAL = {"CLAUDE_CODE_ENTRYPOINT": "cli"}
HEADLESS = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
STUB = b"A stub.\n"


class Claude:
    """A session in a guarded folder; `environment` is that of its hooks."""

    _sessions = itertools.count(1)

    def __init__(self, book: Book, environment: dict[str, str] | None = None, mode: str = "acceptEdits") -> None:
        self.book = book
        self.environment = HEADLESS if environment is None else environment
        self.session = f"session-{next(self._sessions)}"
        self.mode = mode
        self._calls = itertools.count(1)
        with book.open():  # as `stet init` does
            pass

    def tell(self, event: str, **fields: object) -> Reply:
        """One event; the hook's reply as it is."""
        value = {
            "session_id": self.session,
            "transcript_path": "/nowhere.jsonl",
            "cwd": str(self.book.root),
            "permission_mode": self.mode,
            "hook_event_name": event,
            **fields,
        }
        return self.raw(json.dumps(value).encode())

    def raw(self, data: bytes) -> Reply:
        """Any bytes as the event."""
        return hook.respond(
            "claude",
            data,
            state=str(self.book.state_folder),
            root=str(self.book.root),
            environment=self.environment,
        )

    def answer(self, event: str, **fields: object) -> dict[str, Any]:
        """One event; the JSON of the answer, {} for silence. The exit status must be 0."""
        reply = self.tell(event, **fields)
        assert reply.status == 0, reply
        return json.loads(reply.out) if reply.out else {}

    def prompt(self, text: str = "do it") -> dict[str, Any]:
        """The person asks."""
        return self.answer("UserPromptSubmit", prompt=text)

    def stop(self, **fields: object) -> dict[str, Any]:
        """The agent is done."""
        return self.answer("Stop", stop_hook_active=False, **fields)

    def next_id(self) -> str:
        """A new id of a tool call."""
        return f"toolu_{self.session}_{next(self._calls)}"

    def before(self, tool: str, given: dict[str, object], ident: str = "") -> dict[str, Any]:
        """PreToolUse."""
        return self.answer("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=ident or self.next_id())

    def after(self, tool: str, given: dict[str, object], ident: str = "", response: object = "") -> dict[str, Any]:
        """PostToolUse."""
        return self.answer(
            "PostToolUse",
            tool_name=tool,
            tool_input=given,
            tool_use_id=ident or self.next_id(),
            tool_response=response,
            duration_ms=1,
        )

    def write(self, name: str, content: bytes) -> dict[str, Any]:
        """The Write tool from beginning to end: the answer before, and if that lets it, the answer after."""
        given: dict[str, object] = {"file_path": str(self.book.root / name), "content": content.decode()}
        ident = self.next_id()
        said = self.before("Write", given, ident)
        if decision(said) == "":
            path = self.book.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            return self.after("Write", given, ident)
        return said

    def edit(self, name: str, old: str, new: str, *, everywhere: bool = False) -> dict[str, Any]:
        """PreToolUse of the Edit tool."""
        given: dict[str, object] = {
            "file_path": str(self.book.root / name),
            "old_string": old,
            "new_string": new,
            "replace_all": everywhere,
        }
        return self.before("Edit", given)

    def bash(self, command: str, ident: str = "") -> dict[str, Any]:
        """PreToolUse of the Bash tool."""
        return self.before("Bash", {"command": command, "description": "x"}, ident)

    def ran(self, command: str, ident: str = "") -> dict[str, Any]:
        """PostToolUse of the Bash tool."""
        return self.after("Bash", {"command": command}, ident, {"stdout": "", "stderr": "", "interrupted": False})

    def read(self, name: str, first: int = 1, lines: int | None = None) -> dict[str, Any]:
        """PostToolUse of the Read tool."""
        path = self.book.root / name
        total = len(path.read_text("utf-8").splitlines())
        shown = {"filePath": str(path), "content": "…", "numLines": total if lines is None else lines,
                 "startLine": first, "totalLines": total}  # fmt: skip
        return self.after("Read", {"file_path": str(path)}, "", {"type": "text", "file": shown})


def decision(said: dict[str, Any]) -> str:
    """deny, ask, or '' for silence before a call."""
    return str(said.get("hookSpecificOutput", {}).get("permissionDecision", ""))


def reason(said: dict[str, Any]) -> str:
    """What the model, or the person who is asked, is told."""
    inner = said.get("hookSpecificOutput", {})
    return str(inner.get("permissionDecisionReason") or inner.get("additionalContext") or said.get("reason", ""))


def with_chapter(book: Book, words: int = 2500, name: str = "chapter.md") -> Path:
    """A long chapter that is known to the project."""
    path = book.put(name, chapter(words))
    with book.open() as proxy:
        proxy.adopt([path])
    return path
