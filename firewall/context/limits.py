"""How much of anything the context firewall takes before it refuses: a refusal with a reason, never a hang."""

from __future__ import annotations

MAX_CHARACTERS = 50_000_000
"""Characters of one text. A book has about a million."""
MAX_BYTES = 4 * MAX_CHARACTERS
"""Bytes that are read of one text; a character of UTF-8 has four at most."""
MAX_DEPTH = 10_000
"""HTML elements open at once. Honest pages nest about thirty deep; old ones leave thousands unclosed."""
MAX_TAGS = 2_000_000
"""HTML tags in one text."""
MAX_STYLES = 500_000
"""Comparisons of an element with a rule of a style sheet, and one in eight of the declarations taken over. A large page
needs some ten thousand; this many take a few seconds."""
MAX_FINDINGS = 1_000_000
"""Things found in one text."""
MAX_PASSES = 12
"""Passes after which a text counts as nested on purpose; honest text needs two or three."""


class TooMuch(Exception):
    """A limit is passed. Internal: it becomes a finding that blocks."""

    def __init__(self, what: str, message: str, limit: int) -> None:
        super().__init__(message)
        self.what = what
        self.message = message
        self.limit = limit
