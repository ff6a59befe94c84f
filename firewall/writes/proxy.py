"""The write proxy: observe, decide, commit, record. The only way to a protected file."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from firewall.verdict import Finding, Verdict


class WordCounts(NamedTuple):
    """Words on disk before, in the proposal, and in the mark."""

    before: int
    after: int
    mark: int


class WriteResult(NamedTuple):
    """What came of a proposal, an attempt or a staging; `to_json` is the JSON of DESIGN section 7."""

    path: str
    verdict: Verdict
    committed: bool
    tripped: bool
    attempt: int
    attempts_left: int
    words: WordCounts
    alert: str | None
    sha256: str | None


class WriteProxy:
    """A guarded project. Use as a context manager; one per process and session is enough."""

    @classmethod
    def open(cls, start: Path, *, session: str = "", source: str = "cli") -> WriteProxy:
        """The project whose stet.toml is in `start` or above. Raises NoProject, PolicyError, StateBroken."""
        raise NotImplementedError

    def __enter__(self) -> WriteProxy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

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
        raise NotImplementedError

    def write(
        self,
        path: Path,
        content: bytes | None,
        *,
        base: str | None = None,
        stop_reason: str | None = None,
        structural: tuple[int, int] | None = None,
    ) -> WriteResult:
        """Judge and commit.

        `base` is the sha256 the writer worked from. `structural` is the byte range of the bytes on disk
        that the pipeline replaces (start == end to insert): only there are size rules lifted, and every
        byte outside it must come back unchanged.
        """
        raise NotImplementedError

    def attempt(self, path: Path, finding: Finding, proposed: bytes | None = None) -> WriteResult:
        """Count a failed edit, or a repair that left its defect open, against the artifact."""
        raise NotImplementedError

    def stage(self, path: Path, proposed: bytes, findings: tuple[Finding, ...], reason: str) -> WriteResult:
        """Put work in progress on a staging branch and raise an alert, without latching the artifact."""
        raise NotImplementedError
