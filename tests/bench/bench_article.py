"""The article's own breaker, written anew as the yardstick, beside ours. Ratios, never judged by a clock."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_decide import sentence_edit
from stet_kit import NewBook, prose

pytestmark = pytest.mark.bench


def median(work: Callable[[], object], times: int = 60) -> float:
    """Seconds that one call takes."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def article_check(old: str, new: str) -> bool:
    """Its two rules: 85% of 1,000 words and more, and at most 300 words either way."""
    before, after = len(old.split()), len(new.split())
    return before < 1000 or (after >= int(before * 0.85) and abs(after - before) <= 300)


def article_write(path: Path, new: str) -> None:
    """Read, check, temporary file, replace: nothing synced, nothing kept."""
    assert article_check(path.read_text("utf-8"), new)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(new)
    os.replace(file.name, path)


def test_check_and_commit(new_book: NewBook) -> None:
    book = new_book()
    texts = [prose(2_500), sentence_edit(prose(2_500))]
    ours = book.put("ours.md", texts[0].encode())
    theirs = book.put("theirs.txt2", texts[0].encode())
    turn = 0
    with book.open() as proxy:

        def commit() -> None:
            nonlocal turn
            turn += 1
            assert proxy.write(ours, texts[turn % 2].encode()).committed

        def unsafe() -> None:
            nonlocal turn
            turn += 1
            article_write(theirs, texts[turn % 2])

        checked = median(lambda: proxy.check(ours, texts[1].encode()))
        bare = median(lambda: article_check(texts[0], texts[1]))
        print(f"\ncheck of 2,500 words: {checked / bare:.1f} times the article's, which knows no mark and no ledger")
        print(f"commit of 2,500 words: {median(commit) / median(unsafe):.1f} times the article's, which syncs nothing")
