"""How long a decision takes, as ratios within one run, beside counting the words of both texts.

Yardstick: `len(old.split())` plus `len(new.split())`. Printed, never judged by a clock.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stet_kit import NewBook, prose

from firewall.text.words import count_words
from firewall.writes import disk
from firewall.writes.decide import decide
from firewall.writes.facts import Counts, Facts
from firewall.writes.limits import Limits

pytestmark = pytest.mark.bench


def ratio(work: Callable[[], object], yardstick: Callable[[], object], seconds: float = 1.5) -> float:
    """How many times as long one call of `work` takes as one of `yardstick`: the best of each, taken in turns, so
    that whatever else the machine does hits both alike and neither is measured by it."""
    took: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(took[0]) < 20:
        for call, times in zip((work, yardstick), took, strict=True):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    return min(took[0]) / min(took[1])


def middle(work: Callable[[], object], yardstick: Callable[[], object], times: int = 100) -> float:
    """The median of how much longer `work` takes than `yardstick` right before it: for what waits for a disk."""
    out = []
    for _ in range(times):
        start = time.perf_counter()
        yardstick()
        between = time.perf_counter()
        work()
        out.append((time.perf_counter() - between) / (between - start))
    return statistics.median(out)


def counting(old: str, new: str) -> Callable[[], object]:
    """The yardstick: counting the words of both texts."""
    return lambda: (len(old.split()), len(new.split()))


def sentence_edit(text: str) -> str:
    """One sentence in the middle says something more."""
    at = text.index(".", len(text) // 2)
    return text[:at] + " today" + text[at:]


def facts_of(old: str, new: str) -> Facts:
    """What the proxy gathers for an artifact whose mark is on disk."""
    data, words = old.encode(), count_words(old)
    counts = Counts(words, words, words, words, words, words, words)
    return Facts("chapter.md", data, new.encode(), data, disk.sha256(data), Limits(), data, counts=counts)


@pytest.mark.parametrize("words", [2_500, 250_000])
def test_one_sentence(words: int) -> None:
    old = prose(words)
    new = sentence_edit(old)
    facts = facts_of(old, new)
    assert decide(facts).allowed
    found = ratio(lambda: decide(facts), counting(old, new))
    print(f"\ndecide, one sentence of {words:,} words: {found:.3f} (bar: {0.75 if words < 10_000 else 0.05})")


def test_a_whole_rewrite() -> None:
    old, new = prose(2_500, 1), prose(2_500, 2)
    facts = facts_of(old, new)
    assert not decide(facts).allowed
    found = ratio(lambda: decide(facts), counting(old, new))
    print(f"\ndecide, a rewrite of 2,500 words: {found:.1f} (bar: 20)")


def test_with_file_and_ledger(new_book: NewBook) -> None:
    book = new_book()
    old = prose(2_500)
    book.put("chapter.md", old.encode())
    new = sentence_edit(old)
    with book.open() as proxy:
        path = book.root / "chapter.md"
        proxy.check(path, new.encode())
        found = ratio(lambda: proxy.check(path, new.encode()), counting(old, new))
    print(f"\ncheck with file and ledger, one sentence of 2,500 words: {found:.2f} (bar: 2)")


def test_a_commit(new_book: NewBook) -> None:
    book = new_book()
    texts = [prose(2_500).encode(), sentence_edit(prose(2_500)).encode()]
    path = book.put("chapter.md", texts[0])
    bare = book.root / "bare.md"
    turn = 0

    def by_hand() -> None:
        nonlocal turn
        turn += 1
        temporary = bare.with_suffix(".tmp")
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(fd, texts[turn % 2])
        os.fsync(fd)
        os.close(fd)
        os.replace(temporary, bare)
        disk.sync_folder(bare.parent)

    with book.open() as proxy:

        def by_stet() -> None:
            nonlocal turn
            turn += 1
            assert proxy.write(path, texts[turn % 2]).committed

        by_stet()
        found = middle(by_stet, by_hand)
    print(f"\na full commit beside a bare one of the same bytes: {found:.2f} (bar: 2)")


@pytest.mark.parametrize("files", [10, 10_000])
def test_cost_beside_other_artifacts(new_book: NewBook, files: int) -> None:
    book = new_book()
    text = prose(1_000)
    start = time.perf_counter()
    with book.open() as proxy:
        for number in range(files):
            book.put(f"notes/{number // 100}/n{number}.md", f"{number} {text}".encode())
        made = time.perf_counter()
        proxy.adopt([Path(f"notes/{n // 100}/n{n}.md") for n in range(files)])
        adopted = time.perf_counter() - made
        path = book.root / "notes/0/n0.md"
        new = sentence_edit(f"0 {text}").encode()
        found = ratio(lambda: proxy.check(path, new), counting(text, text))
    print(
        f"\ncheck among {files:,} artifacts: {found:.1f}; adopting them took {adopted:.1f} s"
        f" (bar for 10,000: 20 s), making them {made - start:.1f} s"
    )
