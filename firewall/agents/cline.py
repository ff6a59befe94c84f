"""Cline: one script an event, in the editor and in its command line.

Seen running with the command line 3.0.65: only `cancel` refuses, it ends the whole run, and the model is told nothing;
exit statuses and other answers do nothing. In the editor the model is told `errorMessage`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, Seen, ToolCall
from firewall.agents.fields import Json, Wrong
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "cline"
_KINDS = {
    "TaskStart": events.PROMPT,
    "TaskResume": events.PROMPT,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE,
    "tool_call": events.BEFORE,
    "PostToolUse": events.AFTER,
    "tool_result": events.AFTER,
    "TaskComplete": events.STOP,
    "TaskCancel": events.STOP,
}
_HARMLESS = (
    "search_files", "list_files", "list_code_definition_names", "ask_followup_question", "attempt_completion",
    "plan_mode_respond", "new_task", "web_fetch", "web_search", "fetch_web_content",
)  # fmt: skip
_BLOCK = re.compile(
    r"^(?:-{3,}|<{3,}) SEARCH>?[ \t]*\n(?P<old>.*?)^={3,}[ \t]*\n(?P<new>.*?)^(?:\+{3,}|>{3,}) REPLACE>?[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hookName", _event)


def _event(value: Json, kind: str) -> Event:
    roots = value.get("workspaceRoots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    event = Event(NAME, kind, session=fields.text(value, "taskId", default=""), cwd=first)
    if kind not in (events.BEFORE, events.AFTER):
        return event
    call = fields.table(value, "tool_call", "tool_result", default={})
    if call:  # the command line: arguments as they are
        made = _call(fields.text(call, "name"), fields.table(call, "input", default={}))
        return event._replace(call=made._replace(id=fields.text(call, "id", default="")))
    tool = fields.table(value, "preToolUse", "postToolUse")
    return event._replace(
        call=_call(fields.text(tool, "toolName", "tool"), fields.table(tool, "parameters", default={}))
    )


def _call(name: str, given: Mapping[str, Any]) -> ToolCall:
    call = ToolCall("", name, events.UNKNOWN, given=given)
    if name in ("write_to_file", "new_file"):
        return call._replace(kind=events.WRITE, path=_path(given), content=fields.text(given, "content"))
    if name == "editor" and "insert_line" not in given:
        new = fields.text(given, "new_text")
        if given.get("old_text") is None:
            return call._replace(kind=events.WRITE, path=_path(given), content=new)
        return call._replace(kind=events.EDIT, path=_path(given), edits=(Edit(fields.text(given, "old_text"), new),))
    if name == "replace_in_file":
        found = [(m["old"], m["new"]) for m in _BLOCK.finditer(fields.text(given, "diff"))]
        if not found:
            raise Wrong("'diff' holds no SEARCH and REPLACE block")
        return call._replace(kind=events.EDIT, path=_path(given), edits=tuple(Edit(old, new) for old, new in found))
    if name == "apply_patch":
        return call._replace(kind=events.PATCH, patch=fields.text(given, "input", "patch", "patchText"))
    if name in ("execute_command", "run_commands"):
        return call._replace(kind=events.SHELL, command=_command(given))
    if name == "read_file":
        return call._replace(kind=events.READ, path=_path(given), seen=Seen(1, fields.MOST_LINES, -1))
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _path(given: Mapping[str, Any]) -> str:
    return fields.text(given, "path", "absolutePath", "file_path")


def _command(given: Mapping[str, Any]) -> str:
    """One line of shell; several commands one a line. The editor sends a list as JSON text."""
    several: Any = given.get("commands")
    if isinstance(several, str):
        try:
            several = json.loads(several)
        except ValueError:
            return str(several)
    if isinstance(several, list):
        if not all(isinstance(one, str) for one in several):
            raise Wrong("'commands' holds something that is no text")
        return "\n".join(several)
    return fields.text(given, "command")


def reply(event: Event, answer: Answer) -> Reply:
    """`cancel`, true or false, the only word that refuses, and it ends the run whatever it refuses; after a tool the
    words go into the conversation."""
    if event.kind in (events.BEFORE, events.OTHER) and answer.decision:
        return Reply(fields.dumped({"cancel": True, "errorMessage": fields.reason(answer, stopped=True)}))
    if answer.decision and event.kind in (events.AFTER, events.PROMPT):
        return Reply(fields.dumped({"cancel": False, "contextModification": fields.reason(answer)}))
    return Reply(fields.dumped({"cancel": False}))
