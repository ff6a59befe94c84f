"""Where the history of a shallow clone ends (`git clone --depth`, as CI makes them).

Git is asked without the file that says so, since anybody may write there that a commit has no parents (git.py). Only
where it then meets a commit that is not there is it asked once more, with those lines of the file that are true: of
commits of which a parent is really missing. So the file takes no text away that the repository has, and of what is
behind the edge nothing is known.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.writes.git import Repository


@contextlib.contextmanager
def file(repository: Repository) -> Iterator[str]:
    """The path of a file with the true lines of git's own, as long as it is needed; '' where none is true."""
    ends = _ends(repository)
    if not ends:
        yield ""
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shallow"
        path.write_text("".join(f"{one}\n" for one in ends), "ascii")
        yield str(path)


def _ends(repository: Repository) -> list[str]:
    """The commits that git's own file names and that have a parent which is not there."""
    from firewall.writes import gitobjects

    common = repository.ask("rev-parse", "--git-common-dir")
    path = repository.root / common / "shallow"
    if not common or not path.is_file():  # a pipe in its place would be waited for
        return []
    try:
        named = path.read_text("ascii").split()
    except (OSError, ValueError):
        return []
    parents = gitobjects.parents(repository, named)
    there = gitobjects.sizes(repository, sorted({p for some in parents.values() for p in some}))
    return [one for one, some in parents.items() if any(there.get(p) is None for p in some)]
