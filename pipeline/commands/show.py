"""How the book commands print what they found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from latches.blueprint import to_json
from pipeline.report import Report, headline, table

if TYPE_CHECKING:
    from pipeline.look import Look, Status


def show_report(report: Report, as_json: bool) -> None:
    """The closing table on standard output, or the same as JSON."""
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    console = Console()
    if report.idle:
        click.echo(headline(report))
    else:
        console.print(table(report))
        click.echo(headline(report))
    for problem in report.problems:
        click.echo(f"stet: {problem['message']} [{problem['code']}]", err=True)
    if report.stopped is not None:
        click.echo(f"stet: stopped: {report.stopped['message']} [{report.stopped['code']}]", err=True)
        click.echo(f"      {report.stopped['next']}", err=True)


def show_plan(look: Look, as_json: bool, *, with_sources: bool) -> None:
    """The blueprint, and with `with_sources` the passages of each section and what was refused."""
    plan = look.plan
    if as_json:
        out: dict[str, object] = {
            **to_json(plan.blueprint),
            "locked": look.locked,
            "changes": list(look.changes),
        }
        if with_sources:
            out["sources"] = [[p.source for p in section.passages] for section in plan.sections]
            out["findings"] = [finding.to_json() for finding in plan.findings]
        click.echo(json.dumps(out, ensure_ascii=False, indent=2))
        return
    click.echo(plan.blueprint.book)
    chapter = 0
    for section in plan.sections:
        p = section.plan
        if p.chapter != chapter:
            chapter = p.chapter
            click.echo(f"\n{chapter}. {p.chapter_title}")
        click.echo(f"{p.number:>5}  {p.title}")
        elements = ", ".join(e.replace("_", " ") for e in p.elements)
        click.echo(f"       {p.shape.replace('_', ' ')}, about {p.target_words} words: {elements}")
        if with_sources:
            click.echo(f"       from {', '.join(s.source for s in section.passages) or 'no passage'}")
    click.echo()
    state = "locked by its first run" if look.locked else "not locked yet: the first `stet run` does it"
    click.echo(f"Blueprint {plan.blueprint.hash[:12]}, {state}.")
    for line in plan.blueprint.relaxed:
        click.echo(f"Relaxed: {line}")
    if with_sources:
        for finding in plan.findings:
            if finding.outcome.label != "redact":
                click.echo(f"Refused: {finding.message}")
    for line in look.changes:
        click.echo(f"Changed since the run began: {line}")


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
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("", "section", "status", "words", "attempts", "micro-passes"):
        grid.add_column(name, justify="left" if name in ("section", "status") else "right", overflow="fold")
    for s in report.sections:
        words = f"{s.words}/{s.target_words}" if s.words else "-"
        grid.add_row(str(s.number), _plain(s.title), s.status, words, str(s.attempts), str(s.micropasses))
    console = Console()
    console.print(grid)
    standing = report.count("written", "kept")
    click.echo(f"{standing} of {len(report.sections)} sections stand in {report.out}, {report.words:,} words.")
    for line in status.changes:
        click.echo(f"Changed since the run began: {line}")


def _plain(text: str) -> str:
    """Text that rich prints as it is."""
    from rich.markup import escape

    return escape(text)
