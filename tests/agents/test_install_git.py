"""The pre-commit hook, installed into real repositories and run by real commits."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from stet_kit import STUB, Book, chapter, reword

from firewall.agents.install import git as git_hook
from firewall.writes import git as shared_git
from firewall.writes.git import NoRepository


def git(folder: Path, *words: str, book: Book, ok: bool = True) -> str:
    """Run git as a person of the book's; what it printed."""
    done = subprocess.run(
        ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words],
        cwd=folder,
        env=book.user.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode == 0) == ok, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


def a_repository(book: Book, top: Path | None = None) -> Path:
    """The book in git, one commit; the chapter's path."""
    path = book.put("chapter.md", chapter(1200))
    top = top or book.root
    git(top, "init", "-q", "-b", "main", book=book)
    git(top, "add", ".", book=book)
    git(top, "commit", "-qm", "one", book=book)
    return path


def heads(folder: Path, book: Book) -> int:
    """How many commits there are."""
    return int(git(folder, "rev-list", "--count", "HEAD", book=book))


def refuses_a_stub_and_takes_an_edit(path: Path, book: Book) -> None:
    """The proof of a hook: what a commit does."""
    folder = path.parent
    text = path.read_bytes()
    count = heads(folder, book)
    path.write_bytes(STUB)
    said = git(folder, "commit", "-am", "mend it", book=book, ok=False)
    assert "the floor is" in said
    path.write_bytes(reword(text))
    git(folder, "commit", "-qam", "a word", book=book)
    assert heads(folder, book) == count + 1


def test_a_commit_is_judged_and_undo_leaves_nothing(book: Book) -> None:
    path = a_repository(book)
    hook = book.root / ".git/hooks/pre-commit"
    said = git_hook.install(book.root)
    assert said == [f"{hook} judges every commit from now on."]
    first = hook.read_bytes()
    assert git_hook.install(book.root) == [f"{hook} judges every commit already."]
    assert hook.read_bytes() == first
    refuses_a_stub_and_takes_an_edit(path, book)
    path.write_bytes(STUB)
    git(book.root, "add", ".", book=book)
    path.write_bytes(chapter(1200))  # what is staged counts, not what is on the disk
    assert "the floor is" in git(book.root, "commit", "-m", "x", book=book, ok=False)
    git(book.root, "reset", "-q", "--hard", book=book)
    assert git_hook.install(book.root, undo=True) == [f"{hook} is removed."]
    assert git_hook.install(book.root, undo=True) == [f"{hook} has nothing of Stet's in it."]
    assert not [n for n in os.listdir(hook.parent) if not n.endswith(".sample")]
    path.write_bytes(STUB)
    git(book.root, "commit", "-qam", "unguarded", book=book)


def test_what_a_commit_would_hold_is_judged_however_it_is_made(book: Book) -> None:
    """By path, with -a, from a folder below, amended, merged, or with an index or a repository that the environment
    names, as graphical programs do."""
    path = a_repository(book)
    text = path.read_bytes()
    other = book.put("part/other.md", chapter(600, seed=2))
    root, below = book.root, other.parent
    git(root, "add", ".", book=book)
    git(root, "commit", "-qm", "two", book=book)
    git_hook.install(root)
    count = heads(root, book)
    path.write_bytes(STUB)
    for folder, words, env in (
        (root, ["commit", "-qm", "x", "chapter.md"], {}),
        (root, ["commit", "-qam", "x"], {"GIT_LITERAL_PATHSPECS": "1", "GIT_EXTERNAL_DIFF": "/bin/false"}),
        (root, ["commit", "-qam", "x"], {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "PYTHONPATH": "/none"}),
        (below, ["commit", "-qam", "x"], {}),
        (root, ["commit", "-qa", "--amend", "-m", "x"], {}),
        (root, ["commit", "-qam", "x"], {"GIT_INDEX_FILE": str(root / ".git" / "another")}),
        (root, ["commit", "-qam", "x"], {"GIT_INDEX_FILE": ".git/another"}),
        (root.parent, ["commit", "-qam", "x"], {"GIT_DIR": str(root / ".git"), "GIT_WORK_TREE": str(root)}),
        (root, ["commit", "-qam", "x"], {"GIT_DIR": ".git", "GIT_WORK_TREE": "."}),
    ):
        if "GIT_INDEX_FILE" in env:
            (root / ".git" / "another").write_bytes((root / ".git" / "index").read_bytes())
        done = subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words], cwd=folder, capture_output=True,
            env={**book.user.environment(), **env}, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 1, (words, env, done.stderr)
        assert "the floor is" in done.stderr, (words, env)
        assert heads(root, book) == count
    # What is not part of a commit is not held against it.
    git(root, "add", "chapter.md", book=book)
    other.write_bytes(reword(other.read_bytes()))
    git(root, "commit", "-qm", "the other alone", "part/other.md", book=book)
    git(root, "checkout", "-q", "HEAD", "--", "chapter.md", book=book)
    path.write_bytes(reword(text))
    git(root, "add", ".", book=book)
    path.write_bytes(STUB)
    git(root, "commit", "-qm", "what is staged is good", book=book)
    git(root, "checkout", "-q", "--", ".", book=book)
    git(root, "mv", "chapter.md", "first.md", book=book)
    git(root, "commit", "-qm", "another name", book=book)
    git(root, "commit", "-q", "--amend", "-m", "in other words", book=book)
    git(root, "rm", "-q", "first.md", book=book)
    assert "first.md" in git(root, "commit", "-qm", "gone", book=book, ok=False)
    git(root, "reset", "-q", "--hard", book=book)
    # A merge may hold what neither side had.
    git(root, "checkout", "-qb", "side", book=book)
    other.write_bytes(other.read_bytes() + b"\nThe side has more to say.\n")
    git(root, "commit", "-qam", "side", book=book)
    git(root, "checkout", "-q", "main", book=book)
    git(root, "merge", "-q", "--no-ff", "--no-commit", "side", book=book)
    (root / "first.md").write_bytes(STUB)
    assert "the floor is" in git(root, "commit", "-qam", "merged", book=book, ok=False)
    git(root, "checkout", "-q", "HEAD", "--", "first.md", book=book)
    git(root, "commit", "-qm", "merged", book=book)
    assert other.read_bytes().endswith(b"\nThe side has more to say.\n")


@pytest.mark.parametrize(
    ("head", "mode"),
    [("#!/bin/sh", 0o755), ("#!/usr/bin/env bash", 0o700), ("#!/bin/bash -e", 0o755)],
)
def test_a_shell_hook_keeps_its_name_and_its_say(book: Book, head: str, mode: int) -> None:
    path = a_repository(book)
    hook = book.root / ".git/hooks/pre-commit"
    text = f'{head}\necho "$0" >> ran.log\n[ ! -e stop ] || exit 7\n'
    hook.write_text(text)
    hook.chmod(mode)
    git_hook.install(book.root)
    assert stat.S_IMODE(hook.stat().st_mode) == mode
    assert hook.read_text().startswith(head + "\n")
    refuses_a_stub_and_takes_an_edit(path, book)
    assert (book.root / "ran.log").read_text() == ".git/hooks/pre-commit\n", "once, for the commit that passed"
    (book.root / "stop").touch()
    path.write_bytes(reword(path.read_bytes()))
    git(book.root, "commit", "-qam", "x", book=book, ok=False)
    git_hook.install(book.root, undo=True)
    assert hook.read_text() == text
    assert stat.S_IMODE(hook.stat().st_mode) == mode


@pytest.mark.parametrize("kind", ["python", "link", "asleep"])
def test_any_other_hook_is_kept_and_run_after(book: Book, kind: str) -> None:
    path = a_repository(book)
    hook = book.root / ".git/hooks/pre-commit"
    text = "#!/usr/bin/env python3\nopen('ran.log', 'a').write('x')\n"
    if kind == "link":
        (book.root / ".git/real-hook").write_text(text)
        (book.root / ".git/real-hook").chmod(0o755)
        hook.symlink_to("../real-hook")
    else:
        hook.write_text(text if kind == "python" else "#!/bin/sh\necho x >> ran.log\n")
        hook.chmod(0o755 if kind == "python" else 0o644)
    before = os.lstat(hook).st_ino
    git_hook.install(book.root)
    git_hook.install(book.root)
    refuses_a_stub_and_takes_an_edit(path, book)
    ran = book.root / "ran.log"
    if kind == "asleep":
        assert not ran.exists(), "git did not run it, and now it does not run either"
    else:
        assert ran.read_text() == "x"
    git_hook.install(book.root, undo=True)
    assert os.lstat(hook).st_ino == before
    assert not os.path.lexists(hook.with_name(git_hook.BEFORE))


def test_two_hooks_are_never_lost_over_one_name(book: Book) -> None:
    a_repository(book)
    hook = book.root / ".git/hooks/pre-commit"
    for name in (hook, hook.with_name(git_hook.BEFORE)):
        name.write_text("#!/usr/bin/env python3\n")
        name.chmod(0o755)
    with pytest.raises(git_hook.HookInTheWay):
        git_hook.install(book.root)
    assert hook.read_text() == "#!/usr/bin/env python3\n"


def test_core_hooks_path_counts(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    path = a_repository(book)
    git(book.root, "config", "core.hooksPath", "my hooks", book=book)
    git_hook.install(book.root)
    assert (book.root / "my hooks/pre-commit").exists()
    assert not (book.root / ".git/hooks/pre-commit").exists()
    refuses_a_stub_and_takes_an_edit(path, book)
    git(book.root, "config", "--unset", "core.hooksPath", book=book)
    everywhere = book.user.home / "hooks"
    git(book.root, "config", "--global", "core.hooksPath", str(everywhere), book=book)
    with pytest.raises(git_hook.HooksShared):
        git_hook.install(book.root)
    assert not everywhere.exists()


def test_a_project_in_a_folder_of_a_repository_and_its_worktrees(new_book: object, book: Book) -> None:
    top = book.root.parent
    path = a_repository(book, top)
    git_hook.install(book.root)
    refuses_a_stub_and_takes_an_edit(path, book)
    other = top.parent / "a second tree"
    git(top, "worktree", "add", "-q", str(other), "-b", "second", book=book)
    assert git_hook.install(other / "work") == git_hook.install(book.root), "one hook for all of them"
    refuses_a_stub_and_takes_an_edit(other / "work" / "chapter.md", book)
    git(other, "rm", "-rqf", "work", book=book)
    plain = other / "plain.md"
    assert not (other / "work").exists()
    said = git(other, "commit", "-m", "all of it", book=book, ok=False)
    assert said, "taking the policy away is no way to commit"
    git(other, "checkout", "-q", "--orphan", "unguarded", book=book)
    plain.write_bytes(chapter(300))
    git(other, "add", "plain.md", book=book)
    git(other, "commit", "-qm", "no stet.toml here", book=book)


def test_without_the_program_nothing_is_committed(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    path = a_repository(book)
    monkeypatch.setattr(git_hook, "program", lambda: str(book.user.folder / "gone" / "stet"))
    git_hook.install(book.root)
    path.write_bytes(reword(path.read_bytes()))
    git(book.root, "commit", "-qam", "x", book=book, ok=False)
    monkeypatch.undo()
    git_hook.install(book.root)
    git(book.root, "commit", "-qam", "x", book=book)


def test_outside_git_it_says_so(book: Book) -> None:
    with pytest.raises(NoRepository):
        git_hook.install(book.root)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a FIFO lets git wait")
def test_a_git_that_gives_no_answer_holds_nobody_up(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    a_repository(book)
    monkeypatch.setattr(shared_git, "_deadline", 0.5)
    (book.root / ".git" / "config").unlink()
    os.mkfifo(book.root / ".git" / "config")
    assert git_hook.would_commit(book.root, "chapter.md"), "no answer is no `ignored`"
    with pytest.raises(shared_git.GitSilent):
        git_hook.hooks_folder(book.root)
