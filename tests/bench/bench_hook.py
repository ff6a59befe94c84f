"""How long the hook's whole process takes, as ratios within one run, beside `python3 -c pass`.

Runs take turns, so that a busy machine slows all of them. Bytecode is there, as an installer leaves it. Printed,
never judged by a clock.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from stet_kit import Book, NewBook, chapter, reword

import firewall

pytestmark = pytest.mark.bench
HOOK = [sys.executable, "-m", "firewall.agents.hook", "claude"]
BARE = [sys.executable, "-c", "pass"]


def timed(command: Sequence[str], data: bytes, env: dict[str, str]) -> tuple[float, float]:
    """Seconds of one process: by the wall, and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=data, env=env, capture_output=True)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done
    assert not done.stdout, done
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(
    jobs: Sequence[tuple[Sequence[str], bytes]], env: dict[str, str], times: int = 25
) -> list[tuple[float, float]]:
    """Median seconds of each job, by the wall and of the processor, taken in turns."""
    took: list[list[tuple[float, float]]] = [[] for _ in jobs]
    for _ in range(times):
        for place, (command, data) in enumerate(jobs):
            took[place].append(timed(command, data, env))
    return [(statistics.median(t[0] for t in one), statistics.median(t[1] for t in one)) for one in took]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of an installed program: bytecode may be written, and is there."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    kept["PYTHONPYCACHEPREFIX"] = str(tmp_path / "bytecode")
    folder = Path(firewall.__file__).parent
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", str(folder)], env=kept, check=True, stdout=subprocess.DEVNULL
    )
    return kept


def event(book: Book, name: str, **fields: object) -> bytes:
    """The JSON of an event."""
    return json.dumps({"session_id": "s", "cwd": str(book.root), "hook_event_name": name, **fields}).encode()


def tied(book: Book) -> list[str]:
    """The hook's command line."""
    return [*HOOK, "--state", str(book.state_folder), "--root", str(book.root)]


def test_one_write_of_2500_words(new_book: NewBook, env: dict[str, str]) -> None:
    book = new_book()
    path = book.put("chapter.md", chapter(2500))
    with book.open() as proxy:
        proxy.adopt([path])
    timed(tied(book), event(book, "UserPromptSubmit", prompt="@chapter.md"), env)
    given = {"file_path": str(path), "content": reword(chapter(2500)).decode()}
    data = event(book, "PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t")
    outside = json.dumps({"hook_event_name": "Stop", "session_id": "s", "cwd": str(book.root.parent)}).encode()
    bare, hook, away = medians([(BARE, b""), (tied(book), data), (HOOK, outside)], env)
    print(
        f"\nstet-hook, one Write of 2,500 words, beside `python3 -c pass`: {hook[0] / bare[0]:.2f} by the wall, "
        f"{hook[1] / bare[1]:.2f} of the processor (bar: 4); outside of any project: {away[0] / bare[0]:.2f}"
    )


@pytest.mark.parametrize("files", [10, 10_000])
def test_a_command_that_changes_nothing(new_book: NewBook, env: dict[str, str], files: int) -> None:
    book = new_book()
    text = chapter(100)
    for number in range(files):
        book.put(f"notes/{number // 100}/n{number}.md", b"%d %b" % (number, text))
    with book.open() as proxy:
        proxy.adopt([Path(f"notes/{n // 100}/n{n}.md") for n in range(files)])
    timed(tied(book), event(book, "UserPromptSubmit", prompt="x"), env)
    data = event(book, "PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t")
    timed(tied(book), data, env)
    bare, hook = medians([(BARE, b""), (tied(book), data)], env, 10)
    print(
        f"\nthe Bash leg over {files:,} guarded files, none changed, beside `python3 -c pass`: {hook[0] / bare[0]:.2f},"
        f" {1000 * (hook[0] - bare[0]):.0f} ms more than it, {1000 * hook[1]:.0f} ms of the processor (bar: 150 ms)"
    )
