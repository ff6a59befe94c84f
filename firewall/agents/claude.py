"""Claude Code: its hooks' JSON as events, and answers as the JSON it needs, nothing more.

Source: its public hook reference (code.claude.com/docs/en/hooks) and what was seen running with 2.1.197 and 2.1.332.
Where the two differ, what was seen counts: `continue: false` alone lets the call through, so it always stands beside a
`deny`; a PostToolBatch answered with `block` ends the run, so there the model is told by `additionalContext`.

Is a person there? CLAUDE_CODE_ENTRYPOINT says how the program runs: `cli` at a terminal, `claude-vscode` in an editor
with its own dialogs; `-p` makes it `sdk-cli`, and every SDK has another word. In the modes `auto`, `dontAsk` and
`bypassPermissions` nobody is asked. Whatever is not surely a person is none: the proposal then waits in `stet pending`.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.agents import events, fields
from firewall.agents.events import Answer, Cell, Edit, Event, Reply, Seen, ToolCall
from firewall.agents.fields import Json, Wrong
from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


NAME = "claude"
ATTENDED = ("cli", "claude-vscode")
ASKING_MODES = ("default", "acceptEdits", "plan")

_KINDS = {
    "SessionStart": events.START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE,
    "PostToolUse": events.AFTER,
    "PostToolUseFailure": events.FAILED,
    "PostToolBatch": events.BATCH,
    "Stop": events.STOP,
    "SubagentStop": events.SUBSTOP,
    "ConfigChange": events.CONFIG,
    "SessionEnd": events.END,
}
_HARMLESS = frozenset(
    ("Glob", "Grep", "LS", "NotebookRead", "TodoRead", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet",
     "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode")
)  # fmt: skip
_MENTION = Pattern(r"(?<![\w@])@(?:\"([^\"\n]+)\"|([^\s\"@]+))")
_ERROR = "<tool_use_error>"
_TURNED_DOWN = "The user doesn't want to "


def read(data: bytes, environment: Mapping[str, str]) -> Event:
    """The event. Never raises: what is not understood has a `problem`, and its kind where that could be told."""

    def build(value: Json, kind: str) -> Event:
        event = fields.common(NAME, kind, value)
        person = event.mode in ASKING_MODES and environment.get("CLAUDE_CODE_ENTRYPOINT") in ATTENDED
        return _event(value, event._replace(person=person))

    return fields.event(data, NAME, _KINDS, "hook_event_name", build)


def _event(value: Json, event: Event) -> Event:
    kind = event.kind
    if kind in (events.BEFORE, events.AFTER, events.FAILED):
        call = _call(value)
        if kind == events.FAILED:
            said = fields.text(value, "error", default="it failed")
            ours = said.startswith("PreToolUse:")  # a refusal, which was counted when it was made
            ours = ours or said.startswith(_TURNED_DOWN)  # by a person: it did not run
            call = call._replace(failed="" if ours or value.get("is_interrupt") is True else said)
        if kind == events.AFTER:
            call = _with_response(call, value.get("tool_response"))
        return event._replace(call=call)
    if kind == events.BATCH:
        calls = value.get("tool_calls")
        if not isinstance(calls, list) or not all(isinstance(c, dict) for c in calls):
            raise Wrong("'tool_calls' is no list of objects")
        return event._replace(calls=tuple(_of_batch(c) for c in calls))
    if kind in (events.STOP, events.SUBSTOP):
        left = value.get("background_tasks") or value.get("session_crons")
        return event._replace(background=bool(left))
    if kind == events.CONFIG:
        return event._replace(file=fields.text(value, "file_path", default=""))
    if kind == events.PROMPT:
        found = [(m[1] or m[2].rstrip(".,;:!?)")) for m in _MENTION.finditer(fields.text(value, "prompt", default=""))]
        return event._replace(mentions=tuple(found))
    return event


def _call(value: Mapping[str, Any]) -> ToolCall:
    name = fields.text(value, "tool_name")
    given = value.get("tool_input")
    if not isinstance(given, dict):
        raise Wrong("'tool_input' is no object")
    call = ToolCall(fields.text(value, "tool_use_id", default=""), name, events.UNKNOWN, given=given)
    if name == "Write":
        return call._replace(
            kind=events.WRITE, path=fields.text(given, "file_path"), content=fields.text(given, "content")
        )
    if name == "Edit":
        return call._replace(kind=events.EDIT, path=fields.text(given, "file_path"), edits=(_edit(given),))
    if name == "MultiEdit":
        several = given.get("edits")
        if not isinstance(several, list) or not all(isinstance(e, dict) for e in several):
            raise Wrong("'edits' is no list of objects")
        edits = tuple(_edit(e) for e in several)
        return call._replace(kind=events.EDIT, path=fields.text(given, "file_path"), edits=edits)
    if name == "NotebookEdit":
        cell = Cell(
            fields.text(given, "cell_id", default=""),
            fields.text(given, "new_source", default=""),
            fields.text(given, "cell_type", default=""),
            fields.text(given, "edit_mode", default="replace"),
        )
        return call._replace(kind=events.NOTEBOOK, path=fields.text(given, "notebook_path"), cell=cell)
    if name == "Read":
        return call._replace(kind=events.READ, path=fields.text(given, "file_path"))
    if name in ("Bash", "PowerShell"):
        return call._replace(kind=events.SHELL, command=fields.text(given, "command"))
    return call._replace(kind=events.NOTHING) if name in _HARMLESS else call


def _edit(given: Mapping[str, Any]) -> Edit:
    everywhere = given.get("replace_all", False)
    if not isinstance(everywhere, bool):
        raise Wrong("'replace_all' is neither true nor false")
    # Seen running: an empty replacement takes the line end behind it away as well.
    return Edit(fields.text(given, "old_string"), fields.text(given, "new_string"), everywhere, with_line_end=True)


def _with_response(call: ToolCall, response: Any) -> ToolCall:
    """What a read showed. A form that nobody knows shows nothing."""
    if call.kind != events.READ:
        return call
    file = response.get("file") if isinstance(response, dict) else None
    numbers: list[Any] = (
        [file.get(n) for n in ("startLine", "numLines", "totalLines")] if isinstance(file, dict) else []
    )
    if len(numbers) != 3 or not all(type(n) is int and n >= 0 for n in numbers):
        return call
    first, count, total = numbers
    return call._replace(seen=Seen(first, count, total))


def _of_batch(value: Mapping[str, Any]) -> ToolCall:
    """A call of a batch, with the error where it failed before any hook saw it."""
    response = value.get("tool_response")
    try:
        call = _call(value)
    except Wrong:  # arguments that the runtime refused itself
        call = ToolCall(
            fields.text(value, "tool_use_id", default=""), fields.text(value, "tool_name", default=""), events.UNKNOWN
        )
    if isinstance(response, str) and response.startswith(_ERROR):
        said = " ".join(response.removeprefix(_ERROR).removesuffix("</tool_use_error>").split())
        return call._replace(failed=said[:500] or "it failed")
    return call


# -- answers -----------------------------------------------------------------------------------------------

_NAMES = {kind: name for name, kind in _KINDS.items()}


def reply(event: Event, answer: Answer) -> Reply:
    """What the hook's process says."""
    return Reply(fields.dumped(write(event, answer)))


def write(event: Event, answer: Answer) -> dict[str, Any]:
    """The JSON object for an answer; empty where there is nothing to say."""
    out: dict[str, Any] = {}
    reason = fields.reason(answer, stopped=event.kind in _NAMES) if answer.reason or answer.stop else ""
    if event.kind == events.BEFORE and answer.decision:
        out["hookSpecificOutput"] = {
            "hookEventName": "PreToolUse",
            "permissionDecision": answer.decision if answer.decision == "ask" else "deny",
            "permissionDecisionReason": reason or "Stet refused it.",
        }
    elif event.kind in (events.BEFORE, events.BATCH, events.FAILED) and reason:
        out["hookSpecificOutput"] = {"hookEventName": _NAMES[event.kind], "additionalContext": reason}
    elif answer.decision and event.kind in (events.AFTER, events.STOP, events.SUBSTOP, events.CONFIG):
        out |= {"decision": "block", "reason": reason}
    elif answer.decision and event.kind in (events.START, events.PROMPT, events.END):
        out["systemMessage"] = reason
    if answer.stop and event.kind in _NAMES:
        out |= {"continue": False, "stopReason": fields.cut(answer.notice or answer.reason)}
    if answer.notice:
        out["systemMessage"] = fields.cut(answer.notice)
    return out
