"""Which sessions of a runtime read the settings that its hooks are in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from firewall.agents.install.setup import Hook, Setup

EVERY = ("user", "plugin")
"""Scopes of hooks that run wherever a session is started."""


def unread(module: ModuleType, setup: Setup, here: Path, hooks: Sequence[Hook]) -> list[str]:
    """Why a session that is started in `here`, a folder below the guarded one, is not guarded; nothing where it is."""
    place = os.path.realpath(here)
    if not hooks or place == str(setup.root) or reads_above(module, setup.root, Path(place)):
        return []
    if any(hook.scope in EVERY for hook in hooks):
        return []
    said = (
        f"A session of {module.TITLE} that is started here, in {place}, is NOT guarded: it reads the settings of the"
        f" folder it is started in, and the hooks are in those of {setup.root}. Start it there, or run"
        f" `stet install {module.NAME} --user`."
    )
    return [said]


def reads_above(module: ModuleType, root: Path, here: Path) -> bool:
    """Does a session of this runtime in `here` read the settings of `root`, a folder above?

    A module says with UPWARD how its runtime was seen to look: "repository", from the session's folder up to the top of
    its git work tree; "all", the same, and without git up to the top of the disk. Others look in one folder.
    """
    how = getattr(module, "UPWARD", "")
    top = next((place for place in (here, *here.parents) if (place / ".git").exists()), None)
    if top is None:
        return bool(how == "all")
    return bool(how) and (top == root or top in root.parents)
