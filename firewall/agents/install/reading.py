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
    """Why a session that is started in `here`, a folder below the guarded one, is not guarded; nothing where it is.

    A module says with UPWARD that its runtime was seen to read the settings of the folders above.
    """
    place = os.path.realpath(here)
    if not hooks or place == str(setup.root) or getattr(module, "UPWARD", False):
        return []
    if any(hook.scope in EVERY for hook in hooks):
        return []
    said = (
        f"A session of {module.TITLE} that is started here, in {place}, is NOT guarded: it reads the settings of the"
        f" folder it is started in, and the hooks are in those of {setup.root}. Start it there, or run"
        f" `stet install {module.NAME} --user`."
    )
    return [said]
