"""What approve, edit, reject and escalate print."""

from __future__ import annotations

import click

from firewall.commands.output import emit_json
from firewall.errors import EXIT_OK, EXIT_REFUSED
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.writes.answers import Answer


def emit_answer(answer: Answer, as_json: bool) -> int:
    """Say what came of an answer; the exit status."""
    if as_json:
        emit_json(answer.to_json())
        return EXIT_OK if answer.done else EXIT_REFUSED
    if answer.done:
        click.echo(f"{answer.state}: {answer.id}")
    else:
        click.echo(f"refused: {answer.id} still waits.", err=True)
    for result in answer.results:
        name = printable(result.path)
        if result.committed and answer.done:
            words = f"{result.words.before} -> {amount(result.words.after, 'word')}"
            click.echo(f"  {'written' if result.sha256 else 'deleted'}: {name} ({words})")
        for finding in result.verdict.findings:
            click.echo(f"  {finding.rule}: {printable(finding.message)}", err=True)
    for name in answer.opened:
        click.echo(f"  {printable(name)} is open to writers again.")
    return EXIT_OK if answer.done else EXIT_REFUSED
