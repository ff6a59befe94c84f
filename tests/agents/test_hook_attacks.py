"""What an agent once got past the hooks with, as the smallest thing that shows it; each must be put back or refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hook_kit import Claude
from stet_kit import Book, NewBook, bound_by_permissions, chapter
from turn_kit import SESSION, Agent, committed, git

from firewall.agents.install import claude as claude_install
from firewall.agents.install.setup import Setup, interpreter, is_ours
from firewall.writes import git as git_module

STUB = b"# Chapter\n\nGone.\n"


@pytest.fixture
def path(book: Book) -> Path:
    """A guarded chapter in a repository without a commit."""
    git(book.root, "init", "-q")
    made = book.put("chapter.md", chapter(1500))
    with book.open() as proxy:
        proxy.adopt([made])
    return made


def test_the_index_is_no_persons_history(book: Book, path: Path) -> None:
    with Agent(book) as agent:
        agent.runs("git add -A && git commit -qm one --author 'a <a@b.c>' || true")
        done = agent.runs("printf '# Chapter\\n\\nGone.\\n' > chapter.md; git add chapter.md")
        assert done["chapter.md"].refused
    assert path.read_bytes() == chapter(1500)


def test_a_broken_ref_makes_nothing_a_persons(book: Book, path: Path) -> None:
    committed(book.root)
    (book.root / ".git" / "refs" / "heads" / "zz").write_text("0123456789" * 4 + "\n")
    with Agent(book) as agent:
        done = agent.runs("rm .git/refs/heads/zz; printf '# Chapter\\n\\nGone.\\n' > chapter.md; git add chapter.md")
        assert done["chapter.md"].refused


def test_git_that_does_not_answer_holds_nothing_up(book: Book, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed(book.root)
    monkeypatch.setattr(git_module, "_deadline", 1.0)
    monkeypatch.setattr(git_module, "_hung", {})
    with Agent(book) as agent:
        start = time.monotonic()
        done = agent.runs("mv .git/HEAD .git/H; mkfifo .git/HEAD; echo stub > chapter.md; touch .git/index")
        assert time.monotonic() - start < 30
        assert done["chapter.md"].refused
    assert path.read_bytes() == chapter(1500)


def test_a_fifo_in_place_of_a_note_holds_nothing_up(book: Book, path: Path) -> None:
    with Agent(book) as agent:
        agent.look()
        for note in (book.user.config / "stet" / "guarded").iterdir():
            if note.suffix == ".head":
                note.unlink()
                os.mkfifo(note)
        start = time.monotonic()
        path.write_bytes(STUB)
        agent.look()
        assert time.monotonic() - start < 30
    assert path.read_bytes() == chapter(1500)


def test_what_stood_is_put_back_before_a_flood_of_new_files_is_read(
    book: Book, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firewall.agents import judging

    seen: list[list[str]] = []
    judge = judging.judge
    monkeypatch.setattr(
        judging, "judge", lambda proxy, turn, names, **how: seen.append(list(names)) or judge(proxy, turn, names, **how)
    )
    with Agent(book) as agent:
        command = (
            'mkdir x; for i in $(seq 600); do echo "File $i has some words." > x/f$i.md; done; echo s > chapter.md'
        )
        done = agent.runs(command)
        assert done["chapter.md"].refused
    assert seen[0] == ["chapter.md"]
    assert path.read_bytes() == chapter(1500)


@pytest.fixture
def on_disk(new_book: NewBook) -> Iterator[Book]:
    """A guarded chapter on a disk: in memory a file gets no new time for what is written through a map."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        book = new_book(f"{folder}/book")
        book.put("chapter.md", chapter(1500))
        with book.open() as proxy:
            proxy.adopt([book.root / "chapter.md"])
        yield book


def test_a_memory_map_is_noticed(on_disk: Book) -> None:
    import mmap

    path = on_disk.root / "chapter.md"
    git(on_disk.root, "init", "-q")
    with Agent(on_disk) as agent, path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        for at in range(0, len(view), 4096):
            view[at] = view[at]  # nothing changes, and the pages are dirty
        time.sleep(0.3)
        agent.look()
        time.sleep(0.3)
        agent.look()
        view[:] = (b"The cat sat. " * (len(view) // 13 + 1))[: len(view)]
        assert agent.look()["chapter.md"].refused
    assert path.read_bytes() == chapter(1500)


def test_a_closed_folder_holds_up_no_putting_back(book: Book, path: Path) -> None:
    """In a process that file permissions bind, root's own as well."""
    with Agent(book):
        pass
    path.write_bytes(STUB)
    book.root.chmod(0o555)
    event = {"session_id": SESSION, "cwd": str(book.root), "hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_input": {"command": "x"}, "tool_use_id": "t", "permission_mode": "acceptEdits"}  # fmt: skip
    words = [sys.executable, "-m", "firewall.agents.hook", "claude"]
    tied = ["--state", str(book.state_folder), "--root", str(book.root)]
    done = subprocess.run(
        [*bound_by_permissions(), *words, *tied], input=json.dumps(event), capture_output=True, text=True, timeout=60
    )
    assert path.read_bytes() == chapter(1500), done
    assert "chapter.md" in done.stdout


def test_the_agent_is_told_though_it_broke_the_policy_too(book: Book, path: Path) -> None:
    session = Claude(book)
    session.prompt()
    given: dict[str, object] = {"command": "x"}
    session.before("Bash", given)
    path.write_bytes(STUB)
    policy = book.root / "stet.toml"
    before = policy.read_bytes()
    policy.write_bytes(before + b"\n[nonsense]\nx = 1\n")
    said = session.after("Bash", given)
    assert "chapter.md" in str(said)
    assert path.read_bytes() == chapter(1500)
    assert policy.read_bytes() == before


def test_scheduled_work_keeps_the_turn_open(book: Book, path: Path) -> None:
    session = Claude(book)
    session.prompt()
    session.stop(session_crons=[{"id": "x"}], background_tasks=[])
    path.write_bytes(STUB)
    session.prompt()
    assert path.read_bytes() == chapter(1500)


def test_the_hook_runs_apart_from_the_agents_environment(tmp_path: Path) -> None:
    assert "env" in claude_install.KEYS
    script = tmp_path / "stet-hook"
    script.write_text(f"#!{os.path.realpath('/bin/sh')}\n")
    assert interpreter(str(script)) == ""
    python = tmp_path / "python3"
    python.write_text("")
    script.write_text(f"#!{python}\n")
    assert interpreter(str(script)) == str(python)
    setup = Setup(tmp_path, tmp_path, tmp_path, str(script), python=str(python))
    assert setup.command("claude").startswith(f"{python} -I {script} claude ")
    assert is_ours(setup.command("claude"))
    assert not is_ours(f"{python} -I other claude")
