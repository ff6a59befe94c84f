"""What keeps guard here beside agents' hooks: `stet watch`, and git's pre-commit hook. Asked by `stet doctor`."""

from __future__ import annotations

from pathlib import Path

from firewall.agents.install import git
from firewall.errors import Busy, StetError
from firewall.writes.lock import FileLock
from firewall.writes.proxy import WriteProxy


def watch_lock(proxy: WriteProxy) -> FileLock:
    """What a `stet watch` of this folder holds. Entering it raises Busy while one runs."""
    return FileLock(proxy.state / "locks" / f"watch-{proxy.ledger.root_id}.lock", 0.0, str(proxy.root))


def is_watched(proxy: WriteProxy) -> bool:
    """Does a `stet watch` run here?"""
    try:
        with watch_lock(proxy):
            return False
    except Busy:
        return True


def commits(root: Path) -> tuple[Path, str] | None:
    """The pre-commit hook with Stet in it, and what is wrong with it; None where there is none, or none can be had."""
    try:
        return git.works(root)
    except StetError:
        return None
