"""Worktrees of the repository below the guarded folder, so that it is known whose files went when git removes one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.turns import Turn
    from firewall.writes.proxy import WriteProxy

MOST = 500
"""Worktrees that are remembered, the newest."""


def note(proxy: WriteProxy) -> None:
    """Remember the worktrees that there are now. Costs a look into one folder where there are none."""
    there = _there(proxy.root)
    if there:
        known = _known(proxy)
        new = [path for path in there if path not in known]
        if new:
            with proxy.ledger.transaction():
                proxy.ledger.set_meta(_key(proxy), json.dumps([*known, *new][-MOST:]))


def removed(proxy: WriteProxy, paths: Sequence[str]) -> dict[str, str]:
    """Which of the paths (files that are gone) were in a worktree that git knows no more and that is gone whole; by
    them, their paths from the worktree's own top."""
    known = _known(proxy) if paths else []
    out: dict[str, str] = {}
    if not known:
        return out
    there = _there(proxy.root)
    for folder in known:
        inside = [path for path in paths if path.startswith(folder + "/")]
        if inside and folder not in there and not os.path.lexists(proxy.root / folder):
            out |= {path: path[len(folder) + 1 :] for path in inside}
    return out


def moved_in(proxy: WriteProxy, turn: Turn, removed: Mapping[str, str], artifacts: Mapping[str, int]) -> set[str]:
    """Which of the files that went with a worktree (as `removed` gives them; `artifacts` by path) git had not put
    there: by an earlier name of theirs they stood outside of it, and in a commit of then. Their going is a delete."""
    names: dict[str, set[str]] = {}
    for path, inner in removed.items():
        folder = path[: len(path) - len(inner)]
        rows = proxy.ledger.query(
            "SELECT json_extract(data, '$.from') FROM journal WHERE artifact=? AND kind='rename'",
            (artifacts.get(path, 0),),
        )
        names[path] = {str(name) for (name,) in rows if name and not str(name).startswith(folder)}
    asked = sorted(set().union(*names.values()))
    if not asked:
        return set()
    from firewall.agents import own_files

    known = own_files.known_to_git(proxy, turn, asked)
    return {path for path, earlier in names.items() if earlier & known}


def _there(root: Path) -> list[str]:
    """The folders below `root` that are worktrees by what git's own files say."""
    out = []
    folder = str(root.resolve()) + os.sep
    try:
        with os.scandir(common(root) / "worktrees") as entries:
            for entry in entries:
                text = (Path(entry.path) / "gitdir").read_text("utf-8", "surrogateescape").strip()
                path = os.path.realpath(os.path.dirname(text))  # noqa: PTH120 - a name, not a path yet
                if path.startswith(folder):
                    out.append(path[len(folder) :].replace(os.sep, "/"))
    except (OSError, ValueError):
        return out
    return sorted(out)


def common(root: Path) -> Path:
    """The folder of git's that all worktrees share."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_dir():
            return git
        if git.is_file():
            own = folder / git.read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
            common = own / "commondir"
            return own / common.read_text("utf-8").strip() if common.is_file() else own
    return root / ".git"


def _known(proxy: WriteProxy) -> list[str]:
    text = proxy.ledger.meta(_key(proxy))
    return [str(path) for path in json.loads(text)] if text else []


def _key(proxy: WriteProxy) -> str:
    return f"worktrees-{proxy.ledger.root_id}"
