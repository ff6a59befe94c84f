"""stet install: put Stet's hooks into an agent's settings, or take them out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.commands.output import emit_json
from firewall.text.printable import printable

if TYPE_CHECKING:
    from firewall.agents.install.setup import Done


@click.command("install")
@click.argument("runtime")
@click.option("--local", "scope", flag_value="local", help="Into the settings of this machine only, not shared by git.")
@click.option("--user", "scope", flag_value="user", help="Into your own settings, for sessions started anywhere.")
@click.option("--http", is_flag=True, help="Ask a running `stet serve` instead of starting a process a call (claude).")
@click.option("--undo", is_flag=True, help="Take the hooks out again (a person).")
@click.option("--json", "as_json", is_flag=True, help="What was done as JSON.")
def command(runtime: str, scope: str | None, http: bool, undo: bool, as_json: bool) -> None:
    """Let RUNTIME ask Stet before and after each of its tools, in the guarded folder this is run in.

    Runs again without harm, and leaves everything else in the settings as it is. `stet doctor` then proves it.
    """
    if runtime == "git":
        _git(undo, as_json)
        return
    from firewall.agents import protected_settings
    from firewall.agents.install import runtimes
    from firewall.agents.install.setup import Setup, hook_program, interpreter
    from firewall.agents.sweep import sweep
    from firewall.agents.tokens import token_of
    from firewall.writes import person
    from firewall.writes.proxy import WriteProxy

    module = runtimes.module(runtime)
    with WriteProxy.open(Path.cwd(), source="install") as proxy:
        program = hook_program()
        setup = Setup(proxy.root, proxy.state, Path.home(), program, scope or "project", python=interpreter(program))
        if hasattr(module, "installed_version"):
            setup = setup._replace(version=module.installed_version())
        if http:
            from firewall.agents.tokens import address

            setup = setup._replace(url=address(proxy), token=token_of(proxy))
        if undo:
            person.require(proxy.ledger, "install --undo", f"This takes Stet's hooks out of {runtime}'s settings.")
            done = module.undo(setup)
            if not module.hooks(setup):
                for path in module.guarded(setup):
                    protected_settings.unregister(proxy, path)
        else:
            done = module.install(setup)
            sweep(proxy, None, "")  # first sight of every file, so that an agent's first turn need not wait for it
            for path, keys in module.guarded(setup).items():
                protected_settings.register(proxy, path, keys)
    _say(runtime, done, as_json)
    if not undo and not as_json:
        click.echo("`stet doctor` fires a canary through it and shows the refusal.")


def _git(undo: bool, as_json: bool) -> None:
    """The pre-commit hook is no agent's: it has no canary and no scope."""
    from firewall.agents.install import git
    from firewall.agents.install.setup import Done
    from firewall.writes import person
    from firewall.writes.proxy import WriteProxy

    with WriteProxy.open(Path.cwd(), source="install") as proxy:
        if undo:
            person.require(proxy.ledger, "install git --undo", "This takes Stet's check out of git's pre-commit hook.")
        done = Done((), tuple(git.install(proxy.root, undo)))
    _say("git", done, as_json)


def _say(runtime: str, done: Done, as_json: bool) -> None:
    if as_json:
        emit_json({"runtime": runtime, "files": [str(f) for f in done.files], "said": list(done.said)})
        return
    for line in done.said:
        click.echo(printable(line))
