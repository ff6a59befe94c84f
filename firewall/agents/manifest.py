"""A cheap look at the guarded files: which are not as the ledger knows them?

One walk over the folders, one `lstat` a file; a file is read only where its size, times, inode or device differ from
those it had when it was last found to be what the ledger says. Times that are too fresh to tell two changes apart
(a file system's clock ticks slowly) are not remembered, so that such a file is read again; so is one whose times lie
ahead, where a clock was set back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firewall.agents import memory, unnamed
from firewall.agents.memory import BETWEEN, UNSURE, Memory
from firewall.agents.walk import Found, latest_change, split, walk
from firewall.errors import StorageError
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import disk, protection

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
    looked into, so that nobody can say what is in them. `signatures` are those of the files that differ. `unnamed` are
    the keys of files that the record cannot name (unnamed.py), whether they differ or not.
    """

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    signatures: Mapping[str, bytes] = {}
    unnamed: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All guarded files that differ."""
        return tuple(sorted((*self.changed, *self.missing, *self.new)))

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.new or self.guarded or self.closed)


def look(proxy: WriteProxy) -> Changes:
    """What differs from what the ledger knows. Remembers the signatures of what was read and is the same."""
    from firewall.agents import protected_settings

    kept = protected_settings.kept(proxy.ledger)
    nested = protected_settings.nested(proxy, kept)
    rules = memory.rules_of(proxy, nested)
    found = walk(str(proxy.root), proxy.protection, frozenset(nested))
    listed = memory.listed(proxy)
    before = memory.load(proxy)
    guarded = tuple(sorted(protected_settings.differing(proxy, kept, found.policies)))
    if before.is_all_of(found, rules, listed):
        return Changes(guarded=guarded)
    known = frozenset(listed.split(BETWEEN)) if listed else frozenset[str]()
    there, differ = _differing(found, before, known)
    _write_out(str(proxy.root), [path for path, signature in differ.items() if signature])
    changed: list[str] = []
    same: list[str] = []
    for path in differ.keys() & known:
        (same if differ[path] and _holds(proxy, path) else changed).append(path)
    new = [path for path, signature in differ.items() if signature and path not in known]
    nameless = tuple(sorted(unnamed.key(path) for path in new if not unnamed.is_name(path)))
    if nameless:
        new = [path for path in new if unnamed.is_name(path)]
    shut = tuple(f"{folder}/" for folder in found.closed)
    missing = [path for path in known - there if _is_missing(proxy, path, shut, nested)]
    if not (changed or missing or new) or same:
        fine = {**dict.fromkeys(there - differ.keys(), b""), **_settled(differ, same)}
        whole = fine.keys() == there and not (missing or found.closed)
        after = Memory(rules, listed if whole else UNSURE, _only(found, fine))
        if after != before:
            memory.save(proxy, after)
    return Changes(
        tuple(sorted(changed)), tuple(sorted(missing)), tuple(sorted(new)), guarded, tuple(sorted(found.closed)),
        differ, nameless,
    )  # fmt: skip


def _differing(found: Found, before: Memory, known: frozenset[str]) -> tuple[set[str], dict[str, bytes]]:
    """All paths that are there, and the signatures (b'' for what is no regular file) of those that are not as
    remembered, or that the ledger does not know."""
    there: set[str] = set()
    differ: dict[str, bytes] = {}
    for prefix, (names, signatures) in found.folders.items():
        paths = [prefix + name for name in names.split("/")]
        there.update(paths)
        if before.folders.get(prefix) == (names, signatures) and known.issuperset(paths):
            continue
        earlier = split(*before.folders[prefix]) if prefix in before.folders else {}
        for name, signature in split(names, signatures).items():
            path = prefix + name
            if earlier.get(name) != signature or path not in known:
                differ[path] = signature
    odd = known.intersection(found.odd)
    return there | odd, {**differ, **dict.fromkeys(odd, b"")}


def _only(found: Found, fine: Mapping[str, bytes]) -> dict[str, tuple[str, bytes]]:
    """Of what was found, the files that are as the ledger says."""
    folders = {}
    for prefix, (names, signatures) in found.folders.items():
        if all(prefix + name in fine for name in names.split("/")):
            folders[prefix] = (names, signatures)
            continue
        some = {n: s for n, s in split(names, signatures).items() if prefix + n in fine}
        if some:
            folders[prefix] = ("/".join(some), b"".join(some.values()))
    return folders


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
    lines = _settled(changes.signatures, names)
    if not lines:
        return
    before = memory.load(proxy)
    folders = dict(before.folders)
    of_folder: dict[str, dict[str, bytes]] = {}
    for path, signature in lines.items():
        prefix, slash, name = path.rpartition("/")
        of_folder.setdefault(prefix + slash, {})[name] = signature
    for prefix, some in of_folder.items():
        known = {**split(*folders[prefix]), **some} if prefix in folders else some
        folders[prefix] = ("/".join(known), b"".join(known.values()))
    memory.save(proxy, Memory(before.rules, UNSURE, folders))


def _settled(signatures: Mapping[str, bytes], names: Iterable[str]) -> dict[str, bytes]:
    """Signatures to remember: of files whose times are old enough to tell the next change. The signature was taken
    before the file was read: one that changed in between has another by now."""
    latest = time.time_ns() - FRESH_NS
    out = {}
    for path in names:
        signature = signatures.get(path)
        if signature and latest_change(signature) < latest:
            out[path] = signature
    return out


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
