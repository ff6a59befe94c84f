"""stet escalate: tell of what waits once more."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.answering import emit_answer
from firewall.writes import answers
from firewall.writes.proxy import WriteProxy


@click.command("escalate")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="What came of it as JSON.")
@click.pass_context
def command(context: click.Context, ident: str, as_json: bool) -> None:
    """Send what waits under ID out once more, marked as escalated. Needs a person. It waits on."""
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        answer = answers.escalate(proxy, ident)
    context.exit(emit_answer(answer, as_json))
