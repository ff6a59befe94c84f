"""The write proxy: observe, decide, commit, record. The only way to a protected file."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType

from firewall.errors import Busy, StetError, StorageError, UsageError
from firewall.lazy import lazy
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding
from firewall.writes import cases, disk, force, paths, project, protection
from firewall.writes.asking import Origin, turn_open
from firewall.writes.database import plain
from firewall.writes.disk import Reading
from firewall.writes.ledger import Ledger
from firewall.writes.lock import FileLock, lock_path
from firewall.writes.paths import Target
from firewall.writes.proposal import Proposal, WordCounts, WriteResult

if TYPE_CHECKING:
    from typing import Self

    from firewall.policy import Policy
    from firewall.writes.alerts import Alert
    from firewall.writes.bench import Assessed, Bench
    from firewall.writes.records import Standing

__all__ = ["Proposal", "WordCounts", "WriteProxy", "WriteResult"]

RACES = 3
"""How often a file that changes under the commit is looked at anew before Stet gives up."""


class SamePathTwice(UsageError):
    """A change set names a file twice."""

    code = "same-path-twice"
    template = "The change set names {path} twice."
    next_step = "Put both changes of the file into one proposal."


class WriteProxy:
    """A guarded project, open. Use as a context manager; `notify` is told of every alert raised.

    `in_hook`: standard error is an agent's, unless it is a terminal, and gets no block for the operator; and a server
    of hooks may pass it from thread to thread.
    """

    def __init__(
        self,
        found: project.Project,
        *,
        session: str = "",
        source: str = "cli",
        clock: Callable[[], float] = time.time,
        notify: Callable[[Alert], None] | None = None,
        in_hook: bool = False,
    ) -> None:
        self.root = found.root
        self.state = found.state
        self._clock = clock
        self._session = plain(session)
        self._source = plain(source)
        wait = found.known.rules.lock_seconds if found.known else project.WAIT_SECONDS
        self.ledger = Ledger(found.state, found.root, wait, expected=found.recorded, passed_on=in_hook)
        if found.known is not None:
            project.remember(found)
        self.texts = force.texts(self.ledger, found.text)
        self._policy_hash = self.texts.hash
        self.force = force.in_force(self.ledger, self.texts)
        self.limits = self.force.limits
        self.protection = self.force.protection
        self._given = notify
        self._in_hook = in_hook
        self._untold: list[Alert] = []
        self._is_turn_open: bool | None = None
        """Whether an agent's turn was open when the locks were taken that are held now; None while none are."""
        self._standing: dict[str, Standing] = {}
        """What was asked about artifacts with it; whoever judges next takes it, so that none is old."""
        self.look_after()

    def look_after(self) -> None:
        """What is done whenever a project is opened, and before each question where it stays open."""
        self.recovered = self._recover()
        self._tell_overdue()

    def _recover(self) -> list[str]:
        """Give the commits that a dead process left their outcome."""
        if not self.ledger.intents():
            return []
        from firewall.writes import commit

        return commit.recover(self.ledger, self.origin())

    @classmethod
    def open(
        cls, start: Path, *, session: str = "", source: str = "cli", clock: Callable[[], float] = time.time
    ) -> WriteProxy:
        """The project whose stet.toml is in `start` or above.

        Raises NoProject, PolicyError, StateBroken or StorageError; then nothing may be written.
        """
        found = project.load(start)
        proxy = cls(found, session=session, source=source, clock=clock)
        if not found.recorded:
            from firewall.writes import homes

            homes.tell_begun(found.root, found.state)
        return proxy

    @classmethod
    def recorded(cls, root: Path, state: Path, *, session: str = "", source: str = "hook") -> WriteProxy:
        """The project of these folders, as `project.recorded` finds it: lean, for an agent's hook."""
        return cls(project.recorded(root, state), session=session, source=source, in_hook=True)

    @classmethod
    def as_pinned(cls, root: Path, state: Path, *, session: str = "", source: str = "hook") -> WriteProxy:
        """The same by the accepted policy alone, for when stet.toml is gone or cannot be read."""
        return cls(project.as_pinned(root, state), session=session, source=source, in_hook=True)

    @property
    def is_policy_pending(self) -> bool:
        """Does stet.toml on disk differ from what a person accepted? It counts only where it is stricter."""
        return self.texts.pinned != self.texts.disk

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()

    def speak_for(self, session: str, source: str) -> None:
        """What follows is asked by this session."""
        self._session, self._source = plain(session), plain(source)

    def origin(self) -> Origin:
        """Who asks, now."""
        return Origin(self._session, self._source, self._clock())

    def bench(self) -> Bench:
        """What judgements are made with, now."""
        from firewall.writes.bench import Bench

        origin = self.origin()
        judged = self._is_turn_open
        if judged is None:
            judged = turn_open(self.ledger, origin.at)
        known, self._standing = self._standing, {}
        return Bench(
            self.ledger, self.limits, self.protection, self._policy_hash, origin, turn_open=judged, standing=known
        )

    @lazy
    def policy(self) -> Policy:
        """The whole policy in force; what is needed for every write is in `force` already."""
        return force.parsed(self.texts)

    @lazy
    def _notify(self) -> Callable[[Alert], None]:
        from firewall.writes.notify import Notifier

        return self._given or Notifier(self.ledger, self.policy.alerts, self._clock, in_hook=self._in_hook)

    def _tell_overdue(self) -> None:
        """Escalate what was left unanswered, and let old held proposals expire."""
        alerts, now = self.force.alerts, self._clock()
        kinds = ("trip", "staged", "hold") if alerts.held else ("trip", "staged")
        hours = alerts.escalate_after_hours
        raised = now - hours * 3600.0 if hours else float("-inf")
        if cases.overdue(self.ledger, kinds, raised, now - alerts.hold_days * 86_400.0):
            from firewall.writes.notify import sweep

            sweep(self.ledger, self.policy.alerts, self.origin(), self._notify)

    # -- proposals -----------------------------------------------------------------------------------

    def check(self, path: Path, content: bytes | None, **options: object) -> WriteResult:
        """Judge one proposal: nothing is written and nothing is counted. Options are Proposal's fields."""
        return self.check_set([Proposal(path, content, **options)])[0]  # type: ignore[arg-type]

    def write(self, path: Path, content: bytes | None, **options: object) -> WriteResult:
        """Judge one proposal and commit it. `content` None is a delete; options are Proposal's fields."""
        return self.write_set([Proposal(path, content, **options)])[0]  # type: ignore[arg-type]

    def rename(self, path: Path, new: Path, **options: object) -> WriteResult:
        """Give an artifact another name; its mark, attempts and latch go with it. The result is that of the file whose
        proposal was refused, else of the one that has the name."""
        from firewall.writes import used_names

        results = self.write_set(used_names.proposals(self, path, new, **options))
        return min(results, key=lambda result: -result.verdict.outcome)

    def check_set(self, proposals: Sequence[Proposal]) -> list[WriteResult]:
        """Judge proposals together, as one change set, without writing or counting."""
        from firewall.writes.assess import assess

        with self.locked(proposals) as wanted:
            return [self.result(a) for a in assess(self.bench(), wanted)]

    def write_set(self, proposals: Sequence[Proposal]) -> list[WriteResult]:
        """Judge proposals together and commit all of them, or none."""
        from firewall.writes.assess import assess

        with self.locked(proposals) as wanted:
            for _ in range(RACES):
                judged = assess(self.bench(), wanted)
                if not all(a.verdict.allowed for a in judged):
                    return self.refuse(judged)
                try:
                    return self.land(judged)
                except disk.Replaced:
                    continue
        raise Busy(path=wanted[0][1].relative, seconds=0)

    def adopt(self, files: Iterable[Path]) -> int:
        """See files for the first time, so that what is there now is their baseline. Returns how many were new.

        Files that are no artifacts, or that cannot be read, are left out; a later look at them says why.
        """
        from firewall.writes.observe import adopt_all

        return adopt_all(self.ledger, self._readable(files), self.origin())

    def _readable(self, files: Iterable[Path]) -> Iterator[tuple[str, Reading]]:
        for file in files:
            target = self.target(self.root / file)
            if target.problem:
                continue
            with contextlib.suppress(StorageError):
                yield target.relative, disk.read(target.real, self.limits.max_bytes)

    def target(self, path: Path) -> Target:
        """The artifact that a path names. A hook judges all that an agent does below its folder, in a worktree that was
        opened as a project itself as well: that one's own hooks may not run."""
        return paths.resolve(path, self.root, self.state, copies=self._in_hook)

    @contextlib.contextmanager
    def locked(self, proposals: Sequence[Proposal]) -> Iterator[list[tuple[Proposal, Target, Target | None]]]:
        """The proposals with their targets, all locks held."""
        wanted = []
        for proposal in proposals:
            new = proposal.rename_to
            wanted.append((proposal, self.target(proposal.path), self.target(new) if new else None))
        names = [t.relative for _, first, second in wanted for t in (first, second) if t is not None]
        for name in names:
            if names.count(name) > 1:
                raise SamePathTwice(path=name)
        there = [t for _, first, second in wanted for t in (first, second) if t is not None and not t.problem]
        with self.holding(names):
            self._is_turn_open = self._ask(there)
            unsettled = self._is_turn_open and self._is_unsettled(there)
            try:
                if not unsettled:
                    yield wanted
            finally:
                self._is_turn_open, self._standing = None, {}
        if unsettled:
            from firewall.agents.sweep import settle  # it stands above this module, and only a turn needs it

            settle(self, self._session)
            with self.holding(names):
                yield wanted

    def _ask(self, targets: Sequence[Target]) -> bool:
        """Is an agent's turn open? Asked together with what else is known of these files, whose locks are held."""
        at = self._clock()
        known = ((target.relative, self.ledger.standing(target.relative, at)) for target in targets)
        self._standing = {path: standing for path, standing in known if standing is not None}
        for standing in self._standing.values():
            return standing.turn
        return turn_open(self.ledger, at)

    @contextlib.contextmanager
    def holding(self, names: Iterable[str]) -> Iterator[None]:
        """The locks of the artifacts of these names, taken in one order by everybody.

        Alerts raised meanwhile are told of once the locks are free: a notification may take its time.
        """
        wanted = sorted((lock_path(self.state, self.root, name), name) for name in names)
        held: list[FileLock] = []
        try:
            for path, name in wanted:
                held.append(FileLock(path, self.limits.lock_seconds, name))
                held[-1].take()
            yield
        finally:
            while held:
                held.pop().drop()
            self._tell()

    def _is_unsettled(self, targets: Sequence[Target]) -> bool:
        """While an agent's turn is open, what it did to these files by other ways is judged first, with all that it
        did meanwhile: whoever asks next, the agent's own `stet write` as well, may not make it a person's."""
        for target in targets:
            if not protection.is_protected(target.relative, self.protection):
                continue
            known = self.ledger.artifact(target.relative)
            with contextlib.suppress(StorageError):
                if disk.read(target.real, self.limits.max_bytes).sha256 == (known.disk if known else ""):
                    continue
            return True
        return False

    def _tell(self) -> None:
        while self._untold:
            self.tell(self._untold.pop(0))

    def tell_later(self, told: Iterable[Alert]) -> None:
        """Send alerts out when the locks that are held now are free."""
        self._untold += told

    def tell(self, alert: Alert) -> None:
        """Send an alert out, once no lock is held."""
        self._notify(alert)

    def lock(self, target: Target) -> FileLock:
        """One artifact's lock, to be held around looking and changing."""
        path = lock_path(self.state, self.root, target.relative)
        return FileLock(path, self.limits.lock_seconds, target.relative)

    def result(self, a: Assessed) -> WriteResult:
        """What there is to say of a judged proposal before anything is done about it."""
        from firewall.writes import trip
        from firewall.writes.assess import is_latched

        attempts = a.artifact.attempts if a.artifact else 0
        left = max(0, self.limits.attempts - attempts)
        latched = a.artifact is not None and is_latched(a.artifact, self.limits)
        return WriteResult(a.target.relative, a.verdict, False, latched, attempts, left, trip.words(a), None, a.hashed)

    # -- commits -------------------------------------------------------------------------------------

    def land(self, judged: Sequence[Assessed]) -> list[WriteResult]:
        """Commit what was judged and allowed; the locks are held. Raises disk.Replaced, StorageError."""
        from firewall.writes import commit, inherited, steps

        bench = self.bench()
        inherited.hand_on(self.ledger, judged)
        plan = [s for a in judged if (s := steps.step(bench, a)) is not None]
        for at, s in enumerate(plan):
            if not (s.there or s.artifact.disk or s.target):
                from firewall.writes import unaccepted  # a new file: one that was refused may stand there

                plan[at] = s._replace(stands=unaccepted.there(self, s.artifact))
        if plan:
            commit.commit(self.ledger, plan, bench.origin)
        with contextlib.suppress(StetError):  # the files are written; this is tidying
            from firewall.writes import holding

            holding.settle(self.ledger, judged, bench.origin.at)
        done = []
        for a in judged:
            result = self.result(a)._replace(committed=True)
            if a.reading.sha256 != a.sha256:
                result = result._replace(attempt=0, attempts_left=self.limits.attempts)
            done.append(result)
        return done

    def refuse(self, judged: Sequence[Assessed]) -> list[WriteResult]:
        """Keep each refused proposal, count its attempt, trip at the limit. The others wait with them."""
        from firewall.writes import refusing

        return refusing.refuse(self, judged)

    # -- failures that are no proposals --------------------------------------------------------------

    def attempt(self, path: Path, finding: Finding, proposed: bytes | None = None) -> WriteResult:
        """Count a failed edit, or a repair that left its defect open, against the artifact."""
        from firewall.writes import refusing

        return refusing.attempt(self, path, finding, proposed)

    def stage(self, path: Path, proposed: bytes, findings: tuple[Finding, ...], reason: str) -> WriteResult:
        """Put work in progress on a staging branch and raise an alert, without latching the artifact."""
        from firewall.writes import refusing

        return refusing.stage(self, path, proposed, findings, reason)
