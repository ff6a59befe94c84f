"""Another name for a file. A name that a guarded file had before keeps its record, its versions and what is owed to it.

So nothing is renamed onto such a name: the file there is written anew, by its own floors, and the one that would have
got the name is deleted, its words standing in the first. Otherwise a stub could take the place of a chapter that was
moved away, and nobody would answer for the chapter any more.
"""

from __future__ import annotations

from pathlib import Path

from firewall.values import TYPE_CHECKING
from firewall.writes import disk
from firewall.writes.proposal import Proposal

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy


def proposals(proxy: WriteProxy, path: Path, new: Path, **options: object) -> list[Proposal]:
    """The rename of `path` to `new`, or what stands for it; the one of the new name comes first. Options are
    Proposal's fields. Raises StorageError."""
    target, place = proxy.target(path), proxy.target(new)
    if target.problem or place.problem or proxy.ledger.artifact(place.relative) is None:
        return [Proposal(path, None, rename_to=new, **options)]  # type: ignore[arg-type]
    if disk.read(place.real, proxy.limits.max_bytes).data is not None:
        return [Proposal(path, None, rename_to=new, **options)]  # type: ignore[arg-type]
    reading = disk.read(target.real, proxy.limits.max_bytes)
    if reading.data is None:
        return [Proposal(path, None, rename_to=new, **options)]  # type: ignore[arg-type]
    stop = {"stop_reason": options["stop_reason"]} if "stop_reason" in options else {}
    options.setdefault("base", reading.sha256)  # what is taken away is what was copied, whoever writes meanwhile
    return [Proposal(new, reading.data, **stop), Proposal(path, None, **options)]  # type: ignore[arg-type]
