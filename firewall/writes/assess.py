"""From proposals to verdicts: gather the facts of each, decide them together. Writes nothing but observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from firewall import jsons
from firewall.text.amounts import amount
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import cases, disk, line_ends, moves, owed, protection, renaming
from firewall.writes.bench import Assessed, Bench
from firewall.writes.decide import decide
from firewall.writes.disk import Reading
from firewall.writes.facts import Counts, Facts, sha256
from firewall.writes.ledger import Ledger
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.observe import as_known, look
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal
from firewall.writes.records import Artifact, Grant, Standing

__all__ = ["Assessed", "Bench", "assess", "facts_key", "is_latched", "last_commit", "remember_refusal"]

MOST_SAID = 8
"""Findings of a refusal that are said again when exactly the same is proposed."""


_UNJUDGED = judge([], [])


def assess(bench: Bench, wanted: Sequence[tuple[Proposal, Target, Target | None]]) -> list[Assessed]:
    """Judge the proposals of one change set together. The artifacts' locks are held."""
    out = [_first(bench, *one) for one in wanted]
    for i, a in enumerate(out):
        if bench.turn_open and (a.content is None or not a.verdict.allowed):
            from firewall.writes import scratch

            out[i] = scratch.freed(bench, a)
    for i, a in enumerate(out):
        away = a.facts.mark_away or a.facts.high_away
        if a.artifact and not (a.unread or a.scratch) and (away or not a.verdict.allowed):
            out[i] = _with_moves(bench, out, a)
    for i, a in enumerate(out):
        if a.content is None and not (a.new_target or a.verdict.allowed):
            from firewall.writes import copies

            out[i] = copies.spared(bench, out, a)
    for i, a in enumerate(out):
        out[i] = _with_owed(bench, out, a)
    spent: Counter[str] = Counter()
    for i, a in enumerate(out):
        if a.artifact and not a.unread and not a.verdict.allowed and not bench.lifted:
            out[i] = _with_grants(bench, a, spent)
    return out


def _first(bench: Bench, proposal: Proposal, target: Target, new_target: Target | None) -> Assessed:
    limits = bench.limits
    reading, artifact, standing = disk.MISSING, None, None
    content = proposal.content
    problem = target.problem
    if not problem:
        reading = disk.MISSING if proposal.there else disk.read(target.real, limits.max_bytes)
        judged = proposal.there or (bench.turn_open and protection.is_protected(target.relative, bench.protection))
        origin = bench.origin
        known = bench.standing.get(target.relative)
        standing = look(bench.ledger, target.relative, reading, limits.window_days, origin, judged=judged, asked=known)
        artifact = standing.artifact
        if judged:
            reading = as_known(bench.ledger, artifact, reading)
    versions = _versions(bench.ledger, artifact, reading)
    if new_target is not None:
        content = reading.data
        problem = problem or _rename_problem(bench, target, new_target, reading, versions, proposal.there)
    lines: list[Finding] = []
    if content is not None and not new_target and not proposal.there:
        content, lines = line_ends.match(target.relative, reading.data, content)
    facts = Facts(
        path=target.relative,
        disk=reading.data,
        proposed=content,
        mark=versions[0],
        high=versions[1],
        baseline=versions[2],
        disk_sha=reading.sha256,
        limits=limits,
        path_problem=problem,
        base=proposal.base,
        seen=_seen(bench, artifact) if artifact and proposal.base is None and not proposal.there else None,
        stop_reason=proposal.stop_reason,
        structural=proposal.structural,
        declared=proposal.declared,
        step_back=standing is not None and _is_step_back(bench.ledger, standing, content),
        mark_away=moves.unpack(bench.ledger.load(artifact.mark_away)) if artifact else (),
        high_away=moves.unpack(bench.ledger.load(artifact.high_away)) if artifact else (),
        counts=_counts(artifact, reading),
        granted=bench.lifted,
        loss_only=protection.is_loss_only(target.relative, bench.protection),
    )
    measures = Measures(facts)
    start = Assessed(proposal, target, new_target, artifact, reading, content, facts, measures, _UNJUDGED)
    if standing is not None:
        start = start._replace(refused=standing.refused, holds=standing.holds)
    unread = _unread(bench, start)
    if unread:
        return start._replace(verdict=judge([unread], [unread.rule]), unread=True)
    verdict = decide(facts, measures)
    return start._replace(verdict=judge([*verdict.findings, *lines], verdict.checks) if lines else verdict)


def _unread(bench: Bench, a: Assessed) -> Finding | None:
    """A refusal without reading the proposal: latched, too large, or the same bytes under the same facts."""
    path = a.target.relative
    if a.artifact and not bench.lifted and is_latched(a.artifact, bench.limits):
        message = (
            f"{path} is latched after {amount(a.artifact.attempts, 'failed attempt')}. "
            "No proposal for it is read until a person resets it."
        )
        evidence = {"attempts": a.artifact.attempts, "alert": a.artifact.alert}
        return Finding("latched", Outcome.BLOCK, message, evidence)
    if a.content is not None and len(a.content) > bench.limits.max_bytes:
        message = f"{path}: {len(a.content)} bytes; at most {bench.limits.max_bytes} are judged. Split it."
        return Finding("max-bytes", Outcome.BLOCK, message, {"bytes": len(a.content), "limit": bench.limits.max_bytes})
    if a.artifact is None or bench.lifted or not a.refused:
        return None
    rows = bench.ledger.query(
        "SELECT rules, facts FROM refusals WHERE artifact=? AND proposal=?", (a.artifact.id, _proposal_key(a))
    )
    key = facts_key(bench, a) if rows else ""
    rows = [row for row in rows if row[1] == key]
    if not rows:
        return None
    rules, said = _said(jsons.loads(rows[0][0]))
    message = f"{path}: exactly this was refused before ({', '.join(rules)}) and nothing has changed since."
    message = f"{message} Change the proposal." if not said else f"{message} Then it was said: {' '.join(said)}"
    return Finding("repeat", Outcome.BLOCK, message, {"rules": rules})


def _said(kept: Sequence[object]) -> tuple[list[str], list[str]]:
    """The rules that refused before, and what they measured; nothing of that where an older version kept the names."""
    rules = [str(one[0]) if isinstance(one, list) else str(one) for one in kept]
    return list(dict.fromkeys(rules)), [str(one[1]) for one in kept if isinstance(one, list)]


def is_latched(artifact: Artifact, limits: Limits) -> bool:
    """Latched by an alert; or at the limit already, when the process died before it could raise one."""
    return artifact.latched or artifact.attempts >= limits.attempts


def facts_key(bench: Bench, a: Assessed) -> str:
    """A hash of the facts a proposal is judged under, all but the proposal itself."""
    assert a.artifact is not None
    given = [(g.id, g.uses) for g in cases.grants(bench.ledger, bench.origin.at)]
    f, known = a.facts, a.artifact
    parts = [
        f.disk_sha, known.mark, known.high, known.baseline, known.mark_away, known.high_away,
        moves.state(bench.ledger, known.id), f.base, f.seen, f.stop_reason, f.structural, sha256(f.declared),
        f.step_back, bench.policy_hash, given, a.new_target and a.new_target.relative,
    ]  # fmt: skip
    return sha256(jsons.dumps(parts).encode())


def remember_refusal(bench: Bench, a: Assessed) -> None:
    """So that the same again is known, with what was measured. Inside a transaction."""
    assert a.artifact is not None
    said = [(f.rule, f.message) for f in a.verdict.findings if f.outcome >= Outcome.HOLD]
    bench.ledger.change(
        "INSERT OR REPLACE INTO refusals VALUES (?, ?, ?, ?, ?)",
        (a.artifact.id, _proposal_key(a), facts_key(bench, a), bench.origin.at, jsons.dumps(said[:MOST_SAID])),
    )


def _proposal_key(a: Assessed) -> str:
    return f"rename {a.new_target.relative}" if a.new_target else a.sha256 or "delete"


def _with_moves(bench: Bench, out: Sequence[Assessed], a: Assessed) -> Assessed:
    """Judge again, knowing which of the lost units stand in other artifacts or arrive there in this set."""
    assert a.artifact is not None
    lost = owed.lost_units(a.measures)
    found = owed.find_holders(bench, out, a.artifact.id, lost) if lost else ()
    if not found:
        return a
    facts = moves.with_holders(a.facts, found)
    measures = Measures(facts)
    verdict = decide(facts, measures)
    kept = [f for f in a.verdict.findings if f.rule == line_ends.NAME]
    return a._replace(
        facts=facts, measures=measures, verdict=judge([*verdict.findings, *kept], verdict.checks), holders=found
    )


def _with_owed(bench: Bench, out: Sequence[Assessed], a: Assessed) -> Assessed:
    """Judge by the floors of those artifacts as well whose text this one holds."""
    a = a._replace(owed=owed.owed(bench, out, a))
    findings = owed.findings(a)
    return a._replace(verdict=judge([*a.verdict.findings, *findings], a.verdict.checks)) if findings else a


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
    verdict = judge([*verdict.findings, *owed.findings(a._replace(facts=facts))], verdict.checks)
    if not verdict.allowed:
        return a
    spent.update(g.id for g in used)
    return a._replace(facts=facts, verdict=verdict, grants=tuple(used))


def _covers(grant: Grant, path: str) -> bool:
    """Does the grant's pattern name this path? One without a wildcard names one file."""
    is_glob = any(c in grant.pattern for c in "*?")
    return grant.pattern == path or (is_glob and protection.matches(path, (grant.pattern,)))


def _rename_problem(
    bench: Bench, target: Target, new: Target, reading: Reading, versions: Sequence[bytes | None], there: bool
) -> str:
    if new.problem:
        return f"cannot become {new.relative}, which {new.problem}"
    if reading.data is None:
        return "is not there, so it cannot be renamed"
    if not there and disk.read(new.real).data is not None:
        return f"cannot become {new.relative}, which is there already"
    known = bench.ledger.artifact(new.relative)
    if known and is_latched(known, bench.limits):
        return f"cannot become {new.relative}, which is latched"
    if known and known.disk and bench.turn_open and not there:
        return f"cannot become {new.relative}, which was taken away past Stet in this turn"
    if known:
        instead = f"write {new.relative} anew and delete {target.relative}"
        return f"cannot become {new.relative}, which another guarded file was: {instead}"
    guarded = protection.is_protected(target.relative, bench.protection)
    if guarded and not protection.is_protected(new.relative, bench.protection):
        return f"would leave the protected files as {new.relative}; that is a delete, and needs a person"
    whole, new_whole = (protection.is_loss_only(one.relative, bench.protection) for one in (target, new))
    if whole != new_whole:
        one, other = ("a file that is kept whole", "text") if whole else ("text", "a file that is kept whole")
        return f"is judged as {one} and would be judged as {other} under the name {new.relative}"
    if not whole:
        mark, high, baseline = versions
        hinders = renaming.what_hinders(
            target.relative, new.relative, reading.data, (mark, high, baseline), bench.limits
        )
        if hinders:
            return hinders
    return ""


def _versions(ledger: Ledger, artifact: Artifact | None, reading: Reading) -> list[bytes | None]:
    """The bytes of mark, high version and baseline; each loaded once, and none that is on the disk."""
    if artifact is None:
        return [None, None, None]
    known = {reading.sha256: reading.data}
    for sha in (artifact.mark, artifact.high, artifact.baseline):
        if sha not in known:
            known[sha] = ledger.load(sha)
    return [known[artifact.mark], known[artifact.high], known[artifact.baseline]]


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
        artifact.base_words,
        artifact.base_kept,
        artifact.grown,
    )


def _is_step_back(ledger: Ledger, standing: Standing, content: bytes | None) -> bool:
    """Is the proposal the exact bytes before the last accepted growth, which was the last commit? What grew by text of
    others may not step back over them."""
    artifact = standing.artifact
    if content is None or standing.holds or artifact.disk == artifact.baseline:
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
    return str(rows[0][1]), jsons.loads(rows[0][3])
