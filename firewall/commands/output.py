"""What commands print with: JSON on standard output, words for people on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import click

from firewall.text.printable import printable
from firewall.writes.proxy import WriteResult


def emit_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def emit_result(result: WriteResult, as_json: bool, done: str) -> None:
    """A write's result: JSON for programs, else a line on stdout and the reasons on stderr."""
    if as_json:
        emit_json(result.to_json())
        return
    if result.verdict.allowed:
        words = result.words
        click.echo(f"{done} {printable(result.path)} ({words.before} -> {words.after} words)")
        for finding in result.verdict.findings:
            click.echo(f"note {finding.rule}: {printable(finding.message)}", err=True)
        return
    verb = "held" if result.verdict.outcome.label == "hold" else "refused"
    click.echo(f"{verb}: {printable(result.path)}", err=True)
    for finding in result.verdict.findings:
        click.echo(f"  {finding.rule}: {printable(finding.message)}", err=True)
    if result.tripped:
        click.echo("  The file is latched; a person answers with `stet alerts`.", err=True)
    elif result.attempt:
        click.echo(f"  attempt {result.attempt}, {result.attempts_left} left before it is latched.", err=True)


def local_time(at: float) -> str:
    """Seconds since 1970 as local date and time."""
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def table(columns: list[str], rows: list[list[str]]) -> None:
    """Rows under headings, wrapped to the terminal, plain when piped."""
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*(printable(cell) for cell in row))
    width = None if sys.stdout.isatty() else 200
    Console(width=width, highlight=False, markup=False).print(grid)


def pairs(value: Mapping[str, object]) -> None:
    """Key and value lines."""
    for key, item in value.items():
        click.echo(f"{key:<10} {item}")
