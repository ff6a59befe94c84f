"""Files that keep the guard in place: stet.toml, book.toml, and the settings of runtimes that carry the hooks.

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

from firewall.errors import StorageError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.paths import POLICY_FILE

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

LARGEST = 4_000_000
"""Bytes of a settings file; a larger one is none."""


LINK = b"link to "
"""How the copy of a link begins."""


class Kept(NamedTuple):
    """A file as a person left it: its path (below the project, or absolute), the sha of its bytes ('': there is none),
    the keys that count (none: every byte), its mode. `registered`: an installer named it."""

    path: str
    sha: str
    keys: tuple[str, ...] = ()
    mode: int = 0o644
    registered: bool = False


def register(proxy: WriteProxy, path: Path, keys: Sequence[str] = ()) -> None:
    """Guard a settings file from now on, as it is now. For installers; a person runs them."""
    names = [_name(proxy.root, one) for one in _behind(path)]
    _keep(proxy, [(name, _read(proxy.root, name), tuple(keys), True) for name in names])


def unregister(proxy: WriteProxy, path: Path) -> None:
    """Guard it no longer."""
    with proxy.ledger.transaction():
        for one in _behind(path):
            name = _name(proxy.root, one)
            proxy.ledger.change("DELETE FROM kept WHERE root=? AND path=?", (proxy.ledger.root_id, name))


def _behind(path: Path) -> list[Path]:
    """The file, and the one that it is a link to."""
    return [path, Path(os.path.realpath(path))] if path.is_symlink() else [path]


def kept(ledger: Ledger) -> dict[str, Kept]:
    """The copies of this folder, by path."""
    rows = ledger.query("SELECT path, sha, keys, mode, registered FROM kept WHERE root=?", (ledger.root_id,))
    return {str(r[0]): Kept(r[0], r[1], tuple(json.loads(r[2] or "[]")), int(r[3]), bool(r[4])) for r in rows}


def take(proxy: WriteProxy, policies: Iterable[str]) -> None:
    """Keep the files as they are: a person left them so. `policies` are the policy files below the folder."""
    known = kept(proxy.ledger)
    names = {**dict.fromkeys(policies, ()), **{k.path: k.keys for k in known.values()}}
    names.setdefault(POLICY_FILE, ())
    wanted = []
    for name, keys in names.items():
        reading = _read(proxy.root, name)
        before = known.get(name)
        if before is None or before.sha != (reading.sha256 if reading else ""):
            wanted.append((name, reading, keys, bool(before and before.registered)))
    if wanted:
        _keep(proxy, wanted)


def differing(proxy: WriteProxy, known: Mapping[str, Kept], policies: Iterable[str]) -> list[str]:
    """Paths of the files that are not as a person left them; policy files that nobody kept among them."""
    out = []
    for one in known.values():
        reading = _read(proxy.root, one.path)
        if reading is None or reading.sha256 != one.sha:
            out.append(one.path)
    return out + [path for path in policies if path not in known]


def put_back(proxy: WriteProxy, names: Iterable[str]) -> list[tuple[str, str, str]]:
    """Bring files back to what a person left: (path, what was done, sha of what was there). The agent's version is
    kept in the store. Files whose counting keys are as they were keep their new content."""
    known = kept(proxy.ledger)
    out = []
    for name in names:
        one = known.get(name, Kept(name, ""))
        now = _read(proxy.root, name)
        if now is not None and _same_keys(one, proxy.ledger.load(one.sha), now.data):
            _keep(proxy, [(name, now, one.keys, one.registered)])
            continue
        out.append((name, _restore(proxy, one, now), now.sha256 if now else ""))
    return out


def _restore(proxy: WriteProxy, one: Kept, now: Reading | None) -> str:
    from firewall.agents import obstacles

    path = _full(proxy.root, one.path)
    with proxy.ledger.transaction():
        if now is not None and now.data is not None:
            proxy.ledger.save(now.sha256, now.data)
        origin = proxy.origin()
        proxy.ledger.append(
            "settings", origin.at, old=now.sha256 if now else "", new=one.sha, session=origin.session,
            source=origin.source, data={"path": one.path},
        )  # fmt: skip
    data = proxy.ledger.load(one.sha)
    if now is None or stat.S_ISLNK(now.mode):
        obstacles.clear(path)
        now = disk.MISSING
    try:
        if data is not None and stat.S_ISLNK(one.mode):
            return _restore_link(path, data, now)
        if data is None:
            disk.remove(path, now)
            return "removed"
        made = disk.create_folders(path)
        try:
            disk.replace(path, data, now if now.data is not None else now._replace(mode=one.mode))
        except BaseException:
            disk.remove_folders(made)
            raise
    except disk.Replaced:
        return "changed again meanwhile"
    return "put back"


def _restore_link(path: Path, data: bytes, now: Reading) -> str:
    if now.data is not None:
        disk.remove(path, now)
    try:
        path.symlink_to(os.fsdecode(data.removeprefix(LINK)))
    except OSError as error:
        raise StorageError(action="link", path=path, reason=error.strerror or str(error)) from None
    return "put back"


def _same_keys(one: Kept, before: bytes | None, after: bytes | None) -> bool:
    """Do the keys that count say what they said?"""
    if not one.keys or stat.S_ISLNK(one.mode):
        return False
    old, new = _parsed(one.path, before), _parsed(one.path, after)
    if old is None or new is None:
        return False
    return all(old.get(key) == new.get(key) for key in one.keys)


def _parsed(path: str, data: bytes | None) -> dict[str, object] | None:
    if data is None:
        return {}
    try:
        if path.endswith(".toml"):
            import tomllib

            return tomllib.loads(data.decode("utf-8-sig"))
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _keep(proxy: WriteProxy, wanted: Sequence[tuple[str, Reading | None, tuple[str, ...], bool]]) -> None:
    with proxy.ledger.transaction():
        for name, reading, keys, registered in wanted:
            there = reading is not None and reading.data is not None
            if reading is not None and reading.data is not None:
                proxy.ledger.save(reading.sha256, reading.data)
            proxy.ledger.change(
                "INSERT OR REPLACE INTO kept (root, path, sha, keys, mode, registered) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    proxy.ledger.root_id, name, reading.sha256 if reading else "", json.dumps(keys) if keys else "",
                    reading.mode if reading and there else 0o644, int(registered),
                ),
            )  # fmt: skip


def _read(root: Path, name: str) -> Reading | None:
    """The file, or a link as a reading of what it says; MISSING where there is none, None for anything else."""
    path = _full(root, name)
    try:
        return disk.read(path, LARGEST)
    except StorageError:
        pass
    try:
        data = LINK + os.fsencode(os.readlink(path))  # noqa: PTH115 - bytes as they are
    except OSError:
        return None
    return disk.MISSING._replace(data=data, sha256=disk.sha256(data), mode=stat.S_IFLNK | 0o777)


def _full(root: Path, name: str) -> Path:
    return Path(name) if os.path.isabs(name) else root / name  # noqa: PTH117 - a name, not yet a path


def _name(root: Path, path: Path) -> str:
    full = Path(os.path.realpath(path.parent)) / path.name
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else str(full)
