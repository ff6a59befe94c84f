"""stet show: the whole context of one alert."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.errors import NotFound
from firewall.writes import cases, disk
from firewall.writes.alerts import block
from firewall.writes.proxy import WriteProxy

MOST_LINES = 400
"""Lines of diff shown; the whole of it is on the staging branch and in --json."""


@click.command("show")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="The alert as JSON, with the diff.")
def command(ident: str, as_json: bool) -> None:
    """Show alert ID: measures against limits, attempts, the diff that was refused, how to answer."""
    with WriteProxy.open(Path.cwd()) as proxy:
        row = cases.get(proxy.ledger, ident)
        if row is None:
            raise NotFound(what="alert", name=ident, fix="`stet alerts --all` lists them.")
        data = json.loads(row.data)
        before = disk.read(proxy.root / data["path"]).data or b""
        wanted = proxy.ledger.load(row.proposal) or b""
    diff = list(
        difflib.unified_diff(
            before.decode("utf-8", "replace").splitlines(),
            wanted.decode("utf-8", "replace").splitlines(),
            "on disk",
            "proposed" if row.proposal else "proposed (delete)",
            lineterm="",
        )
    )
    if as_json:
        emit_json({**data, "state": row.state, "diff": diff})
        return
    click.echo(block(data))
    click.echo(f"state {row.state}")
    for line in diff[:MOST_LINES]:
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.secho(line, fg=colour)
    if len(diff) > MOST_LINES:
        click.echo(f"… {len(diff) - MOST_LINES} more lines; `stet show {ident} --json` has them all.")
