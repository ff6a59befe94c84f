"""How long an agent waits for its hook: the whole process beside `python3 -c pass`, and a round trip to `stet serve`.

Runs take turns, so that a busy machine slows all of them; the least of each is printed beside the median, for what it
takes where nobody else is at work. The program is run as it is installed, with its bytecode there. Printed, never
judged by a clock.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from stet_kit import STET, Book, NewBook, chapter, reword

import firewall
from firewall.agents import tokens

pytestmark = pytest.mark.bench
HOOK = [str(STET.with_name("stet-hook")), "claude"]
BARE = [sys.executable, "-c", "pass"]
Took = list[tuple[float, float]]
"""Seconds of some runs: by the wall, and of the processor."""


def timed(command: Sequence[str], data: bytes, env: dict[str, str]) -> tuple[float, float]:
    """Seconds of one process: by the wall, and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=data, env=env, capture_output=True)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done
    assert not done.stdout, done
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turns(jobs: Sequence[tuple[Sequence[str], bytes]], env: dict[str, str], times: int = 25) -> list[Took]:
    """What each job took, run by run."""
    took: list[Took] = [[] for _ in jobs]
    for _ in range(times):
        for place, (command, data) in enumerate(jobs):
            took[place].append(timed(command, data, env))
    return took


def ratios(one: Took, bare: Took) -> str:
    """By the wall and of the processor: how often the bare process fits in, at the median and at best."""
    said = []
    for place, name in enumerate(("by the wall", "of the processor")):
        ours, theirs = [t[place] for t in one], [t[place] for t in bare]
        middle = statistics.median(ours) / statistics.median(theirs)
        said.append(f"{middle:.2f} {name} (at best {min(ours) / min(theirs):.2f})")
    return ", ".join(said)


def more(one: Took, bare: Took) -> str:
    """By the wall: how many ms longer, at the median and at best."""
    ours, theirs = [t[0] for t in one], [t[0] for t in bare]
    middle = 1000 * (statistics.median(ours) - statistics.median(theirs))
    return f"{middle:.0f} ms more (at best {1000 * (min(ours) - min(theirs)):.0f})"


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an installed program: bytecode may be written, and is there."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    kept["PYTHONPYCACHEPREFIX"] = str(tmp_path_factory.mktemp("bytecode"))
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
    bare, hook, away = in_turns([(BARE, b""), (tied(book), data), (HOOK, outside)], env)
    print(
        f"\nstet-hook, one Write of 2,500 words, beside `python3 -c pass`: {ratios(hook, bare)} (bar: 4)\n"
        f"outside of any project: {ratios(away, bare)}"
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
    bare, hook = in_turns([(BARE, b""), (tied(book), data)], env, 15)
    print(
        f"\nthe Bash leg over {files:,} guarded files, none changed, beside `python3 -c pass`: {more(hook, bare)} "
        f"(bar: 150 ms); {ratios(hook, bare)}"
    )


@contextlib.contextmanager
def serving(book: Book, env: dict[str, str]) -> Iterator[http.client.HTTPConnection]:
    """`stet serve` for the project, and a connection to it that stays open."""
    with book.open() as proxy:
        port = tokens.port_of(proxy)
    server = subprocess.Popen(
        [str(STET), "serve", "--json"], cwd=book.root, env={**env, **book.user.environment()}, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline().startswith(b"{"), "it says where it listens"
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        yield client
        client.close()
    finally:
        server.terminate()
        server.communicate(timeout=30)


def round_trips(client: http.client.HTTPConnection, token: str, questions: Sequence[bytes], times: int = 200) -> str:
    """Milliseconds until all the questions are answered one after another: the median and the least."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    took = []
    for _ in range(times):
        start = time.perf_counter()
        for data in questions:
            client.request("POST", tokens.PATH, data, headers)
            answer = client.getresponse()
            assert (answer.status, answer.read()) == (200, b"{}")
        took.append(1000 * (time.perf_counter() - start))
    return f"{statistics.median(took):.2f} ms at the median (at best {min(took):.2f})"


def test_round_trips_to_the_server(new_book: NewBook, env: dict[str, str]) -> None:
    book = new_book()
    path = book.put("chapter.md", chapter(2500))
    with book.open() as proxy:
        proxy.adopt([path])
        token = tokens.token_of(proxy)
    given = {"file_path": str(path), "content": reword(chapter(2500)).decode()}
    write = event(book, "PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t")
    shell = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "u"}
    before = event(book, "PreToolUse", **shell)
    after = event(book, "PostToolUse", **shell, tool_response={"stdout": ""})
    with serving(book, env) as client:
        round_trips(client, token, [event(book, "UserPromptSubmit", prompt="@chapter.md"), write, before, after], 1)
        writes = round_trips(client, token, [write])
        shells = round_trips(client, token, [before, after])
        nothing = round_trips(client, token, [event(book, "SessionStart")])
    print(
        f"\nHTTP round trip on one connection, one Write of 2,500 words: {writes} (bar: 5 ms)\n"
        f"before and after one Bash that changes nothing: {shells}; an event that asks nothing: {nothing}"
    )
