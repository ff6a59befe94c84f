"""The policy in force, opened lean: compiled once for each pinned text, text on disk and version of this program.

What was compiled lies in the ledger under a key over all three, with a hash of its own. Where the key does not
match, or what lies there is damaged, the two texts are read with pydantic and compiled anew.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from firewall import jsons
from firewall.digest import sha256
from firewall.errors import StateBroken, StetError
from firewall.policy import compiled
from firewall.policy.compiled import Compiled
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import pinned
from firewall.writes.ledger import Ledger

if TYPE_CHECKING:
    from firewall.policy import Policy

_COMPILED = "compiled"
_ACCEPTED = "the accepted stet.toml"


class Force(NamedTuple):
    """The texts that make the policy in force: the accepted one and the one on disk ('' where there is none)."""

    pinned: str
    disk: str

    @property
    def hash(self) -> str:
        """The name of this policy in the memory of refusals."""
        return sha256(f"{self.pinned}\0{self.disk}".encode("utf-8", "surrogatepass"))


def texts(ledger: Ledger, disk: str) -> Force:
    """What is pinned and what is on disk; the first one seen is pinned, as a person made it."""
    text = pinned.read(ledger)
    if text is None:
        with ledger.transaction():
            pinned.pin(ledger, disk)
        text = disk
    return Force(text, disk)


def parsed(force: Force) -> Policy:
    """The policy in force, read in full. Raises PolicyError, and StateBroken where the file names another project."""
    from firewall.policy import parse_policy
    from firewall.policy.merge import in_force

    current = parse_policy(force.disk)
    if force.pinned == force.disk:
        return current
    ours = parse_policy(force.pinned, _ACCEPTED)
    if current.project.id != ours.project.id:
        raise StateBroken(
            detail=f"stet.toml names the project {current.project.id}, and its record is that of {ours.project.id}",
            fix=f'Put `id = "{ours.project.id}"` back into stet.toml.',
        )
    return in_force(ours, current)


def in_force(ledger: Ledger, force: Force) -> Compiled:
    """The policy in force as plain values. Raises as `parsed` does where it was never compiled."""
    key = sha256(f"{force.hash}\0{_program()}".encode())
    known = _known(ledger.meta(_COMPILED), key)
    if known is not None:
        return known
    fresh = compiled.compile_policy(parsed(force))
    text = compiled.dump(fresh)
    with contextlib.suppress(StetError), ledger.transaction(durable=False):  # it saves time, no more
        ledger.set_meta(_COMPILED, jsons.dumps([key, _sha(text), text]))
    return fresh


def _known(stored: str | None, key: str) -> Compiled | None:
    try:
        theirs, sha, text = jsons.loads(stored or "")
        if theirs == key and sha == _sha(text):
            return compiled.read(text)
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return None


def _sha(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))


def _program() -> str:
    """What the policy's code is on this machine: another release has other defaults, or other fields."""
    folder = Path(compiled.__file__).parent
    with os.scandir(folder) as entries:
        files = sorted((e.name, e.stat().st_size, e.stat().st_mtime_ns) for e in entries if e.name.endswith(".py"))
    return jsons.dumps(files)
