"""One look of `stet watch` at the disk: judge what changed, put back what the rules refuse, and offer that to a person.

Knows nothing of file events: when to look is the watcher's to say. The record is opened anew for each look, so that a
policy which a person accepted counts; where that fails because stet.toml is gone or broken, the last one stays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from firewall.agents import beside, git_settings, manifest, protected_settings, settings_sweep, standing, unsaid
from firewall.agents.settings_sweep import SWITCHED
from firewall.agents.sweep import DROPPED, PUT_BACK, Swept, sweep
from firewall.agents.turns import Turn
from firewall.errors import Busy, StetError
from firewall.text.amounts import amount
from firewall.values import NamedTuple
from firewall.verdict import Outcome
from firewall.writes import holding, project
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proposal import WriteResult
from firewall.writes.proxy import WriteProxy


class AlreadyWatched(StetError):
    """A second watcher on the same folder."""

    code = "already-watched"
    template = "{root} is being watched already."
    next_step = "One is enough. To start another, end that one first (Ctrl-C where it runs)."


class FolderGone(StetError):
    """The watched folder was removed or moved."""

    code = "folder-gone"
    template = "{root} is gone: it was removed, moved, or replaced by another folder. Nothing there is guarded now."
    next_step = "Start `stet watch` again in the folder that is to be guarded."


class Told(NamedTuple):
    """What became of one file. `held` is the id under which what was put back waits for a person."""

    path: str
    fate: str
    message: str
    rules: tuple[str, ...] = ()
    words: tuple[int, int] | None = None
    held: str = ""
    alert: str = ""

    @property
    def refused(self) -> bool:
        """Was the disk changed back?"""
        return self.fate in ("restored", "removed", PUT_BACK)

    def to_json(self) -> dict[str, object]:
        """The event of `stet watch --json`."""
        return {
            "event": self.fate, "path": self.path, "message": self.message, "rules": list(self.rules),
            "words": {"before": self.words[0], "after": self.words[1]} if self.words else None,
            "held": self.held or None, "alert": self.alert or None,
        }  # fmt: skip


class Rounds:
    """The watch over one folder. Use as a context manager: it holds the folder's watch and its turn."""

    def __init__(self, start: Path) -> None:
        self.proxy = self._open(start)
        self.root = self.proxy.root
        self._stack = contextlib.ExitStack()
        info = self.root.stat()
        self._identity = (info.st_dev, info.st_ino)

    def __enter__(self) -> Self:
        try:
            self._stack.enter_context(beside.watch_lock(self.proxy))
        except Busy:
            self.proxy.ledger.close()
            raise AlreadyWatched(root=self.root) from None
        try:
            self.turn: Turn = standing.begin(self.proxy)
        except BaseException:
            self._stack.close()
            self.proxy.ledger.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with self._stack:
            with contextlib.suppress(StetError):
                standing.end(self.proxy, self.turn)
            self.proxy.ledger.close()

    def look(self) -> tuple[list[Told], StetError | None]:
        """Look once; and why policy or record could not be read anew, if so.

        Raises FolderGone; StateBroken, StorageError or Busy where nobody can say what is on the disk, and then the
        next look finds what this one left.
        """
        self._still_there()
        trouble = self._reopen()
        proxy = self.proxy
        self.turn = standing.renew(proxy, self.turn)
        agents = standing.agents_at_work(proxy)
        out = [] if agents else self._settings(proxy)
        swept = sweep(proxy, self.turn, standing.SESSION, settings=agents)
        if agents:
            unsaid.keep(proxy, swept)
        out += self._offered(proxy, swept)
        if any(one.path == POLICY_FILE for one in out):
            trouble = None  # it was gone, and is there again, or is on another branch
        return out, trouble

    def _open(self, start: Path) -> WriteProxy:
        return WriteProxy(project.load(start), session=standing.SESSION, source="watch")

    def _still_there(self) -> None:
        try:
            info = self.root.stat()
        except OSError:
            info = None
        if info is None or (info.st_dev, info.st_ino) != self._identity:
            raise FolderGone(root=self.root)

    def _reopen(self) -> StetError | None:
        """Read policy and record anew. Returns why that failed, if what was read before may stand in for it."""
        try:
            fresh = self._open(self.root)
        except StetError as error:
            if not (self.proxy.state / "ledger.db").is_file():
                raise
            self.proxy.ledger.query("SELECT 1 FROM artifacts LIMIT 1")  # the record itself must be well
            if (self.root / POLICY_FILE).exists() or not git_settings.is_elsewhere(self.proxy):
                return error
            pinned = project.as_pinned(self.root, self.proxy.state)  # a branch from before Stet
            fresh = WriteProxy(pinned, session=standing.SESSION, source="watch")
        self.proxy.ledger.close()
        self.proxy = fresh
        return None

    def _settings(self, proxy: WriteProxy) -> list[Told]:
        """With no agent at work, policy and settings files are a person's; a stet.toml that is gone comes back."""
        changes = manifest.look(proxy)
        if not changes.guarded:
            return []
        out = []
        gone = POLICY_FILE in changes.guarded and not (proxy.root / POLICY_FILE).exists()
        if gone and git_settings.is_elsewhere(proxy):
            said = f"{POLICY_FILE} is not on this branch. The rules in force stay those that a person accepted."
            out.append(Told(POLICY_FILE, SWITCHED, said))
        elif gone:
            protected_settings.put_back(proxy, None, [POLICY_FILE])
            said = f"{POLICY_FILE} was gone and is there again; to end the guard, end `stet watch` first."
            out.append(Told(POLICY_FILE, PUT_BACK, said))
        settings_sweep.take(proxy, changes)
        return out

    def _offered(self, proxy: WriteProxy, swept: Sequence[Swept]) -> list[Told]:
        """What was put back waits for a person, each file of it, and a person is told once of all."""
        out = []
        tell: list[str] = []
        for one in swept:
            result = one.result
            held = result.held if result else ""
            if one.refused and result is not None and not held and result.alert is None:
                held = holding.offer(proxy, result)
                tell.append(held)
            elif held and one.fate != DROPPED and not (proxy.force.alerts.held and _was_held(result)):
                tell.append(held)
            out.append(_told(one, held))
        told = [held for held in tell if held]
        if told:
            from firewall.writes.notify import held_alerts

            for alert in held_alerts(proxy.ledger, told):
                proxy.tell(alert._replace(reason=f"what was changed past Stet was put back{_more(told)}"))
        return out


def _was_held(result: WriteResult | None) -> bool:
    """Did the rules hold it, so that a policy which asks for it has told of it already?"""
    return result is not None and result.verdict.outcome is Outcome.HOLD


def _more(told: Sequence[str]) -> str:
    return f", with {amount(len(told) - 1, 'more file')}" if len(told) > 1 else ""


def _told(one: Swept, held: str) -> Told:
    result = one.result
    if result is None:
        return Told(one.path, one.fate, one.message)
    words = (result.words.before, result.words.after)
    alert = result.alert.id if result.alert else ""
    return Told(one.path, one.fate, one.message, result.verdict.rules, words, held, alert)
