"""Eight processes at once: no lost update, no deadlock, exact counts, one alert for one trip."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from stet_kit import Book, NewBook, chapter, no_leftovers

from firewall.policy.rules import Rules
from firewall.writes import disk
from firewall.writes.operator import verify_journal

WRITERS = Path(__file__).with_name("busy_writers.py")
PROCESSES = 8
WRITES = 200
FILES = 10

PATIENT = {
    key: value for key, value in {"attempts": 100_000, "window_attempts": 100_000}.items() if key in Rules.model_fields
}
"""A base that went stale is an attempt; here nothing may trip because of it."""


def at_once(book: Book, mode: str, writes: int = WRITES, files: int = FILES) -> list[dict[str, Any]]:
    """What each of the writers reports."""
    done = subprocess.run(
        [sys.executable, str(WRITERS), str(book.root), str(PROCESSES), str(writes), str(files), mode],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == PROCESSES
    return told


def test_no_write_is_lost_and_each_replaced_what_was_judged(book: Book) -> None:
    told = at_once(book, "any")
    assert sum(t["refused"] + t["busy"] for t in told) == 0
    landed = Counter(sha for t in told for shas in t["landed"].values() for sha in shas)
    assert sum(landed.values()) == PROCESSES * WRITES
    with book.open() as proxy:
        assert verify_journal(proxy.ledger.journal()) is None
        assert proxy.ledger.intents() == []
        recorded: Counter[str] = Counter()
        for artifact in proxy.ledger.artifacts():
            assert artifact.attempts == 0
            before = ""
            for entry in proxy.ledger.journal(artifact.id):
                assert entry.kind in ("adopt", "intent", "commit"), entry
                if entry.kind == "commit":
                    assert entry.old == before, "a commit replaced other bytes than it was judged on"
                    before = entry.new
                    recorded[entry.new] += 1
            assert disk.read(book.root / artifact.path).sha256 == before == artifact.disk
        assert recorded == landed
    assert no_leftovers(book.root) == []


def test_lines_added_by_eight_writers_are_all_there(new_book: NewBook) -> None:
    book = new_book(rules=PATIENT)
    told = at_once(book, "append", 8, 4)
    lines = Counter(line for path in book.root.glob("f*.md") for line in path.read_text("utf-8").splitlines())
    assert lines == Counter(f"Words of w{p}-{n} alone." for p in range(PROCESSES) for n in range(8))
    refused = sum(t["refused"] for t in told)
    with book.open() as proxy:
        kinds = Counter(e.kind for e in proxy.ledger.journal())
    assert kinds["refuse"] + kinds["hold"] == refused, "every stale base was counted, once"


def test_refusals_by_eight_writers_are_counted_exactly(new_book: NewBook) -> None:
    book = new_book(rules=PATIENT)
    for n in range(3):
        book.put(f"f{n}.md", chapter(100))
    told = at_once(book, "refuse", 10, 3)
    assert sum(t["refused"] for t in told) == PROCESSES * 10
    assert sum(t["tripped"] for t in told) == 0
    with book.open() as proxy:
        assert sum(a.attempts for a in proxy.ledger.artifacts()) == PROCESSES * 10
        assert verify_journal(proxy.ledger.journal()) is None


@pytest.mark.parametrize("attempts", [1, 3])
def test_eight_writers_trip_a_file_once(new_book: NewBook, attempts: int) -> None:
    book = new_book(rules={"attempts": attempts})
    text = chapter(100)
    book.put("f0.md", text)
    told = at_once(book, "refuse", 3, 1)
    assert sum(t["tripped"] for t in told) == 1, "one alert"
    with book.open() as proxy:
        (artifact,) = proxy.ledger.artifacts()
        assert artifact.attempts == attempts
        assert artifact.latched
        kinds = Counter(e.kind for e in proxy.ledger.journal(artifact.id))
        assert kinds["refuse"] + kinds["hold"] == attempts
        assert kinds["trip"] == 1
    assert (book.root / "f0.md").read_bytes() == text
    assert len((book.state_folder / "alerts.jsonl").read_text("utf-8").splitlines()) == 1
