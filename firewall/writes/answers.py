"""A person's answers to what waits: approve, edit, reject, escalate.

An answer is bound to the stored proposal by its hash and judged again against the disk: size, survival,
structure and delete rules are lifted, because a person asks; what guards bytes, paths, whole answers and the
base is not. A change set is answered as one. Cases move by compare-and-swap in the transaction that begins the
commit (claims.py), so that of two answers one wins. A yes renews the baseline and opens a latched file; a no
opens it as well, and leaves baseline and marks as they were, since nobody accepted anything.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence

from firewall.digest import by_hash
from firewall.errors import Busy, StetError
from firewall.text.amounts import amount
from firewall.text.printable import printable
from firewall.text.rebase import inserted, rebase
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import alerts, cases, claims, commit, disk, person, waiting
from firewall.writes.assess import assess
from firewall.writes.bench import Assessed
from firewall.writes.claims import Claims
from firewall.writes.commit import Step
from firewall.writes.holding import LIFTED, LIFTED_OF_OFFERED, OFFERED
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import RACES, WriteProxy, WriteResult
from firewall.writes.records import Case
from firewall.writes.renewal import renewed
from firewall.writes.trip import words
from firewall.writes.waiting import Group

Wanted = tuple[Proposal, Target, Target | None]
Editor = Callable[[str, bytes], bytes]
"""Lets a person edit: the file's name, the bytes to begin with; returns what was saved."""


class NotEditable(StetError):
    """There is no text to edit."""

    code = "not-editable"
    template = "{id} asks for a {what}, so there is no text to edit."
    next_step = "`stet approve {id}` does it, `stet reject {id}` does not."


class EditUnchanged(StetError):
    """The editor was left without a change."""

    code = "edit-unchanged"
    template = "Nothing was changed in the editor, so nothing was done."
    next_step = "`stet approve {id}` applies the proposal as it is."


class EditEmptied(StetError):
    """The editor was left with nothing in the file: git's way to say no."""

    code = "edit-emptied"
    template = "The file was empty when the editor was left, so nothing was done; {id} waits on."
    next_step = "`stet reject {id}` turns it down, `stet edit {id}` opens it again."


class AlreadyEscalated(StetError):
    """It was told once more already."""

    code = "already-escalated"
    template = "{id} is escalated already."
    next_step = "`stet show {id}` gives the commands to answer with."


class Answer(NamedTuple):
    """What came of an answer: the state of the case, one result a file, files that are open again.

    `state` is the case's state after it; where the proposal was refused again, the case waits as before.
    """

    id: str
    state: str
    by: str
    results: tuple[WriteResult, ...]
    opened: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Did the answer take effect?"""
        return all(r.verdict.allowed for r in self.results)

    def to_json(self) -> dict[str, object]:
        """The JSON object of approve, edit, reject and escalate."""
        return {
            "id": self.id,
            "state": self.state,
            "done": self.done,
            "by": self.by,
            "opened": list(self.opened),
            "files": [r.to_json() for r in self.results],
        }


def approve(proxy: WriteProxy, ident: str) -> Answer:
    """Apply exactly what was proposed, with all that was proposed together with it.

    Raises NotFound, LateAnswer, NothingProposed, SetBroken, NeedsPerson. A refusal of the rules that stay is in
    the results, and the case waits on.
    """
    group = waiting.group(proxy, ident)
    refused = _refusal(proxy, group, {})
    if refused:
        return Answer(ident, group.case.state, "", refused)
    how = person.require(proxy.ledger, f"approve {ident}", _says(proxy, group))
    return _apply(proxy, ident, how, {})


def edit(proxy: WriteProxy, ident: str, editor: Editor) -> Answer:
    """Let a person edit what was proposed for the case's file, and apply what was saved, judged as by `approve`."""
    group = waiting.group(proxy, ident)
    case = group.case
    if case.change not in ("text", "new"):
        raise NotEditable(id=ident, what=case.change)
    stale = [r for r in _refusal(proxy, group, {}) if "stale-base" in r.verdict.rules]
    if stale:
        return Answer(ident, case.state, "", tuple(stale))
    start = _content(proxy, case) or b""
    what = f"This opens the proposal for {printable(case.path)} in your editor and applies what you save."
    how = person.require(proxy.ledger, f"edit {ident}", what)
    saved = editor(case.path, start)
    if saved == start:
        raise EditUnchanged(id=ident)
    if not saved.strip():
        raise EditEmptied(id=ident)
    return _apply(proxy, ident, how, {case.artifact: saved})


def reject(proxy: WriteProxy, ident: str) -> Answer:
    """Turn down what was proposed, with all that was proposed together with it. A latched file is open again."""
    case = waiting.find(proxy, ident)
    rows = [c for c in cases.together(proxy.ledger, case) if c.pending]
    names = waiting.names(rows)
    what = f"This turns down what was proposed for {names}."
    how = person.require(proxy.ledger, f"reject {ident}", what)
    opened = []
    with proxy.locked([Proposal(proxy.root / name, None) for name in sorted({c.path for c in rows})]):
        origin = proxy.origin()
        by_artifact: dict[int, list[Case]] = {}
        with proxy.ledger.transaction():
            for row in rows:
                if not cases.move(proxy.ledger, row.id, cases.PENDING, "rejected", origin.at, how):
                    raise claims.late(proxy.ledger, row.id)
                by_artifact.setdefault(row.artifact, []).append(row)
            for artifact, mine in by_artifact.items():
                data = {"cases": [row.id for row in mine], "by": how}
                old = mine[0].disk
                proxy.ledger.append("reject", origin.at, artifact=artifact, old=old, source="operator", data=data)
                if any(row.kind == "trip" for row in mine):
                    proxy.ledger.set_state(artifact, alert="", attempts=0)
                    opened.append(mine[0].path)
    return Answer(ident, "rejected", how, (), tuple(opened))


def escalate(proxy: WriteProxy, ident: str) -> Answer:
    """Tell of it once more, now. It waits on."""
    case = waiting.find(proxy, ident)
    if case.state == "escalated":
        raise AlreadyEscalated(id=ident)
    rows = [c for c in cases.together(proxy.ledger, case) if c.state in ("open", "waiting")]
    how = person.require(proxy.ledger, f"escalate {ident}", f"This sends out what waits for {waiting.names(rows)}.")
    origin = proxy.origin()
    with proxy.ledger.transaction():
        for row in rows:
            moved = cases.move(proxy.ledger, row.id, ("open", "waiting"), "escalated", origin.at, how)
            if not moved and row.id == ident:
                raise claims.late(proxy.ledger, ident)
            data = {"case": row.id, "by": how}
            proxy.ledger.append("escalate", origin.at, artifact=row.artifact, source="operator", data=data)
    proxy.tell(alerts.of_case(case._replace(state="escalated"), len(rows)))
    return Answer(ident, "escalated", how, ())


# -- applying ----------------------------------------------------------------------------------------------


def _refusal(proxy: WriteProxy, group: Group, edited: dict[int, bytes]) -> tuple[WriteResult, ...]:
    """What the rules that stay say against it now, before a person is asked; empty where they say nothing."""
    with proxy.locked(_proposals(proxy, group, edited)) as wanted:
        waiting.find(proxy, group.case.id)  # an answer that came first may have changed the disk
        judged = _judge(proxy, group, wanted)
    return () if all(a.verdict.allowed for a in judged) else _results(proxy, group, judged, False)


def _judge(proxy: WriteProxy, group: Group, wanted: Sequence[Wanted]) -> list[Assessed]:
    offered = all(json.loads(case.data).get(OFFERED) for case in group.members)
    judged = assess(proxy.bench()._replace(lifted=LIFTED_OF_OFFERED if offered else LIFTED), wanted)
    for i, (case, a) in enumerate(zip(group.members, judged, strict=True)):
        if a.verdict.allowed and (a.artifact is None or a.artifact.id != case.artifact):
            message = f"{case.path}: the name leads to another file now ({a.target.relative}). Reject it."
            elsewhere = Finding("path", Outcome.BLOCK, message, {"path": case.path, "now": a.target.relative})
            judged[i] = a._replace(verdict=judge([elsewhere], a.verdict.checks))
    return judged


def _apply(proxy: WriteProxy, ident: str, how: str, edited: dict[int, bytes]) -> Answer:
    """Judge and commit under the locks of all files concerned."""
    path = ""
    for _ in range(RACES):
        group = waiting.group(proxy, ident)
        path = group.case.path
        with proxy.locked(_proposals(proxy, group, edited)) as wanted:
            if waiting.group(proxy, ident).members != group.members:
                continue  # somebody was here before the locks were ours
            judged = _judge(proxy, group, wanted)
            if not all(a.verdict.allowed for a in judged):
                return Answer(ident, group.case.state, how, _results(proxy, group, judged, False))
            try:
                return _commit(proxy, group, judged, how, edited)
            except disk.Replaced:
                continue
    raise Busy(path=path, seconds=0)


def _commit(proxy: WriteProxy, group: Group, judged: Sequence[Assessed], how: str, edited: dict[int, bytes]) -> Answer:
    origin = proxy.origin()
    answers = tuple((c.id, "edited" if c.artifact in edited else "approved") for c in group.answered)
    known = {c.id for c in group.answered}
    open_alerts = [row for c in group.members for row in cases.of_artifact(proxy.ledger, c.artifact, ("trip",))]
    closes = tuple(dict.fromkeys(row.id for row in open_alerts if row.id not in known))
    taken = Claims(answers, closes, (), how)
    steps: list[Step] = []
    for case, a in zip(group.members, judged, strict=True):
        assert a.artifact is not None
        if a.sha256 == a.reading.sha256 and not a.new_target:
            continue  # it is so already
        columns = {**renewed(case.path, a.content, origin.at), "alert": ""}
        note = {"case": case.id, "by": how, "words": words(a)._asdict(), "rules": _rules(case)}
        kind = "edit" if case.artifact in edited else "approve"
        target = a.new_target.relative if a.new_target else ""
        step = Step(a.artifact, a.target.real, a.reading, a.content, kind, columns, note, target)
        steps.append(step if steps else step._replace(claims=taken))
    if not steps:
        raise waiting.NothingProposed(id=group.case.id)
    session = str(json.loads(group.case.data).get("session", ""))  # it knows the bytes that land: it proposed them
    commit.commit(proxy.ledger, steps, origin._replace(session="" if edited else session, source="operator"))
    with contextlib.suppress(StetError), proxy.ledger.transaction(durable=False):  # tidying
        for case in group.members:
            cases.expire_others(proxy.ledger, case.artifact, origin.at, "the file was changed by an answer")
    opened = tuple(a.target.relative for a in judged if a.artifact and a.artifact.latched)
    state = "edited" if edited else "approved"
    return Answer(group.case.id, state, how, _results(proxy, group, judged, True), opened)


def _proposals(proxy: WriteProxy, group: Group, edited: dict[int, bytes]) -> list[Proposal]:
    out = []
    for case in group.members:
        content, base = edited.get(case.artifact), case.disk
        if not case.target and (content is None or case.kind == "staged"):
            moved = _rebased(proxy, case)
            if moved is not None:
                base = disk.read(proxy.root / case.path).sha256
            if content is None:
                content = proxy.ledger.load(case.proposal) if moved is None else moved
        new = proxy.root / case.target if case.target else None
        stop = None if case.artifact in edited else json.loads(case.data).get("stop_reason")
        out.append(Proposal(proxy.root / case.path, content, base=base, stop_reason=stop, rename_to=new))
    return out


def _content(proxy: WriteProxy, case: Case) -> bytes | None:
    """What a yes to the case would write."""
    moved = _rebased(proxy, case)
    return proxy.ledger.load(case.proposal) if moved is None else moved


def _rebased(proxy: WriteProxy, case: Case) -> bytes | None:
    """A staged draft brought to the file as it is now; None where it is as it was, or its place is not certain.

    Several sections of a chapter may be staged from the same text: the answer to one must not lose the others.
    """
    if case.kind != "staged":
        return None
    now = disk.read(proxy.root / case.path)
    if now.sha256 == case.disk:
        return None
    proposed = proxy.ledger.load(case.proposal)
    if proposed is None or now.data is None:
        return None
    base = proxy.ledger.load(case.disk) or b""
    siblings = [c for c in cases.every(proxy.ledger, ("staged",)) if c.artifact == case.artifact and c.at > case.at]
    later = [inserted(base, proxy.ledger.load(c.proposal) or b"") for c in siblings]
    return rebase(base, proposed, now.data, later)


def _results(proxy: WriteProxy, group: Group, judged: Sequence[Assessed], committed: bool) -> tuple[WriteResult, ...]:
    out = []
    for case, a in zip(group.members, judged, strict=True):
        verdict = judge([_worded(f, case, a) for f in a.verdict.findings], a.verdict.checks)
        sha = a.sha256 if committed or not verdict.allowed else ""
        attempts = proxy.limits.attempts
        out.append(
            WriteResult(
                a.target.relative, verdict, committed, False, 0, attempts, words(a), None, by_hash(sha), case.id
            )
        )
    return tuple(out)


def _worded(finding: Finding, case: Case, a: Assessed) -> Finding:
    """stale-base in words for the person who answers."""
    if finding.rule != "stale-base":
        return finding
    was, now = (sha[:12] or "no file" for sha in (case.disk, a.reading.sha256))
    message = (
        f"{case.path} changed since this was proposed: then {was}, now {now}. Reject it; it can be proposed "
        "again from what is there now."
    )
    return finding._replace(message=message)


def _rules(case: Case) -> list[str]:
    """The rules that refused the proposal."""
    found = json.loads(case.data).get("findings", ())
    return list(dict.fromkeys(f["rule"] for f in found if f["outcome"] in ("hold", "block")))


def _says(proxy: WriteProxy, group: Group) -> str:
    """One line: what a yes will do."""
    parts = []
    for case in group.members:
        name = printable(case.path)
        counted = json.loads(case.data).get("words") or {}
        if case.change == "rename":
            parts.append(f"renames {name} to {printable(case.target)}")
        elif case.change == "delete":
            parts.append(f"deletes {name} ({amount(counted.get('before', 0), 'word')})")
        else:
            parts.append(f"writes {name} ({counted.get('before', 0)} -> {amount(counted.get('after', 0), 'word')})")
    shown = ", ".join(parts[:5]) + (f" and {len(parts) - 5} more" if len(parts) > 5 else "")
    moved = any(_rebased(proxy, case) is not None for case in group.members)
    how = "in its place in the file as it is now" if moved else "exactly as proposed"
    return f"This {shown}, {how}."
