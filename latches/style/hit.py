"""What the style scanner reports."""

from __future__ import annotations

from typing import NamedTuple


class StyleHit(NamedTuple):
    """One place where prose breaks the style: `source[start:end]`.

    `rule` is ceiling, density, banned, apart, off-without-reason, off-unused or off-unclosed. `term` is the word or
    phrase as the policy writes it (the text of the comment for the last three). `measured` is what was
    measured and `limit` what is allowed; for density both are uses in the whole document, for apart words
    between the two.
    """

    rule: str
    term: str
    start: int
    end: int
    message: str
    alternatives: tuple[str, ...] = ()
    measured: int = 0
    limit: int = 0


class Use(NamedTuple):
    """A use of a term in prose, at `source[start:end]`."""

    start: int
    end: int
    term: str


class Silenced(NamedTuple):
    """A use that a `stet: off` comment takes out of the count, and the reason it gives."""

    rule: str
    term: str
    start: int
    end: int
    reason: str


class Scan(NamedTuple):
    """What a scan found, in order of place, and what was silenced."""

    hits: list[StyleHit]
    silenced: list[Silenced]
