"""A folder's hooks, taken out of every runtime's settings and of git."""

from __future__ import annotations

import contextlib
from pathlib import Path

from firewall.agents.install import git, others, runtimes
from firewall.agents.install.setup import Setup
from firewall.writes.git import NoRepository
from firewall.writes.proxy import WriteProxy


def take_out(root: Path, state: Path, home: Path, proxy: WriteProxy | None = None) -> list[str]:
    """What was done, in sentences. `proxy` is the project, where its record can be opened: then its settings are
    guarded no longer. Raises StetError where a runtime's settings cannot be read; those before it are done."""
    from firewall.agents import protected_settings

    said = []
    for name in runtimes.RUNTIMES:
        module = runtimes.module(name)
        for scope in runtimes.scopes(module):
            setup = Setup(root, state, home, "", scope)
            if not any(hook.scope == scope for hook in module.hooks(setup)):
                continue
            if proxy is not None:
                others.look(proxy, module.guarded(setup))
            done = module.undo(setup)
            said += done.said
            if proxy is not None:
                for path in module.guarded(setup):
                    protected_settings.unregister(proxy, path)
                others.renew(proxy, done.files)
    with contextlib.suppress(NoRepository, git.HooksShared):
        if git.is_installed(root):
            said += git.install(root, undo=True)
    return said
