"""What commands print with: JSON on standard output, words for people on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import click

from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.values import TYPE_CHECKING
from firewall.writes.proxy import WriteResult

if TYPE_CHECKING:
    from rich.console import RenderableType


def emit_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def emit_result(result: WriteResult, as_json: bool, done: str, *, policy_pending: bool = False) -> None:
    """A write's result: JSON for programs, else a line on stdout and the reasons on stderr.

    `policy_pending`: stet.toml was edited and nobody accepted it, which a person who loosened it must be told.
    """
    if as_json:
        emit_json(result.to_json())
        return
    if result.verdict.allowed:
        words = result.words
        click.echo(f"{done} {printable(result.path)} ({words.before} -> {amount(words.after, 'word')})")
        for finding in result.verdict.findings:
            click.echo(f"note {finding.rule}: {printable(finding.message)}", err=True)
        return
    verb = "held" if result.verdict.outcome.label == "hold" else "refused"
    click.echo(f"{verb}: {printable(result.path)}", err=True)
    for finding in result.verdict.findings:
        click.echo(f"  {finding.rule}: {printable(finding.message)}", err=True)
    if policy_pending:
        click.echo(
            "  stet.toml was edited: it counts only where it is stricter, until `stet accept stet.toml`.", err=True
        )
    if result.tripped:
        shows = f"`stet show {result.alert.id}` shows what to answer" if result.alert else "`stet alerts` lists why"
        click.echo(f"  The file is latched until a person answers; {shows}.", err=True)
    elif result.attempt:
        click.echo(f"  attempt {result.attempt}, {result.attempts_left} left before it is latched.", err=True)
    if result.held:
        click.echo(f"  It waits for a person as {result.held}; `stet show {result.held}` shows it.", err=True)


def not_one(name: str, given: str | None) -> None:
    """For a list of all that is given an id. Raises click.UsageError."""
    if given is not None:
        raise click.UsageError(f"`stet {name}` lists all of them; `stet show {printable(given)}` shows one.")


def local_time(at: float) -> str:
    """Seconds since 1970 as local date and time."""
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def table(columns: list[str], rows: list[list[str]]) -> None:
    """Rows under headings; one block of lines a row where the terminal is too narrow for that. Plain when piped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [[printable(cell) for cell in row] for row in rows]
    if sys.stdout.isatty() and _least_width(columns, shown) > Console().width:
        for row in shown:
            for column, cell in zip(columns, row, strict=True):
                if cell:
                    click.echo(f"{column}: {cell}")
            click.echo()
        return
    plain = bool(os.environ.get("NO_COLOR"))
    grid = Table(box=None, pad_edge=False, header_style=None if plain else "bold", show_edge=False)
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in shown:
        grid.add_row(*map(Text, row))
    print_grid(grid)


def print_grid(grid: RenderableType) -> None:
    """A table on standard output; wide, and without the blanks that fill its lines, where that is no terminal."""
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False).print(grid)
        return
    console = Console(width=_PIPED, highlight=False)
    with console.capture() as said:
        console.print(grid)
    click.echo("\n".join(line.rstrip() for line in said.get().split("\n")), nl=False)


_PIPED = 200
"""Columns of a table that goes to no terminal."""


def _least_width(columns: list[str], rows: list[list[str]]) -> int:
    """Columns of a terminal that a table needs at least, so that no word of it is broken."""
    widths = [len(column) for column in columns]
    for row in rows:
        widths = [
            max(w, *map(len, cell.split()), 0) if cell.split() else w for w, cell in zip(widths, row, strict=True)
        ]
    return sum(widths) + 2 * len(widths)


def pairs(value: Mapping[str, object]) -> None:
    """Key and value lines."""
    for key, item in value.items():
        click.echo(f"{key:<10} {item}")
