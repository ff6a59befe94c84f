"""`stet mcp`: the guarded files as a Model Context Protocol server. The sole importer of the `mcp` SDK.

Needs mcp 2.3 or newer, in which FastMCP is MCPServer. Sharp edges: the SDK takes a JSON text given for an optional
string as the value it stands for (`"null"` would be no text), so that no argument here is optional by None; and it
drops arguments that it does not know, so that they are forbidden here. Standard output is the protocol's: nothing
else may print there.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import (
    PARSE_ERROR,
    CallToolResult,
    ErrorData,
    InputRequiredResult,
    JSONRPCError,
    ListRootsResult,
    TextContent,
    ToolAnnotations,
    jsonrpc_message_adapter,
)
from pydantic import ConfigDict, Field, ValidationError

from firewall.agents import mcp_faults as faults
from firewall.agents import mcp_shapes as shapes
from firewall.agents import mcp_wire as wire
from firewall.agents.files import Files, Reply
from firewall.errors import StetError

INSTRUCTIONS = (
    "These tools read and change a folder of texts that Stet guards. A change is judged before it lands: small edits of"
    " the passage concerned pass, wholesale rewrites, cuts and stubs do not. A refusal says what was measured and what"
    " would pass; after the third in a row the file is closed until a person opens it again. Prefer edit_file and"
    " append_file to write_file. If you think that a person wants a change which is refused, ask with request_review."
)
READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def roots_of(context: Context) -> ListRoots | ListRootsResult:
    """What to ask a client about its folders; one that has no roots is not asked, and is given the project's."""
    capabilities = context.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return ListRootsResult(roots=[], _meta={"none": True})
    return ListRoots()


ClientRoots = Annotated[ListRootsResult, Resolve(roots_of)]
PathName = Annotated[str, Field(description="A guarded file, relative to the project's folder or absolute.")]
Base = Annotated[
    str,
    Field(description="sha256 of the version you worked from, as read_file gave it; empty: the one you last read."),
]
Read = Annotated[CallToolResult, shapes.Read]
Listed = Annotated[CallToolResult, shapes.Listed]
History = Annotated[CallToolResult, shapes.History]
Written = Annotated[CallToolResult, shapes.Written]


class Server(MCPServer):
    """The SDK's server, of which every call that fails says what to do next, whatever went wrong in it."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The result of a call; a failed one has a code, a sentence and a next step, and nothing is printed."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                return _failed(faults.of_arguments(name, cause))
            if cause is None:
                return _failed(faults.unknown(name, [tool.name for tool in await self.list_tools()]))
            return _failed(faults.failed(name, cause))

    async def run_stdio_async(self) -> None:
        """Serve on standard input and output until the client closes them or is gone."""
        with wire.lines() as lines:
            heard = wire.Heard(lines, lambda line: jsonrpc_message_adapter.validate_json(line, by_name=False))
            async with stdio_server(cast("Any", heard)) as (read_stream, write_stream):

                async def refuse(asked: str | int, sentence: str) -> None:
                    error = ErrorData(code=PARSE_ERROR, message=sentence)
                    await write_stream.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=asked, error=error)))

                heard.refuse = refuse
                served = self._lowlevel_server
                await served.run(read_stream, write_stream, served.create_initialization_options())


def build(root: Path, session: str = "") -> MCPServer:
    """The server for one project folder."""
    return Server(
        "stet",
        title="Stet",
        instructions=INSTRUCTIONS,
        version=version("stet-firewall"),
        tools=_tools(Files(root, session or f"mcp-{secrets.token_hex(6)}")),
        log_level="ERROR",
        subscriptions=False,
    )


def serve(root: Path) -> None:
    """Serve on standard input and output until the client closes them or is gone."""
    with wire.client_may_leave():
        build(root).run("stdio")


def described(root: Path) -> list[dict[str, object]]:
    """The tools as a client is told of them."""
    tools = asyncio.run(build(root).list_tools())
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]


def _tools(files: Files) -> list[Tool]:
    """All tools, bound to the files."""

    def read_file(
        path: PathName,
        roots: ClientRoots,
        first_line: Annotated[int, Field(description="The first line to show, counted from 1.", ge=1)] = 1,
        lines: Annotated[int, Field(description="How many lines to show; 0 shows all that follow.", ge=0)] = 0,
    ) -> Read:
        return _answer(roots, lambda where: files.read(path, first_line, lines, where))

    def list_files(
        roots: ClientRoots,
        folder: Annotated[str, Field(description="A folder of the project; empty: the whole project.")] = "",
    ) -> Listed:
        return _answer(roots, lambda where: files.list(folder, where))

    def file_history(
        path: PathName,
        roots: ClientRoots,
        limit: Annotated[int, Field(description="At most so many events.", ge=1, le=200)] = 20,
    ) -> History:
        return _answer(roots, lambda where: files.history(path, limit, where))

    def write_file(
        path: PathName,
        content: Annotated[str, Field(description="The whole text of the file, from its first character to its last.")],
        roots: ClientRoots,
        base: Base = "",
    ) -> Written:
        return _answer(roots, lambda where: files.write(path, content, base, where))

    def edit_file(
        path: PathName,
        old_text: Annotated[str, Field(description="The passage to replace, exactly; it must stand there once.")],
        new_text: Annotated[str, Field(description="What to put in its place.")],
        roots: ClientRoots,
        base: Base = "",
    ) -> Written:
        return _answer(roots, lambda where: files.edit(path, old_text, new_text, base, where))

    def append_file(
        path: PathName,
        content: Annotated[str, Field(description="The text to put after the file's last line.")],
        roots: ClientRoots,
        base: Base = "",
    ) -> Written:
        return _answer(roots, lambda where: files.append(path, content, base, where))

    def move_file(
        path: PathName,
        new_path: Annotated[str, Field(description="The new name, which nothing may have yet.")],
        roots: ClientRoots,
    ) -> Written:
        return _answer(roots, lambda where: files.move(path, new_path, where))

    def request_review(
        path: PathName,
        reason: Annotated[str, Field(description="Why a person should want this, in a sentence.", min_length=1)],
        change: Annotated[
            Literal["write", "edit", "delete", "move"],
            Field(description="write: content. edit: old_text and new_text. move: new_path. delete: nothing more."),
        ],
        roots: ClientRoots,
        content: Annotated[str, Field(description="For write: the whole text.")] = "",
        old_text: Annotated[str, Field(description="For edit: the passage to replace.")] = "",
        new_text: Annotated[str, Field(description="For edit: what to put in its place.")] = "",
        new_path: Annotated[str, Field(description="For move: the new name.")] = "",
    ) -> Written:
        more = {"content": content, "old_text": old_text, "new_text": new_text, "new_path": new_path}
        return _answer(roots, lambda where: files.review(path, reason, change, roots=where, **more))

    return [
        _tool(read_file, "Read a guarded file, or lines of it. Read a file before you change it.", READS),
        _tool(list_files, "List the guarded files, and which of them are latched.", READS),
        _tool(file_history, "What happened to a file: versions, and what was refused and why.", READS),
        _tool(write_file, "Propose the whole text of a file, new or old. Judged before it lands.",
              _writes(destructive=True, idempotent=True)),
        _tool(edit_file, "Propose to replace one passage, which must stand in the file exactly once.",
              _writes(destructive=True, idempotent=False)),
        _tool(append_file, "Propose more text at the end of a file that is there.",
              _writes(destructive=False, idempotent=False)),
        _tool(move_file, "Propose another name for a file; its history goes with it.",
              _writes(destructive=True, idempotent=False)),
        _tool(request_review, "Put a change before a person instead of trying it: a rewrite, a cut, a delete. Nothing"
              " is written until they say yes.", _writes(destructive=False, idempotent=True)),
    ]  # fmt: skip


def _writes(*, destructive: bool, idempotent: bool) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=False, destructive_hint=destructive, idempotent_hint=idempotent, open_world_hint=False
    )


def _tool(function: Callable[..., CallToolResult], description: str, annotations: ToolAnnotations) -> Tool:
    """A tool whose arguments are all known ones: one that is dropped in silence would change what was asked."""
    tool = Tool.from_function(function, description=description, annotations=annotations)
    model = tool.fn_metadata.arg_model
    model.model_config = ConfigDict(**{**model.model_config, "extra": "forbid"})
    model.model_rebuild(force=True)
    tool.parameters = model.model_json_schema(by_alias=True)
    return tool


def _answer(roots: ListRootsResult, call: Callable[[Sequence[Path] | None], Reply]) -> CallToolResult:
    """Run a call and say what came of it; an error of Stet's is a failed result that says what to do."""
    try:
        reply = call(folders(roots))
    except StetError as error:
        return _failed(error)
    data = json.loads(_sendable(json.dumps(reply.data, ensure_ascii=False)))
    content = TextContent(type="text", text=_sendable(reply.text))
    return CallToolResult(content=[content], structured_content=data, is_error=reply.failed)


def _failed(error: StetError) -> CallToolResult:
    """An error as a result. Its code is in `_meta`: some clients hold structured content to the tool's schema in
    failed results as well."""
    text = _sendable(f"{error.message} {error.hint}".strip())
    meta = {"stet/error": json.loads(_sendable(json.dumps(error.to_json(), ensure_ascii=False)))}
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True, _meta=meta)


def _sendable(text: str) -> str:
    """A text that JSON in UTF-8 can carry: a lone surrogate, from a name that is no UTF-8, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def folders(roots: ListRootsResult) -> list[Path] | None:
    """The folders of `file:` roots; None where the client has no roots at all."""
    if (roots.meta or {}).get("none"):
        return None
    found = []
    for root in roots.roots:
        url = urlparse(str(root.uri))
        if url.scheme == "file" and url.netloc in ("", "localhost"):
            path = url2pathname(url.path) if os.name == "nt" else unquote(url.path)
            if "\0" not in path:
                found.append(Path(os.path.realpath(path)))
    return found
