"""stet doctor is content with a guard that works, and with no other."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STET, Book, chapter
from watch_kit import Watching, git

from firewall.agents.install import claude, runtimes


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
    done = book.user.quick(*words, cwd=book.root, env={"PATH": path})
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
        rows = [e for e in proxy.ledger.journal() if e.kind in ("refuse", "hold")]
        assert not [e for e in rows if e.artifact], "the canary counts against no file"
        assert {e.session for e in rows} <= {"stet-doctor"}
        assert not proxy.ledger.query("SELECT 1 FROM turns WHERE closed_at IS NULL"), "nor leaves a turn open"


def test_what_gets_past_each_runtimes_hooks_is_named(book: Book) -> None:
    """Its canary is refused, and what no hook of it sees is said beside that."""
    wanted = {
        "codex": ("workdir", "write_stdin"),
        "gemini": ("--skip-trust",),
        "opencode": ("a plugin that it cannot load, and says nothing",),
        "qwen": ("cannot start or times out",),
        "cursor": ("Tab completions and cloud agents", "not tried with the program"),
        "cline": ("tells its model nothing", "--user"),
        "windsurf": ("the model is told nothing", "not tried with the program"),
        "copilot": ("in the cloud", "not tried with the program"),
        "kimi": ("lets the call pass", "not tried with the program"),
    }
    for runtime in wanted:
        assert stet(book, "install", runtime)[0] == 0
    found = json.loads(stet(book, "doctor", "--json")[1])
    for runtime, words in wanted.items():
        title = runtimes.RUNTIMES[runtime]
        canaries = [one for one in found if one["about"] == runtime and one["state"] == "good"]
        assert any("was refused" in one["said"] for one in canaries), (title, found)
        notes = " ".join(one["said"] for one in found if one["about"] == runtime and one["state"] == "note")
        assert [word for word in words if word not in notes] == [], title


def test_a_watch_and_a_commit_hook_are_guards_as_well(book: Book) -> None:
    """Who keeps `stet watch` running, as doctor advises, is told that it runs."""
    git(book.root, "init", "-q")
    assert stet(book, "install", "git")[0] == 0
    with Watching(book):
        assert bad(book) == []
        out = stet(book, "doctor")[1]
    assert "`stet watch` runs here" in out
    assert "pre-commit judges every commit." in out
    (without,) = bad(book)
    assert "no agent has Stet's hooks here" in without
    hook = book.root / ".git" / "hooks" / "pre-commit"
    text = hook.read_text("utf-8")
    hook.write_text(text.replace("/stet check", "/gone/stet check"))
    assert any("is gone, so that it refuses every commit" in line for line in bad(book))
    hook.write_text(text)
    hook.chmod(0o644)
    assert any("it is not executable" in line for line in bad(book))
    hook.unlink()
    assert len(bad(book)) == 1, "who has no hook of git's is told of none"


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


@pytest.mark.parametrize(
    "why",
    [
        "Stet refuses, since it cannot judge: no record [state-broken]",
        "Stet refuses what it cannot understand: x",
        "no",
    ],
)
def test_a_refusal_that_was_no_judgement(guarded: Book, why: str) -> None:
    path, value = settings(guarded)
    said = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": why}
    program = guarded.user.folder / "stet-hook"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\necho '{json.dumps({'hookSpecificOutput': said})}'\n")
    program.chmod(0o755)
    for event in claude.EVENTS:
        value["hooks"][event][0]["hooks"][0]["command"] = f"{program} claude"
    path.write_text(json.dumps(value))
    assert any("was refused, but not judged" in line and why in line for line in bad(guarded))


def test_a_folder_that_moved_since(guarded: Book) -> None:
    old, new = guarded.root, guarded.root.with_name("moved")
    old.rename(new)
    done = guarded.user.quick("doctor", "--json", cwd=new, env={"PATH": _path(guarded)})
    (found,) = [one for one in done.json() if one["state"] == "bad"]
    assert done.status == 1
    assert "folder-moved" in found["said"] and str(new) in found["said"], found
    assert "stet install claude" in found["fix"]
    assert guarded.user.quick("install", "claude", cwd=new, env={"PATH": _path(guarded)}).status == 0
    done = guarded.user.quick("doctor", cwd=new, env={"PATH": _path(guarded)})
    assert done.status == 0, done.out
    text = (new / ".claude" / "settings.json").read_text("utf-8")
    assert f"--root {old} " not in text + " ", "the old hooks are gone"


def _path(book: Book) -> str:
    return f"{book.user.folder / 'bin'}:{os.environ['PATH']}"


def test_one_line_for_each_thing(guarded: Book) -> None:
    out = stet(guarded, "doctor")[1]
    assert "\\x" not in out
    for line in out.splitlines():
        assert line.startswith(("ok  ", "note", "BAD ", "      ")), line


def test_the_rules_are_shown_on_a_file_that_nobody_has_seen_yet(book: Book) -> None:
    with book.open():
        pass
    assert rules(book)[0] == "note"
    book.put("deep/chapter.md", chapter(1500))
    state, said = rules(book)
    assert state == "good"
    assert "a stub would be refused: deep/chapter.md" in said


def rules(book: Book) -> tuple[str, str]:
    """What doctor says of the rules: state and words."""
    (found,) = [one for one in json.loads(stet(book, "doctor", "--json")[1]) if one["about"] == "rules"]
    return found["state"], found["said"]


def test_what_is_latched_and_what_waits(guarded: Book) -> None:
    assert "  latched: " not in stet(guarded, "doctor")[1]
    note = guarded.put("note.md", chapter(200))
    assert guarded.user.quick("write", note, "--delete", cwd=guarded.root).status == 1
    assert "1 held proposal is unanswered" in stet(guarded, "doctor")[1]
    for words in ("One.", "Two.", "Three."):
        guarded.user.quick("write", "chapter.md", cwd=guarded.root, data=words.encode())
    status, out = stet(guarded, "doctor")
    assert status == 0, "a person answers in their own time"
    assert "every write is refused to: chapter.md." in out
    assert "1 alert is unanswered" in out and "`stet alerts`" in out
    state, said = rules(guarded)
    assert state == "good" and "note.md" in said
    note.unlink()
    assert rules(guarded)[0] == "note"
    assert "latched" in rules(guarded)[1]


@pytest.mark.parametrize("on_path", [True, False])
def test_a_plugin_and_its_program(guarded: Book, on_path: bool) -> None:
    """The plugin's hooks run `stet-hook` from PATH, in every folder."""
    own = guarded.user.home / ".claude" / "settings.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps({"enabledPlugins": {"stet-firewall@stet": True}}))
    folders = ["/usr/bin", "/bin", str(guarded.user.folder / "bin")]
    if on_path:
        folders.append(str(STET.parent))
    done = guarded.user.quick("doctor", "--json", cwd=guarded.root, env={"PATH": ":".join(folders)})
    found = [one for one in done.json() if one["state"] == "bad"]
    assert bool(found) is not on_path, found
    if not on_path:
        said = " ".join(one["said"] for one in found)
        assert "not on PATH" in said and "every folder" in said
        assert str(STET.parent) in said
    notes = " ".join(one["said"] for one in done.json() if one["state"] == "note")
    assert "asked 2 times" in notes


def test_a_server_that_does_not_run(book: Book) -> None:
    fake = book.user.folder / "bin" / "claude"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho '2.1.332 (Claude Code)'\n")
    fake.chmod(0o755)
    with book.open():
        pass
    status, out = stet(book, "install", "claude", "--http")
    assert status == 0
    assert "stet serve" in out and "stet-hook" not in out
    done = book.user.quick("doctor", "--json", cwd=book.root, env={"PATH": _path(book)})
    found = [one for one in done.json() if one["state"] == "bad"]
    assert any("stet serve" in one["fix"] for one in found), found
    assert not (book.root / ".claude" / "settings.json").exists()
    kept = book.root / ".claude" / "settings.local.json"
    assert "Bearer" in kept.read_text("utf-8") and kept.stat().st_mode & 0o077 == 0
