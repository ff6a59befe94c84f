"""A tool call that several installed hooks ask about is judged once.

The hooks may stand in a plugin and in settings, or in two settings files; a runtime asks them all, often at the same
time. The first judges and counts; what it refused is answered again to the others, word for word. That holds for the
very same call alone: the same session, event, id and input; for a short time and a few times, since some runtimes
number their calls anew in every answer. Where a runtime gives no id, it holds for a hook that was not asked about these
words yet: one that is asked again is asked about a repetition. Nobody wins by it: what is remembered is a refusal, and
never a permission.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from firewall.agents.events import Answer, Event, ToolCall
from firewall.digest import sha256
from firewall.values import TYPE_CHECKING
from firewall.writes.lock import FileLock

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

SECONDS = 60.0
"""How long another hook may take to ask; all of a call's hooks run at the same time or one after another."""
TIMES = 4
"""Hooks beside the first that are answered by it."""


def of_session(session: str, call: str) -> str:
    """What a call is kept under: runtimes may use an id again in another session."""
    return sha256(f"{session}\0{call}".encode("utf-8", "surrogateescape"))


def key(event: Event, call: ToolCall) -> str:
    """What the answer to this event is kept under; '' where the runtime tells no session."""
    if not event.session:
        return ""
    parts = [event.runtime, event.kind, event.session, event.agent, event.cwd, event.mode, event.person, call]
    return sha256(json.dumps(parts, sort_keys=True, default=repr).encode())


@contextlib.contextmanager
def alone(proxy: WriteProxy) -> Iterator[None]:
    """No other hook looks or counts meanwhile. For those who hold no artifact's lock; these locks do it otherwise."""
    with FileLock(proxy.state / "locks" / "calls.lock", proxy.limits.lock_seconds, "the hooks' own lock"):
        yield


def before(proxy: WriteProxy, kept: str, asker: str = "", *, numbered: bool = True) -> Answer | None:
    """The answer that another hook got to the same event, if one did just now. `asker` tells the hooks that a runtime
    asks apart; it counts where the call is not `numbered`."""
    if not kept:
        return None
    at = proxy.origin().at
    with proxy.ledger.transaction(durable=False):
        rows = proxy.ledger.change(
            "UPDATE told SET times=times+1 WHERE call=? AND at BETWEEN ? AND ? AND times<? RETURNING answer",
            (kept, at - SECONDS, at, TIMES),
        )
        if not rows:
            return None
        answer, askers = json.loads(rows[0][0])
        if not numbered and asker in askers:
            return None
        proxy.ledger.change("UPDATE told SET answer=? WHERE call=?", (json.dumps([answer, [*askers, asker]]), kept))
    return Answer(*answer)


def remember(proxy: WriteProxy, kept: str, answer: Answer, asker: str = "") -> Answer:
    """Keep a refusal for the other hooks; the answer."""
    if kept and answer.decision:
        at = proxy.origin().at
        with proxy.ledger.transaction(durable=False):
            text = json.dumps([answer, [asker]])
            proxy.ledger.change("INSERT OR REPLACE INTO told VALUES (?, ?, 0, ?)", (kept, at, text))
    return answer


def forget(proxy: WriteProxy, since: float) -> None:
    """Let go of what was kept before `since`. Inside a transaction."""
    proxy.ledger.change("DELETE FROM told WHERE at<?", (since,))
    proxy.ledger.change("DELETE FROM counted WHERE at<?", (since,))
