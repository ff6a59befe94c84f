"""Windsurf's Cascade: actions before and after, refused by exit status 2. From documentation, not tried."""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, Seen, ToolCall
from firewall.agents.fields import Json
from firewall.errors import EXIT_USAGE
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "windsurf"
_KINDS = {
    "pre_user_prompt": events.PROMPT,
    "pre_write_code": events.BEFORE,
    "pre_run_command": events.BEFORE,
    "pre_mcp_tool_use": events.BEFORE,
    "pre_read_code": events.OTHER,
    "post_read_code": events.AFTER,
    "post_write_code": events.AFTER,
    "post_run_command": events.AFTER,
    "post_mcp_tool_use": events.AFTER,
    "post_cascade_response": events.STOP,
}


def read(data: bytes, environment: Mapping[str, str]) -> Event:
    """The event. Never raises. What it tells has no folder but a command's own, so the process's counts."""

    def build(value: Json, kind: str) -> Event:
        event = Event(
            NAME,
            kind,
            session=fields.text(value, "trajectory_id", default=""),
            cwd=environment.get("ROOT_WORKSPACE_PATH", "") or environment.get("PWD", ""),
        )
        if kind not in (events.BEFORE, events.AFTER):
            return event
        action = fields.text(value, "agent_action_name")
        return event._replace(call=_call(action.partition("_")[2], fields.table(value, "tool_info")))

    return fields.event(data, NAME, _KINDS, "agent_action_name", build)


def _call(action: str, given: Mapping[str, Any]) -> ToolCall:
    call = ToolCall("", action, events.UNKNOWN, given=given)
    if action == "write_code":
        path = fields.text(given, "file_path")
        edits = tuple(
            Edit(fields.text(e, "old_string"), fields.text(e, "new_string")) for e in fields.tables(given, "edits")
        )
        if len(edits) == 1 and not edits[0].old:
            return call._replace(kind=events.WRITE, path=path, content=edits[0].new)
        return call._replace(kind=events.EDIT, path=path, edits=edits)
    if action == "run_command":
        folder = fields.text(given, "cwd", default="")
        return call._replace(kind=events.SHELL, command=fields.text(given, "command_line"), workdir=folder)
    if action == "mcp_tool_use":
        name = f"mcp__{fields.text(given, 'mcp_server_name')}__{fields.text(given, 'mcp_tool_name')}"
        return call._replace(name=name, given=fields.table(given, "mcp_tool_arguments", default={}))
    if action == "read_code":
        return call._replace(
            kind=events.READ, path=fields.text(given, "file_path"), seen=Seen(1, fields.MOST_LINES, -1)
        )
    return call


def reply(event: Event, answer: Answer) -> Reply:
    """Words on standard error and exit status 2 before an action; after it there is nobody to tell but the log."""
    if not answer.decision:
        return Reply()
    return Reply("", fields.reason(answer), EXIT_USAGE if event.kind == events.BEFORE else 0)
