"""A cheap look at the guarded files: which are not as the ledger knows them?

One walk over the folders, one `lstat` a file; a file is read only where its size, times or inode differ from those
it had when it was last found to be what the ledger says. Times that are too fresh to tell two changes apart
(a file system's clock ticks slowly) are not remembered, so that such a file is read again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firewall.errors import StorageError
from firewall.writes import disk, protection
from firewall.writes.paths import BOOK_FILE, POLICY_FILE
from firewall.writes.protection import Protection

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

MOST_SYNCED = 64
"""Changed files that are synced one by one; more are left to one sync of everything."""
FRESH_NS = 100_000_000
"""A file changed less than this ago may change again within the same tick of its file system's clock."""


class Changes(NamedTuple):
    """Paths below the project, with `/`, sorted.

    `changed` are known files that are not as the ledger knows them, or where something else stands (a link, a folder,
    a file nobody may read); `missing` known files that are gone; `new` guarded files that the ledger does not know.
    `guarded` are settings and policy files that are not as a person left them; `closed` folders that cannot be
    looked into, so that nobody can say what is in them. `signatures` are those of the files that differ.
    """

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    signatures: Mapping[str, str] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """All guarded files that differ."""
        return tuple(sorted((*self.changed, *self.missing, *self.new)))

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.new or self.guarded or self.closed)


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
    rows = ledger.query("SELECT path FROM artifacts WHERE root=? AND disk<>''", (ledger.root_id,))
    known = {path for (path,) in rows}
    found = walk(str(proxy.root), proxy.protection, known, frozenset(nested))
    there = set(map("\0".join, found.files.items()))
    remembered = _remembered(proxy)
    differ = dict(line.split("\0") for line in there - remembered)
    _write_out(str(proxy.root), [path for path, signature in differ.items() if signature])
    changed: list[str] = []
    same: list[str] = []
    for path, signature in differ.items() if known else ():
        if path not in known:
            continue
        if signature and _holds(proxy, path):
            same.append(path)
        else:
            changed.append(path)
    new = [p for p, signature in differ.items() if signature and p not in known and _is_name(p)]
    shut = tuple(f"{folder}/" for folder in found.closed)
    missing = [path for path in known.difference(found.files) if _is_missing(proxy, path, shut, nested)]
    guarded = protected_settings.differing(proxy, kept, found.policies)
    if same:
        _remember(proxy, (remembered & there) | set(_settled(differ, same)))
    return Changes(
        tuple(sorted(changed)),
        tuple(sorted(missing)),
        tuple(sorted(new)),
        tuple(sorted(guarded)),
        tuple(sorted(found.closed)),
        differ,
    )


_NO_SURPRISE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
"""Neither wait for the other end of a FIFO, nor follow a link; what has neither has no such files."""


def _write_out(root: str, names: Sequence[str]) -> None:
    """Let what a memory map changed reach the disk before the files are read: a map's later change of a page that is
    still to be written leaves the times as they are, and the signature would not tell of it."""
    if len(names) > MOST_SYNCED and hasattr(os, "sync"):
        os.sync()
        return
    for name in names:
        try:
            file = os.open(f"{root}/{name}", os.O_RDONLY | _NO_SURPRISE)
        except OSError:
            continue  # what cannot be opened is told of where it is read
        try:
            os.fsync(file)
        except OSError:
            pass
        finally:
            os.close(file)


def _is_missing(proxy: WriteProxy, path: str, closed: tuple[str, ...], nested: Iterable[str]) -> bool:
    if "\0" in path or path.startswith(closed) or any(path.startswith(folder + "/") for folder in nested):
        return False
    return protection.is_protected(path, proxy.protection)


def dealt_with(proxy: WriteProxy, changes: Changes, names: Iterable[str]) -> None:
    """Remember the signatures of files that were read and that the ledger now knows as they were then."""
    lines = set(_settled(changes.signatures, names))
    if lines:
        _remember(proxy, _remembered(proxy) | lines)


def _settled(signatures: Mapping[str, str], names: Iterable[str]) -> Iterator[str]:
    """Lines to remember: of files whose times are old enough to tell the next change. The signature was taken before
    the file was read: one that changed in between has another by now."""
    latest = time.time_ns() - FRESH_NS
    for path in names:
        signature = signatures.get(path, "")
        if signature and all(int(ns) < latest for ns in signature.split()[1:3]):
            yield f"{path}\0{signature}"


def _remembered(proxy: WriteProxy) -> set[str]:
    rows = proxy.ledger.query("SELECT files FROM manifests WHERE root=?", (proxy.ledger.root_id,))
    return set(rows[0][0].split("\0\0")) if rows else set()


def _remember(proxy: WriteProxy, lines: set[str]) -> None:
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.change(
            "INSERT OR REPLACE INTO manifests VALUES (?, ?)", (proxy.ledger.root_id, "\0\0".join(sorted(lines)))
        )


def walk(root: str, rules: Protection, known: AbstractSet[str], nested: frozenset[str] = frozenset()) -> Found:
    """Guarded files below `root`, by name, links not followed; in `nested` folders another project has the say.

    A loop for ten thousand files: no call in it that is not needed for each.
    """
    found = Found({}, [], [])
    files = found.files
    plain = not (rules.include or rules.exclude or rules.delete_only)
    extensions = frozenset(rules.extensions)
    never = frozenset(protection.NEVER)
    stack = [("", root)]
    while stack:
        prefix, folder = stack.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    if entry.is_dir(follow_symlinks=False):
                        path = prefix + name
                        if name not in never and path not in nested:
                            stack.append((path + "/", entry.path))
                        if path in known and protection.is_protected(path, rules):
                            files[path] = ""
                        continue
                    dot = name.rfind(".")
                    extension = name[dot + 1 :].lower() if dot >= 0 else ""
                    if extension == "toml" and name.lower() in (POLICY_FILE, BOOK_FILE):
                        found.policies.append(prefix + name)
                        continue
                    path = prefix + name
                    if not (extension in extensions and dot >= 0 if plain else protection.is_protected(path, rules)):
                        continue
                    try:
                        info = entry.stat(follow_symlinks=False)
                    except OSError:  # gone meanwhile
                        continue
                    if info.st_mode & 0o170000 == 0o100000:
                        files[path] = f"{info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}"
                    elif path in known:
                        files[path] = ""
        except OSError as error:
            if not prefix:
                raise StorageError(action="list", path=root, reason=error.strerror or str(error)) from None
            found.closed.append(prefix[:-1])
    return found


def _holds(proxy: WriteProxy, path: str) -> bool:
    """Does the file hold what the ledger says?"""
    artifact = proxy.ledger.artifact(path)
    if artifact is None:
        return False
    from firewall.agents import seal

    if not seal.follows(proxy.ledger, artifact):
        raise seal.tampered(artifact)
    try:
        return disk.read(Path(f"{proxy.root}/{path}"), proxy.limits.max_bytes).sha256 == artifact.disk
    except StorageError:
        return False


def _is_name(path: str) -> bool:
    """Can it be an artifact's? One that is not UTF-8 cannot."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
