"""Qwen Code: Claude Code's events and answers, with Gemini CLI's tools.

Seen running with 0.15.10: PreToolUse, PostToolUse and PostToolUseFailure; `tool_use_id` is its own; there is no batch.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, ToolCall
from firewall.agents.fields import Json
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "qwen"
_KINDS = {
    "SessionStart": events.START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE,
    "PostToolUse": events.AFTER,
    "PostToolUseFailure": events.FAILED,
    "Stop": events.STOP,
    "SubagentStop": events.SUBSTOP,
    "SessionEnd": events.END,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_HARMLESS = (
    "glob", "grep_search", "search_file_content", "list_directory", "read_many_files", "todo_write", "web_fetch",
    "web_search", "google_web_search", "exit_plan_mode", "skill",
)  # fmt: skip


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook_event_name", _event)


def _event(value: Json, kind: str) -> Event:
    event = fields.common(NAME, kind, value)
    if kind not in (events.BEFORE, events.AFTER, events.FAILED):
        return event
    call = tool(fields.text(value, "tool_name"), fields.table(value, "tool_input"))
    call = call._replace(id=fields.text(value, "tool_use_id", default=""))
    if kind == events.FAILED and value.get("is_interrupt") is not True:
        call = call._replace(failed=fields.text(value, "error", default="it failed"))
    return event._replace(call=call)


def tool(name: str, given: Mapping[str, Any]) -> ToolCall:
    """A call of one of the tools that Qwen Code and Gemini CLI share. Raises Wrong."""
    call = ToolCall("", name, events.UNKNOWN, given=given)
    if name == "write_file":
        return call._replace(
            kind=events.WRITE, path=fields.text(given, "file_path"), content=fields.text(given, "content")
        )
    if name in ("edit", "replace"):
        everywhere = fields.flag(given, "replace_all", "allow_multiple")
        expected = given.get("expected_replacements")
        everywhere = everywhere or (type(expected) is int and expected > 1)
        edit = Edit(fields.text(given, "old_string"), fields.text(given, "new_string"), everywhere)
        return call._replace(kind=events.EDIT, path=fields.text(given, "file_path"), edits=(edit,))
    if name == "run_shell_command":
        folder = fields.text(given, "directory", "dir_path", default="")
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"), workdir=folder)
    if name == "read_file":
        path = fields.text(given, "file_path", "absolute_path", "path")
        if given.get("start_line") is not None or given.get("end_line") is not None:
            asked = fields.seen(given, first="start_line", lines="end_line", base=1)
            return call._replace(kind=events.READ, path=path, seen=asked._replace(lines=asked.lines - asked.first + 1))
        return call._replace(kind=events.READ, path=path, seen=fields.seen(given))
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def reply(event: Event, answer: Answer) -> Reply:
    """The object of an answer, '' where there is nothing to say. Nobody is asked: a question ends no headless run."""
    if event.kind not in _NAMES:
        return Reply()
    out: Json = {}
    if event.kind == events.BEFORE and answer.decision:
        said = {"permissionDecision": "deny", "permissionDecisionReason": fields.reason(answer)}
        out["hookSpecificOutput"] = {"hookEventName": "PreToolUse", **said}
    elif answer.decision and event.kind in (events.AFTER, events.FAILED):
        said = {"additionalContext": fields.reason(answer)}
        out["hookSpecificOutput"] = {"hookEventName": _NAMES[event.kind], **said}
    elif answer.decision and event.kind in (events.STOP, events.SUBSTOP):
        out |= {"decision": "block", "reason": fields.reason(answer)}
    elif answer.decision:
        out["systemMessage"] = fields.reason(answer)
    if answer.stop and event.kind == events.BEFORE:
        out |= {"continue": False, "stopReason": fields.reason(answer)}
    if answer.notice:
        out["systemMessage"] = answer.notice
    return Reply(fields.dumped(out))
