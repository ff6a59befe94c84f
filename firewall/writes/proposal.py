"""What is proposed, and what came of it."""

from __future__ import annotations

from pathlib import Path

from firewall.digest import Hashed
from firewall.errors import EXIT_LATCHED, EXIT_OK, EXIT_REFUSED
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Verdict

if TYPE_CHECKING:
    from firewall.writes.alerts import Alert
else:
    Alert = object


class Proposal(NamedTuple):
    """What somebody wants one artifact to become.

    `content` is the new bytes, or None for a delete; with `rename_to` the file keeps its bytes and gets that
    name. `base` is the sha256 the writer worked from. `structural` is the byte range of the bytes on disk that
    the pipeline's own code replaces (start == end to insert). `declared` is the old text of an edit.
    `there` says that it is done already: the disk holds it, and it is judged against what the ledger knows.
    """

    path: Path
    content: bytes | None
    base: str | None = None
    stop_reason: str | None = None
    structural: tuple[int, int] | None = None
    declared: bytes | None = None
    rename_to: Path | None = None
    there: bool = False


class WordCounts(NamedTuple):
    """Words on disk before, in the proposal, and in the mark."""

    before: int
    after: int
    mark: int


class WriteResult(NamedTuple):
    """What came of a proposal, an attempt or a staging; `to_json` is the JSON of check and write.

    `committed` is true when the disk now holds what was proposed, `sha256` what that is. `tripped` is true while
    the artifact is latched. `attempt` counts failed attempts in a row, this one included; `alert` is the alert
    raised now, and `held` the id under which a held proposal waits.
    """

    path: str
    verdict: Verdict
    committed: bool
    tripped: bool
    attempt: int
    attempts_left: int
    words: WordCounts
    alert: Alert | None
    hashed: Hashed
    held: str = ""

    @property
    def sha256(self) -> str:
        """Hash of what was proposed, '' for a delete."""
        return self.hashed.hex

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
            "held": self.held or None,
            "alert": self.alert.to_json() if self.alert else None,
        }
