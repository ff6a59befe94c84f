"""What stands where a guarded file belongs: a folder, a link, a pipe, a file that nobody may read.

It is set aside, never destroyed: an empty folder and a special file hold nothing; anything else gets a name of its
own beside.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from firewall.errors import StorageError

ASIDE = ".stet-aside-"
"""Names of what was set aside begin so; a random part and the old name follow."""


def clear(path: Path) -> str:
    """Free the name. Returns where what stood there is now, '' where nothing of it is left. Raises StorageError."""
    try:
        info = os.lstat(path)
        if stat.S_ISDIR(info.st_mode) and not os.listdir(path):  # noqa: PTH208 - names are all that is asked
            path.rmdir()
            return ""
        if not (stat.S_ISDIR(info.st_mode) or stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode)):
            path.unlink()
            return ""
        ending = "" if stat.S_ISDIR(info.st_mode) else ".aside"  # so that a file is no guarded one
        aside = path.with_name(f"{ASIDE}{os.urandom(4).hex()}-{path.name}"[:240] + ending)
        path.rename(aside)
        return str(aside)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StorageError(action="set aside", path=path, reason=error.strerror or str(error)) from None


def clear_above(path: Path, root: Path) -> list[str]:
    """Free the names of the folders between the project and a file, where something else stands. Returns as
    `clear`, one for each."""
    out = []
    for folder in reversed(path.relative_to(root).parents[:-1]):
        full = root / folder
        try:
            mode = os.lstat(full).st_mode
        except OSError:
            continue
        if not stat.S_ISDIR(mode):
            out.append(clear(full))
    return out
