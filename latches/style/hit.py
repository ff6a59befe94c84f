"""What the style scanner reports."""

from __future__ import annotations

from typing import NamedTuple


class StyleHit(NamedTuple):
    """One place where prose breaks the style: `source[start:end]`.

    `rule` is ceiling, density, banned, apart, off-without-reason or off-unused. `term` is the word or
    phrase as the policy writes it (the text of the comment for the last two). `measured` is what was
    measured and `limit` what is allowed; for density both are uses in the whole document.
    """

    rule: str
    term: str
    start: int
    end: int
    message: str
    alternatives: tuple[str, ...] = ()
    measured: int = 0
    limit: int = 0
