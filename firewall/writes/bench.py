"""What judgements are made with, and a judged proposal."""

from __future__ import annotations

from collections.abc import Mapping

from firewall.digest import Hashed, by_hash
from firewall.values import NamedTuple
from firewall.verdict import Verdict
from firewall.writes.asking import Origin
from firewall.writes.disk import Reading
from firewall.writes.facts import Facts
from firewall.writes.ledger import Ledger
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.moves import Holder
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal
from firewall.writes.protection import Protection
from firewall.writes.records import Artifact, Grant, Standing

_NOTHING: Mapping[str, Standing] = {}


class Bench(NamedTuple):
    """What a judgement is made with: the ledger, the numbers, what is protected, who asks.

    `lifted` names the rules that a person's own answer lifts, and with them the latch and the memory of
    refusals. Only the code behind an answer sets it. `turn_open`: an agent's turn is open, so that nothing it may have
    done to the disk is taken for a person's. `standing` is what the ledger was just asked about artifacts, by path.
    """

    ledger: Ledger
    limits: Limits
    protection: Protection
    policy_hash: str
    origin: Origin
    lifted: frozenset[str] = frozenset()
    turn_open: bool = False
    standing: Mapping[str, Standing] = _NOTHING


class Owed(NamedTuple):
    """How an artifact stands whose text the judged one holds, once the proposal is in place.

    `verdict` is that of the rules that ask whether a text is still there.
    """

    artifact: Artifact
    measures: Measures
    verdict: Verdict
    holders: tuple[Holder, ...]


class Assessed(NamedTuple):
    """A proposal with all that was found out about it. `content` is what would be written, line ends matched.

    `artifact` is None where the path is no artifact's. `holders` are the artifacts that may hold text of this one;
    `owed` those whose text this one holds. `refused` and `holds` are false where the ledger surely has no refusal of
    before for it and knows of no text of others in it. `scratch`: the file is the agent's own of this turn, and was
    judged as if it were new (scratch.py).
    """

    proposal: Proposal
    target: Target
    new_target: Target | None
    artifact: Artifact | None
    reading: Reading
    content: bytes | None
    facts: Facts
    measures: Measures
    verdict: Verdict
    unread: bool = False
    holders: tuple[Holder, ...] = ()
    owed: tuple[Owed, ...] = ()
    grants: tuple[Grant, ...] = ()
    refused: bool = True
    holds: bool = True
    scratch: bool = False

    @property
    def hashed(self) -> Hashed:
        """What would be on disk with its hash, '' for a delete."""
        if self.new_target:
            return by_hash(self.reading.sha256)
        return self.measures.hashed if self.content is self.facts.proposed else Hashed(self.content)

    @property
    def sha256(self) -> str:
        """Hash of what would be on disk, '' for a delete."""
        return self.hashed.hex
