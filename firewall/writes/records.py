"""Rows of the ledger as values."""

from __future__ import annotations

from firewall.values import NamedTuple

PROPOSED = ("refuse", "hold", "refused-latched", "trip", "staged")
"""Kinds of journal entries whose new bytes were proposed and never stood in the file by them."""


class Artifact(NamedTuple):
    """What Stet remembers of one protected file. Hashes are '' where there is no file.

    The word counts and `grown` are those of `facts.Counts`; -1 where nobody has counted. `answered` is the journal
    entry of a person's last answer, `accepted` that of the last version that came from one or with one's yes.
    """

    id: int
    path: str
    disk: str
    baseline: str
    baseline_at: float
    mark: str
    high: str
    attempts: int
    alert: str
    answered: int
    disk_words: int
    mark_words: int
    mark_kept: int
    high_words: int
    high_kept: int
    base_words: int
    base_kept: int
    mark_away: str
    high_away: str
    accepted: int
    grown: int

    @property
    def latched(self) -> bool:
        """True from a trip until a person resets it."""
        return bool(self.alert)


class Standing(NamedTuple):
    """An artifact with what else the ledger may have of it; each is false only where there surely is none: a commit
    without an outcome, a refusal of before, text of another artifact, an agent's turn in its folder."""

    artifact: Artifact
    unsettled: bool = True
    refused: bool = True
    holds: bool = True
    turn: bool = True


class Entry(NamedTuple):
    """One line of the journal. `data` is a JSON object as text."""

    seq: int
    at: float
    artifact: int | None
    kind: str
    old: str
    new: str
    session: str
    source: str
    data: str
    hash: str


class Intent(NamedTuple):
    """A commit under way: `old` -> `new` for an artifact, or its rename to `target`.

    `after` is a JSON object: the artifact's columns once the commit is done.
    """

    id: int
    artifact: int
    path: str
    change_set: str
    old: str
    new: str
    target: str
    after: str
    journal: int


class Case(NamedTuple):
    """An alert or a held proposal, waiting for a person or answered. `data` is a JSON object as text.

    `kind`: trip (the artifact is latched), staged (work was put aside), hold (a person may want it).
    `state`: open or waiting until answered; approved, edited, rejected, escalated, expired or answered.
    """

    id: str
    at: float
    artifact: int
    path: str
    kind: str
    state: str
    change_set: str
    disk: str
    proposal: str
    target: str
    data: str
    answered_at: float | None
    answered_by: str

    @property
    def pending(self) -> bool:
        """Does it still wait for an answer?"""
        return self.state in ("open", "waiting", "escalated")

    @property
    def change(self) -> str:
        """What is proposed: text, new (a new file), delete, rename, or none (an edit that failed)."""
        return change_of(self.disk, self.proposal, self.target)


class Grant(NamedTuple):
    """A person's permission: named rules are lifted for a path or glob, `uses` times, until `expires`."""

    id: str
    at: float
    pattern: str
    rules: tuple[str, ...]
    uses: int
    expires: float


def change_of(disk: str, proposal: str, target: str) -> str:
    """What a proposal is, from the hashes before and after ('' for no file) and a rename's new path."""
    if target:
        return "rename"
    if proposal == disk:
        return "none"
    if not proposal:
        return "delete"
    return "text" if disk else "new"
