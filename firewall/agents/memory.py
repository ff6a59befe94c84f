"""Guarded files as they were when last found to be what the ledger says: none of them need be read again.

Kept in the ledger, beside what it is about. Nothing of it is believed: a file is passed over only where all of its
signature is what the disk shows, and all files at once only where the list of the ledger's files is the same as well.
So one that is damaged, cut short or of another folder costs a second look, and lets nothing through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from firewall.agents.walk import SIGNED
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from firewall.agents.walk import Found
    from firewall.writes.ledger import Ledger
    from firewall.writes.proxy import WriteProxy

_FORM = "stet 2"
BETWEEN = "//"
"""Stands between the paths of a list: no path below a folder holds two."""
UNSURE = "/"
"""In place of the ledger's list: more may have to be looked at than what is remembered. No list is this."""


class Memory(NamedTuple):
    """What is remembered of a folder.

    `rules` is what decided which files count; `listed` the paths of the ledger's files when each of them was either
    found to be as the ledger says or none that counts, else UNSURE. `folders` is as in walk.Found.
    """

    rules: str = ""
    listed: str = UNSURE
    folders: Mapping[str, tuple[str, bytes]] = {}

    def is_all_of(self, found: Found, rules: str, listed: str) -> bool:
        """Is everything as it was, so that nothing has to be looked at more closely?"""
        return (
            not found.closed
            and self.rules == rules
            and self.listed == listed
            and self.folders == found.folders
            and not any(f"//{path}//" in f"//{listed}//" for path in found.odd)
        )


def rules_of(proxy: WriteProxy, nested: Iterable[str]) -> str:
    """What decides which files of the project count."""
    return json.dumps([str(proxy.root), proxy.protection, sorted(nested)])


_last: tuple[Ledger, object, str] | None = None
"""The ledger that was asked last, a mark of what it held then, and its list."""


def listed(proxy: WriteProxy) -> str:
    """The paths of the files that the ledger knows, with BETWEEN between them, in the order of its index.

    Nothing is read twice while SQLite says that neither this connection nor another changed anything. Not for the
    middle of a transaction, which may be taken back.
    """
    global _last
    ledger = proxy.ledger
    mark = ledger.query("SELECT total_changes(), data_version, ? FROM pragma_data_version", (ledger.root_id,))
    if _last is None or _last[0] is not ledger or _last[1] != mark:
        rows = ledger.query(
            "SELECT group_concat(path, ?) FROM artifacts WHERE root=? AND disk<>''", (BETWEEN, ledger.root_id)
        )
        _last = ledger, mark, str(rows[0][0] or "")
    return _last[2]


def load(proxy: WriteProxy) -> Memory:
    """What is remembered; nothing where that is not of this form, or of another place."""
    rows = proxy.ledger.query("SELECT files FROM manifests WHERE root=?", (proxy.ledger.root_id,))
    data = rows[0][0] if rows else b""
    return decoded(data, str(proxy.root)) if isinstance(data, bytes) else Memory()


def save(proxy: WriteProxy, memory: Memory) -> None:
    """Remember. That it may be lost again costs a second look."""
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.change(
            "INSERT OR REPLACE INTO manifests VALUES (?, ?)",
            (proxy.ledger.root_id, encoded(memory, str(proxy.root))),
        )


def encoded(memory: Memory, place: str) -> bytes:
    """The bytes that are kept: JSON, a NUL, and the signatures one after another."""
    folders = {prefix: names for prefix, (names, _) in memory.folders.items()}
    head = json.dumps([_FORM, place, memory.rules, memory.listed, folders])
    return b"\0".join((head.encode(), b"".join(signatures for _, signatures in memory.folders.values())))


def decoded(data: bytes, place: str) -> Memory:
    """What `encoded` made for this place; nothing for anything else."""
    head, _, rest = data.partition(b"\0")
    try:
        form, where, rules, paths, names = json.loads(head)
        if (form, where) != (_FORM, place):
            return Memory()
        folders = {}
        at = 0
        for prefix, some in names.items():
            end = at + SIGNED * (some.count("/") + 1)
            folders[prefix] = (some, rest[at:end])
            at = end
    except (ValueError, TypeError, AttributeError, RecursionError):
        return Memory()
    return Memory(rules, paths, folders) if at == len(rest) else Memory()
