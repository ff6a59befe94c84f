"""The policy as a person last accepted it, kept in the ledger with its hash: damage must not loosen a rule."""

from __future__ import annotations

from firewall.digest import sha256
from firewall.errors import StateBroken
from firewall.writes.database import RESTORE
from firewall.writes.ledger import Ledger

_TEXT, _HASH, _PERSON = "policy", "policy_sha256", "policy_person"


def read(ledger: Ledger) -> str | None:
    """The text of the accepted stet.toml, None before any was. Raises StateBroken where it is damaged."""
    text = ledger.meta(_TEXT)
    if text is not None and _hash(text) != ledger.meta(_HASH):
        raise StateBroken(detail="the accepted policy in its ledger is damaged", fix=RESTORE)
    return text


def pin(ledger: Ledger, text: str, *, person: bool = False) -> None:
    """Make `text` the accepted policy. Inside a transaction. `person`: one was there and said so."""
    ledger.set_meta(_TEXT, text)
    ledger.set_meta(_HASH, _hash(text))
    if person:
        ledger.set_meta(_PERSON, _hash(text))


def by_a_person(ledger: Ledger) -> bool:
    """Did a person accept the policy in force, or was it only the first one seen (a clone's, say)?"""
    text = ledger.meta(_TEXT)
    return text is not None and ledger.meta(_PERSON) == _hash(text)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))
