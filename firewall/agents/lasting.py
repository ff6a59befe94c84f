"""What runs on when an agent has stopped: background tasks that its runtime tells of, processes that it left behind,
tool calls without an end. It keeps the session's turn open.

A call is kept from its beginning to its end, where a runtime tells of both: its result, its failure, or the batch that
it was part of. One that a person interrupts has none; it is forgotten at the next prompt, which finds the turn as it
was. What changes between a stop and the next prompt while a call is still without an end may be that call's or a
person's: it is judged, counts for nobody, and waits. Of a call that never ends nothing is kept for longer than an hour.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from firewall.agents import turns
from firewall.agents.turns import CALLS, WORK, kept
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

TELL_EVERY_END = ("claude",)
"""Runtimes that tell of the end of every call, those among them that failed or that nobody let run."""
CALL_SECONDS = 3600.0
"""How long after it began a call may keep a turn open. A shell's own limit is ten minutes unless a person raised it."""
_MOST = 500
"""Calls of one session that are kept, the latest."""


def in_background(proxy: WriteProxy, session: str, work: Sequence[str] = ()) -> None:
    """Note that work of the session's turn runs on after it stopped, so that the next prompt does not renew it. `work`
    is what its runtime does not tell of: processes (living.py), and CALLS for calls that have not ended."""
    ledger = proxy.ledger
    with ledger.transaction():
        ledger.change(
            "UPDATE turns SET background=1 WHERE root=? AND session=? AND closed_at IS NULL", (ledger.root_id, session)
        )
        _set_work(proxy, session, work)


def left(proxy: WriteProxy, session: str) -> list[str]:
    """What of the session's turn runs on, as `in_background` takes it, as far as can be told."""
    return [*_at_work(proxy, session), *([CALLS] if _unended(proxy, session) else ())]


def lapse(proxy: WriteProxy) -> None:
    """Work in the background that has all ended since is none any more: nobody knows when it did."""
    for session, live in _left_work(proxy):
        if not live:
            with proxy.ledger.transaction():
                _is_over(proxy, session)


def left_running(proxy: WriteProxy) -> list[tuple[str, list[str]]]:
    """Sessions that stopped while something of theirs ran on that still does, with the numbers of its processes; none
    where it is calls alone."""
    return [(s, [one.split(" ")[3] for one in live if one != CALLS]) for s, live in _left_work(proxy) if live]


def works_on(proxy: WriteProxy) -> bool:
    """Does work of any turn that is open here run on in the background, as its runtime says?"""
    rows = proxy.ledger.query(
        "SELECT 1 FROM turns t WHERE root=? AND closed_at IS NULL AND expires>? AND background=1 AND NOT EXISTS"
        " (SELECT 1 FROM meta w WHERE w.key='work ' || t.root || ' ' || t.session) LIMIT 1",
        (proxy.ledger.root_id, proxy.origin().at),
    )
    return bool(rows)


# -- calls -------------------------------------------------------------------------------------------------


def began(proxy: WriteProxy, session: str, call: str) -> None:
    """A tool call begins, and nobody knows what it will do."""
    with proxy.ledger.transaction(durable=False):
        _keep(proxy, session, {**_unended(proxy, session), call: proxy.origin().at})


def ended(proxy: WriteProxy, session: str, calls: Iterable[str]) -> bool:
    """These calls have ended, if they were known. Is it now that the turn ends, its agent having stopped before?"""
    over = set(calls)
    known = _unended(proxy, session)
    if not over.isdisjoint(known):
        with proxy.ledger.transaction(durable=False):
            known = {call: at for call, at in _unended(proxy, session).items() if call not in over}
            _keep(proxy, session, known)
    if known or not _is_held(proxy, session):
        return False
    others = [one for one in _work(proxy, session) if one != CALLS]
    with proxy.ledger.transaction():
        _set_work(proxy, session, others)
    return not others


def forget(proxy: WriteProxy, session: str) -> None:
    """The session is over: no end of a call comes any more."""
    if proxy.ledger.meta(kept(CALLS, proxy.ledger, session)) is not None:
        with proxy.ledger.transaction(durable=False):
            _keep(proxy, session, {})


def resumed(proxy: WriteProxy, session: str) -> None:
    """The agent is at work again; calls of before that have no end count once more when it stops."""
    if not _is_held(proxy, session):
        return
    others = [one for one in _work(proxy, session) if one != CALLS]
    with proxy.ledger.transaction():
        if others:
            _set_work(proxy, session, others)
        else:
            _is_over(proxy, session)


def nobody_at_work(proxy: WriteProxy) -> bool:
    """Is every turn that is open here one that calls without an end hold open? Not where none is open."""
    rows = proxy.ledger.query(
        "SELECT w.value FROM turns t LEFT JOIN meta w ON w.key='work ' || t.root || ' ' || t.session"
        " WHERE t.root=? AND t.closed_at IS NULL AND t.expires>?",
        (proxy.ledger.root_id, proxy.origin().at),
    )
    return bool(rows) and all(CALLS in str(value or "").split("\n") for (value,) in rows)


# -- rows --------------------------------------------------------------------------------------------------


def _left_work(proxy: WriteProxy) -> list[tuple[str, list[str]]]:
    rows = proxy.ledger.query(
        "SELECT t.session, w.value FROM turns t JOIN meta w ON w.key='work ' || t.root || ' ' || t.session"
        " WHERE t.root=? AND t.closed_at IS NULL",
        (proxy.ledger.root_id,),
    )
    return [(str(s), [one for one in str(work).split("\n") if _runs_on(proxy, str(s), one)]) for s, work in rows]


def _runs_on(proxy: WriteProxy, session: str, one: str) -> bool:
    if one == CALLS:
        return bool(_unended(proxy, session))
    from firewall.agents import living

    return not living.is_gone(one)


def _at_work(proxy: WriteProxy, session: str) -> list[str]:
    """The processes that the agent started in the session's turn and that still run."""
    known = turns.of_session(proxy.ledger, session)
    if known is None:
        return []
    from firewall.agents import living

    return living.at_work(str(proxy.root), known.opened_at, proxy.origin().at)


def _is_held(proxy: WriteProxy, session: str) -> bool:
    return CALLS in _work(proxy, session)


def _work(proxy: WriteProxy, session: str) -> list[str]:
    return (proxy.ledger.meta(kept(WORK, proxy.ledger, session)) or "").split("\n")


def _set_work(proxy: WriteProxy, session: str, work: Sequence[str]) -> None:
    """Inside a transaction."""
    proxy.ledger.change("DELETE FROM meta WHERE key=?", (kept(WORK, proxy.ledger, session),))
    if work:
        proxy.ledger.set_meta(kept(WORK, proxy.ledger, session), "\n".join(work))


def _is_over(proxy: WriteProxy, session: str) -> None:
    """Inside a transaction."""
    ledger = proxy.ledger
    ledger.change(
        "UPDATE turns SET background=0 WHERE root=? AND session=? AND closed_at IS NULL", (ledger.root_id, session)
    )
    _set_work(proxy, session, ())


def _unended(proxy: WriteProxy, session: str) -> dict[str, float]:
    """The session's calls that may still run, each with when it began."""
    text = proxy.ledger.meta(kept(CALLS, proxy.ledger, session))
    if text is None:
        return {}
    now = proxy.origin().at
    return {str(call): at for call, at in json.loads(text).items() if now - CALL_SECONDS < at <= now}


def _keep(proxy: WriteProxy, session: str, calls: dict[str, float]) -> None:
    """Inside a transaction."""
    key = kept(CALLS, proxy.ledger, session)
    if calls:
        proxy.ledger.set_meta(key, json.dumps(dict(list(calls.items())[-_MOST:])))
    else:
        proxy.ledger.change("DELETE FROM meta WHERE key=?", (key,))
