"""Files that keep the guard in place: stet.toml, book.toml, and the settings of runtimes that carry the hooks. Files
that the record cannot name (unnamed.py) are kept with them.

Of each, the ledger keeps a copy as a person left it. While an agent's turn is open a file that differs is put back;
between turns it is a person's, and the copy is renewed. Of a settings file that a runtime writes as well (a
permission that the person gave), only named keys count.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firewall.agents import unnamed
from firewall.errors import StorageError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.paths import POLICY_FILE, project_id

if TYPE_CHECKING:
    from firewall.agents.turns import Turn
    from firewall.writes.proxy import WriteProxy

LARGEST = 4_000_000
"""Bytes of a settings file; a larger one is none."""


LINK = b"link to "
"""How the copy of a link begins."""
REGISTERED, BY_GIT = 1, 2
"""What a copy is marked with."""


class Kept(NamedTuple):
    """A file as a person left it: its path (below the project, or absolute), the sha of its bytes ('': there is none),
    the keys that count (none: every byte), its mode. `registered`: an installer named it. `by_git`: nobody left it;
    git brought it to a work tree below the folder."""

    path: str
    sha: str
    keys: tuple[str, ...] = ()
    mode: int = 0o644
    registered: bool = False
    by_git: bool = False


def register(proxy: WriteProxy, path: Path, keys: Sequence[str] = ()) -> None:
    """Guard a settings file from now on, as it is now. For installers; a person runs them."""
    names = [name_of(proxy.root, one) for one in _behind(path)]
    _keep(proxy, [(name, _read(proxy, name), tuple(keys), REGISTERED) for name in names])


def unregister(proxy: WriteProxy, path: Path) -> None:
    """Guard it no longer."""
    with proxy.ledger.transaction():
        for one in _behind(path):
            name = name_of(proxy.root, one)
            proxy.ledger.change("DELETE FROM kept WHERE root=? AND path=?", (proxy.ledger.root_id, name))


def _behind(path: Path) -> list[Path]:
    """The file, and the one that it is a link to."""
    return [path, Path(os.path.realpath(path))] if path.is_symlink() else [path]


def kept(ledger: Ledger) -> dict[str, Kept]:
    """The copies of this folder, by path."""
    rows = ledger.query("SELECT path, sha, keys, mode, registered FROM kept WHERE root=?", (ledger.root_id,))
    return {
        str(r[0]): Kept(r[0], r[1], tuple(json.loads(r[2] or "[]")), int(r[3]), r[4] == REGISTERED, r[4] == BY_GIT)
        for r in rows
    }


def nested(proxy: WriteProxy, known: Mapping[str, Kept]) -> set[str]:
    """Folders below that are projects of their own. A worktree or a clone of this one is none: its stet.toml names the
    same project, and its files are guarded with those of the folder."""
    found = {
        path.rpartition("/")[0]: one for path, one in known.items() if one.sha and path.endswith("/" + POLICY_FILE)
    }
    if not found:
        return set()
    mine = project_id((proxy.texts.pinned or "").encode())
    return {
        folder for folder, one in found.items()
        if not one.by_git and (not mine or project_id(proxy.ledger.load(one.sha) or b"") != mine)
    }  # fmt: skip


def take(proxy: WriteProxy, policies: Iterable[str]) -> None:
    """Keep the files as they are: a person left them so. `policies` are the policy files below the folder, and the
    files without a name (unnamed.py)."""
    known = kept(proxy.ledger)
    policies = list(policies)
    names = {**dict.fromkeys(policies, ()), **{k.path: k.keys for k in known.values()}}
    names.setdefault(POLICY_FILE, ())
    wanted = []
    there = frozenset(policies)
    for name, keys in names.items():
        reading = _read(proxy, name)
        before = known.get(name)
        if unnamed.is_key(name) and (name not in there or reading is None):
            _forget(proxy, name)  # removed, or no guarded file any more
        elif before is None or before.sha != (reading.sha256 if reading else ""):
            wanted.append((name, reading, keys, _flag(before)))
    if wanted:
        _keep(proxy, wanted)


def differing(proxy: WriteProxy, known: Mapping[str, Kept], policies: Iterable[str]) -> list[str]:
    """Paths of the files that are not as a person left them; policy files that nobody kept among them."""
    out = []
    for one in known.values():
        reading = _read(proxy, one.path)
        if reading is None or reading.sha256 != one.sha:
            out.append(one.path)
    return out + [path for path in policies if path not in known]


def put_back(proxy: WriteProxy, turn: Turn | None, names: Iterable[str]) -> list[Done]:
    """Bring files back to what a person left. The agent's version is kept in the store. Files whose counting keys are
    as they were keep their new content; so do those that git brought (git_settings.py)."""
    from firewall.agents import placing

    known = kept(proxy.ledger)
    out: list[Done] = []
    differ: dict[str, tuple[Kept, Reading | None]] = {}
    for name in names:
        one = known.get(name, Kept(name, ""))
        now = _read(proxy, name)
        if name == POLICY_FILE and not one.sha:
            one = _as_pinned(proxy, one)
        is_as_pinned = name == POLICY_FILE and now is not None and now.sha256 == one.sha
        if now is not None and (is_as_pinned or placing.same_keys(one, proxy.ledger.load(one.sha), now.data)):
            _keep(proxy, [(name, now, one.keys, _flag(one))])
        elif one.sha and not os.path.lexists(full(proxy.root, name).parent) and "/" in name and not one.registered:
            _forget(proxy, name)  # a work tree that was removed, its policy with it
        else:
            differ[name] = (one, now)
    if not differ:
        return out
    from firewall.agents import git_settings

    of_git = {unnamed.path(name): both for name, both in differ.items()}
    switched, inside = git_settings.brought(proxy, turn, of_git)
    for key, (one, now) in differ.items():
        name = unnamed.path(key)
        if name in inside and (not one.sha or one.by_git):
            _keep(proxy, [(name, now, (), BY_GIT)])
        elif name in switched or name in inside:
            if now is not None and _note_switch(proxy, unnamed.shown(key), now.sha256):
                out.append(Done(key, SWITCHED))
        else:
            what, number = placing.restore(proxy, one, now)
            out.append(Done(key, what, number if now and now.sha256 else 0))
    return out


def _as_pinned(proxy: WriteProxy, one: Kept) -> Kept:
    """The folder's own stet.toml, where no copy is known: it is never taken away, a person accepted what is pinned."""
    if proxy.texts.pinned is None:
        return one
    data = proxy.texts.pinned.encode("utf-8", "surrogateescape")
    with proxy.ledger.transaction():
        proxy.ledger.save(disk.sha256(data), data)
    return one._replace(sha=disk.sha256(data))


class Done(NamedTuple):
    """What was done to a file, and the number of the journal's entry that keeps what was there (0: nothing was)."""

    path: str
    what: str
    number: int = 0


SWITCHED = "switched"
"""What is said of a file that is as another branch has it, and stays."""


def as_git_left(proxy: WriteProxy, names: Iterable[str]) -> bool:
    """Is any of these files, which an installer named, not as it is kept, in what counts?"""
    from firewall.agents import placing

    known = kept(proxy.ledger)
    for name in names:
        one = known.get(name)
        if one is None or not one.registered:
            continue
        now = _read(proxy, name)
        if now is None or not (now.sha256 == one.sha or placing.same_keys(one, proxy.ledger.load(one.sha), now.data)):
            return True
    return False


def _note_switch(proxy: WriteProxy, name: str, sha: str) -> bool:
    """Note that git left the file so; False where that is noted already, by the last entry about it."""
    rows = proxy.ledger.query(
        "SELECT old, json_extract(data, '$.by') FROM journal WHERE kind='settings' AND json_extract(data, '$.path')=?"
        " ORDER BY seq DESC LIMIT 1",
        (name,),
    )
    if rows and tuple(rows[0]) == (sha, "git"):
        return False
    origin = proxy.origin()
    with proxy.ledger.transaction():
        proxy.ledger.append(
            "settings", origin.at, old=sha, new=sha, session=origin.session, source=origin.source,
            data={"path": name, "by": "git"},
        )  # fmt: skip
    return True


def _forget(proxy: WriteProxy, name: str) -> None:
    with proxy.ledger.transaction():
        proxy.ledger.change("DELETE FROM kept WHERE root=? AND path=?", (proxy.ledger.root_id, name))


def _flag(one: Kept | None) -> int:
    return 0 if one is None else REGISTERED if one.registered else BY_GIT if one.by_git else 0


def _keep(proxy: WriteProxy, wanted: Sequence[tuple[str, Reading | None, tuple[str, ...], int]]) -> None:
    with proxy.ledger.transaction():
        for name, reading, keys, registered in wanted:
            there = reading is not None and reading.data is not None
            if reading is not None and reading.data is not None:
                proxy.ledger.save(reading.sha256, reading.data)
            proxy.ledger.change(
                "INSERT OR REPLACE INTO kept (root, path, sha, keys, mode, registered) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    proxy.ledger.root_id, name, reading.sha256 if reading else "", json.dumps(keys) if keys else "",
                    reading.mode if reading and there else 0o644, registered,
                ),
            )  # fmt: skip


def _read(proxy: WriteProxy, name: str) -> Reading | None:
    """The file, or a link as a reading of what it says; MISSING where there is none, None for anything else."""
    path = full(proxy.root, name)
    try:
        return disk.read(path, proxy.limits.max_bytes if unnamed.is_key(name) else LARGEST)
    except StorageError:
        pass
    try:
        data = LINK + os.fsencode(os.readlink(path))  # noqa: PTH115 - bytes as they are
    except OSError:
        return None
    return disk.MISSING._replace(data=data, sha256=disk.sha256(data), mode=stat.S_IFLNK | 0o777)


def full(root: Path, name: str) -> Path:
    """Where the file is that is kept under this name."""
    name = unnamed.path(name)
    return Path(name) if os.path.isabs(name) else root / name  # noqa: PTH117 - a name, not yet a path


def name_of(root: Path, path: Path) -> str:
    """Under which name the record keeps a file: below the project, or absolute."""
    full = Path(os.path.realpath(path.parent)) / path.name
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else str(full)
