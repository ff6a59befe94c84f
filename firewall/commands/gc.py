"""stet gc: let old versions go from the store."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.number import Number
from firewall.commands.output import emit_json
from firewall.text.amounts import amount
from firewall.writes import gc
from firewall.writes.proxy import WriteProxy


@click.command("gc")
@click.option("--keep-days", type=Number(min=0), metavar="N", help="Instead of [store] keep_days.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and let nothing go.")
@click.option("--json", "as_json", is_flag=True, help="What was freed as JSON.")
def command(keep_days: float | None, dry_run: bool, as_json: bool) -> None:
    """Let versions go that are older than [store] keep_days, and give the space back.

    With them go the staging branches of alerts that were answered that long ago, and those of what an agent's
    shell did and was put back that long ago.
    Never what is on disk, a baseline or mark, what waits for an answer, or the newest versions of a file; the
    journal stays whole. Fewer days than stet.toml says need a person.
    """
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        freed = gc.collect(proxy, keep_days, dry_run=dry_run)
    if as_json:
        emit_json({**freed._asdict(), "dry_run": dry_run})
        return
    verb = "would go" if dry_run else "let go"
    click.echo(f"{amount(freed.snapshots, 'snapshot')} {verb} ({_bytes(freed.stored_bytes)}), {freed.kept} kept.")
    if freed.branches:
        branches = amount(freed.branches, "staging branch", "staging branches")
        click.echo(f"{branches} of answered alerts and of what was put back {verb}.")
    if not dry_run:
        click.echo(f"The ledger: {_bytes(freed.file_before)} -> {_bytes(freed.file_after)}.")
    if freed.note:
        click.echo(f"  {freed.note}", err=True)


def _bytes(size: int) -> str:
    if size < 10_000:
        return f"{size} bytes"
    return f"{size / 1e3:.0f} kB" if size < 10_000_000 else f"{size / 1e6:.1f} MB"
