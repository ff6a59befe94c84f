"""Gemini CLI: BeforeTool and AfterTool, and an answer of its own form.

Seen running with 0.61.0: `ask` hangs a headless run for ever, so nobody is asked; exit status 1 lets the call pass;
`continue: false` ends the run. A path may be relative; the tools' own `replace` forgives differences in blanks, so an
edit that does not fit exactly is refused here, where the model can mend it, and never judged by what it might become.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields, qwen
from firewall.agents.events import Answer, Event, Reply, ToolCall
from firewall.agents.fields import Json
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "gemini"
_KINDS = {
    "SessionStart": events.START,
    "BeforeAgent": events.PROMPT,
    "BeforeTool": events.BEFORE,
    "AfterTool": events.AFTER,
    "AfterAgent": events.STOP,
    "SessionEnd": events.END,
}
_HARMLESS = ("save_memory", "write_todos", "ask_user", "activate_skill", "enter_plan_mode", "get_internal_docs")


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook_event_name", _event)


def _event(value: Json, kind: str) -> Event:
    event = fields.common(NAME, kind, value)
    if kind not in (events.BEFORE, events.AFTER):
        return event
    call = _call(value)
    if kind == events.AFTER:
        failed = _error(value.get("tool_response"))
        if failed:
            return event._replace(kind=events.FAILED, call=call._replace(failed=failed))
    return event._replace(call=call)


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = fields.text(value, "tool_name")
    given = fields.table(value, "tool_input")
    server = fields.table(value, "mcp_context", default={})
    if server:  # named as everywhere else, for the table of tools that write
        full = f"mcp__{fields.text(server, 'server_name')}__{fields.text(server, 'tool_name')}"
        return ToolCall("", full, events.UNKNOWN, given=given)
    call = qwen.tool(name, given)
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _error(response: Any) -> str:
    """What a tool said of its failure, '' where it worked."""
    found = response.get("error") if isinstance(response, dict) else None
    if isinstance(found, dict):
        found = found.get("message") or found.get("type")
    return str(found) if found else ""


def reply(event: Event, answer: Answer) -> Reply:
    """The object of an answer, '' where there is nothing to say."""
    out: Json = {}
    if event.kind == events.BEFORE and answer.decision:
        out |= {"decision": "deny", "reason": fields.reason(answer, stopped=True)}
    elif answer.decision and event.kind in (events.AFTER, events.FAILED):
        said = {"hookEventName": "AfterTool", "additionalContext": fields.reason(answer)}
        out["hookSpecificOutput"] = said
    elif answer.decision and event.kind == events.STOP:
        out |= {"decision": "block", "reason": fields.reason(answer)}
    elif answer.decision:
        out["systemMessage"] = fields.reason(answer)
    if answer.stop and event.kind == events.BEFORE:
        out |= {"continue": False, "stopReason": fields.reason(answer, stopped=True)}
    if answer.notice:
        out["systemMessage"] = answer.notice
    return Reply(fields.dumped(out))
