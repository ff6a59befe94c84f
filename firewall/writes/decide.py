"""The decision: a pure function from facts to a verdict. No clock, no disk, no order of rules."""

from __future__ import annotations

from collections.abc import Sequence

from firewall.verdict import Finding, Outcome, Verdict, judge
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules import ALL
from firewall.writes.rules.base import Rule


def decide(facts: Facts, measures: Measures | None = None, rules: Sequence[Rule] = ALL) -> Verdict:
    """Judge one proposal by every rule that applies. A rule that raises refuses."""
    measures = measures or Measures(facts)
    findings: list[Finding] = []
    ran: list[str] = []
    structural, problem = structural_range(facts)
    if problem:
        evidence = {"range": list(facts.structural or ())}
        findings.append(Finding("structural-range", Outcome.BLOCK, problem, evidence))
    if facts.path_problem:  # nothing else of such a file may be looked at
        rules = [rule for rule in rules if rule.name == "path"]
    if facts.limits.preset == "article":
        rules = [rule for rule in rules if rule.article]
    if facts.loss_only:
        rules = [rule for rule in rules if rule.lossy]
    if structural or facts.granted:
        rules = [rule for rule in rules if not ((structural and rule.lifted) or rule.name in facts.granted)]
    for rule in rules:
        try:
            findings.extend(rule.check(facts, measures))
        except Exception as error:  # whatever broke, the answer is no
            what = f"{type(error).__name__}: {error}"
            message = f"The rule {rule.name} failed on {facts.path} and so refuses: {what}."
            findings.append(Finding("check-broken", Outcome.BLOCK, message, {"rule": rule.name}))
        ran.append(rule.name)
    return judge(findings, ran)


def structural_range(facts: Facts) -> tuple[bool, str]:
    """Does the declared range hold (rules lifted), and if not, what is wrong with it?"""
    if facts.structural is None:
        return False, ""
    start, end = facts.structural
    disk, new = facts.disk or b"", facts.proposed
    if new is None:
        return False, f"{facts.path}: a structural range cannot delete the file."
    if not 0 <= start <= end <= len(disk):
        return (
            False,
            f"{facts.path}: the structural range {start}..{end} is not inside the {len(disk)} bytes on disk.",
        )
    tail = len(disk) - end
    if len(new) < start + tail or new[:start] != disk[:start] or (tail and new[-tail:] != disk[end:]):
        return False, f"{facts.path}: the proposal changes bytes outside its structural range {start}..{end}."
    return True, ""
