"""[agents]: what Stet must know of agents' tools to judge what they write."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from firewall.policy.base import Section

Does = Literal["write", "edit", "append", "delete", "move", "read", "nothing"]


class AgentTool(Section):
    """A tool of an MCP server that writes: which of its arguments is what. Dots lead into objects."""

    name: str = Field(min_length=1, description='the tool as the runtime names it, `*` for any part: "mcp__notes__*"')
    does: Does = Field(description='"write", "edit", "append", "delete", "move", "read", or "nothing" to a file')
    path: str = Field(default="path", min_length=1, description="the argument with the file's path")
    content: str = Field(
        default="content", min_length=1, description="the argument with the whole text, or what to add"
    )
    edits: str = Field(default="edits", min_length=1, description="the argument with a list of replacements")
    old: str = Field(
        default="old_text", min_length=1, description="the argument, here or in each of `edits`, to replace"
    )
    new: str = Field(default="new_text", min_length=1, description="the argument that replaces it")
    target: str = Field(default="destination", min_length=1, description="the argument with the new path of a move")


class Agents(Section):
    """Agents and their tools; counts once a person accepted this file."""

    turn_hours: float = Field(
        default=24.0, gt=0, le=8760, description="hours after which a turn that no session closed is over"
    )
    tools: list[AgentTool] = Field(
        default=[],
        description="MCP tools that write, besides those known, "
        '[{ name = "mcp__notes__save", does = "write", path = "file", content = "text" }]',
    )
