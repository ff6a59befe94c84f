"""stet alerts: what waits for a person."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firewall.commands.output import emit_json, local_time, not_one, table
from firewall.text.amounts import amount
from firewall.writes import cases
from firewall.writes.proxy import WriteProxy


@click.command("alerts")
@click.argument("ident", required=False, metavar="")
@click.option("--all", "everything", is_flag=True, help="Answered alerts too.")
@click.option("--json", "as_json", is_flag=True, help="A JSON list.")
def command(ident: str | None, everything: bool, as_json: bool) -> None:
    """List open alerts, oldest first."""
    not_one("alerts", ident)
    with WriteProxy.open(Path.cwd()) as proxy:
        rows = [r for r in cases.every(proxy.ledger, ("trip", "staged")) if everything or r.pending]
        waits = len(cases.every(proxy.ledger, ("hold",), cases.PENDING))
    if as_json:
        emit_json([{**json.loads(r.data), "state": r.state} for r in rows])
        return
    lines = []
    for r in rows:
        data = json.loads(r.data)
        lines.append([r.id, local_time(r.at), r.kind, data["path"], data["reason"], r.state])
    if lines:
        table(["ID", "WHEN", "KIND", "FILE", "WHY", "STATE"], lines)
        click.echo("`stet show ID` gives the whole context and the commands to answer with.")
    else:
        click.echo("No open alerts.")
    if waits:
        click.echo(f"{amount(waits, 'held proposal')} {'waits' if waits == 1 else 'wait'}: `stet pending`.")
