"""stet log: what happened, to one file or to all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import click

from firewall.commands.moment import Moment
from firewall.commands.output import emit_json, local_time, table
from firewall.errors import EXIT_REFUSED
from firewall.text.amounts import amount
from firewall.writes.operator import REFUSED, VERSIONS, artifact_of, verify_journal
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Entry

MOST_SESSION = 16
"""Characters of a session's name that are shown whole; a longer one is known by its first, and whole in --json."""


@click.command("log")
@click.argument("path", required=False, type=click.Path(path_type=Path, readable=False))
@click.option(
    "--since",
    type=Moment(),
    help="Only what happened since then, local time: a date, a date and a time, 'today', 'yesterday', '3 hours'.",
)
@click.option("--verify", is_flag=True, help="Check the journal's hash chain.")
@click.option("--json", "as_json", is_flag=True, help="The entries as a JSON list.")
@click.pass_context
def command(context: click.Context, path: Path | None, since: datetime | None, verify: bool, as_json: bool) -> None:
    """Show the journal, oldest first, in local time. A number under VERSION can be given to `stet restore --to`."""
    with WriteProxy.open(Path.cwd()) as proxy:
        if verify:
            entries = proxy.ledger.journal()
            bad = verify_journal(entries)
            if as_json:
                emit_json({"entries": len(entries), "whole": bad is None, "first_bad": bad})
            elif bad is None:
                click.echo(f"The journal is whole: {amount(len(entries), 'entry', 'entries')}.")
            else:
                click.echo(f"The journal is damaged from entry {bad} on, of {len(entries)}.", err=True)
            context.exit(0 if bad is None else EXIT_REFUSED)
        names = {a.id: a.path for a in proxy.ledger.artifacts()}
        if path is not None:
            _, known = artifact_of(proxy, path)
            entries = proxy.ledger.journal(known.id)
        else:
            entries = [e for e in proxy.ledger.journal() if e.artifact is None or e.artifact in names]
    start = since.timestamp() if since else 0.0
    shown = [e for e in entries if e.kind != "intent" and e.at >= start]
    if as_json:
        emit_json(
            [
                {
                    "version": e.seq if e.kind in (*VERSIONS, *REFUSED) and e.new else None,
                    "at": e.at,
                    "path": _name(e, names, json.loads(e.data)),
                    "kind": e.kind,
                    "old": e.old,
                    "new": e.new,
                    "session": e.session,
                    "source": e.source,
                    "data": json.loads(e.data),
                }
                for e in shown
            ]
        )
        return
    rows = []
    for e in shown:
        data = json.loads(e.data)
        rules = ", ".join(dict.fromkeys(f["rule"] for f in data.get("findings", [])))
        version = str(e.seq) if e.kind in (*VERSIONS, *REFUSED) and e.new else ""
        what = rules or data.get("alert") or data.get("why") or ""
        name = _name(e, names, data) or "-"
        rows.append([local_time(e.at), version, e.kind, name, str(what), _who(e, data)])
    table(["WHEN", "VERSION", "WHAT", "FILE", "RULES", "WHO"], rows)


def _name(entry: Entry, names: Mapping[int, str], data: Mapping[str, object]) -> str | None:
    """The file that an entry is about, an artifact or not."""
    path = data.get("path")
    return names.get(entry.artifact or 0) or (path if isinstance(path, str) else None)


def _who(entry: Entry, data: Mapping[str, object]) -> str:
    """A person, by how they were known; else the session, else the way in."""
    if data.get("by"):
        return f"a person ({data['by']})"
    if entry.kind in ("outside", "adopt", "renew"):
        return "outside Stet" if entry.kind == "outside" else ""
    session = entry.session if len(entry.session) <= MOST_SESSION else f"{entry.session[:8]}…"
    if entry.source in ("", "cli", "operator", entry.session):
        return session or entry.source
    return f"{entry.source} {session}".rstrip()
