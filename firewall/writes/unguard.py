"""Taking the guard off a folder: what `stet init` made, undone. Nothing that was ever written is deleted."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from firewall.errors import NoProject, PolicyError, StorageError
from firewall.writes import known, project
from firewall.writes.paths import POLICY_FILE


def find(start: Path) -> Path:
    """The guarded folder at or above `start`, one without its stet.toml too. Raises NoProject."""
    folder = Path(os.path.realpath(start))
    for candidate in (folder, *folder.parents):
        if (candidate / POLICY_FILE).is_file() or known.get(candidate):
            return candidate
    raise NoProject(start=start)


def state_of(root: Path) -> Path | None:
    """Where the folder's record is, or was; None where neither a note nor its stet.toml says it."""
    noted = known.get(root)
    if noted is not None:
        return Path(noted.state)
    with contextlib.suppress(PolicyError, OSError):
        return project.state_home() / project.parse((root / POLICY_FILE).read_text("utf-8-sig")).project.id
    return None


def unguard(root: Path) -> Path:
    """Set the folder's record and its stet.toml aside, and forget the folder. Returns where both are now.

    The record of a folder that shares it (a git worktree) stays where it is. Raises StorageError.
    """
    state = state_of(root)
    shared = state is not None and any(
        noted.state == str(state) and noted.root != str(root) and (Path(noted.root) / POLICY_FILE).is_file()
        for noted in known.everything()
    )
    name = state.name if state is not None else "unknown"
    aside = (state.parent if state is not None else project.state_home()) / f"{name}.set-aside-{os.urandom(4).hex()}"
    path = root / POLICY_FILE
    try:
        if state is not None and state.is_dir() and not shared:
            state.rename(aside)
        else:
            aside.mkdir(parents=True, mode=0o700)
        if path.is_file():
            (aside / POLICY_FILE).write_bytes(path.read_bytes())
            path.unlink()
    except OSError as error:
        raise StorageError(action="set aside", path=path, reason=error.strerror or str(error)) from None
    known.forget(root)
    return aside
