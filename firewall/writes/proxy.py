"""The write proxy: observe, decide, commit, record. The only way to a protected file."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from firewall.errors import EXIT_LATCHED, EXIT_OK, EXIT_REFUSED, Busy
from firewall.policy import Policy, parse_policy
from firewall.policy.merge import in_force
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome, Verdict, judge
from firewall.writes import alerts, commit, disk, marks, paths, project, trip
from firewall.writes.alerts import Alert
from firewall.writes.commit import Origin, Plan
from firewall.writes.decide import decide
from firewall.writes.disk import Reading
from firewall.writes.facts import Facts
from firewall.writes.ledger import Ledger
from firewall.writes.limits import Limits
from firewall.writes.lock import FileLock, lock_name
from firewall.writes.measures import Measures
from firewall.writes.observe import observe
from firewall.writes.paths import Target
from firewall.writes.records import Artifact

RACES = 3
"""How often a file that changes under the commit is looked at anew before Stet gives up."""


class WordCounts(NamedTuple):
    """Words on disk before, in the proposal, and in the mark."""

    before: int
    after: int
    mark: int


class WriteResult(NamedTuple):
    """What came of a proposal, an attempt or a staging; `to_json` is the JSON of check and write.

    `committed` is true when the disk now holds what was proposed. `tripped` is true while the artifact is
    latched. `attempt` counts failed attempts in a row, this one included; `alert` is the alert raised now.
    """

    path: str
    verdict: Verdict
    committed: bool
    tripped: bool
    attempt: int
    attempts_left: int
    words: WordCounts
    alert: Alert | None
    sha256: str

    @property
    def exit_status(self) -> int:
        """0 allowed, 1 refused, 4 latched (the refusal that trips included)."""
        if self.tripped:
            return EXIT_LATCHED
        return EXIT_OK if self.verdict.allowed else EXIT_REFUSED

    def to_json(self) -> dict[str, object]:
        """The stable JSON object of `stet check --json` and `stet write --json`."""
        return {
            "outcome": self.verdict.outcome.label,
            "path": self.path,
            "committed": self.committed,
            "tripped": self.tripped,
            "attempt": self.attempt,
            "attempts_left": self.attempts_left,
            "words": self.words._asdict(),
            "sha256": self.sha256,
            "findings": [f.to_json() for f in self.verdict.findings],
            "alert": self.alert.to_json() if self.alert else None,
        }


class WriteProxy:
    """A guarded project, open. Use as a context manager; `notify` is told of every alert raised."""

    def __init__(
        self,
        found: project.Project,
        *,
        session: str = "",
        source: str = "cli",
        clock: Callable[[], float] = time.time,
        notify: Callable[[Alert], None] | None = None,
    ) -> None:
        self.root = found.root
        self.state = found.state
        self._clock = clock
        self._session = session
        self._source = source
        self._notify = notify or _to_stderr
        self.ledger = Ledger(found.state, found.root, found.policy.rules.lock_seconds)
        project.remember(found)
        self.policy = self._pinned(found)
        self.limits: Limits = project.limits(self.policy)
        self.recovered = commit.recover(self.ledger, self.root, self.state / "locks", self.origin())

    @classmethod
    def open(cls, start: Path, *, session: str = "", source: str = "cli") -> WriteProxy:
        """The project whose stet.toml is in `start` or above.

        Raises NoProject, PolicyError, StateBroken or StorageError; then nothing may be written.
        """
        return cls(project.load(start), session=session, source=source)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()

    def origin(self) -> Origin:
        """Who asks, now."""
        return Origin(self._session, self._source, self._clock())

    def _pinned(self, found: project.Project) -> Policy:
        """The policy in force; the first one seen is pinned, as a person made it."""
        text = self.ledger.meta("policy")
        if text is None:
            with self.ledger.transaction():
                self.ledger.set_meta("policy", found.text)
            return found.policy
        if text == found.text:
            return found.policy
        return in_force(parse_policy(text, "the accepted stet.toml"), found.policy)

    # -- proposals -----------------------------------------------------------------------------------

    def check(
        self,
        path: Path,
        content: bytes | None,
        *,
        base: str | None = None,
        stop_reason: str | None = None,
        structural: tuple[int, int] | None = None,
    ) -> WriteResult:
        """Judge only: nothing is written and nothing is counted. `content` None is a delete."""
        target = paths.resolve(path, self.root, self.state)
        with self.lock(target):
            return self._judge(target, content, base, stop_reason, structural)[0]

    def write(
        self,
        path: Path,
        content: bytes | None,
        *,
        base: str | None = None,
        stop_reason: str | None = None,
        structural: tuple[int, int] | None = None,
    ) -> WriteResult:
        """Judge and commit. `content` None is a delete.

        `base` is the sha256 the writer worked from. `structural` is the byte range of the bytes on disk
        that the pipeline replaces (start == end to insert): only there are size rules lifted, and every
        byte outside it must come back unchanged.
        """
        target = paths.resolve(path, self.root, self.state)
        with self.lock(target):
            for _ in range(RACES):
                result, artifact, reading = self._judge(target, content, base, stop_reason, structural)
                if artifact is None:
                    return result
                if not result.verdict.allowed:
                    return self._refuse(result, artifact, reading, content)
                if reading.sha256 == result.sha256:
                    return result._replace(committed=True)
                try:
                    self._commit(target, artifact, reading, content, structural, result)
                except disk.Replaced:
                    continue
                return result._replace(committed=True, attempt=0, attempts_left=self.limits.attempts)
        raise Busy(path=target.relative, seconds=0)

    def lock(self, target: Target) -> FileLock:
        """The artifact's lock, to be held around looking and changing."""
        name = lock_name(self.root, target.relative)
        return FileLock(self.state / "locks" / name, self.limits.lock_seconds, target.relative)

    def _judge(
        self,
        target: Target,
        content: bytes | None,
        base: str | None,
        stop_reason: str | None,
        structural: tuple[int, int] | None,
    ) -> tuple[WriteResult, Artifact | None, Reading]:
        """The verdict, the artifact it is about (None where the path is none), and the disk as read."""
        reading, artifact = disk.MISSING, None
        if not target.problem:
            reading = disk.read(target.real, self.limits.max_bytes)
            artifact = observe(self.ledger, target.relative, reading, self.limits.window_days, self.origin())
            if self._is_latched(artifact):
                return self._latched(artifact, reading), artifact, reading
        if content is not None and len(content) > self.limits.max_bytes:
            verdict = judge([_too_large(target.relative, len(content), self.limits.max_bytes)], ["max-bytes"])
            return (
                self._result(target.relative, verdict, artifact, WordCounts(0, 0, 0), ""),
                artifact,
                reading,
            )
        mark = self._mark(artifact, reading)
        facts = Facts(
            path=target.relative,
            disk=reading.data,
            proposed=content,
            mark=mark,
            disk_sha=reading.sha256,
            limits=self.limits,
            path_problem=target.problem,
            base=base,
            stop_reason=stop_reason,
            structural=structural,
        )
        measures = Measures(facts)
        counts = WordCounts(measures.disk_words, measures.new_words, measures.mark_words)
        sha = "" if content is None else disk.sha256(content)
        return (
            self._result(target.relative, decide(facts, measures), artifact, counts, sha),
            artifact,
            reading,
        )

    def _mark(self, artifact: Artifact | None, reading: Reading) -> bytes | None:
        if artifact is None or artifact.mark == reading.sha256:
            return reading.data
        return self.ledger.load(artifact.mark)

    def _result(
        self, path: str, verdict: Verdict, artifact: Artifact | None, counts: WordCounts, sha: str
    ) -> WriteResult:
        attempts = artifact.attempts if artifact else 0
        left = max(0, self.limits.attempts - attempts)
        return WriteResult(path, verdict, False, False, attempts, left, counts, None, sha)

    def _commit(
        self,
        target: Target,
        artifact: Artifact,
        reading: Reading,
        content: bytes | None,
        structural: tuple[int, int] | None,
        result: WriteResult,
    ) -> None:
        mark = marks.after(self._mark(artifact, reading), reading.data, content, structural)
        sha = "" if mark is None else disk.sha256(mark)
        note = {"words": result.words._asdict(), "structural": list(structural) if structural else None}
        plan = Plan(content, sha, "commit" if content is not None else "delete", note)
        if mark is not None and mark != content:
            with self.ledger.transaction(durable=False):
                self.ledger.save(sha, mark)
        commit.commit(self.ledger, artifact, target.real, reading, plan, self.origin())

    # -- refusals ------------------------------------------------------------------------------------

    def _is_latched(self, artifact: Artifact) -> bool:
        return artifact.latched or artifact.attempts >= self.limits.attempts

    def _latched(self, artifact: Artifact, reading: Reading) -> WriteResult:
        message = (
            f"{artifact.path} is latched after {artifact.attempts} failed attempts in a row. "
            "No proposal for it is read until a person resets it; go on with other work."
        )
        finding = Finding(
            "latched", Outcome.BLOCK, message, {"attempts": artifact.attempts, "alert": artifact.alert}
        )
        counts = WordCounts(_words(reading.data), 0, _words(self._mark(artifact, reading)))
        result = self._result(artifact.path, judge([finding], ["latched"]), artifact, counts, "")
        return result._replace(tripped=True)

    def _refuse(
        self, result: WriteResult, artifact: Artifact, reading: Reading, content: bytes | None
    ) -> WriteResult:
        """Keep the proposal, count the attempt, and trip at the limit."""
        if result.tripped and artifact.latched:
            with self.ledger.transaction(durable=False):
                origin = self.origin()
                self.ledger.append(
                    "refused-latched",
                    origin.at,
                    artifact=artifact.id,
                    old=artifact.disk,
                    session=origin.session,
                    source=origin.source,
                )
            return result
        return self._count(result, artifact, reading, content)

    def _count(
        self, result: WriteResult, artifact: Artifact, reading: Reading, content: bytes | None
    ) -> WriteResult:
        origin = self.origin()
        kind = "hold" if result.verdict.outcome is Outcome.HOLD else "refuse"
        with self.ledger.transaction():
            if content is not None and result.sha256:
                self.ledger.save(result.sha256, content)
            attempts = self.ledger.count_attempt(artifact.id)
            note = {"findings": [f.to_json() for f in result.verdict.findings], "attempt": attempts}
            self.ledger.append(
                kind,
                origin.at,
                artifact=artifact.id,
                old=reading.sha256,
                new=result.sha256,
                session=origin.session,
                source=origin.source,
                data=note,
            )
        left = max(0, self.limits.attempts - attempts)
        result = result._replace(attempt=attempts, attempts_left=left)
        if attempts < self.limits.attempts:
            return result
        findings = result.verdict.findings
        reason = f"{attempts} failed attempts in a row"
        alert = self._alert("trip", artifact, reading, content, findings, reason, attempts)
        return result._replace(tripped=True, alert=alert)

    def _alert(
        self,
        kind: str,
        artifact: Artifact,
        reading: Reading,
        content: bytes | None,
        findings: tuple[Finding, ...],
        reason: str,
        attempts: int,
    ) -> Alert:
        alert = trip.raise_alert(
            self.ledger, self.root, artifact, reading, content,
            kind=kind, ident=f"A{secrets.token_hex(4)}", findings=findings, reason=reason,
            attempts=attempts, origin=self.origin(),
        )  # fmt: skip
        self._notify(alert)
        return alert

    def attempt(self, path: Path, finding: Finding, proposed: bytes | None = None) -> WriteResult:
        """Count a failed edit, or a repair that left its defect open, against the artifact."""
        target = paths.resolve(path, self.root, self.state)
        with self.lock(target):
            result, artifact, reading = self._judge(target, proposed, None, None, None)
            if artifact is None or result.tripped:
                return result
            failed = finding if finding.outcome >= Outcome.HOLD else finding._replace(outcome=Outcome.BLOCK)
            result = result._replace(verdict=judge([failed], [finding.rule]))
            return self._count(result, artifact, reading, proposed if proposed is not None else reading.data)

    def stage(self, path: Path, proposed: bytes, findings: tuple[Finding, ...], reason: str) -> WriteResult:
        """Put work in progress on a staging branch and raise an alert, without latching the artifact."""
        target = paths.resolve(path, self.root, self.state)
        with self.lock(target):
            result, artifact, reading = self._judge(target, proposed, None, None, None)
            if artifact is None or result.tripped:
                return result
            with self.ledger.transaction():
                self.ledger.save(result.sha256, proposed)
            alert = self._alert("staged", artifact, reading, proposed, findings, reason, artifact.attempts)
            return result._replace(verdict=judge(findings, [f.rule for f in findings]), alert=alert)


def _words(data: bytes | None) -> int:
    return 0 if data is None else count_words(data.decode("utf-8", "replace"))


def _too_large(path: str, size: int, limit: int) -> Finding:
    message = (
        f"{path}: the proposal has {size} bytes; at most {limit} are judged ([rules] max_bytes). Split it."
    )
    return Finding("max-bytes", Outcome.BLOCK, message, {"bytes": size, "limit": limit})


def _to_stderr(alert: Alert) -> None:
    print(alerts.block(alert.to_json()), file=sys.stderr, flush=True)  # noqa: T201 - the operator's block
