"""stet mcp: serve the guarded files to an MCP client."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.errors import NotFound, UsageError
from firewall.text.printable import printable
from firewall.writes.proxy import WriteProxy


class NoMcp(UsageError):
    """The SDK is not installed."""

    code = "no-mcp"
    template = "`stet mcp` needs the `mcp` package, which is not installed ({detail})."
    next_step = "Install it with Stet, in the clone that Stet came from: pip install '.[mcp]'."


@click.command("mcp")
@click.argument("folder", required=False, default=".", metavar="[DIR]", type=click.Path(path_type=Path, readable=False))
@click.option("--json", "as_json", is_flag=True, help="Print the tools with their schemas, and end.")
def command(folder: Path, as_json: bool) -> None:
    """Serve the guarded files of DIR (this folder) to an MCP client, on standard input and output.

    Tools: read_file, list_files, file_history, write_file, edit_file, append_file, move_file, request_review.
    A client's configuration needs the command `stet` with the argument `mcp`.
    """
    if not folder.is_dir():  # a project above it would be served
        raise NotFound(what="folder", name=printable(str(folder)), fix="Name a folder that is guarded, or none.")
    with WriteProxy.open(folder, source="mcp") as proxy:  # what is wrong with the project is said now
        root = proxy.root
    try:
        from firewall.agents import mcp_server
    except ImportError as error:
        raise NoMcp(detail=error) from None
    if as_json:
        emit_json(mcp_server.described(root))
    else:
        mcp_server.serve(root)
