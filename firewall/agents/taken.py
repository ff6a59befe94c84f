"""What git took from the work tree, and keeps in a commit: nobody's loss, until the last ref to it is dropped.

`git checkout`, `git stash` and the like may take a text away where a commit has it. The commit may be an agent's of a
moment ago, on a branch that the next command deletes, or a person's that a later turn drops. So the text stays in
Stet's store and is remembered here until it is back in the work tree, or until a person has dropped it between turns.
Where its last commit goes before that, dropped.py tells of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence

from firewall.digest import sha256
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

MOST = 5_000
"""Texts that are remembered, the newest."""


class Taken(NamedTuple):
    """A text that git took: of which artifact and path, its hash in the store, its path in git (from the top of the
    repository), blob and commit ('' for an older one than any ref names), and the journal entry that has the marks of
    then (0 for bytes that were not on the disk)."""

    artifact: int
    path: str
    sha: str
    at: str
    blob: str
    commit: str
    seq: int


def key(root_id: int) -> str:
    """Under which the ledger keeps them."""
    return f"taken-{root_id}"


def known(proxy: WriteProxy) -> list[Taken]:
    """All that are remembered, oldest first."""
    return read(proxy)[0]


def change(proxy: WriteProxy, new: Sequence[Taken], back: Iterable[tuple[int, str]] = ()) -> None:
    """Remember these; forget those (artifact, hash) that git brought back."""
    gone = {*back, *((row.artifact, row.sha) for row in new)}
    rows, heads = read(proxy)
    left = [row for row in rows if (row.artifact, row.sha) not in gone]
    if new or len(left) != len(rows):
        write(proxy, [*left, *new], "" if new else heads)


def refs(proxy: WriteProxy) -> str:
    """A hash of how git's files with refs are on the disk, its packs, and what cuts its history: nothing was dropped
    while it is the same. Asks no git, which takes longer than all else that a hook does."""
    from firewall.agents import worktrees

    names: list[str] = []
    for top in (top for top in (proxy.root, *proxy.root.parents) if os.path.lexists(top / ".git")):
        folder = worktrees.common(top)
        names += (str(folder / name) for name in ("HEAD", "packed-refs", "logs/refs/stash", "shallow", "objects/pack"))
        for above in ("refs", "reftable", "worktrees"):
            names += (os.path.join(at, f) for at, _, files in os.walk(folder / above) for f in files)  # noqa: PTH118
    out = []
    for name in sorted(names):
        try:
            info = os.lstat(name)
        except OSError:
            continue
        out.append((name, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns))
    return sha256(repr(out).encode("utf-8", "surrogateescape"))


# -- rows ------------------------------------------------------------------------------------------------------


def read(proxy: WriteProxy) -> tuple[list[Taken], str]:
    """The rows, and the hash of the refs (`refs`) in which all of them were last found ('' where not all were)."""
    text = proxy.ledger.meta(key(proxy.ledger.root_id))
    if not text:
        return [], ""
    kept = json.loads(text)
    return [Taken(**row) for row in kept["rows"]], str(kept["heads"])


def write(proxy: WriteProxy, rows: Sequence[Taken], heads: str) -> None:
    """Remember these rows and no others; `heads` as `read` gives it."""
    name = key(proxy.ledger.root_id)
    with proxy.ledger.transaction():
        if rows:
            text = json.dumps({"heads": heads, "rows": [row._asdict() for row in rows[-MOST:]]})
            proxy.ledger.set_meta(name, text)
        else:
            proxy.ledger.change("DELETE FROM meta WHERE key=?", (name,))
