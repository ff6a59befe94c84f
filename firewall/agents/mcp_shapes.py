"""The shapes of what the MCP tools answer, for the schemas that a client is given."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Read(BaseModel):
    """Lines of a file. `sha256` is that of the whole file; `cut` says that the last line was too long to show."""

    path: str
    message: str
    text: str
    first_line: int
    last_line: int
    lines: int
    cut: bool
    words: int
    sha256: str


class File(BaseModel):
    """A guarded file; of a latched one no proposal is read."""

    path: str
    bytes: int
    attempts: int
    latched: bool


class Listed(BaseModel):
    """The guarded files below a folder."""

    files: list[File]
    not_listed: int


class Event(BaseModel):
    """One thing that happened to a file; `version` numbers those that left one to put back."""

    at: str
    kind: str
    version: int | None
    sha256: str | None
    session: str
    source: str
    rules: list[str]


class History(BaseModel):
    """What happened to a file, the latest first; `older` events are not shown."""

    path: str
    events: list[Event]
    older: int


class Words(BaseModel):
    """Words on disk before, in the proposal, and in the mark."""

    before: int
    after: int
    mark: int


class Finding(BaseModel):
    """What a rule measured."""

    rule: str
    outcome: str
    message: str
    evidence: dict[str, Any]
    start: int | None = None
    end: int | None = None


class Written(BaseModel):
    """What came of a proposal; `committed` says that the file is now what was proposed."""

    outcome: str
    path: str
    message: str
    committed: bool
    tripped: bool
    attempt: int
    attempts_left: int
    words: Words
    sha256: str
    findings: list[Finding]
    held: str | None
    alert: dict[str, Any] | None
