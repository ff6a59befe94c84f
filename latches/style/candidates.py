"""Places in raw Markdown where a term may stand. A sieve: it may keep too much and never too little.

Most documents break no rule. They are told from the others without being parsed, by one pass of an
Aho-Corasick automaton over the source and a look at the characters around what it finds.
"""

from __future__ import annotations

import ahocorasick_rs

from latches.style.terms import Term, fold, lower

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_REACH = 400
"""Characters on each side of a word in which the rest of its phrase is sought."""


class Sieve:
    """All terms of a style as one automaton."""

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self._terms = terms
        owners: dict[str, list[int]] = {}
        for index, term in enumerate(terms):
            for anchor in term.anchors:
                owners.setdefault(anchor, []).append(index)
        self._owners = [tuple(indexes) for indexes in owners.values()]
        self._automaton = ahocorasick_rs.AhoCorasick(list(owners)) if owners else None

    def places(self, source: str) -> dict[int, list[int]]:
        """For each term, by its index, the offsets of words in `source` that may be it."""
        if self._automaton is None:
            return {}
        text = lower(fold(source))
        if not text.isascii():
            text = _without_surrogates(text)
        out: dict[int, list[int]] = {}
        last = len(text)
        for anchor, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True):
            # Inside a word? Where ASCII goes on; other scripts are left to the judge of uses.
            if start and text[start - 1] in _PLAIN and text[start] in _PLAIN:
                continue
            if end < last and text[end] in _PLAIN and text[end - 1] in _PLAIN:
                continue
            for index in self._owners[anchor]:
                loose = self._terms[index].loose
                if loose is None or loose.search(text, max(0, start - _REACH), end + _REACH):
                    places = out.setdefault(index, [])
                    if not places or places[-1] != start:
                        places.append(start)
        return out


def _without_surrogates(text: str) -> str:
    """Lone surrogates, which the automaton refuses, as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text
