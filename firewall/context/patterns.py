"""A lane's own regular expressions, under a time limit: one that takes longer refuses the passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import normalize

from firewall.context.readings import cased, composed
from firewall.context.terms import Hit, alike_enough
from firewall.context.views import View

SECONDS = 0.5
"""Time that one pattern may take on one passage."""


def find(text: str, patterns: Sequence[str], homoglyphs: str = "mixed") -> Iterator[Hit]:
    """The first match of each pattern in `text` as it stands, or else as it reads.

    Case stays in the reading. The whole text for a pattern that takes longer than SECONDS. `homoglyphs` as for terms.
    """
    if not patterns:
        return
    import regex

    views = [*cased(text), *composed(text)]
    for pattern in patterns:
        try:
            match = regex.search(pattern, text, timeout=SECONDS)
            if match is None and not pattern.isascii():
                match = regex.search(normalize("NFC", pattern), text, timeout=SECONDS)
            if match:
                yield Hit(pattern, *match.span())
                continue
            for view in views:
                span = _first(regex, normalize("NFC", pattern), view, text, homoglyphs)
                if span is not None:
                    yield Hit(pattern, *span)
                    break
        except TimeoutError:
            yield Hit(f"{pattern} (stopped after {SECONDS} s)", 0, len(text))


def _first(regex: Any, pattern: str, view: View, text: str, homoglyphs: str) -> tuple[int, int] | None:
    """The first match in `view` whose look-alike letters count, as a span of `text`; an empty match is none."""
    for match in regex.finditer(pattern, view.text, timeout=SECONDS):
        if match.end() > match.start():
            low, high = view.place(*match.span())
            if alike_enough(text, low, high, pattern, homoglyphs):
                return low, high
    return None
