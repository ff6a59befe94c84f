"""stet run: write a book through every gate."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import click

from firewall.commands.number import Number
from firewall.errors import EXIT_INTERRUPTED


@click.command("run")
@click.argument("book", type=click.Path(path_type=Path, readable=False))
@click.option("--model", metavar="M", help="offline, anthropic or a model id, in place of the book's.")
@click.option("--base-url", metavar="URL", help="Where the model is served; else ANTHROPIC_BASE_URL.")
@click.option("--budget", type=Number(min=0), metavar="USD", help="What the book may cost in all its runs.")
@click.option("--dry-run", is_flag=True, help="Show plan and retrieval, and write nothing.")
@click.option("--replan", is_flag=True, help="Take a changed book as it is now; try staged sections again.")
@click.option("--json", "as_json", is_flag=True, help="The closing table as JSON on standard output.")
@click.pass_context
def command(
    context: click.Context,
    book: Path,
    model: str | None,
    base_url: str | None,
    budget: float | None,
    dry_run: bool,
    replan: bool,
    as_json: bool,
) -> None:
    """Write the book in the folder BOOK, or what is left of it.

    Exit status: 0 the whole book stands, 1 something was refused, staged or stopped, 4 a chapter is latched.
    """
    from pipeline.commands.show import show_plan, show_report

    if dry_run:
        from pipeline.look import look_at

        look = look_at(book, model)
        show_plan(look, as_json, with_sources=True)
        context.exit(look.exit_status)
    from pipeline.progress import for_terminal
    from pipeline.run import Options, run_book

    options = Options(model, base_url, budget, replan)
    try:
        report = run_book(book, options, for_terminal(quiet=False))
    except KeyboardInterrupt:
        _leave(as_json)
        raise
    show_report(report, as_json)
    context.exit(report.exit_status)


def _leave(as_json: bool) -> None:
    """End at once where a model call is still waited for: killed or not, the next run picks up here."""
    if threading.active_count() == 1:
        return
    if as_json:
        click.echo(json.dumps({"outcome": "error", "code": "interrupted"}))
    click.echo("Interrupted. Run again: what is finished stays, and is not paid for twice.", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
