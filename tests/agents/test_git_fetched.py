"""A colleague's work that an agent pulls in its turn: judged, and a person's to land as one change set."""

from __future__ import annotations

from pathlib import Path

import pytest
from hook_kit import Claude, reason
from stet_kit import STUB, Book, Home, chapter, prose, quick_terminal, reword
from turn_kit import Agent, committed, git

from firewall.writes import cases


@pytest.fixture
def repo(book: Book, tmp_path: Path) -> Book:
    """A guarded folder under git whose upstream has a commit that it has not: a chapter condensed, one wiped, a note
    deleted, a good sentence."""
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "A")
    git(book.root, "config", "user.email", "a@b")
    git(book.root, "config", "pull.rebase", "false")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    for name, seed in (("ch.md", 1), ("wiped.md", 2), ("good.md", 3)):
        book.put(name, chapter(1200, seed=seed))
    book.put("note.md", chapter(300, seed=4))
    committed(book.root, "one")
    git(tmp_path, "init", "-q", "--bare", "up.git")
    git(book.root, "remote", "add", "origin", str(tmp_path / "up.git"))
    git(book.root, "push", "-q", "-u", "origin", "main")
    git(tmp_path, "clone", "-q", "-b", "main", "up.git", "mate")
    mate = tmp_path / "mate"
    (mate / "ch.md").write_text("\n\n".join(chapter(1200, seed=1).decode().split("\n\n")[:14]) + "\n")
    (mate / "wiped.md").write_bytes(STUB)
    (mate / "good.md").write_bytes(reword(chapter(1200, seed=3)))
    (mate / "note.md").unlink()
    committed(mate, "Condense")
    git(mate, "push", "-q")
    return book


BACK = {"ch.md", "wiped.md", "note.md"}


def test_the_agent_is_told_that_its_next_commit_reverts_what_was_fetched(repo: Book) -> None:
    claude = Claude(repo)
    claude.prompt()
    git(repo.root, "pull", "-q", "--ff-only")
    said = reason(claude.ran("git pull -q --ff-only"))
    commit = git(repo.root, "rev-parse", "--short", "HEAD")
    assert said.count(f"in {commit} (Condense)") == len(BACK)
    for name in BACK:
        assert f"committing {name} as it is now reverts that" in said
    assert (repo.root / "good.md").read_bytes() == reword(chapter(1200, seed=3))


def test_a_persons_yes_lands_all_that_was_fetched_at_once(repo: Book) -> None:
    with Agent(repo) as agent:
        swept = agent.runs("git pull -q --ff-only")
        assert {p for p, s in swept.items() if s.fate == "restored"} == BACK
        waits = cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)
        assert {case.path for case in waits} == BACK
        assert len({case.change_set for case in waits}) == 1
        assert git(repo.root, "status", "--short") != ""
    status, shown = quick_terminal(Home(repo.user.folder), repo.root, "approve", waits[0].id)
    assert status == 0, shown
    assert git(repo.root, "status", "--short") == "", "the work tree is HEAD's"


@pytest.mark.parametrize(
    "command",
    ["git fetch -q; git cherry-pick origin/main", "git commit -q --allow-empty -m mine; git pull -q --no-edit"],
)
def test_what_was_fetched_is_known_behind_commits_made_here(repo: Book, command: str) -> None:
    with Agent(repo) as agent:
        swept = agent.runs(command)
        assert {p for p, s in swept.items() if "reverts that" in s.message} == BACK


def test_a_merge_of_both_sides_is_told_as_well(repo: Book) -> None:
    repo.put("ch.md", chapter(1200, seed=1) + prose(40, seed=9).encode())
    committed(repo.root, "ours")
    with Agent(repo) as agent:
        swept = agent.runs("git fetch -q; git merge -q --no-edit -X theirs origin/main")
        assert "reverts that" in swept["ch.md"].message


def test_an_agents_own_commit_is_none_that_was_fetched(repo: Book) -> None:
    with Agent(repo) as agent:
        swept = agent.runs("git fetch -q; echo stub > ch.md; git commit -qam stub")
        assert swept["ch.md"].fate == "restored"
        assert "fetched" not in swept["ch.md"].message


def test_what_the_agent_broke_itself_waits_apart_from_what_was_fetched(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("git pull -q --ff-only; rm good.md")
        waits = {c.path: c.change_set for c in cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)}
        assert set(waits) == {*BACK, "good.md"}
        assert waits["good.md"] not in {waits[name] for name in BACK}


def test_what_others_committed_is_nobodys_attempt_however_often_it_is_brought(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("git pull -q --ff-only")
        first = {c.path: c.id for c in cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)}
        for _ in range(3):
            swept = agent.runs("git checkout -q -- .")
            assert {p for p, s in swept.items() if s.fate == "restored"} == BACK - {"note.md"}, (
                "git knows that one no more"
            )
            assert all(s.result is not None and not s.result.alert for s in swept.values() if s.refused)
        assert {c.path: c.id for c in cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)} == first
        for name in BACK:
            known = agent.proxy.ledger.artifact(name)
            assert known is not None
            assert known.attempts == 0
        for number in (1, 2, 3):  # its own are counted as ever
            assert agent.runs(f"echo stub {number} > good.md")["good.md"].refused
        known = agent.proxy.ledger.artifact("good.md")
        assert known is not None
        assert known.latched
        assert agent.runs("echo '# Notes' > ch.md")["ch.md"].result.attempt == 1  # type: ignore[union-attr]
