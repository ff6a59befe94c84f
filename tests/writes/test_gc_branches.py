"""gc takes away the staging branches of answered alerts, and no other branch."""

from __future__ import annotations

import subprocess

import pytest
from stet_kit import Book, chapter

from firewall.agents import sweep, turns
from firewall.commands.gc import command
from firewall.writes import answers, gc, person, staging


@pytest.fixture
def repository(book: Book, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A guarded repository with one tripped file; whoever answers is a person."""
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    git(book, "init", "-q", "-b", "main")
    path = book.put("ch.md", chapter(1200))
    with book.open() as proxy:
        for i in range(3):
            proxy.write(path, b"gone %d\n" % i)
    return book


def git(book: Book, *words: str) -> str:
    """Run git; what it printed."""
    done = subprocess.run(["git", *words], cwd=book.root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def trip(book: Book) -> str:
    """The id of the alert."""
    with book.open() as proxy:
        return str(proxy.ledger.query("SELECT id FROM cases WHERE kind='trip'")[0][0])


def test_a_branch_stays_while_its_alert_waits(repository: Book) -> None:
    repository.now += 400 * 86_400
    with repository.open() as proxy:
        assert gc.collect(proxy).branches == 0
        assert len(staging.branches(proxy.root)) == 1


def test_it_goes_once_answered_and_as_old_as_versions_may_get(repository: Book) -> None:
    ident = trip(repository)
    with repository.open() as proxy:
        answers.reject(proxy, ident)
        assert gc.collect(proxy).branches == 0, "answered today"
    repository.now += 400 * 86_400
    with repository.open() as proxy:
        assert gc.collect(proxy, dry_run=True).branches == 1
        assert len(staging.branches(proxy.root)) == 1
        assert gc.collect(proxy).branches == 1
        assert staging.branches(proxy.root) == []
        assert gc.collect(proxy).branches == 0


def test_a_branch_that_somebody_built_on_is_theirs(repository: Book) -> None:
    ident = trip(repository)
    with repository.open() as proxy:
        (branch,) = staging.branches(proxy.root)
        answers.reject(proxy, ident)
    tree, tip = git(repository, "rev-parse", f"{branch}^{{tree}}"), git(repository, "rev-parse", branch)
    who = ("-c", "user.name=A", "-c", "user.email=a@b")
    mine = git(repository, *who, "commit-tree", tree, "-p", tip, "-m", "mine")
    git(repository, "update-ref", f"refs/heads/{branch}", mine)
    repository.now += 400 * 86_400
    with repository.open() as proxy:
        assert gc.collect(proxy).branches == 0
        assert staging.branches(proxy.root) == [branch]


@pytest.fixture
def put_back(repository: Book) -> str:
    """The name of the branch with what an agent's shell made of a file, which was put back."""
    other = repository.put("other.md", b"See [12].\n")
    with repository.open(session="s") as proxy:
        proxy.adopt([other])
        turns.open_turn(proxy, "s")
        other.write_bytes(b"See [12\xe2\x80\xa0source].\0\n")
        (swept,) = sweep.settle(proxy, "s")
        turns.close_turn(proxy, "s")
    assert swept.refused
    (name,) = [one for one in staging.branches(repository.root) if "put-back" in one]
    return name


def test_a_branch_of_what_was_put_back_goes_with_the_versions(repository: Book, put_back: str) -> None:
    with repository.open() as proxy:
        assert gc.collect(proxy).branches == 0
    repository.now += 400 * 86_400
    with repository.open() as proxy:
        assert gc.collect(proxy, dry_run=True).branches == 1
        assert put_back in staging.branches(proxy.root)
        assert gc.collect(proxy).branches == 1
        assert len(staging.branches(proxy.root)) == 1, "the alert's, which waits"


def test_one_that_somebody_built_on_or_made_is_theirs(repository: Book, put_back: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b")
    tree = git(repository, "rev-parse", f"{put_back}^{{tree}}")
    mine = git(repository, *who, "commit-tree", tree, "-p", put_back, "-m", "mine")
    git(repository, "update-ref", f"refs/heads/{put_back}", mine)
    git(repository, "branch", "stet/staging/put-back-notes", f"{put_back}~1")
    repository.now += 400 * 86_400
    with repository.open() as proxy:
        assert gc.collect(proxy).branches == 0
        assert len(staging.branches(proxy.root)) == 3


def test_what_went_is_counted_in_words(repository: Book, capsys: pytest.CaptureFixture[str]) -> None:
    freed = gc.Freed(1, 12, 0, 0, 0, "", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository.root)
        patch.setattr(gc, "collect", lambda *_, **__: freed)
        assert command.main([], standalone_mode=False) is None
    said = capsys.readouterr().out
    assert "1 snapshot let go" in said
    assert "1 staging branch of" in said
