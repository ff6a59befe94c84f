"""GitHub Copilot, command line and VS Code: two forms of one hook. From their documentation, not tried with them.

The command line names no event in its JSON, so the hook's own command line does (`--event`, here STET_EVENT); its tool
arguments may be JSON text. VS Code speaks as Claude Code does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, Seen, ToolCall
from firewall.agents.fields import Json, Wrong
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "copilot"
_KINDS = {
    "sessionstart": events.START,
    "userpromptsubmitted": events.PROMPT,
    "userpromptsubmit": events.PROMPT,
    "pretooluse": events.BEFORE,
    "posttooluse": events.AFTER,
    "agentstop": events.STOP,
    "stop": events.STOP,
    "subagentstop": events.SUBSTOP,
    "sessionend": events.END,
}
_NESTED = "vscode"
"""An event's mode where the answer must be nested as VS Code wants it."""
_HARMLESS = ("glob", "grep", "rg", "report_intent", "update_todo", "web_fetch", "fetch_copilot_cli_documentation")


def read(data: bytes, environment: Mapping[str, str]) -> Event:
    """The event. Never raises."""
    named = environment.get("STET_EVENT", "")

    def build(value: Json, kind: str) -> Event:
        nested = "hook_event_name" in value
        event = Event(
            NAME,
            kind,
            session=fields.text(value, "sessionId", "session_id", default=""),
            cwd=fields.text(value, "cwd", default=""),
            mode=_NESTED if nested else "",
        )
        if kind not in (events.BEFORE, events.AFTER):
            return event
        call = _call(fields.text(value, "toolName", "tool_name"), _arguments(value))
        return event._replace(call=call._replace(id=fields.text(value, "tool_use_id", default="")))

    return fields.event(_with_event(data, named), NAME, _KINDS, "stet_event", build)


def _with_event(data: bytes, named: str) -> bytes:
    """The object with its event under one key, whichever of the two told it."""
    try:
        value = json.loads(data)
        if isinstance(value, dict):
            given = value.get("hook_event_name") or named
            if given:  # without one nobody can tell what is asked, and that is a problem
                value["stet_event"] = given.lower() if isinstance(given, str) else given
            return json.dumps(value).encode()
    except (ValueError, RecursionError):
        pass
    return data


def _arguments(value: Mapping[str, Any]) -> Json:
    given = value.get("toolArgs", value.get("tool_input", {}))
    if isinstance(given, str):
        given = json.loads(given) if given.strip() else {}
    if not isinstance(given, dict):
        raise Wrong("'toolArgs' is no object")
    return given


def _call(name: str, given: Json) -> ToolCall:
    call = ToolCall("", name, events.UNKNOWN, given=given)
    does = fields.text(given, "command") if name in ("str_replace_editor", "str_replace_based_edit_tool") else name
    if does in ("create", "create_file"):
        content = fields.text(given, "file_text", "content")
        return call._replace(kind=events.WRITE, path=_path(given), content=content)
    if does in ("edit", "str_replace", "replace_string_in_file"):
        edit = Edit(fields.text(given, "old_str", "oldString"), fields.text(given, "new_str", "newString", default=""))
        return call._replace(kind=events.EDIT, path=_path(given), edits=(edit,))
    if does == "apply_patch":
        return call._replace(kind=events.PATCH, patch=fields.text(given, "input", "patch"))
    if does in ("bash", "powershell", "run_in_terminal", "runTerminalCommand"):
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"))
    if does in ("view", "read_file"):
        return call._replace(kind=events.READ, path=_path(given), seen=_seen(given))
    return call._replace(kind=events.NOTHING) if does in _HARMLESS else call


def _seen(given: Json) -> Seen:
    """`view_range` is [first, last], -1 for the end."""
    span = given.get("view_range")
    if isinstance(span, list) and len(span) == 2 and all(type(n) is int for n in span):
        return Seen(max(1, span[0]), span[1] - span[0] + 1 if span[1] >= 0 else fields.MOST_LINES, -1)
    return Seen(1, fields.MOST_LINES, -1)


def _path(given: Json) -> str:
    return fields.text(given, "path", "filePath", "file_path")


def reply(event: Event, answer: Answer) -> Reply:
    """The refusal in the form of whoever asked."""
    if not answer.decision:
        return Reply()
    words = fields.reason(answer)
    nested = event.mode == _NESTED
    if event.kind == events.BEFORE:
        said: Json = {"permissionDecision": "deny", "permissionDecisionReason": words}
        return Reply(fields.dumped({"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}} if nested else said))
    if event.kind == events.AFTER:
        said = {"additionalContext": words}
        return Reply(
            fields.dumped({"hookSpecificOutput": {"hookEventName": "PostToolUse", **said}} if nested else said)
        )
    if event.kind in (events.STOP, events.SUBSTOP):
        return Reply(fields.dumped({"decision": "block", "reason": words}))
    return Reply()
