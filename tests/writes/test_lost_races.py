"""Writers that lose a race latch nothing; a writer that will not read what it is told to read does."""

from __future__ import annotations

import pytest
from stet_kit import STUB, Book, chapter, reword

from firewall.writes import disk
from firewall.writes.proxy import WriteResult

TEXT = chapter(1200)


def sends(book: Book, session: str, content: bytes, base: str) -> WriteResult:
    with book.open(session=session) as proxy:
        return proxy.write(book.root / "ch.md", content, base=base)


def more(number: int, words: int = 30) -> bytes:
    return TEXT + b"\n" + chapter(words, 100 + number).split(b"\n", 1)[1]


@pytest.fixture
def base(book: Book) -> str:
    """The hash that all writers read, before somebody else was faster."""
    book.write("ch.md", TEXT)
    assert book.write("ch.md", more(0)).committed
    return disk.sha256(TEXT)


@pytest.mark.parametrize("named", [True, False])
def test_writers_that_lose_one_race_latch_nothing(book: Book, base: str, named: bool) -> None:
    for number in range(1, 7):
        result = sends(book, f"s{number}" if named else "", more(number), base)
        assert (result.committed, result.tripped) == (False, False)
        assert result.verdict.rules == ("stale-base",)
        assert (result.attempt, result.attempts_left) == (0, 3)
    assert book.alerts == []
    current = disk.sha256((book.root / "ch.md").read_bytes())
    assert sends(book, "s1", reword((book.root / "ch.md").read_bytes()), current).committed


@pytest.mark.parametrize("session", ["mine", ""])
def test_a_writer_that_sends_one_stale_write_three_times_trips(book: Book, base: str, session: str) -> None:
    told = [sends(book, session, more(1), base) for _ in range(3)]
    assert [r.tripped for r in told] == [False, False, True]
    assert [r.attempt for r in told] == [0, 2, 3]


def test_another_text_from_the_same_stale_base_counts_too(book: Book, base: str) -> None:
    told = [sends(book, "mine", more(n), base) for n in range(1, 4)]
    assert [r.tripped for r in told] == [False, False, True]


def test_a_wipe_is_an_attempt_whatever_base_it_names(book: Book, base: str) -> None:
    told = [sends(book, f"s{n}", STUB + b"x" * n, base) for n in range(3)]
    assert [r.tripped for r in told] == [False, False, True]
    assert {"stale-base", "word-floor"} <= set(told[0].verdict.rules)


def test_a_hold_counts_where_the_base_was_never_there(book: Book, base: str) -> None:
    """What 200 lost words look like to a writer that read them missing is no proof for one that made its base up."""
    large = TEXT + b"\n" + chapter(800, 7)
    assert sends(book, "x", large, disk.sha256((book.root / "ch.md").read_bytes())).committed
    honest = sends(book, "a", more(1), base)
    assert "word-floor" in honest.verdict.rules
    invented = sends(book, "b", more(2), "0" * 64)
    assert (honest.attempt, invented.attempt) == (0, 1)


def test_races_lost_in_a_week_do_not_fill_the_window(book: Book, base: str) -> None:
    for number in range(12):
        assert not sends(book, f"s{number}", more(number), base).tripped
    with book.open() as proxy:
        (artifact,) = proxy.ledger.artifacts()
        assert artifact.attempts == 0
        assert sum(e.kind == "refuse" for e in proxy.ledger.journal(artifact.id)) >= 11, "all of it is on record"
