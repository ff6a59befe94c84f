"""What an installer in one project owes to the others, and to whoever shares the folder by git.

Settings of the user are guarded by every project that put hooks there, each with a copy of its own. So before they are
changed every one of them looks at them (what an agent of its own did to them is put back), and afterwards takes the
new ones: else it would put its copy back in an agent's turn, without this project's hooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from firewall.agents import protected_settings
from firewall.agents.install import git
from firewall.errors import StetError
from firewall.writes import known
from firewall.writes.proxy import WriteProxy


def is_installed(proxy: WriteProxy, files: Iterable[Path]) -> bool:
    """Were hooks put into any of these files from this folder, by its record?"""
    registered = {one.path for one in protected_settings.kept(proxy.ledger).values() if one.registered}
    return any(protected_settings.name_of(proxy.root, path) in registered for path in files)


def look(proxy: WriteProxy, files: Iterable[Path]) -> None:
    """Let every project that guards one of these files judge its disk as it is now."""
    from firewall.agents.sweep import settle

    for noted, _ in _sharing(proxy, files):
        try:
            with WriteProxy.recorded(Path(noted.root), Path(noted.state), source="install") as other:
                settle(other, "")
        except (StetError, OSError):  # it refuses everything anyhow
            continue


def renew(proxy: WriteProxy, files: Iterable[Path]) -> None:
    """Let every project that guards one of these files take it as it is now. Call `look` before the change."""
    for noted, registered in _sharing(proxy, files):
        try:
            with WriteProxy.recorded(Path(noted.root), Path(noted.state), source="install") as other:
                for path, keys in registered.items():
                    protected_settings.register(other, path, keys)
        except (StetError, OSError):
            continue


def _sharing(proxy: WriteProxy, files: Iterable[Path]) -> Iterator[tuple[known.Known, dict[Path, tuple[str, ...]]]]:
    """Other projects that guard some of the files: which, and by which keys."""
    shared = [path for path in files if not path.is_relative_to(proxy.root)]
    for noted in known.everything() if shared else ():
        if noted.root == str(proxy.root):
            continue
        try:
            with WriteProxy.recorded(Path(noted.root), Path(noted.state), source="install") as other:
                kept = {k.path: k.keys for k in protected_settings.kept(other.ledger).values() if k.registered}
        except (StetError, OSError):
            continue
        registered = {path: kept[str(path)] for path in shared if str(path) in kept}
        if registered:
            yield noted, registered


def seen_by_git(root: Path, files: Sequence[Path]) -> list[str]:
    """Which of the files git would take into a commit: their paths below the folder. They name this machine's own
    program, and may hold a secret."""
    names = [path.relative_to(root).as_posix() for path in files if path.is_relative_to(root) and path.is_file()]
    return [name for name in names if git.would_commit(root, name)]
