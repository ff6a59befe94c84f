"""A file that stands where it is and is nobody's version: a new one that was refused (firewall/agents/left.py). It
gives way to an allowed proposal, and to nothing else.
"""

from __future__ import annotations

from firewall.values import TYPE_CHECKING
from firewall.writes import disk
from firewall.writes.records import PROPOSED

if TYPE_CHECKING:
    from firewall.writes.disk import Reading
    from firewall.writes.proxy import WriteProxy
    from firewall.writes.records import Artifact

KIND = "left"
"""The journal's word for a new file that stays and is not accepted."""


def sha(proxy: WriteProxy, artifact: Artifact | None) -> str:
    """The hash of the bytes with which the file was left where it is, '' where it was not."""
    if artifact is None or artifact.disk:
        return ""
    rows = proxy.ledger.query(
        "SELECT kind, new FROM journal WHERE artifact=? AND kind NOT IN (?, ?, ?, ?, ?) ORDER BY seq DESC LIMIT 1",
        (artifact.id, *PROPOSED),
    )
    return str(rows[0][1]) if rows and rows[0][0] == KIND else ""


def there(proxy: WriteProxy, artifact: Artifact) -> Reading | None:
    """The file as it was left, if it is still so: an allowed proposal may take its place. The lock is held. Raises
    StorageError."""
    kept = sha(proxy, artifact)
    reading = disk.read(proxy.root / artifact.path, proxy.limits.max_bytes) if kept else None
    return reading if reading is not None and reading.sha256 == kept else None
