"""Which files are guarded, from the policy alone. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from firewall.values import NamedTuple

NEVER = (".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__")
"""Folders whose files are nobody's prose, wherever they are."""


class Protection(NamedTuple):
    """[protect] as plain values; see firewall/policy/protect.py."""

    extensions: tuple[str, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    delete_only: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Enough to tell one policy from another; a hash of all its globs costs more than to match them."""
        return hash(self.extensions)


@lru_cache(maxsize=4096)  # asked several times of each path that is judged
def is_protected(path: str, rules: Protection) -> bool:
    """Is the file at `path` (below the project, with `/`) an artifact?"""
    parts = path.split("/")
    if any(part in NEVER for part in parts[:-1]) or matches(path, rules.exclude):
        return False
    if matches(path, rules.include) or matches(path, rules.delete_only):
        return True
    name = parts[-1]
    return "." in name and name.rsplit(".", 1)[1].lower() in rules.extensions


@lru_cache(maxsize=4096)
def is_loss_only(path: str, rules: Protection) -> bool:
    """Is it guarded against loss only, and not judged as prose?"""
    return matches(path, rules.delete_only) and not matches(path, rules.include)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Does any glob match? `*` and `?` stay inside a folder, `**` crosses; without a `/` the name alone counts."""
    name = path.rsplit("/", 1)[-1]
    return any(_compiled(glob).fullmatch(path if "/" in glob else name) is not None for glob in globs)


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    out = []
    i = 0
    glob = glob.removeprefix("./")
    while i < len(glob):
        if glob.startswith("**/", i):
            out.append("(?:.*/)?")
            i += 3
        elif glob.startswith("**", i):
            out.append(".*")
            i += 2
        elif glob[i] == "*":
            out.append("[^/]*")
            i += 1
        elif glob[i] == "?":
            out.append("[^/]")
            i += 1
        else:
            out.append(re.escape(glob[i]))
            i += 1
    return re.compile("".join(out), re.DOTALL)
