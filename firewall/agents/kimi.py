"""Kimi CLI: `[[hooks]]` in its config.toml, refused by exit status 2 with words on standard error. From its
documentation; not tried with the program itself. Of a `path` and a `file_path` the first counts, as it does there."""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Edit, Event, Reply, ToolCall
from firewall.agents.fields import Json, Wrong
from firewall.errors import EXIT_USAGE
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "kimi"
_KINDS = {
    "SessionStart": events.START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE,
    "PostToolUse": events.AFTER,
    "PostToolUseFailure": events.FAILED,
    "Stop": events.STOP,
    "StopFailure": events.STOP,
    "SubagentStop": events.SUBSTOP,
    "SessionEnd": events.END,
}
_HARMLESS = (
    "Glob",
    "Grep",
    "Think",
    "SetTodoList",
    "TodoList",
    "SearchWeb",
    "FetchURL",
    "ReadMediaFile",
    "AskUserQuestion",
)


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook_event_name", _event)


def _event(value: Json, kind: str) -> Event:
    event = fields.common(NAME, kind, value)
    if kind not in (events.BEFORE, events.AFTER, events.FAILED):
        return event
    call = _call(fields.text(value, "tool_name"), fields.table(value, "tool_input", default={}))
    call = call._replace(id=fields.text(value, "tool_call_id", "tool_use_id", default=""))
    if kind == events.FAILED:
        call = call._replace(failed=fields.text(value, "error", default="it failed"))
    return event._replace(call=call)


def _call(name: str, given: Mapping[str, Any]) -> ToolCall:
    call = ToolCall("", name, events.UNKNOWN, given=given)
    if name in ("WriteFile", "Write"):
        kind = events.APPEND if given.get("mode") == "append" else events.WRITE
        return call._replace(kind=kind, path=_path(given), content=fields.text(given, "content"))
    if name in ("StrReplaceFile", "Edit"):
        return call._replace(kind=events.EDIT, path=_path(given), edits=_edits(given))
    if name in ("Shell", "Bash"):
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"))
    if name in ("ReadFile", "Read"):
        asked = fields.seen(given, first="line_offset", lines="n_lines", base=1)
        return call._replace(kind=events.READ, path=_path(given), seen=asked)
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _edits(given: Mapping[str, Any]) -> tuple[Edit, ...]:
    """One replacement or a list of them under `edit`; or spelled out beside the path, as Claude Code has it."""
    found = given.get("edit", given.get("edits"))
    listed = [given] if found is None else found if isinstance(found, list) else [found]
    if not listed or not all(isinstance(one, dict) for one in listed):
        raise Wrong("'edit' is neither an object nor a list of objects")
    return tuple(
        Edit(
            fields.text(one, "old", "old_string"),
            fields.text(one, "new", "new_string"),
            fields.flag(one, "replace_all"),
        )
        for one in listed
    )


def _path(given: Mapping[str, Any]) -> str:
    return fields.text(given, "path", "file_path")


def reply(event: Event, answer: Answer) -> Reply:
    """Words on standard error and exit status 2; after a tool, words on standard output for the model."""
    if not answer.decision:
        return Reply()
    if event.kind in (events.BEFORE, events.STOP):
        return Reply("", fields.reason(answer), EXIT_USAGE)
    return Reply(fields.reason(answer) if event.kind in (events.AFTER, events.FAILED) else "")
