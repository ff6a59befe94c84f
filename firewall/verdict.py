"""The one vocabulary of all gates: a gate is a pure function from facts to a `Verdict`.

Plain `NamedTuple`s and an `IntEnum`, no dataclasses and no pydantic, because the agent hook imports
this module on every tool call and has a start-up budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from firewall.values import NamedTuple


class Outcome(IntEnum):
    """What may happen to what was judged, ordered: the greatest finding decides.

    allow: let it stand. redact: let it stand without the spans the findings name.
    hold: a person might want this; refused for now and kept whole. block: nobody wants this.
    """

    ALLOW = 0
    REDACT = 1
    HOLD = 2
    BLOCK = 3

    @property
    def label(self) -> str:
        """The word used in JSON and in messages."""
        return self.name.lower()

    @classmethod
    def parse(cls, label: str) -> Outcome:
        """The outcome for a word from JSON or the ledger. Raises KeyError for any other word."""
        return cls[label.upper()]


class Finding(NamedTuple):
    """One thing a gate saw.

    `message` says, for the agent and the human, what was measured, the limit, and what would pass;
    it never prints a way round the guard. `evidence` holds the same as plain JSON values.
    `start` and `end` are character offsets into the text judged, or -1 where there is no place.
    """

    rule: str
    outcome: Outcome
    message: str
    evidence: Mapping[str, object] = {}
    start: int = -1
    end: int = -1

    def to_json(self) -> dict[str, object]:
        """The finding as a JSON object, places included only when there is one."""
        out: dict[str, object] = {
            "rule": self.rule,
            "outcome": self.outcome.label,
            "message": self.message,
            "evidence": dict(self.evidence),
        }
        if self.start >= 0:
            out["start"], out["end"] = self.start, self.end
        return out


class Verdict(NamedTuple):
    """The answer of a gate. Build it with `judge`; never allow by absence."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    checks: tuple[str, ...]

    @property
    def allowed(self) -> bool:
        """True when what was judged may stand, whole or redacted."""
        return self.outcome < Outcome.HOLD

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules that found something, in order, each once."""
        return tuple(dict.fromkeys(f.rule for f in self.findings))


def judge(findings: Iterable[Finding], checks: Iterable[str]) -> Verdict:
    """The verdict of `checks`, the names of the rules that really ran, over what they found.

    A verdict that no rule stands behind is a block: silence is not consent.
    Findings are ordered by rule name and place, so the order in which rules ran never shows.
    """
    ran = tuple(sorted(set(checks)))
    found = sorted(findings, key=lambda f: (-f.outcome, f.rule, f.start, f.end, f.message))
    if ran and not found:
        return Verdict(Outcome.ALLOW, (), ran)
    if not ran:
        found.insert(0, Finding("no-check", Outcome.BLOCK, "No rule was run, so nothing may pass."))
    outcome = max((f.outcome for f in found), default=Outcome.ALLOW)
    return Verdict(outcome, tuple(found), ran)
