"""The passages of a book's notes, searchable with SQLite FTS5, and what each could be made into."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from firewall.context.screen import screen_of
from firewall.policy.lanes import Lane
from firewall.text.markdown import parse
from firewall.text.words import words
from firewall.verdict import Finding
from pipeline.compose.holds import Parameters, makes
from pipeline.compose.notes import Unit, units_in
from pipeline.db import memory_database
from pipeline.sources import Chunk, Sources, clean_chunks

_SCHEMA = """
CREATE VIRTUAL TABLE passage USING fts5 (trail, body, tokenize = 'porter unicode61 remove_diacritics 2');
"""

_STOP = frozenset(
    "a an and are as at be been but by can do does for from had has have how if in into is it its more not "
    "of on or our so than that the their them then there these they this to was we were what when where "
    "which who why will with you your".split()
)


class Hits(NamedTuple):
    """How many words a query has, and how many of them each passage that has one has."""

    words: int
    found: dict[int, int]


class Index:
    """The passages of a book's notes, searchable. `version` is a hash of all of them with their lanes."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        canonical = json.dumps([list(c) for c in chunks], ensure_ascii=True, separators=(",", ":"))
        self.version = hashlib.sha256(canonical.encode()).hexdigest()
        self._has: dict[int, frozenset[str]] = {}
        self._db = memory_database(_SCHEMA)
        self._db.executemany(
            "INSERT INTO passage (rowid, trail, body) VALUES (?, ?, ?)",
            ((i, _tokens(c.trail), _tokens(c.text)) for i, c in enumerate(self.chunks)),
        )

    def close(self) -> None:
        """Give the memory back."""
        self._db.close()

    def search(self, query: str) -> dict[int, float]:
        """How well passages fit `query`, more than 0, the best first. Those without a hit are absent."""
        terms = dict.fromkeys(t for t in _tokens(query).split() if t not in _STOP)
        if not terms:
            return {}
        match = " OR ".join(f'"{term}"' for term in terms)
        rows = self._db.execute(
            "SELECT rowid, bm25(passage, 2.0, 1.0) FROM passage WHERE passage MATCH ?", (match,)
        ).fetchall()
        if not rows:
            return {}
        scale = len(terms) ** 0.5  # a long query has more words to score with
        fits = [(round(max(-rank, 1e-6) / scale, 6), int(i)) for i, rank in rows]
        return {i: max(fit, 1e-6) for fit, i in sorted(fits, key=lambda f: (-f[0], f[1]))}

    def hits(self, query: str) -> Hits:
        """How many of the query's words each passage has, in whatever inflection."""
        terms = dict.fromkeys(t for t in _tokens(query).split() if t not in _STOP)
        found: dict[int, int] = {}
        for term in terms:
            for (number,) in self._db.execute("SELECT rowid FROM passage WHERE passage MATCH ?", (f'"{term}"',)):
                found[int(number)] = found.get(int(number), 0) + 1
        return Hits(len(terms), found)

    def has(self, number: int, stuff: str) -> bool:
        """Does passage `number` have code, numbers or times?"""
        if number not in self._has:
            self._has[number] = stuff_of(self.chunks[number].text)
        return stuff in self._has[number]

    def makes(self, number: int, element: str, options: Parameters = ()) -> bool:
        """Does passage `number` hold what `element` can be made of?"""
        return makes(self.chunks[number].text, element, options)

    def note(self, number: int) -> str:
        """The note that passage `number` is from."""
        return self.chunks[number].source.rpartition(":")[0]

    def together(self, number: int) -> list[int]:
        """Passage `number` and those that stand under the same headings of the same note, in order."""
        return self._groups[self.note(number), self.chunks[number].trail]

    @cached_property
    def _groups(self) -> dict[tuple[str, str], list[int]]:
        out: dict[tuple[str, str], list[int]] = {}
        for number, chunk in enumerate(self.chunks):
            out.setdefault((self.note(number), chunk.trail), []).append(number)
        return out

    def units(self, numbers: Sequence[int]) -> tuple[Unit, ...]:
        """Passages read as one stretch."""
        return units_in("\n\n".join(self.chunks[i].text for i in numbers))


def build_index(sources: Sources, reader: Lane) -> tuple[Index, tuple[Finding, ...]]:
    """The index over all notes, cleaned as the lane `reader` asks, and what was found in them."""
    screen = screen_of(reader)
    chunks: list[Chunk] = []
    findings = list(sources.findings)
    for note in sources.notes:
        some, found = clean_chunks(note, screen)
        chunks += some
        findings += found
    return Index(chunks), tuple(findings)


def stuff_of(text: str) -> frozenset[str]:
    """What an element could be made of, beyond prose."""
    found = set()
    doc = parse(text)
    if any(node.attrs["fenced"] for node in doc.find("code_block")):
        found.add("code")
    digits = sum(any(c.isdigit() for c in word) for word in words(text))
    if digits >= 3:
        found.add("numbers")
    if sum(_is_time(word) for word in words(text)) >= 2:
        found.add("times")
    return frozenset(found)


def _is_time(word: str) -> bool:
    """02:14, 2:14, 02:14:59, with punctuation around it."""
    parts = word.strip(".,;()[]*_`–-").split(":")
    return len(parts) in (2, 3) and all(p.isdigit() and len(p) <= 2 for p in parts)


def _tokens(text: str) -> str:
    """`text` as FTS5 should see it: folded, scripts without spaces cut into letters, no operators."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = " ".join(words(folded))
    return "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in spaced)
