"""A trip leaves two commits on a private branch and touches nothing else of the repository."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from stet_kit import STUB, Book, NewBook, chapter, reword

from firewall.writes import cases
from firewall.writes.alerts import Alert


def git(cwd: Path, *words: str, **env: str) -> str:
    """Real git, with nobody's settings."""
    values = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    values |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, **env}
    done = subprocess.run(["git", *words], cwd=cwd, env=values, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"git {words}: {done.stderr}"
    return done.stdout.strip()


def commit_all(cwd: Path) -> None:
    who = {f"GIT_{r}_{k}": "a@b" for r in ("AUTHOR", "COMMITTER") for k in ("NAME", "EMAIL")}
    git(cwd, "add", "-A")
    git(cwd, "commit", "-q", "-m", "first", **who)


def private_parts(repository: Path) -> dict[str, str]:
    """Hashes of all that Stet must not touch: HEAD, index, stash, other refs, and every file of the work tree."""
    folder = Path(git(repository, "rev-parse", "--absolute-git-dir"))
    out = {}
    for name in ("HEAD", "index", "refs/stash", "logs/HEAD", "config", "ORIG_HEAD"):
        path = folder / name
        out[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
    refs = git(repository, "for-each-ref", "--format=%(refname) %(objectname)")
    out["refs"] = "\n".join(line for line in refs.splitlines() if "stet/staging" not in line)
    for path in sorted(repository.rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            out[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return out


def trip(book: Book, name: str = "ch.md") -> Alert:
    """Three refusals in a row."""
    for n in range(3):
        book.write(name, STUB + bytes([97 + n]))
    assert len(book.alerts) == 1
    return book.alerts[0]


def shown(repository: Path, commit: str, path: str) -> bytes:
    return subprocess.run(["git", "show", f"{commit}:{path}"], cwd=repository, capture_output=True, check=True).stdout


def assert_staged(repository: Path, alert: Alert, path: str, before: bytes, after: bytes) -> None:
    """The branch is there, and its two commits are the disk and then the proposal."""
    staged = alert.staged
    assert staged.branch.startswith("stet/staging/"), staged
    assert git(repository, "rev-parse", staged.branch) == staged.proposal_commit
    assert git(repository, "rev-parse", f"{staged.proposal_commit}^") == staged.disk_commit
    assert shown(repository, staged.disk_commit, path) == before
    assert shown(repository, staged.proposal_commit, path) == after
    changed = git(repository, "diff", "--name-only", staged.disk_commit, staged.proposal_commit)
    assert changed == path


def test_a_trip_in_a_plain_repository(book: Book) -> None:
    git(book.root, "init", "-q")
    old = chapter()
    book.put("ch.md", old)
    book.put("other.md", b"others\n")
    commit_all(book.root)
    book.put("other.md", b"others, not committed\n")
    git(book.root, "stash", "list")
    before = private_parts(book.root)
    alert = trip(book)
    assert_staged(book.root, alert, "ch.md", old, STUB + b"c")
    assert private_parts(book.root) == before
    assert git(book.root, "rev-parse", f"{alert.staged.disk_commit}^") == git(book.root, "rev-parse", "HEAD")


def test_an_unborn_head_and_no_user_name(book: Book) -> None:
    git(book.root, "init", "-q")
    old = chapter()
    book.put("ch.md", old)
    before = private_parts(book.root)
    alert = trip(book)
    assert_staged(book.root, alert, "ch.md", old, STUB + b"c")
    assert private_parts(book.root) == before


def test_a_detached_head(book: Book) -> None:
    git(book.root, "init", "-q")
    old = chapter()
    book.put("ch.md", old)
    commit_all(book.root)
    git(book.root, "checkout", "-q", "--detach")
    before = private_parts(book.root)
    assert_staged(book.root, trip(book), "ch.md", old, STUB + b"c")
    assert private_parts(book.root) == before


def test_a_worktree_and_a_project_in_a_subfolder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = tmp_path / "main"
    (main / "docs").mkdir(parents=True)
    git(main, "init", "-q")
    old = chapter()
    (main / "docs/ch.md").write_bytes(old)
    commit_all(main)
    tree = tmp_path / "tree"
    git(main, "worktree", "add", "-q", str(tree))
    book = Book(tmp_path / "user")
    book.root = tree / "docs"
    for name, value in book.user.environment().items():
        monkeypatch.setenv(name, value)
    book.found()
    before = private_parts(tree), private_parts(main)
    alert = trip(book)
    assert_staged(tree, alert, "docs/ch.md", old, STUB + b"c")
    assert (private_parts(tree), private_parts(main)) == before
    assert alert.staged.branch in git(main, "branch", "--list", "stet/staging/*")


def test_a_sha256_repository(book: Book) -> None:
    git(book.root, "init", "-q", "--object-format=sha256")
    old = chapter()
    book.put("ch.md", old)
    assert_staged(book.root, trip(book), "ch.md", old, STUB + b"c")


def test_a_delete_is_staged_as_a_delete(book: Book) -> None:
    git(book.root, "init", "-q")
    old = chapter()
    book.put("ch.md", old)
    book.write("ch.md", STUB)
    book.write("ch.md", STUB + b"x")
    book.write("ch.md", None)
    staged = book.alerts[0].staged
    assert shown(book.root, staged.disk_commit, "ch.md") == old
    assert git(book.root, "ls-tree", "-r", "--name-only", staged.proposal_commit) == ""
    assert (book.root / "ch.md").read_bytes() == old


def test_nothing_of_the_repository_runs(book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks, filters, fsmonitor and a signing program that would leave a file behind never do."""
    git(book.root, "init", "-q")
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    hooks = book.root / ".git/hooks"
    for name in ("reference-transaction", "post-index-change", "pre-commit", "post-commit", "commit-msg"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    for key, value in (
        ("core.fsmonitor", str(program)),
        ("filter.odd.clean", str(program)),
        ("filter.odd.smudge", str(program)),
        ("commit.gpgsign", "true"),
        ("gpg.program", str(program)),
    ):
        git(book.root, "config", key, value)
    (book.root / ".gitattributes").write_text("*.md filter=odd\n")
    old = chapter()
    book.put("ch.md", old)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    alert = trip(book)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        assert os.environ[name] == str(tmp_path / "elsewhere"), "the environment is put back"
        monkeypatch.delenv(name)
    assert_staged(book.root, alert, "ch.md", old, STUB + b"c")
    assert not ran.exists()


def test_without_git_the_store_serves(book: Book) -> None:
    old = chapter()
    book.put("ch.md", old)
    alert = trip(book)
    assert alert.staged.branch == ""
    assert "no git repository" in alert.staged.problem
    with book.open() as proxy:
        case = cases.get(proxy.ledger, alert.id)
        assert case is not None
        assert proxy.ledger.load(case.proposal) == STUB + b"c"
        assert proxy.ledger.load(case.disk) == old


def test_a_repository_that_is_broken_does_not_undo_the_refusal(book: Book) -> None:
    (book.root / ".git").mkdir()
    old = chapter()
    book.put("ch.md", old)
    alert = trip(book)
    assert alert.staged.branch == ""
    assert alert.staged.problem
    assert (book.root / "ch.md").read_bytes() == old
    assert book.write("ch.md", reword(old)).tripped


def test_two_projects_in_one_repository_have_branches_of_their_own(new_book: NewBook) -> None:
    first = new_book("one")
    git(first.root, "init", "-q")
    first.put("a b/ch'1.md", chapter())
    alert = trip(first, "a b/ch'1.md")
    assert_staged(first.root, alert, "a b/ch'1.md", chapter(), STUB + b"c")
