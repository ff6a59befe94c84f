"""What `stet check` of commits prints: one JSON line a commit, or words for people."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from firewall.errors import EXIT_OK, EXIT_REFUSED
from firewall.text.printable import printable
from firewall.writes import person
from firewall.writes.gitcheck import Checked


def emit_checked(checked: Iterable[Checked], as_json: bool) -> int:
    """Print what came of each as it comes; the exit status: refused if any was."""
    commits = files = refused = 0
    staged = False
    for one in checked:
        commits += 1
        staged = not one.commit.id
        files += len(one.files)
        refused += not one.allowed
        if as_json:
            click.echo(json.dumps(one.to_json(), ensure_ascii=False))
        elif not one.allowed:
            _explain(one)
    if not as_json:
        what = "The index" if staged else "1 commit" if commits == 1 else f"{commits} commits"
        judged = "1 file" if files == 1 else f"{files} files"
        click.echo(f"{what}{':' if staged else ','} {judged} judged, {refused or 'none'} refused.")
        if staged and refused and not person.agent_above():
            click.echo("If you mean it: `git commit --no-verify` leaves Stet's hook out this once.", err=True)
    return EXIT_REFUSED if refused else EXIT_OK


def _explain(one: Checked) -> None:
    name = f"{one.commit.id[:12]} {printable(one.commit.subject)}" if one.commit.id else "what is staged"
    click.echo(f"refused: {name}", err=True)
    for file in one.files:
        if file.verdict.allowed:
            continue
        moved = f" (was {printable(file.file.old_path)})" if file.file.old_path else ""
        merged = f", against the parent {file.file.against[:12]}" if file.file.against else ""
        click.echo(f"  {file.verdict.outcome.label}: {printable(file.file.path)}{moved}{merged}", err=True)
        for finding in file.verdict.findings:
            click.echo(f"    {finding.rule}: {printable(finding.message)}", err=True)
