"""stet stats: what each rule refused, and what people then made of it."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json, table
from firewall.writes.proxy import WriteProxy
from firewall.writes.stats import rule_stats

MOSTLY = 0.5
FEWEST = 4


@click.command("stats")
@click.option("--json", "as_json", is_flag=True, help="A JSON list, one object a rule.")
def command(as_json: bool) -> None:
    """Count, for each rule, what it refused and held, and what a person then approved, edited or rejected.

    Expired is what waited and was proposed again, answered by a later write, or left for too long.
    """
    with WriteProxy.open(Path.cwd()) as proxy:
        stats = rule_stats(proxy.ledger)
    if as_json:
        emit_json([s.to_json() for s in stats])
        return
    if not stats:
        click.echo("No rule has refused anything here.")
        return
    rows = []
    for s in stats:
        share = "-" if s.overruled is None else f"{s.overruled:.0%}"
        counts = (s.refused, s.held, s.approved, s.edited, s.rejected, s.waiting, s.expired)
        rows.append([s.rule, *map(str, counts), share])
    table(["RULE", "REFUSED", "HELD", "APPROVED", "EDITED", "REJECTED", "WAITING", "EXPIRED", "OVERRULED"], rows)
    for s in stats:
        answers = s.approved + s.edited + s.rejected
        if answers >= FEWEST and (s.overruled or 0.0) > MOSTLY:
            click.echo(f"{s.rule} is mostly overruled: look at its limits under [rules] in stet.toml.")
