"""The policy as a person last accepted it, kept in the ledger with its hash: damage must not loosen a rule."""

from __future__ import annotations

import hashlib

from firewall.errors import StateBroken
from firewall.writes.ledger import RESTORE, Ledger

_TEXT, _HASH = "policy", "policy_sha256"


def read(ledger: Ledger) -> str | None:
    """The text of the accepted stet.toml, None before any was. Raises StateBroken where it is damaged."""
    text = ledger.meta(_TEXT)
    if text is not None and _hash(text) != ledger.meta(_HASH):
        raise StateBroken(detail="the accepted policy in its ledger is damaged", fix=RESTORE)
    return text


def pin(ledger: Ledger, text: str) -> None:
    """Make `text` the accepted policy. Inside a transaction."""
    ledger.set_meta(_TEXT, text)
    ledger.set_meta(_HASH, _hash(text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
