"""stet allow: a person lifts named rules for a path, a number of times, until a moment."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firewall.commands.output import emit_json, local_time, table
from firewall.errors import UsageError
from firewall.text.printable import printable
from firewall.writes import alerts, cases, grants
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Grant


class AllowWhat(UsageError):
    """allow without a path, or without a rule."""

    code = "allow-what"
    template = "Say which file and which rules: {detail}."
    next_step = "For example: stet allow docs/old.md --rule delete; `stet allow --list` shows what is in force."


@click.command("allow")
@click.argument("path", required=False)
@click.option("--rule", "rules", multiple=True, metavar="R", help="A rule to lift; `structural` for all that can be.")
@click.option("--uses", type=int, default=1, show_default=True, metavar="N", help="How many writes.")
@click.option("--for", "time", default="1h", show_default=True, metavar="TIME", help="How long: 30m, 2h, 3d.")
@click.option("--list", "show", is_flag=True, help="The grants in force.")
@click.option("--revoke", metavar="ID", help="Take a grant back.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(
    path: str | None, rules: tuple[str, ...], uses: int, time: str, show: bool, revoke: str | None, as_json: bool
) -> None:
    """Lift rules for PATH, a file or a quoted glob, ahead of a write that they would hold. Needs a person.

    Only size, survival, structure and delete rules can be lifted. A write that uses a grant is the new baseline.
    """
    with WriteProxy.open(Path.cwd(), source="operator") as proxy:
        if show:
            _list(cases.grants(proxy.ledger, proxy.origin().at), as_json)
            return
        if revoke is not None:
            grants.revoke(proxy, revoke)
            emit_json({"id": revoke, "revoked": True}) if as_json else click.echo(f"{revoke} is taken back.")
            return
        if path is None:
            raise AllowWhat(detail="the path is missing")
        if not rules:
            raise AllowWhat(detail="--rule is missing")
        given = grants.allow(proxy, path, rules, uses, grants.parse_time(time))
    if as_json:
        emit_json(_value(given))
        return
    many = "1 write" if given.uses == 1 else f"{given.uses} writes"
    click.echo(f"{given.id}: {', '.join(given.rules)} lifted for {many} of {printable(given.pattern)}")
    click.echo(f"  until {local_time(given.expires)}")


def _list(given: list[Grant], as_json: bool) -> None:
    if as_json:
        emit_json([_value(g) for g in given])
    elif not given:
        click.echo("No grant is in force.")
    else:
        rows = [[g.id, printable(g.pattern), ", ".join(g.rules), str(g.uses), local_time(g.expires)] for g in given]
        table(["ID", "FILES", "RULES", "USES LEFT", "UNTIL"], rows)


def _value(given: Grant) -> dict[str, object]:
    value = json.loads(json.dumps(given._asdict()))
    return {**value, "at": alerts.when(given.at), "expires": alerts.when(given.expires)}
