"""Rows of the ledger as values."""

from __future__ import annotations

from typing import NamedTuple


class Artifact(NamedTuple):
    """What Stet remembers of one protected file. Hashes are '' where there is no file."""

    id: int
    path: str
    disk: str
    baseline: str
    baseline_at: float
    mark: str
    attempts: int
    alert: str

    @property
    def latched(self) -> bool:
        """True from a trip until a person resets it."""
        return bool(self.alert)


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
    """A commit under way: `old` -> `new`, and the mark to have when it is done."""

    id: int
    artifact: int
    path: str
    old: str
    new: str
    mark: str
    journal: int


class AlertRow(NamedTuple):
    """An alert as stored; `data` is its JSON object as text."""

    id: str
    at: float
    artifact: int
    kind: str
    state: str
    proposal: str
    data: str
