"""stet reject: turn a proposal down."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.answering import emit_answer
from firewall.writes import answers
from firewall.writes.proxy import WriteProxy


@click.command("reject")
@click.argument("ident", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="What came of it as JSON.")
@click.pass_context
def command(context: click.Context, ident: str, as_json: bool) -> None:
    """Turn down what was proposed under ID, with all that was proposed together with it. Needs a person.

    Nothing is written. A latched file is open to writers again; baseline and marks stay as they are.
    """
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        answer = answers.reject(proxy, ident)
    context.exit(emit_answer(answer, as_json))
