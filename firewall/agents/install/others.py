"""What an installer in one project owes to the others, and to whoever shares the folder by git."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from firewall.agents import protected_settings
from firewall.agents.install import git
from firewall.errors import StetError
from firewall.writes import known
from firewall.writes.proxy import WriteProxy


def renew(proxy: WriteProxy, files: Iterable[Path]) -> None:
    """Settings of the user are guarded by every project that put hooks there: let them all know them as they are now.

    Else one of them would put its own copy back while an agent's turn is open there, without this project's hooks. A
    project that cannot be opened refuses everything anyhow.
    """
    shared = [path for path in files if not path.is_relative_to(proxy.root)]
    for noted in known.everything() if shared else ():
        if noted.root == str(proxy.root):
            continue
        try:
            with WriteProxy.recorded(Path(noted.root), Path(noted.state), source="install") as other:
                registered = {k.path: k.keys for k in protected_settings.kept(other.ledger).values() if k.registered}
                for path in shared:
                    if str(path) in registered:
                        protected_settings.register(other, path, registered[str(path)])
        except (StetError, OSError):
            continue


def seen_by_git(root: Path, files: Sequence[Path]) -> list[str]:
    """Which of the files git would take into a commit: their paths below the folder. They name this machine's own
    program, and may hold a secret."""
    names = [path.relative_to(root).as_posix() for path in files if path.is_relative_to(root) and path.is_file()]
    return [name for name in names if git.would_commit(root, name)]
