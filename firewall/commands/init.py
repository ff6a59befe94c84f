"""stet init: make a folder a guarded project."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.errors import StetError
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.writes import person, project
from firewall.writes.git import find_repository
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proxy import WriteProxy

MOST = 20
"""Names that are shown of what is not guarded."""


@click.command("init")
@click.argument("folder", required=False, default=".", metavar="[DIR]", type=click.Path(path_type=Path, readable=False))
@click.option("--adopt", is_flag=True, help="Start a new record where the old one is broken (a person's answer).")
@click.option("--undo", is_flag=True, help="Guard DIR no longer: hooks, stet.toml and record go (a person).")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(folder: Path, adopt: bool, undo: bool, as_json: bool) -> None:
    """Write stet.toml into DIR (this folder), with every default in it commented out."""
    if undo:
        if adopt:
            raise click.UsageError("--adopt and --undo are two answers; give one.")
        _undo(folder, as_json)
        return
    if adopt:
        person.confirm("init --adopt", f"This sets Stet's record of {folder.resolve()} aside and starts a new one.")
        found = project.adopt(folder)
    else:
        outer = project.guarded_above(folder)
        if outer and not (folder / POLICY_FILE).exists():
            what = f"{folder.resolve()} is inside {outer}, which is guarded; this takes it out of that guard."
            person.confirm("init", what)
        found = project.create(folder, by_a_person=bool(outer))
    from firewall.agents import walk

    try:
        opened = WriteProxy(found, source="init")
    except StetError:
        if not adopt:
            project.take_back(found)
        raise
    with opened as proxy:
        state = proxy.state
        there = walk.walk(str(proxy.root), proxy.protection)
        deep = [printable(name) for name in walk.unguarded(there)]
        nameless = [printable(name) for name in walk.nameless(there)]
    if as_json:
        value = {"root": str(found.root), "project": found.policy.project.id, "state": str(state)}
        emit_json({**value, "unguarded": deep, "nameless": nameless})
        return
    click.echo(f"Guarding {found.root}. The rules are in stet.toml; the record is in {state}.")
    _name("Not guarded, since the path is too long:", deep)
    _name("Judged by no rule, since the name is not UTF-8; what an agent makes of them is put back:", nameless)


def _name(head: str, names: list[str]) -> None:
    """What is not guarded like the rest."""
    if not names:
        return
    click.echo(head, err=True)
    for name in names[:MOST]:
        click.echo(f"  {name}", err=True)
    if len(names) > MOST:
        click.echo(f"  and {amount(len(names) - MOST, 'more name')}", err=True)


def _undo(folder: Path, as_json: bool) -> None:
    """Take the guard off. A passphrase counts where one is set and the record can still say so."""
    from firewall.agents.install import everywhere
    from firewall.writes import unguard

    root = unguard.find(folder)
    state = unguard.state_of(root)
    what = f"This takes the guard off {root}: Stet's hooks come out, and stet.toml and the record are set aside."
    try:
        proxy = WriteProxy.open(root, source="init")
    except StetError:  # a record that is broken, or a stet.toml that is gone
        person.confirm("init --undo", what)
        said = everywhere.take_out(root, state or Path(), Path.home())
    else:
        with proxy:
            person.require(proxy.ledger, "init --undo", what)
            said = everywhere.take_out(root, proxy.state, Path.home(), proxy)
    aside = unguard.unguard(root)
    if as_json:
        emit_json({"root": str(root), "aside": str(aside), "said": said})
        return
    for line in said:
        click.echo(printable(line))
    click.echo(
        f"{root} is guarded no longer. Its stet.toml, its versions and its log are in {aside}: remove that folder"
    )
    in_git = " What was staged is in git: `git branch --list 'stet/staging/*'`." if find_repository(root) else ""
    click.echo(f"when you need none of them.{in_git}")
