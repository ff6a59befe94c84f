"""stet approve: apply a held or refused proposal."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.answering import emit_answer
from firewall.writes import answers
from firewall.writes.proxy import WriteProxy


@click.command("approve")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="What came of it as JSON.")
@click.pass_context
def command(context: click.Context, ident: str, as_json: bool) -> None:
    """Apply exactly what was proposed under ID, with all that was proposed together with it. Needs a person.

    Size, survival, structure and delete rules are lifted; the others judge again against what is on disk now.
    The result is the new baseline, and a latched file is open again.
    """
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        answer = answers.approve(proxy, ident)
    context.exit(emit_answer(answer, as_json))
