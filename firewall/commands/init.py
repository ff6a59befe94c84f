"""stet init: make a folder a guarded project."""

from __future__ import annotations

from pathlib import Path

import click

from firewall.commands.output import emit_json
from firewall.writes import person, project
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proxy import WriteProxy


@click.command("init")
@click.argument("folder", required=False, default=".", metavar="[DIR]", type=click.Path(path_type=Path, readable=False))
@click.option("--adopt", is_flag=True, help="Start a new record where the old one is broken (a person's answer).")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def command(folder: Path, adopt: bool, as_json: bool) -> None:
    """Write stet.toml into DIR (this folder), with every default in it commented out."""
    if adopt:
        person.confirm("init --adopt", f"This sets Stet's record of {folder.resolve()} aside and starts a new one.")
        found = project.adopt(folder)
    else:
        outer = project.guarded_above(folder)
        if outer and not (folder / POLICY_FILE).exists():
            what = f"{folder.resolve()} is inside {outer}, which is guarded; this takes it out of that guard."
            person.confirm("init", what)
        found = project.create(folder, by_a_person=bool(outer))
    with WriteProxy(found, source="init") as proxy:
        state = proxy.state
    if as_json:
        emit_json({"root": str(found.root), "project": found.policy.project.id, "state": str(state)})
        return
    click.echo(f"Guarding {found.root}. The rules are in stet.toml; the record is in {state}.")
