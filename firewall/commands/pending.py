"""stet pending: the held proposals that wait for a person."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firewall.commands.output import emit_json, local_time, not_one, table
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.writes import alerts, cases, waiting
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Case


@click.command("pending")
@click.argument("ident", required=False, metavar="")
@click.option("--json", "as_json", is_flag=True, help="A JSON list.")
def command(ident: str | None, as_json: bool) -> None:
    """List held proposals, oldest first; those of one change set stand together and are answered as one."""
    not_one("pending", ident)
    with WriteProxy.open(Path.cwd()) as proxy:
        rows = cases.every(proxy.ledger, ("hold",), cases.PENDING)
        stale = {c.id for c in rows if waiting.is_stale(proxy, c)}
        alarms = len(cases.every(proxy.ledger, ("trip", "staged"), cases.PENDING))
    if as_json:
        emit_json([_value(c, c.id in stale) for c in rows])
        return
    sets: dict[str, list[Case]] = {}
    for case in rows:
        sets.setdefault(case.change_set or case.id, []).append(case)
    lines = []
    for together in sets.values():
        for place, case in enumerate(together):
            state = "stale" if case.id in stale else case.state
            when = local_time(case.at) if not place else "  together with it"
            lines.append([case.id, when, _what(case), printable(case.path), ", ".join(_rules(case)), state])
    if lines:
        table(["ID", "WHEN", "WHAT", "FILE", "RULES", "STATE"], lines)
        click.echo("`stet show ID` gives the whole context and the commands to answer with.")
    else:
        click.echo("No proposal waits.")
    if alarms:
        click.echo(f"{alarms} {'alert is' if alarms == 1 else 'alerts are'} open: `stet alerts`.")


def _value(case: Case, stale: bool) -> dict[str, object]:
    data = json.loads(case.data)
    return {
        "id": case.id,
        "at": alerts.when(case.at),
        "kind": case.kind,
        "state": case.state,
        "stale": stale,
        "path": case.path,
        "change": case.change,
        "target": case.target or None,
        "change_set": case.change_set,
        "proposal": case.proposal,
        "rules": _rules(case),
        "words": data.get("words"),
        "session": data.get("session", ""),
        "commands": alerts.commands(case.id, case.path, case.kind, case.change),
    }


def _rules(case: Case) -> list[str]:
    found = json.loads(case.data).get("findings", ())
    return list(dict.fromkeys(f["rule"] for f in found if f["outcome"] in ("hold", "block")))


def _what(case: Case) -> str:
    words = json.loads(case.data).get("words") or {}
    if case.change in ("text", "new"):
        return f"{words.get('before', 0)} -> {amount(words.get('after', 0), 'word')}"
    return f"rename to {printable(case.target)}" if case.target else case.change
