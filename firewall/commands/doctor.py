"""stet doctor: is this folder really guarded, and what would get past?"""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.errors import EXIT_OK, EXIT_REFUSED
from firewall.text.printable import printable

MARKS = {"good": "ok  ", "note": "note", "bad": "BAD "}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="What was found as a JSON list.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Look at every part of the guard here, and fire a canary write through each installed hook.

    Exit status: 0 when nothing is bad, 1 otherwise. Notes say what no hook can hold.
    """
    from firewall.agents.doctor import BAD, Found, examine
    from firewall.agents.install.setup import hook_program
    from firewall.writes.proxy import WriteProxy

    found: list[Found] = []
    with WriteProxy.open(Path.cwd(), source="doctor") as proxy:
        for one in examine(proxy, Path.home(), hook_program(), Path.cwd()):
            found.append(one)
            if not as_json:
                click.echo(f"{MARKS[one.state]}  {one.about}: {printable(one.said)}")
                if one.fix:
                    click.echo(f"      {printable(one.fix)}")
    if as_json:
        emit_json([one._asdict() for one in found])
    context.exit(EXIT_REFUSED if any(one.state == BAD for one in found) else EXIT_OK)
