"""What each rule refused, and what people then made of it: a rule that is mostly overruled is wrong somewhere."""

from __future__ import annotations

import json
from collections import Counter

from firewall.values import NamedTuple
from firewall.writes import cases
from firewall.writes.ledger import Ledger


class RuleStats(NamedTuple):
    """One rule's record. `refused` and `held` count proposals of which it was a reason; the others count what
    waited for a person because of it, by what became of it; `granted` counts writes that a grant let pass."""

    rule: str
    refused: int
    held: int
    approved: int
    edited: int
    rejected: int
    waiting: int
    expired: int
    granted: int

    @property
    def overruled(self) -> float | None:
        """Share of a person's answers that were a yes; None where there was no answer."""
        yes = self.approved + self.edited
        answers = yes + self.rejected
        return yes / answers if answers else None

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        share = self.overruled
        return {**self._asdict(), "overruled": None if share is None else round(share, 4)}


def rule_stats(ledger: Ledger) -> list[RuleStats]:
    """The record of every rule that ever refused something in this folder, the most overruled first."""
    refused: Counter[str] = Counter()
    held: Counter[str] = Counter()
    granted: Counter[str] = Counter()
    mine = "SELECT {} FROM journal j JOIN artifacts a ON a.id = j.artifact WHERE a.root=? AND j.kind IN ({})"
    for (data,) in ledger.query(mine.format("j.data", "'refuse','hold'"), (ledger.root_id,)):
        worst: dict[str, bool] = {}
        for found in json.loads(data).get("findings", ()):
            if found["outcome"] in ("hold", "block"):
                worst[found["rule"]] = worst.get(found["rule"], False) or found["outcome"] == "block"
        for rule, blocked in worst.items():
            (refused if blocked else held)[rule] += 1
    rules_of = {ident: json.loads(rules) for ident, rules in ledger.query("SELECT id, rules FROM grants")}
    for (data,) in ledger.query(mine.format("j.data", "'commit','delete'"), (ledger.root_id,)):
        for ident in json.loads(data).get("grants", ()):
            granted.update(rules_of.get(ident, ()))
    became = _became(ledger)
    names = {*refused, *held, *granted, *(rule for rule, _ in became)}
    out = [
        RuleStats(
            rule=rule,
            refused=refused[rule],
            held=held[rule],
            approved=became[rule, "approved"],
            edited=became[rule, "edited"],
            rejected=became[rule, "rejected"],
            waiting=became[rule, "waiting"],
            expired=became[rule, "expired"],
            granted=granted[rule],
        )
        for rule in names
    ]
    return sorted(out, key=lambda s: (-(s.overruled or 0.0), -(s.refused + s.held), s.rule))


def _became(ledger: Ledger) -> Counter[tuple[str, str]]:
    """How often each rule's cases are in each state. An alert about what is held as well counts once."""
    became: Counter[tuple[str, str]] = Counter()
    counted: dict[tuple[object, ...], set[str]] = {}
    for case in cases.every(ledger, ("hold", "trip", "staged")):
        state = "waiting" if case.pending else case.state
        key = (case.artifact, case.proposal, case.target, case.change_set or case.id, state)
        seen = counted.setdefault(key, set())
        for found in json.loads(case.data).get("findings", ()):
            if found["outcome"] in ("hold", "block") and found["rule"] not in seen:
                seen.add(found["rule"])
                became[found["rule"], state] += 1
    return became
