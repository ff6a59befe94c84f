"""The decision: a pure function from facts to a verdict. No clock, no disk, no order of rules."""

from __future__ import annotations

from collections.abc import Sequence

from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome, Verdict, judge
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules import ALL
from firewall.writes.rules.base import Rule


def decide(facts: Facts, texts: Texts | None = None, rules: Sequence[Rule] = ALL) -> Verdict:
    """Judge one proposal by every rule. A rule that raises refuses: a broken check never allows."""
    texts = texts or read(facts)
    findings: list[Finding] = []
    ran: list[str] = []
    lifted, problem = _structural(facts)
    if problem:
        findings.append(
            Finding("structural-range", Outcome.BLOCK, problem, {"range": list(facts.structural or ())})
        )
    for rule in rules:
        if lifted and rule.lifted:
            continue
        try:
            findings.extend(rule.check(facts, texts))
        except Exception as error:  # whatever broke, the answer is no
            what = f"{type(error).__name__}: {error}"
            message = f"The rule {rule.name} failed on {facts.path} and so refuses: {what}."
            findings.append(Finding("check-broken", Outcome.BLOCK, message, {"rule": rule.name}))
        ran.append(rule.name)
    return judge(findings, ran)


def read(facts: Facts) -> Texts:
    """The texts of the facts, decoded for judging, with their word counts."""
    disk, proposed, mark = (_decode(data) for data in (facts.disk, facts.proposed, facts.mark))
    disk_words = count_words(disk)
    return Texts(
        disk,
        proposed,
        mark,
        disk_words,
        count_words(proposed),
        disk_words if mark == disk else count_words(mark),
    )


def _decode(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")


def _structural(facts: Facts) -> tuple[bool, str]:
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
