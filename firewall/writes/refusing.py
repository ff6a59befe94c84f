"""What becomes of a refused proposal: it is kept, its attempt is counted, and at the limit its artifact trips."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from firewall.text.amounts import amount
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import holding, inherited, races, trip
from firewall.writes.assess import assess, remember_refusal
from firewall.writes.bench import Assessed
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal, WriteResult

if TYPE_CHECKING:
    from firewall.writes.alerts import Alert
    from firewall.writes.proxy import WriteProxy


def refuse(proxy: WriteProxy, judged: Sequence[Assessed]) -> list[WriteResult]:
    """Keep each refused proposal, count its attempt, trip at the limit. The others wait with them."""
    change_set = os.urandom(6).hex()
    guilty = [a.target.relative for a in judged if not a.verdict.allowed]
    blocked = [a.target.relative for a in judged if a.verdict.outcome is Outcome.BLOCK]
    out: list[WriteResult] = []
    for a in judged:
        if not a.verdict.allowed:
            out.append(refuse_one(proxy, a, change_set, blocked))
            continue
        message = f"{a.target.relative} waits: {', '.join(guilty[:5])} in the same change set was refused."
        finding = Finding("change-set", Outcome.HOLD, message, {"refused": guilty[:20]})
        verdict = judge([finding], [*a.verdict.checks, "change-set"])
        held = "" if blocked else holding.hold(proxy.ledger, a, proxy.origin(), change_set, verdict.findings, blocked)
        out.append(proxy.result(a)._replace(verdict=verdict, held=held))
    if proxy.force.alerts.held:
        from firewall.writes.notify import held_alerts

        proxy.tell_later(held_alerts(proxy.ledger, [r.held for r in out if r.held]))
    return out


def refuse_one(proxy: WriteProxy, a: Assessed, change_set: str, blocked: Sequence[str] = ()) -> WriteResult:
    """Count one refused proposal, unless its artifact is latched, or it has none: then it is noted and no more."""
    result = proxy.result(a)
    if a.artifact is None:
        note(proxy, {"path": a.target.relative, "findings": [f.to_json() for f in result.verdict.findings]})
        return result
    if a.artifact.latched:
        origin = proxy.origin()
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.append(
                "refused-latched", origin.at, artifact=a.artifact.id, old=a.artifact.disk,
                new=a.sha256 if a.proposal.there else "", session=origin.session, source=origin.source, data={},
            )  # fmt: skip
        return result
    return count(proxy, a, result, change_set, blocked)


def note(proxy: WriteProxy, data: Mapping[str, object]) -> None:
    """What is refused and about no artifact (a policy file, a path outside, a command) has a row in the journal."""
    origin = proxy.origin()
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.append("refuse", origin.at, session=origin.session, source=origin.source, data=data)


def count(
    proxy: WriteProxy, a: Assessed, result: WriteResult, change_set: str = "", blocked: Sequence[str] = ()
) -> WriteResult:
    """One more failed attempt; at the limit, in a row or in the window, the artifact trips."""
    assert a.artifact is not None
    origin = proxy.origin()
    held = result.verdict.outcome is Outcome.HOLD
    keep = a.content is not None and result.sha256 and len(a.content) <= proxy.limits.max_bytes
    with proxy.ledger.transaction():
        if keep and a.content is not None:
            proxy.ledger.save(result.sha256, a.content)
        counts = races.weight(proxy.ledger, a._replace(verdict=result.verdict), origin.session)
        attempts = proxy.ledger.count_attempts(a.artifact.id, counts)
        note: dict[str, object] = {"findings": [f.to_json() for f in result.verdict.findings]}
        note |= {"attempt": attempts if counts else 0, "stale": races.stale_base(a)}
        proxy.ledger.append(
            "hold" if held else "refuse",
            origin.at,
            artifact=a.artifact.id,
            old=a.reading.sha256,
            new=result.sha256 if keep else "",
            session=origin.session,
            source=origin.source,
            data=note,
        )
        if not a.unread:
            remember_refusal(proxy.bench(), a._replace(verdict=result.verdict))
    now = a._replace(artifact=a.artifact._replace(attempts=attempts))
    ident = holding.hold(proxy.ledger, now, origin, change_set, result.verdict.findings, blocked) if held else ""
    left = max(0, proxy.limits.attempts - attempts)
    result = result._replace(attempt=attempts, attempts_left=left, held=ident)
    recent = _recent_attempts(proxy, a)
    if not counts or (attempts < proxy.limits.attempts and recent < proxy.limits.window_attempts):
        return result
    row = attempts >= proxy.limits.attempts
    reason = f"{amount(attempts if row else recent, 'failed attempt')} in {'a row' if row else 'the window'}"
    raised = alert(proxy, "trip", a, result.verdict.findings, reason, attempts, change_set)
    return result._replace(tripped=True, attempts_left=0, alert=raised)


def _recent_attempts(proxy: WriteProxy, a: Assessed) -> int:
    """Failed attempts in the window since a person last answered, however interleaved with good ones."""
    assert a.artifact is not None
    since = proxy.origin().at - proxy.limits.window_days * 86_400.0
    return inherited.failed_since(proxy.ledger, a.artifact.id, a.artifact.answered, since)


def attempt(proxy: WriteProxy, path: Path, finding: Finding, proposed: bytes | None) -> WriteResult:
    """Count what failed and is no proposal: an edit, or a repair that left its defect open."""
    with proxy.locked([Proposal(path, proposed)]) as wanted:
        a = _look(proxy, wanted[0], proposed)
        result = proxy.result(a)
        if a.artifact is None or result.tripped:
            return refuse_one(proxy, a, "") if a.artifact else result
        blocked = finding._replace(outcome=Outcome.BLOCK)  # nothing here waits for a yes
        return count(proxy, a._replace(unread=True), result._replace(verdict=judge([blocked], [finding.rule])))


def stage(proxy: WriteProxy, path: Path, proposed: bytes, findings: tuple[Finding, ...], reason: str) -> WriteResult:
    """Put work in progress on a staging branch and raise an alert, without latching the artifact."""
    with proxy.locked([Proposal(path, proposed)]) as wanted:
        a = _look(proxy, wanted[0], proposed)
        result = proxy.result(a)
        if a.artifact is None or result.tripped:
            return result
        with proxy.ledger.transaction():
            proxy.ledger.save(a.sha256, proposed)
        raised = alert(proxy, "staged", a, findings, reason, a.artifact.attempts)
        return result._replace(verdict=judge(findings, [f.rule for f in findings]), alert=raised)


def _look(proxy: WriteProxy, wanted: tuple[Proposal, Target, Target | None], proposed: bytes | None) -> Assessed:
    """Assess without judging the content; without one, the bytes on disk stand for it."""
    a = assess(proxy.bench(), [wanted])[0]
    return a if proposed is not None else a._replace(content=a.reading.data)


def alert(
    proxy: WriteProxy,
    kind: str,
    a: Assessed,
    findings: Sequence[Finding],
    reason: str,
    attempts: int,
    change_set: str = "",
) -> Alert:
    """Raise an alert about a proposal; it is told of once the locks are free."""
    raised = trip.raise_alert(
        proxy.ledger, a, kind=kind, ident=f"A{os.urandom(4).hex()}", findings=tuple(findings), reason=reason,
        attempts=attempts, origin=proxy.origin(), change_set=change_set,
    )  # fmt: skip
    proxy.tell_later([raised])
    return raised
