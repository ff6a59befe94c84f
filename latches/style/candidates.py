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

Places = dict[int, list[tuple[int, int, int]]]
"""For terms, by their index: (number of the form, start, end) of words in a source, in order of their ends."""


class Sieve:
    """All terms of a style as one automaton."""

    def __init__(self, terms: tuple[Term, ...]) -> None:
        owners: dict[str, list[int]] = {}
        for index, term in enumerate(terms):
            for anchor in term.anchors:
                owners.setdefault(anchor, []).append(index)
        self._owners = [tuple((index, terms[index].loose) for index in indexes) for indexes in owners.values()]
        self._automaton = ahocorasick_rs.AhoCorasick(list(owners)) if owners else None

    def places(self, source: str) -> Places:
        """For each term, by its index, the words in `source` that may be it, or be in it."""
        if self._automaton is None:
            return {}
        text = lower(fold(source))
        if not text.isascii():
            text = _without_surrogates(text)
        out: Places = {}
        owners, plain = self._owners, _PLAIN
        padded = f" {text} "  # so that each word has a neighbour on either side, one further on than in the text
        for found in self._automaton.find_matches_as_indexes(text, overlapping=True):
            anchor, start, end = found
            # Inside a word? Where ASCII goes on; other scripts are left to the judge of uses.
            if padded[start] in plain and padded[start + 1] in plain:
                continue
            if padded[end + 1] in plain and padded[end] in plain:
                continue
            for index, loose in owners[anchor]:
                if loose is None or loose.search(text, max(0, start - _REACH), end + _REACH):
                    if index in out:
                        out[index].append(found)
                    else:
                        out[index] = [found]
        return out


def _without_surrogates(text: str) -> str:
    """Lone surrogates, which the automaton refuses, as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text
