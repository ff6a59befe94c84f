"""stet reset: a person opens a latched file again."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.writes.operator import reset
from firewall.writes.proxy import WriteProxy


@click.command("reset")
@click.argument("path", type=click.Path(path_type=Path, readable=False))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(path: Path, as_json: bool) -> None:
    """Open PATH to writers again after an alert. Needs a person."""
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        artifact = reset(proxy, path)
    if as_json:
        emit_json({"path": artifact.path, "reset": True})
        return
    click.echo(f"{artifact.path} is open again; what is on disk is its baseline.")
