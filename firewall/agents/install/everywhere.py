"""A folder's hooks, taken out of every runtime's settings and of git."""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import ModuleType

from firewall.agents.install import git, others, runtimes
from firewall.agents.install.setup import Setup, alone
from firewall.errors import StetError
from firewall.writes.git import NoRepository
from firewall.writes.proxy import WriteProxy


def take_out(root: Path, state: Path, home: Path, proxy: WriteProxy | None = None) -> list[str]:
    """What was done, in sentences. `proxy` is the project, where its record can be opened: then its settings are
    guarded no longer.

    Settings that cannot be read are somebody else's, if nothing was put there from this folder; else their error is
    raised once all others are done.
    """
    said = []
    failed: StetError | None = None
    for name in runtimes.RUNTIMES:
        module = runtimes.module(name)
        try:
            said += _taken_out(module, Setup(root, state, home, ""), proxy)
        except StetError as error:
            if proxy is not None and others.is_installed(proxy, module.guarded(Setup(root, state, home, ""))):
                failed = failed or error
            else:
                said.append(f"{module.TITLE}: {error.message} If Stet's hooks are in it, take them out by hand.")
    if failed:
        raise failed
    with contextlib.suppress(NoRepository, git.HooksShared):
        if git.is_installed(root):
            said += git.install(root, undo=True)
    return said


def _taken_out(module: ModuleType, setup: Setup, proxy: WriteProxy | None) -> list[str]:
    """What was done with the hooks of one runtime, whosever settings they are in."""
    from firewall.agents import protected_settings

    said: list[str] = []
    for scope in runtimes.scopes(module):
        one = setup._replace(scope=scope)
        if not any(hook.scope == scope for hook in module.hooks(one)):
            continue
        if proxy is not None:
            others.look(proxy, module.guarded(one))
        with alone(one) if one.state.parent.is_dir() else contextlib.nullcontext():
            done = module.undo(one)
        said += done.said
        if proxy is not None:
            for path in module.guarded(one):
                protected_settings.unregister(proxy, path)
            others.renew(proxy, done.files)
    return said
