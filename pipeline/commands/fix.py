"""stet fix: repair style one sentence at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.commands.output import emit_json, emit_result
from firewall.writes.proxy import WriteProxy

if TYPE_CHECKING:
    from pipeline.micropass.repair import Repair


_EVERY = 5.0
"""Seconds between two signs of life."""


@click.command("fix")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--model",
    metavar="M",
    default="offline",
    show_default=True,
    help="Who edits: offline, anthropic, a claude model, or openai:NAME.",
)
@click.option("--base-url", metavar="URL", help="Where the model is served, if not where its name says.")
@click.option("--limit", type=click.IntRange(min=0), default=500, show_default=True, help="Most model calls.")
@click.option("--fresh", is_flag=True, help="Ask the model again, even where an earlier answer is on record.")
@click.option("--dry-run", is_flag=True, help="Show the edits and the verdict on them; write nothing.")
@click.option("--session", default="", metavar="S", help="A name for who is asking, for the record.")
@click.option("--json", "as_json", is_flag=True, help="Edits, findings and verdict as JSON on standard output.")
@click.pass_context
def command(
    context: click.Context,
    file: Path,
    model: str,
    base_url: str | None,
    limit: int,
    fresh: bool,
    dry_run: bool,
    session: str,
    as_json: bool,
) -> None:
    """Take the style violations out of the Markdown FILE, one sentence at a time.

    The style is that of the nearest stet-style.toml, beside the file or above it, else that of stet.toml.
    Every edit is verified in code, all of them go through the write firewall as one proposal, and what
    cannot be mended stays as it was, with a finding. Exit status: 0 clean, 1 refused or something left,
    4 latched.
    """
    from pipeline.micropass.record import FolderRecorder
    from pipeline.micropass.repair import repair
    from pipeline.models.choose import OFFLINE, make, names

    editor = make(names(model, OFFLINE, OFFLINE)[1], base_url)
    with WriteProxy.open(Path.cwd(), session=session) as proxy:
        keeps = None if editor.name == OFFLINE or fresh else FolderRecorder(proxy.state / "edits")
        done = repair(proxy, file, editor, recorder=keeps, limit=limit, dry_run=dry_run, watch=_watch())
    if as_json:
        emit_json(report(done, dry_run))
    else:
        _say(done, dry_run)
    context.exit(done.exit_status)


def _watch() -> Callable[[int, int], None]:
    """Says on standard error, every few seconds of a long run, how far it is."""
    last = time.monotonic()

    def watch(edited: int, standing: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            click.echo(f"{edited} edited so far, {standing} findings stand", err=True)

    return watch


def report(done: Repair, dry_run: bool) -> dict[str, object]:
    """The stable JSON of `stet fix --json`."""
    polished, written = done.polished, done.written
    return {
        "path": done.path,
        "dry_run": dry_run,
        "committed": written is not None and written.committed,
        "tripped": done.tripped,
        "edits": [e.to_json() for e in polished.edits] if polished else [],
        "findings": [f.to_json() for f in polished.findings] if polished else [],
        "rejected_answers": polished.attempts if polished else 0,
        "model_calls": polished.calls if polished else 0,
        "usage": dict(polished.usage._asdict()) if polished else None,
        "notes": list(polished.notes) if polished else [],
        "write": written.to_json() if written else None,
        "attempts": [a.to_json() for a in done.attempts],
    }


def _say(done: Repair, dry_run: bool) -> None:
    polished = done.polished
    for edit in polished.edits if polished else ():
        click.echo(f"- {edit.before}\n+ {edit.after}\n")
    for finding in polished.findings if polished else ():
        click.echo(f"left {finding.rule}: {finding.message}", err=True)
    for note in polished.notes if polished else ():
        click.echo(f"note: {note}", err=True)
    if done.written is not None:
        emit_result(done.written, False, "would be written:" if dry_run else "written:")
    elif polished is not None:
        click.echo(f"unchanged: {done.path}")
    for attempt in done.attempts:
        emit_result(attempt, False, "")
    if polished is not None:
        times = "once" if polished.calls == 1 else f"{polished.calls} times"
        rejected = f", {polished.attempts} answers rejected" if polished.attempts else ""
        asked = f"; the editor was asked {times}{rejected}" if polished.calls else ""
        click.echo(f"{len(polished.edits)} edited, {len(polished.findings)} left{asked}.")
