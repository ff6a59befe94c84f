"""Keeping a held proposal whole until a person answers, and putting one before a person without having tried it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import cases, trip
from firewall.writes.asking import Origin
from firewall.writes.assess import assess, is_latched
from firewall.writes.bench import Assessed
from firewall.writes.ledger import Ledger
from firewall.writes.proposal import Proposal, WordCounts, WriteResult
from firewall.writes.records import Artifact, Case
from firewall.writes.rules import ALL

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

LIFTED = frozenset(rule.name for rule in ALL if rule.lifted)
"""Rules that a person's yes lifts: what `structural` means."""
LIFTED_OF_OFFERED = frozenset(rule.name for rule in ALL) - {"path", "stale-base"}
"""Those that it lifts for what stood on the disk already."""
OFFERED = "offered"
"""The mark of a case that nobody proposed: what stood on the disk and was put back."""
REVIEW = "review"
"""The name under which a proposal waits that its writer did not try to write, but asked a person about."""
MOST_REASON = 500
"""Characters of the reason that a person is shown."""


def hold(
    ledger: Ledger, a: Assessed, origin: Origin, change_set: str, findings: Sequence[Finding], blocked: Sequence[str]
) -> str:
    """Keep a held proposal; the id under which it waits. `blocked` are files of its change set that nobody wants."""
    assert a.artifact is not None
    data = _data(findings, origin, trip.words(a), a.artifact.attempts, a.proposal.stop_reason, blocked)
    target = a.new_target.relative if a.new_target else ""
    case = _case(origin, a.artifact, change_set, (a.reading.sha256, a.sha256, target), data)
    with ledger.transaction():
        if a.content is not None:
            ledger.save(a.sha256, a.content)
        cases.add(ledger, case, replaces=not blocked)
    return case.id


def settle(ledger: Ledger, judged: Sequence[Assessed], at: float) -> None:
    """A held proposal whose bytes have landed by another way waits no longer."""
    for a in judged:
        if a.artifact is None:
            continue
        rows = ledger.query(
            "SELECT id FROM cases WHERE artifact=? AND kind='hold' AND proposal=? AND state IN ('open','waiting')",
            (a.artifact.id, a.sha256),
        )
        if rows:
            with ledger.transaction(durable=False):
                for (ident,) in rows:
                    cases.move(ledger, ident, cases.PENDING, "expired", at, "landed since")


def ask(proxy: WriteProxy, proposal: Proposal, reason: str) -> WriteResult:
    """Put a proposal before a person: it is judged, kept, and waits in `stet pending`. Nothing is written, and no
    attempt is counted, since none was made.

    What a person's yes could not lift does not reach one, nor does anything about a latched file: the result says
    why. What the same session asked before about the same file gives way; the very same question keeps its id.
    """
    with proxy.locked([proposal]) as wanted:
        a = assess(proxy.bench(), wanted)[0]
        result = proxy.result(a)
        if a.artifact is None or is_latched(a.artifact, proxy.limits):
            return result
        lifted = assess(proxy.bench()._replace(lifted=LIFTED), wanted)[0]
        if not lifted.verdict.allowed:
            return result._replace(verdict=lifted.verdict)
        words = " ".join(reason.split())[:MOST_REASON]
        message = f"{a.target.relative} waits for a person, whom its writer asks: {words}"
        finding = Finding(REVIEW, Outcome.HOLD, message, {"reason": words})
        verdict = judge([finding, *a.verdict.findings], [*a.verdict.checks, REVIEW])
        result = result._replace(verdict=verdict)
        origin = proxy.origin()
        same, others = _asked_before(proxy.ledger, a, origin.session)
        if same:
            return result._replace(held=same)
        with proxy.ledger.transaction():
            for ident in others:
                cases.move(proxy.ledger, ident, cases.PENDING, "expired", origin.at, "asked again")
        ident = hold(proxy.ledger, a, origin, os.urandom(6).hex(), verdict.findings, ())
        if proxy.force.alerts.held:
            from firewall.writes.notify import held_alerts

            proxy.tell_later(held_alerts(proxy.ledger, [ident]))
        return result._replace(held=ident)


def _asked_before(ledger: Ledger, a: Assessed, session: str) -> tuple[str, list[str]]:
    """The id of the same question where it waits, and those of others by this session about this file."""
    assert a.artifact is not None
    same, others = "", []
    target = a.new_target.relative if a.new_target else ""
    for case in cases.of_artifact(ledger, a.artifact.id, ("hold",)):
        data = json.loads(case.data)
        if data.get("session") != session or REVIEW not in {f["rule"] for f in data.get("findings", ())}:
            continue
        if (case.disk, case.proposal, case.target) == (a.reading.sha256, a.sha256, target):
            same = case.id
        else:
            others.append(case.id)
    return same, others


def offer(proxy: WriteProxy, result: WriteResult) -> str:
    """Let a change that was refused and put back wait for a person, whatever refused it; the id under which it does.

    Its bytes are in the ledger ('' is a delete), and stood on the disk: they may be a person's own, so that a yes
    brings exactly them back, whatever rules of texts they break. The same that waits so already is not offered twice.
    Returns '' for what is no artifact.
    """
    artifact = proxy.ledger.artifact(result.path)
    if artifact is None or artifact.disk == result.sha256:
        return ""
    for known in cases.of_artifact(proxy.ledger, artifact.id, ("hold",)):
        same = (known.disk, known.proposal, known.target) == (artifact.disk, result.sha256, "")
        if same and json.loads(known.data).get(OFFERED):
            return known.id
    origin = proxy.origin()
    data = _data(result.verdict.findings, origin, result.words, artifact.attempts) | {OFFERED: True}
    case = _case(origin, artifact, os.urandom(6).hex(), (artifact.disk, result.sha256, ""), data)
    with proxy.ledger.transaction():
        cases.add(proxy.ledger, case)
    return case.id


def together(proxy: WriteProxy, held: Sequence[str], change_set: str = "") -> None:
    """Let cases wait as one change set: a person's yes to one of them lands them all."""
    if not held:
        return
    name = change_set or os.urandom(6).hex()
    with proxy.ledger.transaction():
        for ident in held:
            proxy.ledger.change("UPDATE cases SET change_set=? WHERE id=?", (name, ident))


def _case(origin: Origin, artifact: Artifact, change_set: str, change: tuple[str, str, str], data: object) -> Case:
    """`change`: sha on disk, sha proposed, new name."""
    ident = f"P{os.urandom(4).hex()}"
    return Case(ident, origin.at, artifact.id, artifact.path, "hold", "waiting", change_set, *change,
                json.dumps(data), None, "")  # fmt: skip


def _data(
    findings: Sequence[Finding], origin: Origin, words: WordCounts, attempts: int, stop_reason: str | None = None,
    blocked: Sequence[str] = (),
) -> dict[str, object]:  # fmt: skip
    return {
        "findings": [f.to_json() for f in findings],
        "session": origin.session,
        "source": origin.source,
        "words": words._asdict(),
        "attempts": attempts,
        "stop_reason": stop_reason,
        "blocked": list(blocked),
    }
