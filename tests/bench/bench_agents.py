"""What an agent's hook costs: a look at ten thousand guarded files, as a call and as a whole process.

Ratios against `python -c pass` in the same run, printed and never judged by a clock.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from stet_kit import Book, NewBook, chapter, reword

from firewall.agents import turns
from firewall.agents.sweep import sweep

pytestmark = pytest.mark.bench
FILES = 10_000


def least(work: Callable[[], object], times: int = 15) -> float:
    """The shortest of some runs, in ms: what the work takes where nobody is in the way."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best * 1000


def started() -> float:
    """A Python that does nothing, in ms."""
    return least(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))


def filled(new_book: NewBook, count: int) -> Book:
    """A folder with many chapters, known to Stet, and a turn open."""
    book = new_book()
    for i in range(count):
        book.put(f"part{i // 100}/ch{i}.md", f"# Chapter {i}\n\nSome text of chapter {i} stands here.\n".encode())
    book.put("ch.md", chapter(2500))
    time.sleep(0.2)  # times that are too fresh are not remembered
    book.now = time.time()
    with book.open(session="s1") as proxy:
        start = time.perf_counter()
        turns.open_turn(proxy, "s1")
        print(f"\nfirst sight of {count} files: {(time.perf_counter() - start) * 1000:.0f} ms")
    return book


def test_a_look_at_ten_thousand_files(new_book: NewBook) -> None:
    book = filled(new_book, FILES)
    with book.open(session="s1") as proxy:
        turn = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at)
        sweep(proxy, turn, "s1")
        look = least(lambda: sweep(proxy, turn, "s1"))
        path = book.root / "ch.md"
        texts = [chapter(2500), reword(chapter(2500))]

        def edit() -> None:
            path.write_bytes(texts[0])
            texts.reverse()
            assert [s.fate for s in sweep(proxy, turn, "s1")] in (["accepted"], [])

        edited = least(edit)
    nothing = started()
    print(f"{FILES} files: python -c pass {nothing:.1f} ms")
    print(
        f"  none changed {look:.1f} ms, {look / nothing:.1f} times; one edited {edited:.1f} ms, {edited / nothing:.1f}"
    )


def test_the_bash_leg_as_a_process(new_book: NewBook) -> None:
    book = filled(new_book, FILES)
    program = Path(sys.executable).with_name("stet-hook")
    words = [str(program), "claude", "--state", str(book.state_folder), "--root", str(book.root)]
    event = {
        "session_id": "s1", "cwd": str(book.root), "permission_mode": "acceptEdits", "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1", "tool_response": {"stdout": ""},
    }  # fmt: skip
    data = json.dumps(event).encode()
    environment = book.user.environment()

    def hook() -> None:
        done = subprocess.run(words, input=data, capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr

    hook()
    whole, nothing = least(hook), started()
    print(f"PostToolUse of Bash over {FILES} files: {whole:.1f} ms, {whole / nothing:.1f} times python -c pass")
