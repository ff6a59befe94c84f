"""`stet watch` and git: what loses nothing is adopted, what would lose text is put back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stet_kit import STUB, Book, at_terminal, chapter, prose, reword
from watch_kit import Watching, git


def a_repository(book: Book) -> tuple[Path, bytes, bytes]:
    """A book in git whose branch `other` has another text in its chapter."""
    one, other = chapter(1200, seed=1), chapter(1100, seed=2)
    path = book.put("chapter.md", one)
    git(book.root, "init", "-q", "-b", "main")
    git(book.root, "add", ".")
    git(book.root, "commit", "-qm", "one")
    git(book.root, "checkout", "-qb", "other")
    path.write_bytes(other)
    git(book.root, "commit", "-qam", "other")
    git(book.root, "checkout", "-q", "main")
    return path, one, other


def events(lines: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """(event, path) of what was said."""
    return {(line["event"], line["path"]) for line in lines}


def test_branches_commits_and_stashes_of_a_persons_day(book: Book) -> None:
    path, one, other = a_repository(book)
    with Watching(book) as watch:
        git(book.root, "checkout", "-q", "other")
        assert events(watch.said()) == {("adopted", "chapter.md")}
        assert path.read_bytes() == other
        git(book.root, "checkout", "-q", "main")
        assert events(watch.said()) == {("adopted", "chapter.md")}
        # A commit of today, and there and back again: its text was accepted when it was saved.
        mine = reword(one)
        path.write_bytes(mine)
        watch.await_event("accepted", "chapter.md")
        git(book.root, "commit", "-qam", "mine")
        git(book.root, "checkout", "-q", "other")
        watch.await_event("adopted", "chapter.md")
        git(book.root, "checkout", "-q", "main")
        watch.await_event("adopted", "chapter.md")
        assert path.read_bytes() == mine
        # Put aside and taken back.
        draft = mine + b"\nOne more thought for tonight.\n"
        path.write_bytes(draft)
        watch.await_event("accepted", "chapter.md")
        git(book.root, "stash", "-q")
        watch.await_event("adopted", "chapter.md")
        assert path.read_bytes() == mine
        git(book.root, "stash", "pop", "-q")
        assert {event for event, _ in events(watch.said())} <= {"adopted", "accepted"}
        assert path.read_bytes() == draft


def test_what_is_fetched_comes_in(book: Book, tmp_path: Path) -> None:
    path, _, _ = a_repository(book)
    git(tmp_path, "clone", "-q", str(book.root), "theirs")
    theirs = tmp_path / "theirs"
    new = chapter(1500, seed=7)
    git(book.root, "remote", "add", "origin", str(theirs))
    with Watching(book) as watch:
        (theirs / "chapter.md").write_bytes(new)
        git(theirs, "commit", "-qam", "theirs")
        git(book.root, "pull", "-q", "--ff-only", "origin", "main")
        watch.await_event("adopted", "chapter.md")
        assert path.read_bytes() == new


def test_uncommitted_work_is_not_lost_to_git(book: Book) -> None:
    path, one, _ = a_repository(book)
    untracked = book.put("notes.md", chapter(400, seed=3))
    notes = untracked.read_bytes()
    with Watching(book) as watch:
        more = one
        for seed in (8, 9):  # two steps: the bytes before the last growth may come back
            more += b"\n" + prose(250, seed=seed).encode()
            path.write_bytes(more)
            watch.await_event("accepted", "chapter.md")
        git(book.root, "checkout", "--", ".")
        watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == more
        git(book.root, "clean", "-fdq", "-e", "stet.toml")
        watch.await_event("restored", "notes.md")
        assert untracked.read_bytes() == notes
        assert path.read_bytes() == more


def test_a_stub_that_is_committed_is_a_stub(book: Book) -> None:
    path, one, _ = a_repository(book)
    with Watching(book) as watch:
        git(book.root, "checkout", "-qb", "agent")
        path.write_bytes(STUB)
        git(book.root, "commit", "-qam", "mend the chapter")
        watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == one
        git(book.root, "checkout", "-qf", "main")
        path.write_bytes(reword(one))
        watch.await_event("accepted", "chapter.md")
        git(book.root, "commit", "-qam", "a good one")
        git(book.root, "checkout", "-qf", "agent")
        watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == reword(one)


def test_a_delete_that_is_committed_is_a_delete(book: Book, tmp_path: Path) -> None:
    """Also in one breath, before anybody looked. One that a person said yes to, or that was fetched, is git's."""
    path, one, _ = a_repository(book)
    second = book.put("second.md", chapter(500, seed=5))
    third = book.put("third.md", chapter(400, seed=6))
    git(book.root, "add", ".")
    git(book.root, "commit", "-qm", "more")
    git(tmp_path, "clone", "-q", str(book.root), "theirs")
    git(book.root, "remote", "add", "origin", str(tmp_path / "theirs"))
    with Watching(book) as watch:
        git(book.root, "rm", "-q", "chapter.md")
        git(book.root, "commit", "-qm", "tidy up")
        back = watch.await_event("restored", "chapter.md")
        assert back["rules"] == ["delete"]
        assert back["held"]
        assert path.read_bytes() == one
        git(book.root, "reset", "-q", "HEAD~1")
        git(book.root, "mv", "chapter.md", "code.py")
        git(book.root, "commit", "-qm", "tidy up in another way")
        watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == one
        git(book.root, "reset", "-q", "--hard", "HEAD~1")
        # A person says yes to a delete, commits it, and goes to and fro.
        second.unlink()
        held = watch.await_event("restored", "second.md")["held"]
        assert at_terminal(book.user, book.root, "approve", held)[0] == 0
        git(book.root, "commit", "-qam", "without the second")
        git(book.root, "checkout", "-q", "HEAD~1")
        watch.await_event("adopted", "second.md")
        git(book.root, "checkout", "-q", "main")
        watch.await_event("adopted", "second.md")
        assert not second.exists()
        # Others deleted a file; it comes with a merge.
        git(tmp_path / "theirs", "rm", "-q", "third.md")
        git(tmp_path / "theirs", "commit", "-qm", "without the third")
        git(book.root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        watch.await_event("adopted", "third.md")
        assert not third.exists()


def test_git_mv_is_a_rename(book: Book) -> None:
    path, one, _ = a_repository(book)
    with Watching(book) as watch:
        git(book.root, "mv", "chapter.md", "first.md")
        assert events(watch.said()) == {("accepted", "first.md")}
        assert (book.root / "first.md").read_bytes() == one
        assert not path.exists()


def test_a_person_switches_to_a_branch_from_before_stet(book: Book) -> None:
    """Its missing stet.toml stays away, as git has it; the accepted rules hold on; one removed by hand comes back."""
    path = book.put("chapter.md", chapter(1200, seed=1))
    policy = (book.root / "stet.toml").read_bytes()
    (book.root / "stet.toml").unlink()
    git(book.root, "init", "-q", "-b", "main")
    git(book.root, "add", ".")
    git(book.root, "commit", "-qm", "before")
    git(book.root, "branch", "old")
    (book.root / "stet.toml").write_bytes(policy)
    git(book.root, "add", ".")
    git(book.root, "commit", "-qm", "Stet")
    with Watching(book) as watch:
        git(book.root, "checkout", "-q", "old")
        assert events(watch.said()) == {("switched", "stet.toml")}
        assert not (book.root / "stet.toml").exists()
        assert git(book.root, "status", "--porcelain") == ""
        path.write_bytes(STUB)
        watch.await_event("restored", "chapter.md")
        assert path.read_bytes() == chapter(1200, seed=1)
        git(book.root, "checkout", "-q", "main")
        assert watch.said() == []
        assert (book.root / "stet.toml").read_bytes() == policy
        (book.root / "stet.toml").unlink()
        watch.await_event("put-back", "stet.toml")
        assert (book.root / "stet.toml").read_bytes() == policy
