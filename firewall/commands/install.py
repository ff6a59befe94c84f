"""stet install: put Stet's hooks into an agent's settings, or take them out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from firewall.commands.output import emit_json
from firewall.text.printable import printable

if TYPE_CHECKING:
    from types import ModuleType

    from firewall.agents.install.setup import Done, Setup
    from firewall.writes.proxy import WriteProxy


@click.command("install")
@click.argument("runtime")
@click.option("--local", is_flag=True, help="Into the folder's settings for this machine only (claude).")
@click.option("--user", is_flag=True, help="Into your own settings: for every session of yours, beside other projects.")
@click.option("--http", is_flag=True, help="Ask a running `stet serve` instead of starting a process a call (claude).")
@click.option("--undo", is_flag=True, help="Take this folder's hooks out again, wherever they are (a person).")
@click.option("--json", "as_json", is_flag=True, help="What was done as JSON.")
def command(runtime: str, local: bool, user: bool, http: bool, undo: bool, as_json: bool) -> None:
    """Let RUNTIME ask Stet before and after each of its tools, in the guarded folder this is run in.

    Runs again without harm, and leaves everything else in the settings as it is. `stet doctor` then proves it.
    """
    if local and user:
        raise click.UsageError("--local and --user name two places; give one.")
    if http and undo:
        raise click.UsageError("--undo takes out hooks of either kind: leave --http out.")
    given = {"--local": local, "--user": user, "--http": http}
    if runtime == "git":
        _only("git", given, ())
        _git(undo, as_json)
        return
    from firewall.agents.install import runtimes
    from firewall.agents.install.setup import Setup, hook_program, interpreter
    from firewall.agents.tokens import address, token_of
    from firewall.writes.proxy import WriteProxy

    module = runtimes.module(runtime)
    scopes = runtimes.scopes(module)
    _only(runtime, given, (*(f"--{scope}" for scope in scopes), *(("--http",) if hasattr(module, "HTTP") else ())))
    with WriteProxy.open(Path.cwd(), source="install") as proxy:
        program = hook_program()
        scope = "local" if local else "user" if user or proxy.root == _home() else scopes[0]
        setup = Setup(proxy.root, proxy.state, Path.home(), program, scope, python=interpreter(program))
        if hasattr(module, "installed_version"):
            setup = setup._replace(version=module.installed_version())
        if http:
            setup = setup._replace(url=address(proxy), token=token_of(proxy))
        done = (
            _undo(proxy, module, setup, (scope,) if local or user else scopes) if undo else _put(proxy, module, setup)
        )
    _say(runtime, done, as_json)
    if not undo and not as_json:
        click.echo("`stet doctor` fires a canary through it and shows the refusal.")


def _only(runtime: str, given: dict[str, bool], known: tuple[str, ...]) -> None:
    """An option that would do nothing is a mistake of whoever gave it."""
    for option, on in given.items():
        if on and option not in known:
            able = f"it takes {' and '.join(known)}" if known else "it takes neither --local, --user nor --http"
            raise click.UsageError(f"`stet install {runtime}` knows no {option}: {able}.")


def _home() -> Path:
    return Path.home().resolve()


def _put(proxy: WriteProxy, module: ModuleType, setup: Setup) -> Done:
    """Install, guard the settings, and say what else there is to do."""
    from firewall.agents import protected_settings
    from firewall.agents.install import others
    from firewall.agents.install.setup import alone
    from firewall.agents.sweep import settle

    # First sight of every file, so that an agent's first turn need not wait for it; while one is open it is judged what
    # the agent did, to the settings as well: what is installed next is taken as a person's.
    settle(proxy, "")
    others.look(proxy, module.guarded(setup))
    with alone(setup):
        done: Done = module.install(setup)
    for path, keys in module.guarded(setup).items():
        protected_settings.register(proxy, path, keys)
    others.renew(proxy, done.files)
    return done._replace(said=(*done.said, *_hints(proxy, module, setup)))


def _hints(proxy: WriteProxy, module: ModuleType, setup: Setup) -> list[str]:
    from firewall.agents.install import others, reading, runtimes

    said = []
    hooks = module.hooks(setup)
    if setup.scope == "user":
        said.append(f"They run in every session of yours, and are silent where it does not concern {proxy.root}.")
    scope = "local" if setup.url else setup.scope
    seen = others.seen_by_git(proxy.root, list(dict.fromkeys(h.file for h in hooks if h.scope == scope)))
    if seen:
        there = "has a secret in it and" if setup.url else "names this machine's program and"
        private = " Or use --local." if scope == "project" and "local" in runtimes.scopes(module) else ""
        said.append(
            f"{', '.join(seen)} {there} is not ignored by git. To keep it out of commits, put its name into"
            f" .gitignore or .git/info/exclude.{private}"
        )
    return [*said, *reading.unread(module, setup, Path.cwd(), hooks)]


def _undo(proxy: WriteProxy, module: ModuleType, setup: Setup, scopes: tuple[str, ...]) -> Done:
    """Take this folder's hooks out of the settings of these scopes."""
    from firewall.agents import protected_settings
    from firewall.agents.install import others
    from firewall.agents.install.setup import Done, alone
    from firewall.agents.sweep import settle
    from firewall.writes import person

    person.require(proxy.ledger, "install --undo", f"This takes Stet's hooks out of {module.TITLE}'s settings.")
    settle(proxy, "")
    others.look(proxy, module.guarded(setup))
    with alone(setup):
        done = [module.undo(setup._replace(scope=scope)) for scope in scopes]
    files = tuple(path for one in done for path in one.files)
    said = list(dict.fromkeys(line for one in done if one.files or not files for line in one.said))
    left = module.hooks(setup)
    if not left:
        for path in module.guarded(setup):
            protected_settings.unregister(proxy, path)
    for path in dict.fromkeys(hook.file for hook in left):
        said.append(
            f"{path} still has hooks of Stet for this folder: `stet install {module.NAME} --undo` takes all out."
        )
    others.renew(proxy, files)
    return Done(files, tuple(said))


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
