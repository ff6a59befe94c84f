"""stet accept: a person takes a file, or the policy, as it stands."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.writes.operator import accept, accept_policy
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proxy import WriteProxy


@click.command("accept")
@click.argument("path", type=click.Path(path_type=Path, readable=False))
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(path: Path, as_json: bool) -> None:
    """Make PATH as it is on disk the baseline; for stet.toml, put it into force. Needs a person."""
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        if path.name == POLICY_FILE and path.resolve() == proxy.root / POLICY_FILE:
            accept_policy(proxy)
            name, message = POLICY_FILE, "stet.toml is in force as it stands."
        else:
            name = accept(proxy, path).path
            message = f"{name} as it is on disk is its baseline now."
    emit_json({"path": name, "accepted": True}) if as_json else click.echo(message)
