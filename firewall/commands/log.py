"""stet log: what happened, to one file or to all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import click

from firewall.commands.output import emit_json, local_time, table
from firewall.errors import EXIT_REFUSED
from firewall.writes.operator import VERSIONS, artifact_of, verify_journal
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Entry


@click.command("log")
@click.argument("path", required=False, type=click.Path(path_type=Path, readable=False))
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    help="Only what happened since then, local time.",
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
                click.echo(f"The journal is whole: {len(entries)} entries.")
            else:
                click.echo(f"The journal is damaged from entry {bad} on, of {len(entries)}.", err=True)
            context.exit(0 if bad is None else EXIT_REFUSED)
        names = {a.id: a.path for a in proxy.ledger.artifacts()}
        if path is not None:
            _, known = artifact_of(proxy, path)
            entries = proxy.ledger.journal(known.id)
        else:
            entries = [e for e in proxy.ledger.journal() if e.artifact is None or e.artifact in names]
    start = since.astimezone().timestamp() if since else 0.0
    shown = [e for e in entries if e.kind != "intent" and e.at >= start]
    if as_json:
        emit_json(
            [
                {
                    "version": e.seq if e.kind in VERSIONS and e.new else None,
                    "at": e.at,
                    "path": names.get(e.artifact or 0),
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
        version = str(e.seq) if e.kind in VERSIONS and e.new else ""
        what = rules or data.get("alert") or data.get("why") or ""
        rows.append([local_time(e.at), version, e.kind, names.get(e.artifact or 0, "-"), str(what), _who(e, data)])
    table(["WHEN", "VERSION", "WHAT", "FILE", "RULES", "WHO"], rows)


def _who(entry: Entry, data: Mapping[str, object]) -> str:
    """A person, by how they were known; else the session, else the way in."""
    if data.get("by"):
        return f"a person ({data['by']})"
    if entry.kind in ("outside", "adopt", "renew"):
        return "outside Stet" if entry.kind == "outside" else ""
    return entry.session or entry.source
