"""Finding a lane's banned terms in a text: as words, whatever their case, through zero-width characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firewall.context.views import match_view


class Hit(NamedTuple):
    """`term` as the policy writes it stands at `text[start:end]`."""

    term: str
    start: int
    end: int


def find(text: str, terms: Sequence[str]) -> Iterator[Hit]:
    """Each place where a term stands as a word, in order of the terms."""
    import ahocorasick_rs

    folded = [(" ".join(match_view(term).text.split()), term) for term in terms]
    wanted = [(fold, term) for fold, term in folded if fold]
    if not wanted:
        return
    view = match_view(text)
    finder = ahocorasick_rs.AhoCorasick([fold for fold, _ in wanted])
    for index, start, end in finder.find_matches_as_indexes(view.text, overlapping=True):
        if _is_word(view.text, start, end):
            yield Hit(wanted[index][1], *view.place(start, end))


def _is_word(text: str, start: int, end: int) -> bool:
    """No letter or digit may go on from the term: "executive" is not "exec"."""
    if start and text[start].isalnum() and text[start - 1].isalnum():
        return False
    return not (end < len(text) and text[end - 1].isalnum() and text[end].isalnum())
