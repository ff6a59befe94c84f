"""Agents' turns: from a person's prompt until the agent is done.

While one is open in a folder, a change of the disk that Stet did not make may be the agent's, and is judged. A turn
that a dead session left open ends by itself. It keeps git's refs as they stood when it began, without the commits
that came to be while an agent was at work: what only those hold is the agent's own text in another place.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes.ledger import Ledger

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

ASKED_SECONDS = 7 * 86_400.0
"""How long a runtime's question is remembered."""
WORK, CALLS = "work", "calls"
_COLUMNS = "id, session, opened_at, refs, background"


class Turn(NamedTuple):
    """An open turn. `refs` is the sha of the snapshot with the commits that were there, '' without git.

    `background`: work of the agent's ran on after it had stopped (lasting.py). `command`: what the tool call ran that
    has just ended, '' for a tool that writes what it is given; None where no call has (own_files.py).
    """

    id: int
    session: str
    opened_at: float
    refs: str
    background: bool = False
    command: str | None = None


def open_turn(proxy: WriteProxy, session: str) -> Turn:
    """Open a session's turn. One that is open already begins anew (the agent was interrupted), unless it had stopped
    and work of it runs on (lasting.py): then it stays as it is, with the refs as they stood before."""
    ledger = proxy.ledger
    known = of_session(ledger, session)
    if known is not None and known.background:
        from firewall.agents import lasting

        _stretch(proxy, known)
        lasting.resumed(proxy, session)
        return known
    if current(ledger, ledger.root_id, proxy.origin().at) is None:
        from firewall.agents.sweep import sweep

        sweep(proxy, None, session)  # what changed until now is a person's
    from firewall.agents import living

    refs, runs = _remember_refs(proxy), living.runtime()
    at = proxy.origin().at
    with ledger.transaction():
        _close(ledger, session, at)
        ledger.change(
            "INSERT INTO turns (root, session, opened_at, expires, refs) VALUES (?, ?, ?, ?, ?)",
            (ledger.root_id, session, at, at + _hours(proxy) * 3600.0, refs),
        )
        if runs:
            ledger.set_meta(_runs(ledger, session), runs)
    opened = of_session(ledger, session)
    assert opened is not None
    return opened


def close_turn(proxy: WriteProxy, session: str) -> None:
    """Close a session's turn: what changes from now on is a person's. Look at the disk first (`sweep`)."""
    if of_session(proxy.ledger, session) is None:
        return
    _note_made(proxy)
    from firewall.agents import once

    at = proxy.origin().at
    with proxy.ledger.transaction():
        _close(proxy.ledger, session, at)
        proxy.ledger.change("DELETE FROM asked WHERE at<?", (at - ASKED_SECONDS,))  # answered no, or never
        once.forget(proxy, at - ASKED_SECONDS)


def left_by_dead(proxy: WriteProxy) -> list[str]:
    """The sessions whose turn is open and whose runtime has surely ended, with all that its agent started. Of calls
    that had not ended, no end comes then."""
    ledger = proxy.ledger
    rows = ledger.query(
        "SELECT DISTINCT t.session, m.value FROM turns t JOIN meta m ON m.key='runs ' || t.root || ' ' || t.session"
        " WHERE t.root=? AND t.closed_at IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM meta w WHERE w.key='work ' || t.root || ' ' || t.session AND w.value<>?)",
        (ledger.root_id, CALLS),
    )
    if not rows:
        return []
    from firewall.agents import living

    return [str(session) for session, runs in rows if living.is_gone(str(runs))]


def current(ledger: Ledger, root_id: int, at: float) -> Turn | None:
    """The oldest turn that is open in a folder at `at` (seconds since 1970 UTC), whoever's it is."""
    rows = ledger.query(
        f"SELECT {_COLUMNS} FROM turns WHERE root=? AND closed_at IS NULL AND expires>? ORDER BY id LIMIT 1",  # noqa: S608
        (root_id, at),
    )
    return _turn(rows[0]) if rows else None


def ended(ledger: Ledger, session: str) -> Turn | None:
    """The session's last turn, closed or expired."""
    return of_session(ledger, session, "")


def is_open(proxy: WriteProxy, session: str) -> bool:
    """Is the session's own turn open?"""
    return bool(proxy.ledger.query(
        "SELECT 1 FROM turns WHERE root=? AND session=? AND closed_at IS NULL AND expires>? LIMIT 1",
        (proxy.ledger.root_id, session, proxy.origin().at),
    ))  # fmt: skip


def is_anyones(proxy: WriteProxy) -> bool:
    """Is a turn open in the folder, whoever's it is?"""
    return current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at) is not None


def heard(proxy: WriteProxy, session: str) -> bool:
    """The session lives: its turn does not expire. Had it stopped, with work that ran on? Writes at most once an
    hour."""
    known = of_session(proxy.ledger, session)
    if known is None:
        return False
    _stretch(proxy, known)
    return known.background


# -- a runtime's own question ------------------------------------------------------------------------------


def asked(proxy: WriteProxy, session: str, tool_use_id: str, held_ids: Sequence[str]) -> None:
    """Remember that a runtime asks a person about a tool call, and which held proposals the question is about."""
    from firewall.agents import once

    at = proxy.origin().at
    call = once.of_session(session, tool_use_id)
    with proxy.ledger.transaction():
        for held in held_ids:
            proxy.ledger.change("INSERT OR REPLACE INTO asked VALUES (?, ?, ?)", (call, held, at))


def answered_yes(proxy: WriteProxy, session: str, tool_use_id: str) -> tuple[str, ...]:
    """The tool call that a person was asked about has run, so the answer was yes.

    Held proposals of it that are on the disk now, to the byte, are accepted: they are the new baseline. Returns
    their ids; of the others nothing is known, and what is on the disk is judged. Each question counts once.
    """
    from firewall.agents import once

    call = once.of_session(session, tool_use_id)
    rows = proxy.ledger.query("SELECT held FROM asked WHERE call=? ORDER BY held", (call,))
    if not rows:
        return ()
    from firewall.agents.yes import accept_held

    accepted = tuple(str(held) for (held,) in rows if accept_held(proxy, str(held)))
    with proxy.ledger.transaction():
        proxy.ledger.change("DELETE FROM asked WHERE call=?", (call,))
    return accepted


# -- rows --------------------------------------------------------------------------------------------------


def of_session(ledger: Ledger, session: str, which: str = "AND closed_at IS NULL") -> Turn | None:
    """The session's last turn: the open one, which may have expired; any, where `which` is ''."""
    rows = ledger.query(
        f"SELECT {_COLUMNS} FROM turns WHERE root=? AND session=? {which} ORDER BY id DESC LIMIT 1",  # noqa: S608
        (ledger.root_id, session),
    )
    return _turn(rows[0]) if rows else None


def _turn(row: Sequence[object]) -> Turn:
    return Turn(int(str(row[0])), str(row[1]), float(str(row[2])), str(row[3]), bool(row[4]))


def _close(ledger: Ledger, session: str, at: float) -> None:
    ledger.change(
        "UPDATE turns SET closed_at=? WHERE root=? AND session=? AND closed_at IS NULL", (at, ledger.root_id, session)
    )
    keys = (_runs(ledger, session), *(kept(what, ledger, session) for what in (WORK, CALLS)))
    ledger.change("DELETE FROM meta WHERE key IN (?, ?, ?)", keys)


def _runs(ledger: Ledger, session: str) -> str:
    """Under what the ledger keeps the process that a session's turn is of."""
    return f"runs {ledger.root_id} {session}"


def kept(what: str, ledger: Ledger, session: str) -> str:
    """The same of what runs on when its agent has stopped (lasting.py): WORK, or CALLS that have not ended."""
    return f"{what} {ledger.root_id} {session}"


def _stretch(proxy: WriteProxy, turn: Turn) -> None:
    at, span = proxy.origin().at, _hours(proxy) * 3600.0
    rows = proxy.ledger.query("SELECT expires FROM turns WHERE id=?", (turn.id,))
    if rows and rows[0][0] > at + span - 3600.0:
        return
    with proxy.ledger.transaction(durable=False):
        proxy.ledger.change("UPDATE turns SET expires=? WHERE id=?", (at + span, turn.id))


def _hours(proxy: WriteProxy) -> float:
    return proxy.force.agents.turn_hours


def _remember_refs(proxy: WriteProxy) -> str:
    """Keep the commits that are there now and are nobody's but people's; the snapshot's sha."""
    from firewall.agents import provenance

    _note_made(proxy)
    commits = provenance.trusted(proxy)
    if commits is None:
        return ""
    from firewall.writes import disk

    data = "\n".join(commits).encode()
    sha = disk.sha256(data)
    with proxy.ledger.transaction():
        proxy.ledger.save(sha, data)
    return sha


def _note_made(proxy: WriteProxy) -> None:
    """Remember the commits that came to be while turns were open, those that died among them."""
    ledger = proxy.ledger
    rows = ledger.query("SELECT refs FROM turns WHERE root=? AND closed_at IS NULL ORDER BY id", (ledger.root_id,))
    if not rows:
        return
    from firewall.agents import provenance

    provenance.note_made(proxy, [str(row[0]) for row in rows])
