"""Everything a rule may look at: one immutable value, gathered before anything is decided."""

from __future__ import annotations

from typing import NamedTuple

from firewall.writes.limits import Limits


class Facts(NamedTuple):
    """A proposal for one artifact and what Stet knows of it.

    `path` is relative to the project, with `/`. `disk`, `mark` and `proposed` are bytes, None where there
    is no file (or, for `proposed`, where the proposal is a delete). `path_problem` is why the path may
    not be written, or empty. `base` is the sha256 the writer worked from, or None where it did not say;
    `disk_sha` is that of `disk`. `structural` is the byte range of `disk` that the pipeline's own code
    replaces, or None.
    """

    path: str
    disk: bytes | None
    proposed: bytes | None
    mark: bytes | None
    disk_sha: str
    limits: Limits
    path_problem: str = ""
    base: str | None = None
    stop_reason: str | None = None
    structural: tuple[int, int] | None = None


class Texts(NamedTuple):
    """The decoded view of Facts that the text rules share, with word counts made once.

    A text that is not UTF-8 is decoded with U+FFFD for judging only; nothing decoded is ever written.
    """

    disk: str
    proposed: str
    mark: str
    disk_words: int
    proposed_words: int
    mark_words: int
