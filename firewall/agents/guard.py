"""What an event of a runtime is answered, whatever runtime it is. The effects are those of the write proxy.

Before a call: what it would write is judged by the same rules as `stet write`; nothing is written here, since the
runtime does that. After it: what is on the disk is judged (sweep.py). An error leaves this module as it came; whoever
calls turns it into a refusal.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from firewall.agents import events, places, turns
from firewall.agents.events import Answer, Event, ToolCall
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome, judge
from firewall.writes import disk
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal, WriteResult

if TYPE_CHECKING:
    from firewall.agents.projection import Change
    from firewall.agents.sweep import Swept
    from firewall.writes.bench import Assessed
    from firewall.writes.proxy import WriteProxy

WRITES = frozenset(
    (events.WRITE, events.EDIT, events.APPEND, events.NOTEBOOK, events.PATCH, events.DELETE, events.MOVE)
)
"""Kinds of calls whose effect is computed before they run."""


class Guard:
    """Answers the events of agents in one guarded folder."""

    def __init__(self, proxy: WriteProxy, earlier: Sequence[Swept] = (), asker: str = "") -> None:
        """`earlier` is what was put back already before this event could be answered: its agent is told of it. `asker`
        tells the installed hooks apart that one runtime may ask."""
        self.proxy = proxy
        self.asker = asker
        self._earlier = list(earlier)
        self._moved: dict[str, str] = {}
        """Files that a command takes out of the guard by a move, with their new names."""

    def answer(self, event: Event) -> Answer:
        """What to say to an event. Raises StetError where it cannot be judged: then refuse."""
        if event.problem:
            return Answer("deny", f"Stet refuses what it cannot understand: {event.problem}.")
        self.proxy.speak_for(event.session, event.runtime)
        if event.kind == events.BEFORE:
            return self._before(event)
        from firewall.agents import following

        return following.answer(self, event)

    # -- turns ---------------------------------------------------------------------------------------

    def sweep(self, *, counted: bool = True, command: str | None = None, at_work: bool = False) -> list[Swept]:
        """Judge what is on the disk while any turn is open; between turns it is a person's, unless the agent is known
        to be `at_work`: a call of it has just ended."""
        from firewall.agents.sweep import settle

        session = self.proxy.origin().session
        if counted:
            from firewall.agents import lasting

            counted = not lasting.nobody_at_work(self.proxy)
        done = [
            *self._earlier,
            *settle(self.proxy, session, counted=counted, command=command, at_work=at_work),
        ]
        self._earlier = []
        return done

    def _in_turn(self, event: Event) -> bool:
        """Is the session's turn open? Where no prompt was seen (the hook is new, or a runtime tells of none), it is
        opened now: what was changed before is a person's, and False is returned."""
        if turns.is_open(self.proxy, event.session):
            if turns.heard(self.proxy, event.session):
                self._goes_on(event.session)
            return True
        self._earlier = self.sweep()
        turns.open_turn(self.proxy, event.session)
        return False

    def _goes_on(self, session: str) -> None:
        """The agent is at work again without a prompt. What changed while calls of it were without an end counts for
        nobody; what changes from now on does."""
        from firewall.agents import lasting

        if lasting.nobody_at_work(self.proxy):
            self._earlier = self.sweep()
        lasting.resumed(self.proxy, session)

    # -- before a call -------------------------------------------------------------------------------

    def _before(self, event: Event) -> Answer:
        if event.call is None:
            return Answer("deny", "Stet refuses a tool call that names no tool.")
        call, wrong = self.known(event.call)
        if wrong:
            return Answer("deny", f"Stet cannot tell what {call.name} would write: {wrong}.")
        if call.kind in (events.READ, events.NOTHING):
            return Answer()
        in_turn, writes = self._in_turn(event), call.kind in WRITES
        told = self.told(self.sweep() if in_turn and not writes else self._earlier)
        if told.stop:
            return told._replace(decision="deny")
        answer = self._write(event, call) if writes else self._shell(event, call)
        if call.id and not writes and answer.decision != "deny":
            from firewall.agents import lasting

            if event.runtime in lasting.TELL_EVERY_END:
                lasting.began(self.proxy, event.session, call.id)
        return answer if answer.decision else told._replace(decision="")

    def known(self, call: ToolCall) -> tuple[ToolCall, str]:
        """An unknown call as what is known of it elsewhere, and what is wrong with its arguments."""
        if call.kind != events.UNKNOWN:
            return call, ""
        from firewall.agents import tools

        try:
            return tools.known(call, self.proxy.force.agents.tools), ""
        except tools.BadInput as error:
            return call, str(error)

    def _write(self, event: Event, call: ToolCall) -> Answer:
        from firewall.agents import projection

        changes = projection.projected(call, lambda path: self._read(event, call, path))
        if not changes:
            return Answer("deny", f"Stet cannot tell what {call.name} would write.")
        failed = [(places.target(self.proxy, event, call, c.path), c) for c in changes if c.failed]
        if failed:
            return self._failed(event, call, failed)
        wanted = [p for c in changes for p in self._proposals(event, call, c)]
        return self._ask(event, call, wanted) if wanted else Answer()

    def _read(self, event: Event, call: ToolCall, path: str) -> bytes | None:
        """What is at a path, for the projection; nothing of what is none of ours is read."""
        target = places.target(self.proxy, event, call, path)
        if target.problem or not places.is_ours(self.proxy, target):
            return None
        return disk.read(target.real, self.proxy.limits.max_bytes).data

    def _failed(self, event: Event, call: ToolCall, failed: Sequence[tuple[Target, Change]]) -> Answer:
        """A change that cannot be made, of files that are ours: an attempt for each."""
        from firewall.agents import once

        with once.alone(self.proxy):
            kept = once.key(event, call)
            said = once.before(self.proxy, kept, self.asker, numbered=bool(call.id))
            return said or once.remember(self.proxy, kept, self._count(failed), self.asker)

    def _count(self, failed: Sequence[tuple[Target, Change]]) -> Answer:
        from firewall.agents import failures

        results = []
        for target, change in failed:
            if not change.path:
                return Answer("deny", f"Stet cannot tell what this would write: {change.failed}.")
            if places.is_ours(self.proxy, target):
                message = f"{target.relative}: {change.failed}."
                finding = Finding(failures.ANCHOR, Outcome.BLOCK, message, {"path": target.relative})
                results.append(self.proxy.attempt(target.real, finding))
        return self._deny(results) if results else Answer()

    def _proposals(self, event: Event, call: ToolCall, change: Change) -> list[Proposal]:
        """A change as proposals for guarded files; none where it concerns none."""
        target = places.target(self.proxy, event, call, change.path)
        if change.target:
            new = places.target(self.proxy, event, call, change.target)
            taken = os.path.exists(new.real)  # noqa: PTH110 - a Path's own raises where the path is too long
            if places.is_ours(self.proxy, target) and places.is_ours(self.proxy, new) and not taken:
                from firewall.writes import used_names

                return used_names.proposals(self.proxy, target.real, new.real)
            out = [Proposal(target.real, None)] if places.is_ours(self.proxy, target) else []
            if places.is_ours(self.proxy, new) and not new.problem:
                out.append(Proposal(new.real, disk.read(target.real, self.proxy.limits.max_bytes).data))
            return out
        if not places.is_ours(self.proxy, target):
            return []
        base = None
        if change.from_disk and not target.problem:
            base = disk.read(target.real, self.proxy.limits.max_bytes).sha256
            known = self.proxy.ledger.artifact(target.relative)
            if known is not None and not known.disk:
                from firewall.writes import unaccepted

                base = None if unaccepted.sha(self.proxy, known) == base else base
            elif known is not None and base != known.disk:
                from firewall.agents import unmerged

                base = None if unmerged.stands(self.proxy, target.relative, base) else base
        return [
            Proposal(
                places.full(self.proxy, event, call, change.path), change.data, base=base, declared=change.declared
            )
        ]

    def _ask(self, event: Event, call: ToolCall, wanted: Sequence[Proposal]) -> Answer:
        """Judge what a call would do, as one change set. Nothing is written: the runtime does that, or does not."""
        from firewall.writes.assess import assess

        with self.proxy.locked(wanted) as targets:
            judged = assess(self.proxy.bench(), targets)
            if call.kind == events.WRITE:
                judged = [self._with_coverage(event, a) for a in judged]
            if all(a.verdict.allowed for a in judged):
                return Answer()
            from firewall.agents import once, unmerged

            if all(a.verdict.allowed or unmerged.lets(self.proxy, a) for a in judged):
                return Answer()
            kept = once.key(event, call)
            said = once.before(self.proxy, kept, self.asker, numbered=bool(call.id))
            return said or once.remember(self.proxy, kept, self._refused(event, call, judged), self.asker)

    def _refused(self, event: Event, call: ToolCall, judged: Sequence[Assessed]) -> Answer:
        """Count what was judged and refused; the locks are held."""
        from firewall.agents import telling

        results = telling.moves(self.proxy.refuse(judged), self._moved)
        held = [r.held for r in results if r.held]
        only_held = all(r.verdict.outcome is Outcome.HOLD or r.verdict.allowed for r in results)
        tripped = any(r.tripped for r in results)
        if event.person and call.id and held and only_held and not tripped:
            turns.asked(self.proxy, event.session, call.id, held)
            return Answer("ask", telling.question(results, self._moved))
        return self._deny(results)

    def _with_coverage(self, event: Event, a: Assessed) -> Assessed:
        from firewall.agents import coverage

        found = coverage.finding(self.proxy.ledger, event.session, a)
        if found is None:
            return a
        return a._replace(verdict=judge([*a.verdict.findings, found], [*a.verdict.checks, coverage.RULE]))

    def _deny(self, results: Sequence[WriteResult]) -> Answer:
        from firewall.agents import stopping, telling

        notice = stopping.notice(self.proxy, results)
        if notice:
            stopping.remember(self.proxy)
        return Answer("deny", telling.refused(results, stops=bool(notice)), notice, stop=bool(notice))

    def _shell(self, event: Event, call: ToolCall) -> Answer:
        from firewall.agents import coverage, shell

        if call.kind != events.SHELL:
            return Answer()
        acts = shell.recognised(call.command, powershell=call.name.lower() in ("powershell", "pwsh"))
        for act in acts:
            if act.does == shell.STET:
                what = f"stet {act.words[0].text}" if act.words else "this call of stet"
                allowed = ", ".join(sorted(shell.STET_ALLOWED))
                said = Answer("deny", f"`{what}` is for people. An agent may run stet with: {allowed}.")
                return self._noted(event, call, what, said)
        coverage.shown(self.proxy, call.command)
        if not acts:
            return Answer()
        from firewall.agents import deeds

        start = Path(event.cwd or self.proxy.root) / call.workdir
        wanted, self._moved = deeds.proposals(self.proxy, acts, start)
        return self._ask(event, call, wanted) if wanted else Answer()

    def _noted(self, event: Event, call: ToolCall, what: str, said: Answer) -> Answer:
        """A refusal that is about no file stands in the journal all the same, once for all hooks that ask."""
        from firewall.agents import once
        from firewall.writes import refusing

        with once.alone(self.proxy):
            kept = once.key(event, call)
            before = once.before(self.proxy, kept, self.asker, numbered=bool(call.id))
            if before is None:
                refusing.note(self.proxy, {"command": what, "why": f"{what} is for people"})
            return before or once.remember(self.proxy, kept, said, self.asker)

    def told(self, swept: Sequence[Swept], counted: Sequence[WriteResult] = ()) -> Answer:
        """What was undone, for the model; what was raised, for the person."""
        if not (counted or any(s.message or s.result for s in swept)):
            return Answer()
        from firewall.agents import stopping, telling

        notice = stopping.notice(self.proxy, [*counted, *(s.result for s in swept if s.result is not None)])
        stops = bool(notice)
        reason = "\n".join(filter(None, (telling.counted(counted, stops=stops), telling.put_back(swept, stops=stops))))
        return Answer("block" if reason else "", reason, notice, stop=bool(notice))
