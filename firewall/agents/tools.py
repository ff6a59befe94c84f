"""Tools of MCP servers that write: which they are, and what their arguments mean. Pure.

Servers of the reference collection are known (Stet's own is judged like any other, here and by itself); the policy's
`[agents] tools` adds others and comes first. A tool that is in neither is treated like a shell: nothing is known
before it runs, and everything is looked at afterwards, as it is after those that are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firewall.agents import events
from firewall.agents.events import Edit, Seen, ToolCall
from firewall.policy.compiled import Tool
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


KNOWN: tuple[Tool, ...] = (
    Tool("mcp__*__write_file", "write"),
    Tool("mcp__*__create_file", "write"),
    Tool("mcp__*__edit_file", "edit", old="oldText", new="newText"),
    Tool("mcp__*__append_file", "append"),
    Tool("mcp__*__move_file", "move", path="source"),
    Tool("mcp__*__delete_file", "delete"),
    Tool("mcp__*__read_file", "nothing"),
    Tool("mcp__*__read_text_file", "nothing"),
    Tool("mcp__*__list_directory", "nothing"),
    Tool("mcp__*__get_file_info", "nothing"),
)
_KINDS = {
    "write": events.WRITE,
    "edit": events.EDIT,
    "append": events.APPEND,
    "delete": events.DELETE,
    "move": events.MOVE,
    "read": events.READ,
    "nothing": events.NOTHING,
}


class BadInput(ValueError):
    """A tool's arguments are not what the table says; the message names them."""


def known(call: ToolCall, table: Sequence[Tool]) -> ToolCall:
    """An unknown call as what the table, or what is known of MCP servers, says it is. Raises BadInput."""
    if call.kind != events.UNKNOWN:
        return call
    for tool in (*table, *KNOWN):
        if _matches(call.name, tool.name):
            return _as(call, tool, strict=tool in table)
    return call


def _matches(name: str, pattern: str) -> bool:
    if "*" not in pattern:
        return name == pattern
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None


def _as(call: ToolCall, tool: Tool, *, strict: bool) -> ToolCall:
    kind = _KINDS[tool.does]
    given = call.given
    if kind == events.NOTHING:
        return call._replace(kind=kind)
    try:
        path = _text(given, tool.path)
        if kind in (events.WRITE, events.APPEND):
            return call._replace(kind=kind, path=path, content=_text(given, tool.content))
        if kind == events.MOVE:
            return call._replace(kind=kind, path=path, target=_text(given, tool.target))
        if kind == events.EDIT:
            return call._replace(kind=kind, path=path, edits=_edits(given, tool))
        if kind == events.READ:
            return call._replace(kind=kind, path=path, seen=Seen(1, 0, 0))
        return call._replace(kind=kind, path=path)
    except BadInput:
        if strict:
            raise
        return call  # another server's tool of the same name: what it does is seen afterwards


def _edits(given: Mapping[str, Any], tool: Tool) -> tuple[Edit, ...]:
    several = _get(given, tool.edits)
    if several is None:
        return (Edit(_text(given, tool.old), _text(given, tool.new)),)
    if not isinstance(several, list) or not several or not all(isinstance(e, dict) for e in several):
        raise BadInput(f"{tool.edits!r} is no list of replacements")
    return tuple(Edit(_text(e, tool.old), _text(e, tool.new)) for e in several)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = _get(given, name)
    if not isinstance(value, str):
        raise BadInput(f"{name!r} is no text")
    return value


def _get(given: Mapping[str, Any], name: str) -> Any:
    value: Any = given
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
