"""Repositories set up so that careless plumbing would touch them, run something, or go to the network."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from stet_kit import STUB, Book, chapter, files_below, reword
from test_staging import assert_staged, commit_all, git, private_parts, trip

OLD = chapter()
WHO = {f"GIT_{r}_{k}": "a@b" for r in ("AUTHOR", "COMMITTER") for k in ("NAME", "EMAIL")}


@pytest.fixture
def repository(book: Book) -> Book:
    """A book in a repository with a commit, a stash, something staged, something changed and something untracked."""
    git(book.root, "init", "-q")
    book.put("ch.md", OLD)
    book.put("staged.md", b"one\n")
    commit_all(book.root)
    book.put("staged.md", b"stashed\n")
    git(book.root, "stash", "-q", **WHO)
    book.put("staged.md", b"staged\n")
    git(book.root, "add", "staged.md")
    book.put("staged.md", b"changed since\n")
    book.put("untracked.md", b"untracked\n")
    return book


def git_files(root: Path) -> dict[str, bytes]:
    """Everything in .git but objects and Stet's own branches."""
    parts = ("objects/", "refs/heads/stet/", "logs/refs/heads/stet/")
    return {name: data for name, data in files_below(root / ".git").items() if not name.startswith(parts)}


def assert_untouched(book: Book, *, config: dict[str, str] | None = None) -> None:
    """A trip stages, and changes nothing in the work tree or in .git besides objects and its branch."""
    for key, value in (config or {}).items():
        git(book.root, "config", key, value)
    before = private_parts(book.root), git_files(book.root)
    alert = trip(book)
    assert_staged(book.root, alert, "ch.md", OLD, STUB + b"c")
    assert (private_parts(book.root), git_files(book.root)) == before


def test_index_stash_and_work_tree_in_use(repository: Book) -> None:
    assert_untouched(repository)
    assert git(repository.root, "stash", "list").count("stash@") == 1


@pytest.mark.parametrize(
    "config",
    [
        {"core.splitIndex": "true", "splitIndex.sharedIndexExpire": "now"},
        {"feature.manyFiles": "true", "core.untrackedCache": "true"},
        {"index.sparse": "true", "core.sparseCheckout": "true", "core.sparseCheckoutCone": "true"},
        {"core.logAllRefUpdates": "always"},
        {"gc.auto": "1", "gc.autoDetach": "false"},
        {"core.autocrlf": "true", "core.eol": "crlf", "core.safecrlf": "true"},
        {"core.quotePath": "true", "core.ignoreCase": "true", "core.precomposeUnicode": "true"},
        {"i18n.commitEncoding": "latin-1", "core.commentChar": "O"},
        {"core.pager": "false", "color.ui": "always", "pager.rev-parse": "cat"},
        {"alias.write-tree": "!touch aliased"},
        {"core.editor": "touch edited", "sequence.editor": "touch edited"},
    ],
    ids=lambda c: next(iter(c)),
)
def test_settings_that_change_what_plumbing_does(repository: Book, config: dict[str, str]) -> None:
    if "core.splitIndex" in config:
        git(repository.root, "update-index", "--split-index")
    assert_untouched(repository, config=config)


def test_another_git_at_work_is_not_waited_for(repository: Book) -> None:
    (repository.root / ".git/index.lock").write_bytes(b"")
    assert_untouched(repository)


def test_a_work_tree_setting_that_points_elsewhere(repository: Book, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    git(repository.root, "config", "core.worktree", str(elsewhere))
    alert = trip(repository)
    assert (repository.root / "ch.md").read_bytes() == OLD
    assert alert.staged.branch or alert.staged.problem
    assert list(elsewhere.iterdir()) == []


def test_a_user_s_branch_of_our_name_is_theirs(repository: Book) -> None:
    git(repository.root, "branch", "stet")
    before = private_parts(repository.root)
    alert = trip(repository)
    assert alert.staged.branch == ""
    assert "the store keeps the proposal" in alert.staged.problem
    assert private_parts(repository.root) == before
    assert repository.write("ch.md", reword(OLD)).tripped


def test_two_trips_of_one_file_have_two_branches(repository: Book) -> None:
    first = trip(repository)
    with repository.open() as proxy:  # a person's reset, without the terminal
        known = proxy.ledger.artifact("ch.md")
        assert known is not None
        with proxy.ledger.transaction():
            proxy.ledger.set_state(known.id, attempts=0, alert="", answered=10_000)
    repository.alerts.clear()
    for n in range(3):
        repository.write("ch.md", STUB + bytes([120 + n]))
    second = repository.alerts[0]
    assert first.staged.branch != second.staged.branch
    assert_staged(repository.root, second, "ch.md", OLD, STUB + b"z")


def test_a_clone_whose_objects_are_elsewhere_goes_to_no_network(book: Book, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    (origin / "sub").mkdir(parents=True)
    git(origin, "init", "-q")
    (origin / "ch.md").write_bytes(OLD)
    (origin / "sub/other.md").write_bytes(b"other\n")
    commit_all(origin)
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{origin}", str(clone))
    shutil.copytree(clone / ".git", book.root / ".git")
    book.put("ch.md", OLD)
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
    program.chmod(0o755)
    git(book.root, "config", "remote.origin.uploadpack", str(program))
    git(book.root, "config", "core.sshCommand", str(program))
    before = git_files(book.root)
    alert = trip(book)
    assert not ran.exists(), "an object that is missing was fetched"
    assert git_files(book.root) == before
    assert alert.staged.branch, alert.staged.problem
    changed = git(book.root, "diff", "--name-only", alert.staged.disk_commit, alert.staged.proposal_commit)
    assert changed == "ch.md"


def test_without_the_git_program_the_store_serves(repository: Book, tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    for n in range(3):
        done = repository.user.stet(
            "write", "ch.md", cwd=repository.root, data=STUB + bytes([97 + n]), env={"PATH": str(empty)}
        )
    assert done.status == 4, done
    assert "the store keeps the proposal" in " ".join(done.err.split())
    assert "Traceback" not in done.err
    listed = repository.user.quick("alerts", "--json", cwd=repository.root).json()
    shown = repository.user.quick("show", listed[0]["id"], cwd=repository.root)
    assert shown.status == 0
    assert "To be continued" in shown.out


def test_a_file_that_is_ignored_is_staged_all_the_same(repository: Book) -> None:
    repository.put(".gitignore", b"*.md\n")
    repository.put("new.md", OLD)
    alert = trip(repository, "new.md")
    assert_staged(repository.root, alert, "new.md", OLD, STUB + b"c")


def test_an_executable_file_stays_one(repository: Book) -> None:
    (repository.root / "ch.md").chmod(0o755)
    alert = trip(repository)
    for commit in (alert.staged.disk_commit, alert.staged.proposal_commit):
        assert git(repository.root, "ls-tree", commit, "ch.md").startswith("100755")
