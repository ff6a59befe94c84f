"""The regular English forms of a banned term, for lanes that ask for them."""

from __future__ import annotations

from collections.abc import Iterator

_ENDINGS = ("", "s", "es", "'s", "ed", "d", "ing", "er", "ers", "ly")


def forms_of(term: str) -> Iterator[str]:
    """The regular English forms of a term; of a phrase, those of its last word."""
    for ending in _ENDINGS:
        yield term + ending
    if len(term) > 3 and term[-1] in "eE":
        yield from (term[:-1] + ending for ending in ("ing", "ed", "er"))
    if len(term) > 2 and term[-1] in "yY" and term[-2] not in "aeiouAEIOU":
        yield from (term[:-1] + ending for ending in ("ies", "ied", "ier"))
    if len(term) > 2 and term[-1] not in "aeiouwxyAEIOUWXY" and term[-2] in "aeiouAEIOU":
        yield from (term + term[-1] + ending for ending in ("ing", "ed", "er"))
