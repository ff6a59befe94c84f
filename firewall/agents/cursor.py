"""Cursor: hooks.json with preToolUse and its kin. From documentation, not tried with the program.

Tab completions and cloud agents run other hooks or none. Every hook must print JSON, so silence is an empty object.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, ToolCall
from firewall.agents.fields import Json
from firewall.errors import EXIT_USAGE
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "cursor"
_KINDS = {
    "sessionStart": events.START,
    "beforeSubmitPrompt": events.PROMPT,
    "preToolUse": events.BEFORE,
    "beforeShellExecution": events.BEFORE,
    "beforeMCPExecution": events.BEFORE,
    "postToolUse": events.AFTER,
    "postToolUseFailure": events.FAILED,
    "afterShellExecution": events.AFTER,
    "afterMCPExecution": events.AFTER,
    "afterFileEdit": events.AFTER,
    "stop": events.STOP,
    "subagentStop": events.SUBSTOP,
    "sessionEnd": events.END,
}
_HARMLESS = ("Grep", "List", "Glob", "SemanticSearch", "WebSearch", "WebFetch", "TodoWrite", "ReadLints")


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook_event_name", _event)


def _event(value: Json, kind: str) -> Event:
    roots = value.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    session = fields.text(value, "conversation_id", "session_id", default="")
    event = Event(NAME, kind, session=session, cwd=fields.text(value, "cwd", default="") or first)
    if kind not in (events.BEFORE, events.AFTER, events.FAILED):
        return event
    call = _call(value)._replace(id=fields.text(value, "tool_use_id", default=""))
    if kind == events.FAILED:
        call = call._replace(failed=fields.text(value, "error_message", "error", default="it failed"))
    return event._replace(call=call)


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = fields.text(value, "hook_event_name")
    if name in ("beforeShellExecution", "afterShellExecution"):
        return ToolCall("", "Shell", events.SHELL, command=fields.text(value, "command"))
    if name in ("beforeMCPExecution", "afterMCPExecution", "afterFileEdit"):
        return ToolCall("", fields.text(value, "tool_name", default=name), events.UNKNOWN)
    tool = fields.text(value, "tool_name")
    given = fields.table(value, "tool_input", default={})
    call = ToolCall("", tool, events.UNKNOWN, given=given)
    if tool in ("Write", "TabWrite") and "content" in given:
        return call._replace(
            kind=events.WRITE, path=fields.text(given, "file_path", "path"), content=fields.text(given, "content")
        )
    if tool in ("StrReplace", "Edit", "Write", "TabWrite"):
        listed = fields.tables(given, "edits") if "edits" in given else [given]
        edits = tuple(
            Edit(fields.text(e, "old_string"), fields.text(e, "new_string"), fields.flag(e, "replace_all"))
            for e in listed
        )
        return call._replace(kind=events.EDIT, path=fields.text(given, "file_path", "path"), edits=edits)
    if tool == "Delete":
        return call._replace(kind=events.DELETE, path=fields.text(given, "file_path", "path"))
    if tool == "Shell":
        folder = fields.text(given, "working_directory", "cwd", default="")
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"), workdir=folder)
    if tool == "Read":
        path = fields.text(given, "file_path", "path")
        return call._replace(kind=events.READ, path=path, seen=fields.seen(given, base=1))
    return call._replace(kind=events.NOTHING) if tool in _HARMLESS else call


def reply(event: Event, answer: Answer) -> Reply:
    """A JSON object always; a refusal has exit status 2 as well, since other versions look at that."""
    if event.kind == events.BEFORE and answer.decision:
        words = fields.reason(answer)
        out = {"permission": "deny", "user_message": answer.notice or words, "agent_message": words}
        return Reply(fields.dumped(out), words, EXIT_USAGE)
    if answer.decision and event.kind in (events.AFTER, events.FAILED):
        return Reply(fields.dumped({"additional_context": fields.reason(answer)}))
    if answer.decision and event.kind in (events.STOP, events.SUBSTOP):
        return Reply(fields.dumped({"followup_message": fields.reason(answer)}))
    return Reply("{}")
