"""What a client of the MCP server is told of a call that could not be run: an error of Stet's, whatever went wrong.

Knows nothing of the protocol. Without it the SDK tells the model only that a tool failed, and prints a traceback.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic import ValidationError

from firewall.agents import unforeseen
from firewall.errors import StetError, UsageError


class BadArguments(UsageError):
    """Arguments that are not those of the tool."""

    code = "bad-arguments"
    template = "{tool} was not called as its schema says: {problems}."
    next_step = "Nothing was done. Call {tool} again with these arguments right."


class BadRoots(UsageError):
    """A client that names its folders in another way than the protocol says."""

    code = "bad-roots"
    template = "{tool} was not run: the client does not say as it should which folders it has opened ({problems})."
    next_step = "Nothing was done. A person opens the folder in the client anew; roots are `file:` addresses."


class NoSuchTool(UsageError):
    """A tool that is not here."""

    code = "no-such-tool"
    template = "There is no tool {tool} here."
    next_step = "The tools are {tools}."


class ToolFailed(StetError):
    """An exception that nobody foresaw: a bug, or a system that refuses what it never refuses."""

    code = "tool-failed"
    template = "{tool} failed, by a fault of Stet's or of this machine: {detail}."
    next_step = (
        "A file that it was to change is as it was, or wholly as proposed: look with read_file before you try again."
        " If it fails once more, go on with other work, and let a person report this sentence."
    )


def of_arguments(tool: str, error: ValidationError) -> BadArguments | BadRoots:
    """What is wrong with each argument, or with the client's folders, which the SDK asks for before a call. Says its
    name and never its value, which may be a whole text."""
    found = [f"{'.'.join(map(str, one['loc'])) or 'it'}: {_lower(one['msg'])}" for one in error.errors()]
    if error.title == "ListRootsResult":
        return BadRoots(tool=tool, problems="; ".join(dict.fromkeys(found)))
    return BadArguments(tool=tool, problems="; ".join(dict.fromkeys(found)))


def unknown(tool: str, tools: Collection[str]) -> NoSuchTool:
    """No tool has this name."""
    return NoSuchTool(tool=repr(tool[:100]), tools=", ".join(tools))


def failed(tool: str, error: BaseException) -> ToolFailed:
    """What went wrong and at which line of Stet's."""
    return ToolFailed(tool=tool, detail=unforeseen.told(error))


def _lower(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
