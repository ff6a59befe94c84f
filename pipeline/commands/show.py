"""How the book commands print what they found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.commands.output import print_grid
from latches.blueprint import Blueprint, to_json
from latches.render import HEADERS, plan_rows, rhythm
from pipeline.material import all_sentences
from pipeline.report import Report, headline, origin, table

if TYPE_CHECKING:
    from pipeline.look import Look, Status


def show_report(report: Report, as_json: bool) -> None:
    """The closing table on standard output, or the same as JSON."""
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        return
    if not report.idle:
        print_grid(table(report))
    click.echo(headline(report))
    for problem in report.problems:
        click.echo(f"stet: {problem['message']} [{problem['code']}]", err=True)
    if report.stopped is not None:
        click.echo(f"stet: stopped: {report.stopped['message']} [{report.stopped['code']}]", err=True)
        click.echo(f"      {report.stopped['next']}", err=True)


def show_plan(look: Look, as_json: bool, *, with_sources: bool) -> None:
    """The blueprint as a table and a picture of its rhythm, and what the notes lack for it.

    With `with_sources` also the passages of each section and what was refused.
    """
    plan = look.plan
    if as_json:
        out: dict[str, object] = {
            **to_json(plan.blueprint),
            "locked": look.locked,
            "changes": list(look.changes),
            "index_version": plan.record["index_version"],
            "tainted": [dict(finding.evidence) for finding in plan.tainted],
            "shortfalls": [short.to_json() for short in look.shortfalls if short.lacks or short.short],
        }
        if with_sources:
            out["sources"] = [[p.source for p in section.passages] for section in plan.sections]
            out["findings"] = [finding.to_json() for finding in plan.findings]
        click.echo(json.dumps(out, ensure_ascii=False, indent=2))
        return
    click.echo(f"{plan.blueprint.book}\n")
    _print_table(plan.blueprint)
    click.echo(f"\n{rhythm(plan.blueprint)}\n")
    for shape, elements in {s.shape: s.elements for s in plan.blueprint.sections}.items():
        click.echo(f"    {shape.replace('_', ' ')}: {', '.join(e.replace('_', ' ') for e in elements)}")
    click.echo()
    if with_sources:
        for section in plan.sections:
            sources = ", ".join(s.source for s in section.passages) or "no passage"
            click.echo(f"{section.plan.number:>5}  from {sources}")
        click.echo()
    state = "locked by its first run" if look.locked else "not locked yet: the first `stet run` does it"
    click.echo(
        f"Blueprint {plan.blueprint.hash[:12]}, {state}. Index of the notes: {plan.record['index_version'][:12]}."
    )
    for line in plan.blueprint.relaxed:
        click.echo(f"Relaxed: {line}")
    for line in all_sentences(look.shortfalls):
        click.echo(f"Lacking: {line}")
    for finding in plan.findings if with_sources else plan.tainted:
        if finding.outcome.label != "redact":
            click.echo(f"Refused: {finding.message}")
    for line in look.changes:
        click.echo(f"Changed since the run began: {line}")


def _print_table(blueprint: Blueprint) -> None:
    """A row for each section under the names of the columns; elements follow per shape."""
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    for name in HEADERS[:-1]:
        grid.add_column(name, justify="right" if name in ("#", "words") else "left", overflow="fold")
    chapter = 0
    for section, row in zip(blueprint.sections, plan_rows(blueprint), strict=True):
        if section.chapter != chapter:
            chapter = section.chapter
            grid.add_row("", str(chapter), f"[bold]{_plain(section.chapter_title)}[/bold]")
        grid.add_row(*map(_plain, row[:-1]))
    print_grid(grid)


def show_status(status: Status, book: Path, as_json: bool) -> None:
    """How far a book is, section by section."""
    report = status.report
    if as_json:
        body = {"begun": report is not None, "changes": list(status.changes)}
        click.echo(json.dumps({**body, **(report.to_json() if report else {})}, ensure_ascii=False, indent=2))
        return
    if report is None:
        click.echo(f"No run of {book} has begun. `stet run {book}` begins one.")
        return
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("", "section", "status", "words", "attempts", "micro-passes"):
        grid.add_column(name, justify="left" if name in ("section", "status") else "right", overflow="fold")
    for s in report.sections:
        words = f"{s.words}/{s.target_words}" if s.words else "-"
        grid.add_row(str(s.number), _plain(s.title), s.status, words, str(s.attempts), str(s.micropasses))
    print_grid(grid)
    click.echo(f"{report.standing} stand in {report.out}, {report.words:,} words.")
    if report.index_version:
        click.echo(f"Written from {origin(report)}.")
    for note in report.notes:
        click.echo(f"Note: {note}")
    for line in status.changes:
        click.echo(f"Changed since the run began: {line}")


def _plain(text: str) -> str:
    """Text that rich prints as it is."""
    from rich.markup import escape

    return escape(text)
