"""stet doctor is content with a guard that works, and with no other."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from stet_kit import Book, chapter

from firewall.agents.install import claude


@pytest.fixture
def guarded(book: Book) -> Book:
    """A guarded chapter, with hooks for Claude Code in a version that knows all of them."""
    fake = book.user.folder / "bin" / "claude"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho '2.1.332 (Claude Code)'\n")
    fake.chmod(0o755)
    path = book.put("chapter.md", chapter(1500))
    with book.open() as proxy:
        proxy.adopt([path])
    assert stet(book, "install", "claude")[0] == 0
    return book


def stet(book: Book, *words: str) -> tuple[int, str]:
    """Exit status and output, with the fake `claude` on PATH."""
    path = f"{book.user.folder / 'bin'}:{os.environ['PATH']}"
    done = book.user.stet(*words, cwd=book.root, env={"PATH": path})
    return done.status, done.out


def bad(book: Book) -> list[str]:
    """What doctor finds bad; the exit status must say the same."""
    status, out = stet(book, "doctor", "--json")
    found = [f"{one['about']}: {one['said']}" for one in json.loads(out) if one["state"] == "bad"]
    assert status == (1 if found else 0)
    return found


def settings(book: Book) -> tuple[Path, Any]:
    """The file with the hooks, and what is in it."""
    path = book.root / ".claude" / "settings.json"
    return path, json.loads(path.read_text("utf-8"))


def test_a_guard_that_works(guarded: Book) -> None:
    assert bad(guarded) == []
    out = stet(guarded, "doctor")[1]
    assert "was refused: " in out
    assert "a stub would be refused: " in out
    with guarded.open() as proxy:
        kinds = [e.kind for e in proxy.ledger.journal()]
        assert not {"refuse", "hold"} & set(kinds), "the canary counts against no file"
        assert not proxy.ledger.query("SELECT 1 FROM turns WHERE closed_at IS NULL"), "nor leaves a turn open"


def test_no_agent_at_all(book: Book) -> None:
    with book.open():
        pass
    assert any("no agent has Stet's hooks" in line for line in bad(book))


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "ConfigChange"])
def test_a_hook_that_is_missing(guarded: Book, event: str) -> None:
    path, value = settings(guarded)
    del value["hooks"][event]
    path.write_text(json.dumps(value))
    assert any(event in line for line in bad(guarded))


def test_hooks_that_are_switched_off(guarded: Book) -> None:
    (guarded.root / ".claude" / "settings.local.json").write_text('{"disableAllHooks": true}')
    assert any("disableAllHooks" in line for line in bad(guarded))


def test_settings_that_cannot_be_read(guarded: Book) -> None:
    settings(guarded)[0].write_text("{")
    assert any("claude" in line for line in bad(guarded))


@pytest.mark.parametrize("answer", ["echo '{}'", "exit 1", "exit 127", "true", "echo 'no' >&2"])
def test_a_hook_that_refuses_nothing(guarded: Book, answer: str) -> None:
    path, value = settings(guarded)
    program = guarded.user.folder / "stet-hook"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\n{answer}\n")
    program.chmod(0o755)
    for event in claude.EVENTS:
        value["hooks"][event][0]["hooks"][0]["command"] = f"{program} claude"
    path.write_text(json.dumps(value))
    assert any("was not refused" in line for line in bad(guarded))


def test_a_hook_whose_program_is_gone(guarded: Book) -> None:
    path, value = settings(guarded)
    for event in claude.EVENTS:
        value["hooks"][event][0]["hooks"][0]["command"] = "/nowhere/stet-hook claude"
    path.write_text(json.dumps(value))
    assert any("was not refused" in line for line in bad(guarded))
