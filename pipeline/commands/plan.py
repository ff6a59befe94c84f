"""stet plan: the blueprint of a book."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("plan")
@click.argument("book", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--model", metavar="M", help="Who is to write, in place of the book's model: what notes must hold hangs on it."
)
@click.option("--sources", is_flag=True, help="Show also what each section would be written from.")
@click.option("--json", "as_json", is_flag=True, help="The blueprint as JSON on standard output.")
@click.pass_context
def command(context: click.Context, book: Path, model: str | None, sources: bool, as_json: bool) -> None:
    """Show which shape and length each section of the book in BOOK has, and what its notes lack for them.

    A table, a picture of the rhythm, and whether the plan is locked. Nothing is written; the first `stet run`
    locks the plan. Exit status: 0, and 1 where a source is of a lane that the book may not read.
    """
    from pipeline.commands.show import show_plan
    from pipeline.look import look_at

    look = look_at(book, model)
    show_plan(look, as_json, with_sources=sources)
    context.exit(look.exit_status)
