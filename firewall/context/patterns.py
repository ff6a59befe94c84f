"""A lane's own regular expressions, under a time limit: one that takes longer refuses the passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firewall.context.terms import Hit

SECONDS = 0.5
"""Time that one pattern may take on one passage."""


def find(text: str, patterns: Sequence[str]) -> Iterator[Hit]:
    """The first match of each pattern; the whole text for a pattern that takes longer than SECONDS."""
    if not patterns:
        return
    import regex

    for pattern in patterns:
        try:
            match = regex.search(pattern, text, timeout=SECONDS)
        except TimeoutError:
            yield Hit(f"{pattern} (stopped after {SECONDS} s)", 0, len(text))
            continue
        if match:
            yield Hit(pattern, *match.span())
