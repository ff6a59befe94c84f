"""What a decision asks of the ledger does not depend on how many files the project has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from stet_kit import STUB, Book, NewBook, chapter, reword

from firewall.writes.proxy import WriteProxy


def _steps(book: Book, files: int) -> dict[str, int]:
    """How many instructions SQLite runs for one decision of each kind, in a project of so many files."""
    for n in range(files):
        book.put(f"notes/{n % 7}/n{n}.md", chapter(60, n))
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    def counted(work: Callable[[], object]) -> int:
        nonlocal count
        count = 0
        work()
        return count

    with book.open(session="s") as proxy:
        proxy.adopt([Path(f"notes/{n % 7}/n{n}.md") for n in range(files)])
        proxy.ledger._db.set_progress_handler(tick, 1)
        return {name: counted(work) for name, work in _work(proxy, book).items()}


def _work(proxy: WriteProxy, book: Book) -> dict[str, Callable[[], object]]:
    one, two = book.root / "notes/1/n1.md", book.root / "notes/2/n2.md"
    edited = reword(chapter(60, 1))
    return {
        "check": lambda: proxy.check(one, edited),
        "write": lambda: proxy.write(one, edited),
        "refuse": lambda: proxy.write(two, STUB[:9]),
        "repeat": lambda: proxy.write(two, STUB[:9]),
        "delete": lambda: proxy.write(two, None),
        "settle": proxy.ledger.intents,
    }


def test_a_decision_costs_the_same_among_ten_files_and_among_four_hundred(new_book: NewBook) -> None:
    few, many = _steps(new_book("few"), 10), _steps(new_book("many"), 400)
    assert min(few.values()) > 5
    assert {kind: many[kind] <= few[kind] * 1.2 for kind in few} == dict.fromkeys(few, True)
