"""Everything a rule may look at: one immutable value, gathered before anything is decided."""

from __future__ import annotations

from collections.abc import Mapping

from firewall import digest
from firewall.values import NamedTuple
from firewall.writes.limits import Limits

Words = tuple[str, ...]
"""A unit by its words."""


class Counts(NamedTuple):
    """What the ledger remembers of an artifact in words, so that an edit need not count the whole file.

    `disk`, `mark` and `high` are their words, those away included; `mark_kept` and `high_kept` how many of
    those survive on the disk; `baseline` and `baseline_kept` the same of the baseline. -1: not known, count it.
    `grown` is how many words came since the mark that were accepted as growth, or while the text was short: no later
    edit answers for them again.
    """

    disk: int = -1
    mark: int = -1
    mark_kept: int = -1
    high: int = -1
    high_kept: int = -1
    baseline: int = -1
    baseline_kept: int = -1
    grown: int = 0


class Facts(NamedTuple):
    """A proposal for one artifact and what Stet knows of it.

    `path` is relative to the project, with `/`. `disk`, `mark`, `high` (the accepted version with most words
    since the baseline), `baseline` and `proposed` are bytes, None where there is no file (or, for `proposed`, where the
    proposal is a delete). `path_problem` is why the path may not be
    written, or empty. `base` is the sha256 the writer worked from, or None where it did not say; `seen` what
    this session last read or wrote here, None where it did neither; `disk_sha` that of `disk`.
    `structural` is the byte range of `disk` that the pipeline's own code replaces, or None. `declared` is the
    old text of an edit, which names what the edit removes. `step_back` says that the proposal is exactly the
    bytes before the last accepted growth, which was the last commit. `mark_away` and `high_away` are units (by
    their words) that belong to the mark and the high version and stood in other artifacts when they were made;
    `elsewhere` counts, by their words, the units that other artifacts gained and hold, where text of this one
    may have gone, `shown_elsewhere` the same by what a reader sees there as prose, `code_elsewhere` those that are code
    there, and `released` those of its units that a person took over there. `granted` are rules that a
    person lifted. `editor`: the change is many edits of an editor, and `declared` the parts whose lines they took
    out. `loss_only` says that the file is guarded against loss and not judged as prose.
    """

    path: str
    disk: bytes | None
    proposed: bytes | None
    mark: bytes | None
    disk_sha: str
    limits: Limits
    high: bytes | None = None
    baseline: bytes | None = None
    path_problem: str = ""
    base: str | None = None
    seen: str | None = None
    stop_reason: str | None = None
    structural: tuple[int, int] | None = None
    declared: bytes | None = None
    step_back: bool = False
    counts: Counts = Counts()
    mark_away: tuple[Words, ...] = ()
    high_away: tuple[Words, ...] = ()
    elsewhere: Mapping[Words, int] = {}
    shown_elsewhere: Mapping[Words, int] = {}
    code_elsewhere: Mapping[Words, int] = {}
    released: Mapping[Words, int] = {}
    granted: frozenset[str] = frozenset()
    loss_only: bool = False
    editor: bool = False


def sha256(data: bytes | None) -> str:
    """The hex sha256 of the bytes, or the empty string where there is no file."""
    return "" if data is None else digest.sha256(data)
