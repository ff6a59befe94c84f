"""What follows calls, and what comes between them: their results, batches, prompts, stops, changed settings.

The rest of guard.py, which is all that an allowed write needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents import events, lasting, places, turns
from firewall.agents.events import Answer, Event, ToolCall
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.guard import Guard
    from firewall.writes.proposal import WriteResult


def answer(guard: Guard, event: Event) -> Answer:
    """What to say to an event that is none before a call. Raises StetError."""
    if event.kind in (events.AFTER, events.FAILED):
        return after(guard, event)
    if event.kind == events.PROMPT:
        return prompt(guard, event)
    if event.kind == events.BATCH:
        return batch(guard, event)
    if event.kind in (events.STOP, events.SUBSTOP, events.END):
        return stop(guard, event)
    if event.kind == events.START:
        lasting.lapse(guard.proxy)
        return Answer(notice=left_open(guard) if turns.left_by_dead(guard.proxy) else "")
    return config(guard) if event.kind == events.CONFIG else Answer()


def config(guard: Guard) -> Answer:
    """Settings changed on the disk. Where git switched the branch they stay so, and the session keeps its hooks."""
    answer = guard.told(guard.sweep())
    if not answer.decision and turns.is_anyones(guard.proxy):
        from firewall.agents import protected_settings

        known = protected_settings.kept(guard.proxy.ledger)
        if protected_settings.as_git_left(guard.proxy, known):
            return Answer("block", "Git changed the settings that carry Stet's hooks; this session keeps them.")
    return answer


def prompt(guard: Guard, event: Event) -> Answer:
    """A person asks: what was left is looked at, and the turn begins."""
    from firewall.agents import noes, own_files, stopping

    notice = left_open(guard)
    noes.lapse(guard.proxy)
    own_files.forget(guard.proxy, event.session)
    turns.open_turn(guard.proxy, event.session)
    stopping.taken(guard.proxy)
    _mentioned(guard, event)
    return Answer(notice=notice)


def left_open(guard: Guard) -> str:
    """Look at what happened since a turn was left open: no event tells of Esc, or of a terminal that was closed,
    and then what changed is most likely a person's. It is put back all the same where it breaks rules, and offered.
    So is what changed while something that the agent left running ran on, or a call of it had no end. With work in the
    background that its runtime tells of it is the agent's, as ever."""
    lasting.lapse(guard.proxy)
    dead = turns.left_by_dead(guard.proxy)
    if lasting.works_on(guard.proxy) and not dead:
        answer = guard.told(guard.sweep())
        return "\n".join(filter(None, (answer.notice, answer.reason)))
    swept = guard.sweep(counted=False)
    for session in dead:
        turns.close_turn(guard.proxy, session)
    if not any(s.message or s.result for s in swept):
        return ""
    from firewall.agents import telling

    return telling.maybe_a_persons(swept)


def _mentioned(guard: Guard, event: Event) -> None:
    from firewall.agents import coverage

    for name in event.mentions[:100]:
        target = places.target(guard.proxy, event, None, name)
        if not target.problem and places.is_ours(guard.proxy, target):
            coverage.saw(guard.proxy, target, coverage.WHOLE)


def stop(guard: Guard, event: Event) -> Answer:
    """The agent is done, or a subagent is: the disk is looked at, and the turn ends unless work of it runs on."""
    answer = guard.told(guard.sweep(at_work=event.kind == events.SUBSTOP))
    if event.kind == events.SUBSTOP:
        return answer
    from firewall.agents import kept_in_git, own_files

    proxy = guard.proxy
    known = kept_in_git.told(proxy, turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at))
    if known:
        answer = answer._replace(notice="\n".join(filter(None, (answer.notice, known))))

    own_files.forget(proxy, event.session)
    if event.background and event.kind == events.STOP:
        lasting.in_background(proxy, event.session)
        return answer
    if event.kind == events.END:
        lasting.forget(proxy, event.session)
    work = lasting.left(proxy, event.session)
    if work:
        lasting.in_background(proxy, event.session, work)
        return answer
    if event.kind == events.END or not answer.decision or answer.stop:
        _close(guard, event.session)
    return answer


def _close(guard: Guard, session: str) -> None:
    """End a session's turn."""
    from firewall.agents import noes

    noes.lapse(guard.proxy)
    turns.close_turn(guard.proxy, session)


def _ended(guard: Guard, event: Event, calls: Sequence[ToolCall]) -> None:
    """Calls have ended, and what they left was looked at: the turn ends with the last, if its agent had stopped."""
    if lasting.ended(guard.proxy, event.session, [call.id for call in calls]):
        _close(guard, event.session)


def after(guard: Guard, event: Event) -> Answer:
    """A call has run, or failed."""
    from firewall.agents import coverage

    if event.call is None:
        return guard.told(guard.sweep(at_work=True))
    call, _ = guard.known(event.call)
    if call.kind == events.READ and event.kind == events.AFTER:
        target = places.target(guard.proxy, event, call, call.path)
        if call.seen is not None and not target.problem and places.is_ours(guard.proxy, target):
            coverage.saw(guard.proxy, target, call.seen)
        return Answer()
    if call.kind in (events.READ, events.NOTHING):
        return Answer()
    if call.id and (event.kind == events.AFTER or (call.kind == events.SHELL and call.failed)):  # it has run
        turns.answered_yes(guard.proxy, event.session, call.id)
    counted: list[WriteResult] = []
    if event.kind == events.FAILED:
        from firewall.agents import failures

        counted = failures.counted(guard.proxy, event, call, guard.asker)
    swept = guard.sweep(command=call.command if call.kind == events.SHELL else "", at_work=True)
    _ended(guard, event, [call])
    if call.kind == events.WRITE and event.kind == events.AFTER:
        target = places.target(guard.proxy, event, call, call.path)
        if not any(s.refused and s.path == target.relative for s in swept) and places.is_ours(guard.proxy, target):
            coverage.saw(guard.proxy, target, coverage.WHOLE)
    return guard.told(swept, counted)


def batch(guard: Guard, event: Event) -> Answer:
    """All calls of an answer have run; only here is a failed edit told of that no hook saw."""
    from firewall.agents import failures, noes, stopping

    counted = [r for call in event.calls for r in failures.counted(guard.proxy, event, call, guard.asker)]
    noes.decline(guard.proxy, [call.id for call in event.calls])
    answer = guard.told(guard.sweep(at_work=True), counted)
    _ended(guard, event, event.calls)
    if not stopping.taken(guard.proxy):
        return answer
    return answer._replace(reason=answer.reason or "A file was latched; a person has to answer.", stop=True)
