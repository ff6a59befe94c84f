"""stet reset: a person opens a latched file again."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.writes.operator import must_count, named_no_case, reset
from firewall.writes.proxy import WriteProxy


@click.command("reset")
@click.argument("path", type=click.Path(path_type=Path, readable=False))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(path: Path, as_json: bool) -> None:
    """Open PATH to writers again after an alert, whatever was proposed. Needs a person.

    What is on disk is its baseline then, and held proposals of the same event are turned down.
    """
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        named_no_case(proxy, path)
        must_count(proxy, path)
        artifact = reset(proxy, path)
    if as_json:
        emit_json({"path": artifact.path, "reset": True})
        return
    click.echo(f"{artifact.path} is open again; what is on disk is its baseline.")
