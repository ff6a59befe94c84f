"""The regular English forms of a banned term, and a Korean noun with its particles, for lanes that ask for them."""

from __future__ import annotations

from collections.abc import Iterator

_ENDINGS = ("", "s", "es", "'s", "ed", "d", "ing", "er", "ers", "ly")
_PARTICLES = (
    "", *"은는이가을를의에도만와과로나란", "에서", "에게", "에는", "에도", "에서는", "에게서", "으로", "으로는",
    "으로서", "이나", "이란", "이다", "입니다", "이며", "이고", "까지", "부터", "보다", "처럼", "마다", "조차",
    "밖에", "이라는", "라는", "들", "들은", "들이", "들을", "들의", "들에", "들도",
)  # fmt: skip


def forms_of(term: str) -> Iterator[str]:
    """The regular English forms of a term, or a Korean one with particles; of a phrase, those of its last word."""
    if "\uac00" <= term[-1:] <= "\ud7a3":
        yield from (term + particle for particle in _PARTICLES)
        return
    for ending in _ENDINGS:
        yield term + ending
    if len(term) > 3 and term[-1] in "eE":
        yield from (term[:-1] + ending for ending in ("ing", "ed", "er"))
    if len(term) > 2 and term[-1] in "yY" and term[-2] not in "aeiouAEIOU":
        yield from (term[:-1] + ending for ending in ("ies", "ied", "ier"))
    if len(term) > 2 and term[-1] not in "aeiouwxyAEIOUWXY" and term[-2] in "aeiouAEIOU":
        yield from (term + term[-1] + ending for ending in ("ing", "ed", "er"))
