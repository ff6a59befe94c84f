"""stet restore: put a version back."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_result
from firewall.writes.operator import restore
from firewall.writes.proxy import WriteProxy


@click.command("restore")
@click.argument("path", type=click.Path(path_type=Path, readable=False))
@click.option("--to", "number", type=int, metavar="VERSION", help="A version number from `stet log PATH`.")
@click.option("--session", default="", metavar="S", help="A name for who is asking, for the record.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.pass_context
def command(context: click.Context, path: Path, number: int | None, session: str, as_json: bool) -> None:
    """Put VERSION of PATH back, or the one before the present. What is there now is saved first.

    With a person behind it this is done; without one it is judged like any write.
    """
    with WriteProxy.open(Path.cwd(), session=session) as proxy:
        result = restore(proxy, path, number)
    emit_result(result, as_json, "restored:")
    context.exit(result.exit_status)
