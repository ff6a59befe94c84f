"""A cheap look at the guarded files: which are not as the ledger knows them?

One walk over the folders, one `lstat` a file; a file is read only where its size, times or inode differ from those
it had when it was last found to be what the ledger says. Times that are too fresh to tell two changes apart
(a file system's clock ticks slowly) are not remembered, so that such a file is read again.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firewall.errors import StorageError
from firewall.writes import disk, protection
from firewall.writes.paths import BOOK_FILE, POLICY_FILE
from firewall.writes.protection import Protection

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

FRESH_NS = 100_000_000
"""A file changed less than this ago may change again within the same tick of its file system's clock."""


class Changes(NamedTuple):
    """Paths below the project, with `/`, sorted.

    `changed` are known files that are not as the ledger knows them, or where something else stands (a link, a folder,
    a file nobody may read); `missing` known files that are gone; `new` guarded files that the ledger does not know.
    `guarded` are settings and policy files that are not as a person left them; `closed` folders that cannot be
    looked into, so that nobody can say what is in them.
    """

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All guarded files that differ."""
        return tuple(sorted((*self.changed, *self.missing, *self.new)))

    def __bool__(self) -> bool:
        return any(self)


class Found(NamedTuple):
    """What a walk found: signatures by path, other policy files, folders that cannot be listed.

    A signature is '' for what is no regular file.
    """

    files: dict[str, str]
    policies: list[str]
    closed: list[str]


def look(proxy: WriteProxy) -> Changes:
    """What differs from what the ledger knows. Remembers the signatures of what was read and is the same."""
    from firewall.agents import protected_settings

    ledger = proxy.ledger
    kept = protected_settings.kept(ledger)
    nested = {path.rpartition("/")[0] for path, one in kept.items() if one.sha and path.endswith("/" + POLICY_FILE)}
    rows = ledger.query(
        "SELECT a.path, a.disk, a.id, s.sha, s.signature FROM artifacts a LEFT JOIN signatures s ON s.artifact=a.id"
        " WHERE a.root=?",
        (ledger.root_id,),
    )
    known = {row[0]: row for row in rows if row[1]}
    found = walk(str(proxy.root), proxy.protection, frozenset(known), frozenset(nested))
    changed: list[str] = []
    same: list[tuple[int, str, str]] = []
    for path, signature in found.files.items():
        row = known.pop(path, None)
        if row is None:
            continue
        if row[4] == signature and row[3] == row[1]:
            continue
        if signature and _may_hold(row, signature) and _holds(proxy, path, row[1]):
            same.append((row[2], row[1], signature))
        else:
            changed.append(path)
    paths = {row[0] for row in rows if row[1]}
    new = [path for path, signature in found.files.items() if signature and path not in paths and _is_name(path)]
    shut = tuple(f"{folder}/" for folder in found.closed)
    missing = [
        path
        for path in known
        if "\0" not in path
        and not path.startswith(shut)
        and not _is_nested(path, nested)
        and protection.is_protected(path, proxy.protection)
    ]
    guarded = protected_settings.differing(proxy, kept, found.policies)
    if same:
        remember(proxy, same)
    return Changes(
        tuple(sorted(changed)),
        tuple(sorted(missing)),
        tuple(sorted(new)),
        tuple(sorted(guarded)),
        tuple(sorted(found.closed)),
    )


def remember(proxy: WriteProxy, same: Iterable[tuple[int, str, str]]) -> None:
    """Keep signatures: (artifact, sha, signature), where the times are old enough to tell the next change."""
    now = time.time_ns()
    rows = [one for one in same if int(one[2].split()[2]) < now - FRESH_NS and int(one[2].split()[1]) < now - FRESH_NS]
    if not rows:
        return
    with proxy.ledger.transaction(durable=False):
        for row in rows:
            proxy.ledger.change("INSERT OR REPLACE INTO signatures VALUES (?, ?, ?)", row)


def refresh(proxy: WriteProxy, names: Iterable[str]) -> None:
    """Read files that were dealt with and are known now, so that the next look need not."""
    same = []
    for path in names:
        artifact = proxy.ledger.artifact(path)
        if artifact is None or not artifact.disk:
            continue
        try:
            signature = signature_of(os.lstat(f"{proxy.root}/{path}"))
        except OSError:
            continue
        if signature and _holds(proxy, path, artifact.disk):
            same.append((artifact.id, artifact.disk, signature))
    remember(proxy, same)


def walk(root: str, rules: Protection, known: frozenset[str], nested: frozenset[str] = frozenset()) -> Found:
    """Guarded files below `root`, by name, links not followed; in `nested` folders another project has the say."""
    found = Found({}, [], [])
    plain = not (rules.include or rules.exclude or rules.delete_only)
    extensions = frozenset(rules.extensions)
    stack = [("", root)]
    while stack:
        prefix, folder = stack.pop()
        try:
            entries = os.scandir(folder)
        except OSError as error:
            if not prefix:
                raise StorageError(action="list", path=root, reason=error.strerror or str(error)) from None
            found.closed.append(prefix[:-1])
            continue
        with entries:
            for entry in entries:
                name = entry.name
                path = prefix + name
                if entry.is_dir(follow_symlinks=False):
                    if name not in protection.NEVER and path not in nested:
                        stack.append((path + "/", entry.path))
                    if path in known and protection.is_protected(path, rules):
                        found.files[path] = ""
                    continue
                if name.lower() in (POLICY_FILE, BOOK_FILE):
                    found.policies.append(path)
                    continue
                if plain:
                    _, dot, extension = name.rpartition(".")
                    if not dot or extension.lower() not in extensions:
                        continue
                elif not protection.is_protected(path, rules):
                    continue
                try:
                    found.files[path] = signature_of(entry.stat(follow_symlinks=False))
                except OSError:
                    if path in known:
                        found.files[path] = ""
    return found


def signature_of(info: os.stat_result) -> str:
    """What changes when a file does: size, times of content and inode in ns, inode number; '' for no regular file."""
    if not stat.S_ISREG(info.st_mode):
        return ""
    return f"{info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}"


def _may_hold(row: Sequence[str | None], signature: str) -> bool:
    """Another size is another content, without a look."""
    remembered = row[4]
    return remembered is None or row[3] != row[1] or remembered.split()[0] == signature.split()[0]


def _holds(proxy: WriteProxy, path: str, sha: str) -> bool:
    try:
        return disk.read(Path(f"{proxy.root}/{path}"), proxy.limits.max_bytes).sha256 == sha
    except StorageError:
        return False


def _is_nested(path: str, nested: Iterable[str]) -> bool:
    return any(path.startswith(folder + "/") for folder in nested)


def _is_name(path: str) -> bool:
    """Can it be an artifact's? One that is not UTF-8 cannot."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
