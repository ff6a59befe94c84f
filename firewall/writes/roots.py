"""Which folder of a project this is: the ledger keeps one id for each that holds a stet.toml with its id."""

from __future__ import annotations

import os
from pathlib import Path

from firewall.errors import StateBroken
from firewall.values import TYPE_CHECKING
from firewall.writes.paths import POLICY_FILE

if TYPE_CHECKING:
    from firewall.writes.ledger import Ledger


def identify(ledger: Ledger, root: Path) -> int:
    """The id of this folder; a folder that moved keeps its id, a copy or worktree gets its own."""
    info = root.stat()
    here = (str(root), info.st_dev, info.st_ino)
    rows = ledger.query("SELECT id, device, inode FROM roots WHERE path=?", (str(root),))
    if rows and rows[0][1:] == here[1:]:
        return int(rows[0][0])
    with ledger.transaction():
        ident = int(rows[0][0]) if rows else _moved(ledger, info.st_ino)
        if ident is not None:
            ledger.change("UPDATE roots SET path=?, device=?, inode=? WHERE id=?", (*here, ident))
            return ident
        _refuse_overlap(ledger, root)
        ledger.change("INSERT OR IGNORE INTO roots (path, device, inode) VALUES (?, ?, ?)", here)
        return int(ledger.query("SELECT id FROM roots WHERE path=?", (str(root),))[0][0])


def _moved(ledger: Ledger, inode: int) -> int | None:
    """The root that stood elsewhere and is this same folder: its old path is gone, the inode is ours."""
    for ident, path in ledger.query("SELECT id, path FROM roots WHERE inode=?", (inode,)):
        if not os.path.lexists(path):
            return int(ident)
    return None


def _refuse_overlap(ledger: Ledger, root: Path) -> None:
    """A new folder of this project may not give files a second record that have one already.

    That is so where a stet.toml was moved up from a folder below, or put into a folder whose files are known.
    A git worktree inside its repository is neither.
    """
    for ident, text in ledger.query("SELECT id, path FROM roots"):
        other = Path(text)
        if other.is_relative_to(root):
            if other.is_dir() and not (other / POLICY_FILE).exists():
                raise _overlap(other, root)
        elif root.is_relative_to(other):
            below = root.relative_to(other).as_posix() + "/"
            known = ledger.query(
                "SELECT 1 FROM artifacts WHERE root=? AND disk<>'' AND substr(path, 1, ?)=? LIMIT 1",
                (ident, len(below), below),
            )
            if known:
                raise _overlap(root, other, f"Run Stet in {other}, which guards them; ")


def _overlap(inside: Path, outside: Path, instead: str = "") -> StateBroken:
    back = "or put stet.toml back where it was" if instead else "Put stet.toml back where it was"
    return StateBroken(
        detail=f"files of {inside} are recorded for it and for {outside} as well, which is the same project",
        fix=f"{instead}{back}, or, as a person, run `stet init --adopt` to start a new record.",
    )
