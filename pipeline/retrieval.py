"""Which passages each section is written from: SQLite FTS5 over the notes, then the context firewall.

Deterministic: the same notes, book and policy give the same passages in the same order on any machine.
Lanes are not filtered before the firewall judges, so that a note of a foreign lane is refused by the gate
that exists for it, and counted.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from firewall.context.errors import LaneViolation, PassageBlocked, PassageHeld
from firewall.context.lanes import make_passage
from firewall.context.passage import Passage
from firewall.context.screen import screen_of
from firewall.policy.lanes import Lane
from firewall.text.markdown import parse
from firewall.text.words import count_words, words
from firewall.verdict import Finding, Outcome
from latches.blueprint import SectionPlan
from pipeline.db import memory_database
from pipeline.sources import Chunk, Sources, clean_chunks

_SCHEMA = """
CREATE VIRTUAL TABLE passage USING fts5 (trail, body, tokenize = 'porter unicode61 remove_diacritics 2');
"""
FILL = 3.0
"""Words of sources a section gets, as a multiple of its target length."""
MOST, FEWEST = 14, 6
"""Passages a section gets at most, and at least where there are as many that fit."""
AWAY = 0.5
"""What a passage counts in a section when it fits another section of the book better."""
NEEDS = {
    "fenced_code_block": "code",
    "inline_annotations": "code",
    "performance_table": "numbers",
    "timeline_steps": "times",
}
"""Elements that not just any prose can make: at least one passage with the stuff comes along."""

_STOP = frozenset(
    "a an and are as at be been but by can do does for from had has have how if in into is it its more not "
    "of on or our so than that the their them then there these they this to was we were what when where "
    "which who why will with you your".split()
)


class Retrieved(NamedTuple):
    """What a section may be written from, best first, and what the firewall refused it."""

    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...]


class Index:
    """The passages of a book's notes, searchable. `version` is a hash of all of them with their lanes."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        canonical = json.dumps([list(c) for c in chunks], ensure_ascii=True, separators=(",", ":"))
        self.version = hashlib.sha256(canonical.encode()).hexdigest()
        self._has = [_stuff(c.text) for c in chunks]
        self._db = memory_database(_SCHEMA)
        self._db.executemany(
            "INSERT INTO passage (rowid, trail, body) VALUES (?, ?, ?)",
            ((i, _tokens(c.trail), _tokens(c.text)) for i, c in enumerate(self.chunks)),
        )

    def close(self) -> None:
        """Give the memory back."""
        self._db.close()

    def search(self, query: str) -> dict[int, float]:
        """How well passages fit `query`, 0 < fit <= 1, the best first. Those without a hit are absent."""
        terms = dict.fromkeys(t for t in _tokens(query).split() if t not in _STOP)
        if not terms:
            return {}
        match = " OR ".join(f'"{term}"' for term in terms)
        rows = self._db.execute(
            "SELECT rowid, bm25(passage, 2.0, 1.0) FROM passage WHERE passage MATCH ?", (match,)
        ).fetchall()
        if not rows:
            return {}
        best = min(rank for _, rank in rows)
        fits = [(round(rank / best, 6) if best < 0 else 1.0, int(i)) for i, rank in rows]
        return {i: max(fit, 1e-6) for fit, i in sorted(fits, key=lambda f: (-f[0], f[1]))}

    def has(self, number: int, stuff: str) -> bool:
        """Does passage `number` have code, numbers or times?"""
        return stuff in self._has[number]


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


def retrieve(
    index: Index,
    plans: Sequence[SectionPlan],
    queries: Sequence[str],
    *,
    reader: str,
    lanes: Mapping[str, Lane],
) -> list[Retrieved]:
    """The passages of each section, in the order of `plans`.

    All sections are ranked together, so that a passage goes first to the section it fits best and a book does
    not tell one thing twelve times. `reader` is the book's lane, `lanes` the policy's.
    """
    fits = [index.search(query) for query in queries]
    home: dict[int, float] = {}
    for fit in fits:
        for number, value in fit.items():
            home[number] = max(home.get(number, 0.0), value)
    out = []
    for plan, fit in zip(plans, fits, strict=True):
        ranked = sorted(fit, key=lambda i: (-fit[i] * (1.0 if fit[i] >= home[i] else AWAY), i))
        out.append(_pick(index, plan, ranked, reader, lanes))
    return out


def _pick(index: Index, plan: SectionPlan, ranked: Sequence[int], reader: str, lanes: Mapping[str, Lane]) -> Retrieved:
    """From the best on: judge each passage, take those that pass until the section has enough."""
    taken: dict[int, Passage] = {}
    refused: list[Finding] = []
    missing = {NEEDS[element] for element in plan.elements if element in NEEDS}
    room = plan.target_words * FILL
    for number in ranked:
        full = len(taken) >= MOST or (room <= 0 and len(taken) >= FEWEST)
        useful = {stuff for stuff in missing if index.has(number, stuff)}
        if full and not useful:
            if not missing or len(taken) >= MOST + len(NEEDS):
                break
            continue
        chunk = index.chunks[number]
        try:
            passage = make_passage(
                chunk.text,
                source=chunk.source,
                lane=chunk.lane,
                index_version=index.version,
                reader=reader,
                policy=lanes,
            )
        except (LaneViolation, PassageBlocked) as error:
            evidence = {**error.fields, "section": plan.number}
            outcome = Outcome.HOLD if isinstance(error, PassageHeld) else Outcome.BLOCK
            refused.append(Finding(error.code, outcome, error.message, evidence))
            continue
        if not passage.text.strip():
            continue
        taken[number] = passage
        missing -= useful
        room -= count_words(passage.text)
    return Retrieved(tuple(taken.values()), tuple(refused))


def _stuff(text: str) -> frozenset[str]:
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
