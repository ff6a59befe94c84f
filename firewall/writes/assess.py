"""From proposals to verdicts: gather the facts of each, decide them together. Writes nothing but observations."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from firewall.verdict import Finding, Outcome, Verdict, judge
from firewall.writes import cases, disk, moves, protection
from firewall.writes.commit import Origin
from firewall.writes.decide import decide
from firewall.writes.disk import Reading
from firewall.writes.facts import Counts, Facts
from firewall.writes.ledger import Ledger
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.moves import Holder
from firewall.writes.observe import DAY, observe
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal
from firewall.writes.protection import Protection
from firewall.writes.records import Artifact, Grant
from firewall.writes.rules.base import sha256


class Bench(NamedTuple):
    """What a judgement is made with: the ledger, the numbers, what is protected, who asks.

    `lifted` names the rules that a person's own answer lifts, and with them the latch and the memory of
    refusals. Only the code behind an answer sets it.
    """

    ledger: Ledger
    limits: Limits
    protection: Protection
    policy_hash: str
    origin: Origin
    lifted: frozenset[str] = frozenset()


class Assessed(NamedTuple):
    """A proposal with all that was found out about it. `content` is what would be written, line ends matched.

    `artifact` is None where the path is no artifact's. `holders` are the artifacts that took text over.
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
    grants: tuple[Grant, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of what would be on disk, '' for a delete."""
        return self.reading.sha256 if self.new_target else sha256(self.content)


def assess(bench: Bench, wanted: Sequence[tuple[Proposal, Target, Target | None]]) -> list[Assessed]:
    """Judge the proposals of one change set together. The artifacts' locks are held."""
    out = [_first(bench, *one) for one in wanted]
    refused = [i for i, a in enumerate(out) if not a.verdict.allowed and not a.unread and a.artifact]
    if refused:
        for i in refused:
            out[i] = _with_moves(bench, out, i)
        spent: Counter[str] = Counter()
        for i in refused:
            if not out[i].verdict.allowed and not bench.lifted:
                out[i] = _with_grants(bench, out[i], spent)
    return out


def _first(bench: Bench, proposal: Proposal, target: Target, new_target: Target | None) -> Assessed:
    limits = bench.limits
    reading, artifact = disk.MISSING, None
    content = proposal.content
    problem = target.problem
    if not problem:
        reading = disk.read(target.real, limits.max_bytes)
        artifact = observe(bench.ledger, target.relative, reading, limits.window_days, bench.origin)
    if new_target is not None:
        content = reading.data
        problem = problem or _rename_problem(bench, target, new_target, reading)
    lines: list[Finding] = []
    if content is not None and not new_target:
        content, lines = match_line_ends(target.relative, reading.data, content)
    facts = Facts(
        path=target.relative,
        disk=reading.data,
        proposed=content,
        mark=_bytes(bench.ledger, artifact.mark if artifact else "", reading),
        high=_bytes(bench.ledger, artifact.high if artifact else "", reading),
        start=_bytes(bench.ledger, artifact.start if artifact else "", reading),
        guests=bench.ledger.load(artifact.guests) if artifact else None,
        disk_sha=reading.sha256,
        limits=limits,
        path_problem=problem,
        base=proposal.base,
        seen=_seen(bench, artifact) if artifact and proposal.base is None else None,
        stop_reason=proposal.stop_reason,
        structural=proposal.structural,
        declared=proposal.declared,
        step_back=bool(artifact) and _is_step_back(bench.ledger, artifact, content),
        counts=_counts(artifact, reading),
        granted=bench.lifted,
        loss_only=protection.is_loss_only(target.relative, bench.protection),
    )
    measures = Measures(facts)
    start = Assessed(proposal, target, new_target, artifact, reading, content, facts, measures, judge([], []))
    unread = _unread(bench, start)
    if unread:
        return start._replace(verdict=judge([unread], [unread.rule]), unread=True)
    verdict = decide(facts, measures)
    return start._replace(verdict=judge([*verdict.findings, *lines], verdict.checks))


def _unread(bench: Bench, a: Assessed) -> Finding | None:
    """A refusal without reading the proposal: latched, too large, or the same bytes under the same facts."""
    path = a.target.relative
    if a.artifact and not bench.lifted and is_latched(a.artifact, bench.limits):
        message = (
            f"{path} is latched after {a.artifact.attempts} failed attempts. "
            "No proposal for it is read until a person resets it; go on with other work."
        )
        evidence = {"attempts": a.artifact.attempts, "alert": a.artifact.alert}
        return Finding("latched", Outcome.BLOCK, message, evidence)
    if a.content is not None and len(a.content) > bench.limits.max_bytes:
        message = f"{path}: {len(a.content)} bytes; at most {bench.limits.max_bytes} are judged. Split it."
        return Finding("max-bytes", Outcome.BLOCK, message, {"bytes": len(a.content), "limit": bench.limits.max_bytes})
    if a.artifact is None or bench.lifted:
        return None
    rows = bench.ledger.query(
        "SELECT rules FROM refusals WHERE artifact=? AND proposal=? AND facts=?",
        (a.artifact.id, _proposal_key(a), facts_key(bench, a)),
    )
    if not rows:
        return None
    rules = json.loads(rows[0][0])
    message = (
        f"{path}: exactly this was refused before ({', '.join(rules)}) and nothing has changed since. "
        "Change the proposal."
    )
    return Finding("repeat", Outcome.BLOCK, message, {"rules": rules})


def is_latched(artifact: Artifact, limits: Limits) -> bool:
    """Latched by an alert; or at the limit already, when the process died before it could raise one."""
    return artifact.latched or artifact.attempts >= limits.attempts


def facts_key(bench: Bench, a: Assessed) -> str:
    """A hash of the facts a proposal is judged under, all but the proposal itself."""
    assert a.artifact is not None
    moved = bench.ledger.query("SELECT count(*), max(at) FROM arrivals WHERE artifact<>?", (a.artifact.id,))
    given = [(g.id, g.uses) for g in cases.grants(bench.ledger, bench.origin.at)]
    f = a.facts
    parts = [
        f.disk_sha, a.artifact.mark, a.artifact.high, a.artifact.start, a.artifact.guests, a.artifact.debt,
        f.base, f.seen, f.stop_reason, f.structural, sha256(f.declared), f.step_back, bench.policy_hash, moved,
        given, a.new_target and a.new_target.relative,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def remember_refusal(bench: Bench, a: Assessed) -> None:
    """So that the same again is known. Inside a transaction."""
    assert a.artifact is not None
    bench.ledger.change(
        "INSERT OR REPLACE INTO refusals VALUES (?, ?, ?, ?, ?)",
        (a.artifact.id, _proposal_key(a), facts_key(bench, a), bench.origin.at, json.dumps(a.verdict.rules)),
    )


def _proposal_key(a: Assessed) -> str:
    return f"rename {a.new_target.relative}" if a.new_target else a.sha256 or "delete"


def _with_moves(bench: Bench, out: Sequence[Assessed], index: int) -> Assessed:
    """Judge again, knowing which of the lost units stand in other artifacts or arrive there in this set."""
    a = out[index]
    assert a.artifact is not None
    lost = {u for reference in a.measures.survivors for u in reference.change.lost_units}
    if not lost:
        return a
    siblings = {other.artifact.id: other for other in out if other is not a and other.artifact}
    since = bench.origin.at - bench.limits.window_days * DAY
    found = moves.holders(bench.ledger, lost, {a.artifact.id, *siblings}, since)
    words = {u.words for u in lost}
    for ident, other in siblings.items():
        if other.content is None or other.new_target:
            continue
        arrived = Counter(u.words for u in other.measures.from_disk.added_units if u.words in words)
        if arrived:
            found.append(Holder(ident, other.target.relative, arrived))
    if not found:
        return a
    facts = a.facts._replace(elsewhere=moves.pool(found))
    measures = Measures(facts)
    return a._replace(facts=facts, measures=measures, verdict=decide(facts, measures), holders=tuple(found))


def _with_grants(bench: Bench, a: Assessed, spent: Counter[str]) -> Assessed:
    """Judge again with the rules lifted that a person's grants name for this path.

    Takes one use of the oldest grant that names all of them, else of as many as it needs, the oldest first.
    `spent` counts the uses that this change set takes.
    """
    missing = {f.rule for f in a.verdict.findings if f.outcome >= Outcome.HOLD}
    given = [g for g in cases.grants(bench.ledger, bench.origin.at) if g.uses > spent[g.id]]
    given = [g for g in given if missing & set(g.rules) and _covers(g, a.target.relative)]
    used: list[Grant] = []
    for grant in [g for g in given if missing <= set(g.rules)][:1] or given:
        if missing & set(grant.rules):
            used.append(grant)
            missing -= set(grant.rules)
    if missing or not used:
        return a
    facts = a.facts._replace(granted=frozenset(rule for g in used for rule in g.rules))
    verdict = decide(facts, a.measures)
    if not verdict.allowed:
        return a
    spent.update(g.id for g in used)
    return a._replace(facts=facts, verdict=verdict, grants=tuple(used))


def _covers(grant: Grant, path: str) -> bool:
    """Does the grant's pattern name this path? One without a wildcard names one file."""
    is_glob = any(c in grant.pattern for c in "*?")
    return grant.pattern == path or (is_glob and protection.matches(path, (grant.pattern,)))


def _rename_problem(bench: Bench, target: Target, new: Target, reading: Reading) -> str:
    if new.problem:
        return f"cannot become {new.relative}, which {new.problem}"
    if reading.data is None:
        return "is not there, so it cannot be renamed"
    if disk.read(new.real).data is not None:
        return f"cannot become {new.relative}, which is there already"
    guarded = protection.is_protected(target.relative, bench.protection)
    if guarded and not protection.is_protected(new.relative, bench.protection):
        return f"would leave the protected files as {new.relative}; that is a delete, and needs a person"
    known = bench.ledger.artifact(new.relative)
    if known and is_latched(known, bench.limits):
        return f"cannot become {new.relative}, which is latched"
    return ""


def _bytes(ledger: Ledger, sha: str, reading: Reading) -> bytes | None:
    if sha == reading.sha256:
        return reading.data
    return ledger.load(sha)


def _seen(bench: Bench, artifact: Artifact) -> str | None:
    if not bench.origin.session:
        return None
    rows = bench.ledger.query(
        "SELECT sha FROM seen WHERE session=? AND artifact=?", (bench.origin.session, artifact.id)
    )
    return str(rows[0][0]) if rows else None


def _counts(artifact: Artifact | None, reading: Reading) -> Counts:
    if artifact is None or artifact.disk != reading.sha256:
        return Counts()
    return Counts(
        artifact.disk_words,
        artifact.mark_words,
        artifact.mark_kept,
        artifact.high_words,
        artifact.high_kept,
        artifact.start_words,
        artifact.start_kept,
        artifact.guests_words,
        artifact.guests_kept,
        artifact.debt,
        artifact.base_words,
        bool(artifact.long),
    )


def _is_step_back(ledger: Ledger, artifact: Artifact | None, content: bytes | None) -> bool:
    """Is the proposal the exact bytes before the last accepted growth, which was the last commit?"""
    if artifact is None or content is None or artifact.disk == artifact.baseline:
        return False
    last = last_commit(ledger, artifact)
    return last is not None and bool(last[1].get("grew")) and last[0] == sha256(content)


def last_commit(ledger: Ledger, artifact: Artifact) -> tuple[str, dict[str, object]] | None:
    """(old sha, note) of the artifact's last journal entry that changed the file, if it was a plain commit."""
    rows = ledger.query(
        "SELECT kind, old, new, data FROM journal WHERE artifact=? AND kind IN"
        " ('adopt','outside','renew','commit','delete','restore','approve','edit','reset','accept')"
        " ORDER BY seq DESC LIMIT 1",
        (artifact.id,),
    )
    if not rows or rows[0][0] != "commit" or rows[0][2] != artifact.disk:
        return None
    return str(rows[0][1]), json.loads(rows[0][3])


def match_line_ends(path: str, old: bytes | None, new: bytes) -> tuple[bytes, list[Finding]]:
    """The proposal with the line ends that the file has all through, and a finding where that changed it."""
    if not old or path.endswith(".ipynb"):
        return new, []
    crlf = old.count(b"\r\n")
    bare = old.count(b"\n") - crlf
    if crlf and not bare:
        matched = new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        kind = "CRLF"
    elif bare and not crlf:
        matched = new.replace(b"\r\n", b"\n")
        kind = "LF"
    else:
        return new, []
    if matched == new:
        return new, []
    message = f"{path}: the line ends of the proposal were brought to the file's own ({kind})."
    return matched, [Finding("line-ends", Outcome.ALLOW, message, {"line_ends": kind})]
