"""Putting a kept settings or policy file back on the disk, and telling whether one still says what counts."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from firewall.agents import unnamed
from firewall.agents.protected_settings import LINK, full
from firewall.errors import StorageError
from firewall.values import TYPE_CHECKING
from firewall.writes import disk

if TYPE_CHECKING:
    from firewall.agents.protected_settings import Kept
    from firewall.writes.disk import Reading
    from firewall.writes.proxy import WriteProxy


def restore(proxy: WriteProxy, one: Kept, now: Reading | None) -> tuple[str, int]:
    """Put a file back; what was done, and the journal's entry that has what stood there. Raises StorageError."""
    with proxy.ledger.transaction():
        if now is not None and now.data is not None:
            proxy.ledger.save(now.sha256, now.data)
        origin = proxy.origin()
        number = proxy.ledger.append(
            "settings", origin.at, old=now.sha256 if now else "", new=one.sha, session=origin.session,
            source=origin.source, data={"path": unnamed.shown(one.path)},
        )  # fmt: skip
    return _placed(proxy, one, now), number


def _placed(proxy: WriteProxy, one: Kept, now: Reading | None) -> str:
    from firewall.agents import obstacles

    path = full(proxy.root, one.path)
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


def same_keys(one: Kept, before: bytes | None, after: bytes | None) -> bool:
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
            from firewall import tomls

            return tomls.loads(data.decode("utf-8-sig"))
        from firewall.agents.install import settings

        value = json.loads(settings.bare(Path(path), data.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
