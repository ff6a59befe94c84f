"""stet status: how far a book is."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.errors import EXIT_OK


@click.command("status")
@click.argument("book", required=False, type=click.Path(path_type=Path, readable=False))
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output.")
@click.pass_context
def command(context: click.Context, book: Path | None, as_json: bool) -> None:
    """Show how far the book in BOOK is, section by section. Nothing is written and no model is asked."""
    if book is None:
        raise click.UsageError(
            "Name the folder of a book. How a guarded folder is: `stet doctor`, `stet alerts`, `stet pending`."
        )
    from pipeline.commands.show import show_status
    from pipeline.look import status_of

    show_status(status_of(book), book, as_json)
    context.exit(EXIT_OK)
