"""Codex CLI: hooks with Claude Code's names; a patch envelope and a shell are its ways to write.

Seen running with 0.171.0: an answer with any key beside `hookSpecificOutput`, a refusal without a reason, `ask` and
every exit status but 2 let the call pass. So a refusal is exactly one object, a stop is said by refusing what
follows, and nobody is asked. A command's working folder is not told: what it did is found afterwards.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Event, Reply, ToolCall
from firewall.agents.fields import Json
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "codex"
_KINDS = {
    "SessionStart": events.START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE,
    "PostToolUse": events.AFTER,
    "Stop": events.STOP,
    "SubagentStop": events.SUBSTOP,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_SHELLS = ("Bash", "shell", "exec_command", "local_shell", "unified_exec")
_HARMLESS = ("update_plan", "view_image", "web_search")
_PATCH = re.compile(r"\s*(?:cd\s+(?P<folder>[^\s;&|]+)\s*&&\s*)?(?:apply_patch|applypatch)\b")


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook_event_name", _event)


def _event(value: Json, kind: str) -> Event:
    event = fields.common(NAME, kind, value)
    return event._replace(call=_call(value)) if kind in (events.BEFORE, events.AFTER) else event


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = fields.text(value, "tool_name")
    given = fields.table(value, "tool_input")
    call = ToolCall(fields.text(value, "tool_use_id", default=""), name, events.UNKNOWN, given=given)
    if name == "apply_patch":
        return call._replace(kind=events.PATCH, patch=fields.text(given, "command", "input", "patch"))
    if name in _SHELLS:
        command = given.get("command", given.get("cmd"))
        words = [w for w in command if isinstance(w, str)] if isinstance(command, list) else None
        line = shlex.join(words) if words is not None else fields.text(given, "command", "cmd")
        return _shell(call, line, fields.text(given, "workdir", default=""))
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _shell(call: ToolCall, line: str, folder: str) -> ToolCall:
    """A shell; or a patch that the program takes out of the shell's hands and applies itself, with no event after."""
    found = _PATCH.match(line)
    if found and "*** Begin Patch" in line:
        where = found["folder"] or ""
        return call._replace(kind=events.PATCH, patch=line, workdir=_joined(folder, where.strip("'\"")))
    return call._replace(kind=events.SHELL, command=line, workdir=folder)


def _joined(first: str, second: str) -> str:
    if not first or second.startswith("/"):
        return second
    return f"{first}/{second}" if second else first


def reply(event: Event, answer: Answer) -> Reply:
    """One object and no other key, or nothing."""
    if not answer.decision or event.kind not in _NAMES:
        return Reply()
    name = _NAMES[event.kind]
    if event.kind == events.BEFORE:
        said = {"permissionDecision": "deny", "permissionDecisionReason": fields.reason(answer)}
        return Reply(fields.dumped({"hookSpecificOutput": {"hookEventName": name, **said}}))
    if event.kind in (events.AFTER, events.PROMPT, events.START):
        said = {"additionalContext": fields.reason(answer)}
        return Reply(fields.dumped({"hookSpecificOutput": {"hookEventName": name, **said}}))
    return Reply(fields.dumped({"decision": "block", "reason": fields.reason(answer)}))
