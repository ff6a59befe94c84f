"""opencode: what Stet's own plugin asks (firewall/agents/install/opencode.py), and what it throws.

The plugin throws, which refuses the call, on every exit status but 0; what stands on standard output after a tool
is put behind the tool's output, where the model reads it.
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


NAME = "opencode"
_KINDS = {
    "session.created": events.START,
    "chat.message": events.PROMPT,
    "tool.execute.before": events.BEFORE,
    "tool.execute.after": events.AFTER,
    "session.idle": events.STOP,
    "session.error": events.STOP,
    "session.deleted": events.END,
}
_HARMLESS = (
    "glob",
    "grep",
    "list",
    "todowrite",
    "todoread",
    "webfetch",
    "websearch",
    "codesearch",
    "skill",
    "question",
)


def read(data: bytes, environment: Mapping[str, str]) -> Event:  # noqa: ARG001 - one signature for all runtimes
    """The event. Never raises."""
    return fields.event(data, NAME, _KINDS, "hook", _event)


def _event(value: Json, kind: str) -> Event:
    given = fields.table(value, "input", default={})
    info = fields.table(given, "info", default={})
    session = fields.text(given, "sessionID", default="") or fields.text(info, "id", "sessionID", default="")
    event = Event(NAME, kind, session=session, cwd=fields.text(value, "cwd", default=""))
    if kind == events.BEFORE:
        args = fields.table(fields.table(value, "output"), "args", default={})
        return event._replace(call=_call(given, args))
    if kind == events.AFTER:
        return event._replace(call=_call(given, fields.table(given, "args", default={})))
    return event


def _call(value: Mapping[str, Any], given: Mapping[str, Any]) -> ToolCall:
    name = fields.text(value, "tool")
    call = ToolCall(fields.text(value, "callID", default=""), name, events.UNKNOWN, given=given)
    if name == "write":
        return call._replace(
            kind=events.WRITE, path=fields.text(given, "filePath"), content=fields.text(given, "content")
        )
    if name == "edit":
        return call._replace(kind=events.EDIT, path=fields.text(given, "filePath"), edits=(_edit(given),))
    if name == "multiedit":
        edits = tuple(_edit(one) for one in fields.tables(given, "edits"))
        return call._replace(kind=events.EDIT, path=fields.text(given, "filePath"), edits=edits)
    if name in ("apply_patch", "patch"):
        return call._replace(kind=events.PATCH, patch=fields.text(given, "patchText"))
    if name == "bash":
        folder = fields.text(given, "workdir", default="")
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"), workdir=folder)
    if name == "read":
        return call._replace(kind=events.READ, path=fields.text(given, "filePath"), seen=fields.seen(given, base=1))
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _edit(given: Mapping[str, Any]) -> Edit:
    return Edit(fields.text(given, "oldString"), fields.text(given, "newString"), fields.flag(given, "replaceAll"))


def reply(event: Event, answer: Answer) -> Reply:
    """A refusal on standard error with a status that throws; words for the model on standard output."""
    if not answer.decision:
        return Reply()
    if event.kind == events.BEFORE:
        return Reply("", fields.reason(answer), EXIT_USAGE)
    return Reply(fields.reason(answer) if event.kind in (events.AFTER, events.FAILED) else "")
