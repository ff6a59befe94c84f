"""Whether a folder has its record by way of another home folder than the environment names now.

A command that runs with another HOME, or with none, finds no note of the folder, and would begin a second record,
which knows of no mark, attempt or latch. So before a record is begun, the home folders that the system itself knows
are asked: that of the account, and that of whoever owns the folder. XDG_CONFIG_HOME is somebody's choice of where
notes are, and is taken as it is.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from firewall.errors import StateBroken, StorageError
from firewall.text.printable import printable
from firewall.writes import known


def must_be_first(root: Path, ident: str, state: Path, *, made_now: bool) -> None:
    """Nothing is noted of `root` where the environment says: may a record of it be begun in `state`?

    `ident` is the project that its stet.toml names, `made_now` whether that was written by this command. Raises
    StateBroken where its record is elsewhere, or where nothing says which home folder is meant.
    """
    if os.name == "nt" or Path(os.environ.get("XDG_CONFIG_HOME", "")).is_absolute():
        return
    for home in _homes(root):
        try:
            noted = known.noted_in(home, root)
            there = noted is not None and (Path(noted.state) / "ledger.db").is_file()
        except (StorageError, OSError):
            continue  # another user's home folder, which is closed to this one: they share no record
        if noted is not None and there and noted.state != str(state) and _is_of(noted, root, ident):
            raise StateBroken(
                detail=f"{root} has its record in {noted.state}, and the environment now says {state}",
                fix=f"Set HOME to {home}, as it was when the folder was guarded; a record begun here would know of"
                " no latch and no version. Nothing is written meanwhile.",
            )
    if "HOME" not in os.environ and not made_now:
        raise StateBroken(
            detail=f"HOME is not set, and no note of {root} is in the account's own home folder, {Path.home()}",
            fix="Set HOME as it was when the folder was guarded; where it never was on this machine, to your home"
            " folder.",
        )


def tell_begun(root: Path, state: Path) -> None:
    """Say on standard error that a folder that had a stet.toml has a record only from now on: never in silence."""
    with contextlib.suppress(OSError):
        if sys.stderr is not None:
            said = f"stet: The record of {root} begins now, in {state}: of what was before it knows nothing."
            print(printable(said), file=sys.stderr, flush=True)  # noqa: T201 - whoever asked may not be a command


def _homes(root: Path) -> list[Path]:
    """The home folders of the account and of the folder's owner, but for the one that HOME names."""
    import pwd

    out: list[Path] = []
    for user in (os.getuid(), root.stat().st_uid):
        try:
            home = Path(pwd.getpwuid(user).pw_dir)
        except KeyError:
            continue  # a number without an account, as containers have them
        if home.is_absolute() and home not in out and home != Path.home():
            out.append(home)
    return out


def _is_of(noted: known.Known, root: Path, ident: str) -> bool:
    """Is it this folder that was noted, and not one that stood in its place before?"""
    info = root.stat()
    return noted.project == ident or (noted.device, noted.inode) == (info.st_dev, info.st_ino)
