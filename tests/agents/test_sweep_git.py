"""What git does in an agent's turn: old commits pass, the agent's own and lost work do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from stet_kit import STUB, Book, chapter, prose, reword
from turn_kit import Agent, committed, git

from firewall.agents import provenance, turns


@pytest.fixture
def repo(book: Book) -> Book:
    """A guarded folder under git, with a chapter of two committed versions."""
    git(book.root, "init", "-q")
    book.put("ch.md", chapter(1200, seed=3))
    book.put("other.md", chapter(300, seed=4))
    committed(book.root, "first")
    book.put("ch.md", chapter())
    committed(book.root, "second")
    return book


def test_a_checkout_of_an_old_commit_is_gits_and_becomes_the_baseline(repo: Book) -> None:
    with Agent(repo) as agent:
        swept = agent.runs("git checkout -q HEAD~1")
        assert swept["ch.md"].fate == "adopted"
        known = agent.proxy.ledger.artifact("ch.md")
        assert known is not None
        assert known.baseline == known.disk == known.mark
        assert agent.proxy.ledger.load(known.disk) == chapter(1200, seed=3)
        assert not agent.look()


def test_an_old_version_that_no_ref_names_any_more_passes_by_its_history(repo: Book) -> None:
    for seed in range(10, 14):
        repo.put("ch.md", chapter(1200, seed=seed))
        committed(repo.root, f"version {seed}")
    with Agent(repo) as agent:
        assert agent.runs("git checkout -q HEAD~3 -- ch.md")["ch.md"].fate == "adopted"
        agent.shell("sleep 0.3")  # git's own writes and this one are told apart by their times
        assert agent.runs("git show HEAD~2:ch.md > ch.md")["ch.md"].fate == "restored", "a shell wrote it, not git"


LOSSES = (
    "git checkout -- .",
    "git reset -q --hard",
    "git restore ch.md",
    "git checkout -f -q HEAD",
    "git show HEAD:ch.md > ch.md",
)


@pytest.mark.parametrize("command", LOSSES)
def test_uncommitted_work_of_a_person_is_not_lost_to_git(repo: Book, command: str) -> None:
    mine = chapter() + b"\n" + prose(600, seed=9).encode() + b"\n"
    repo.put("ch.md", mine)
    with Agent(repo) as agent:
        assert agent.runs(command)["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == mine


def test_a_staged_and_dirty_file_survives_a_hard_reset_to_a_remote(repo: Book, tmp_path: Path) -> None:
    """claude-code#33850, #40697, #4541."""
    git(repo.root, "clone", "-q", "--bare", ".", str(tmp_path / "origin.git"))
    git(repo.root, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(repo.root, "fetch", "-q", "origin")
    mine = chapter() + b"\n" + prose(500, seed=8).encode() + b"\n"
    repo.put("ch.md", mine)
    git(repo.root, "add", "ch.md")
    repo.put("ch.md", mine + b"\nAnd one more line.\n")
    with Agent(repo) as agent:
        assert agent.runs("git fetch -q && git reset -q --hard origin/main")["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == mine + b"\nAnd one more line.\n"


def test_an_agent_may_take_its_own_edits_back_with_git(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.path("ch.md").write_bytes(reword(chapter()))
        assert agent.look()["ch.md"].fate == "accepted"
        assert agent.runs("git checkout -- .")["ch.md"].fate in ("adopted", "accepted")
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_stub_committed_and_checked_out_is_judged_as_a_stub(repo: Book) -> None:
    script = f"""
    blob=$(printf '%s' '{STUB.decode()}' | git hash-object -w --stdin)
    printf '100644 blob %s\\tch.md\\n' $blob | git mktree > ../tree
    commit=$(git -c user.name=A -c user.email=a@b commit-tree $(cat ../tree) -p HEAD -m stub)
    git update-ref refs/heads/stub $commit
    git checkout -q -f stub -- ch.md
    """
    with Agent(repo) as agent:
        swept = agent.runs(script)
        assert swept["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_commit_of_an_earlier_turn_stays_the_agents(repo: Book) -> None:
    script = f"""
    blob=$(printf '%s' '{STUB.decode()}' | git hash-object -w --stdin)
    printf '100644 blob %s\\tch.md\\n' $blob | git mktree > ../tree
    git update-ref refs/heads/stub $(git -c user.name=A -c user.email=a@b commit-tree $(cat ../tree) -p HEAD -m stub)
    """
    with Agent(repo) as agent:
        agent.runs(script)
        turns.close_turn(agent.proxy, agent.session)
        turns.open_turn(agent.proxy, agent.session)
        swept = agent.runs("git checkout -q stub -- ch.md")
        assert swept["ch.md"].fate == "restored"


def test_a_dead_sessions_commits_are_the_agents_too(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.shell("cp other.md x.md; git add -A; git -c user.name=A -c user.email=a@b commit -qm x")
        agent.look()
        turns.open_turn(agent.proxy, agent.session)  # interrupted: nobody closed it
        made = {row[0] for row in agent.proxy.ledger.query("SELECT id FROM made")}
        assert made == {git(repo.root, "rev-parse", "HEAD")}
        assert provenance.trusted(agent.proxy) == [git(repo.root, "rev-parse", "HEAD~1")]


def test_a_branch_without_the_file_takes_it_away_and_gives_it_back(repo: Book) -> None:
    git(repo.root, "checkout", "-q", "-b", "less")
    git(repo.root, "rm", "-q", "ch.md")
    committed(repo.root, "a person takes it away")
    git(repo.root, "checkout", "-q", "main")
    with Agent(repo) as agent:
        assert agent.runs("git checkout -q less")["ch.md"].fate == "adopted"
        assert not agent.path("ch.md").exists()
        assert agent.runs("git checkout -q main")["ch.md"].fate == "adopted"
        assert agent.path("ch.md").read_bytes() == chapter()


@pytest.mark.parametrize("command", ["git rm -q ch.md", "git rm -q ch.md && git commit -qm gone", "rm ch.md"])
def test_git_rm_is_a_delete(repo: Book, command: str) -> None:
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    with Agent(repo) as agent:
        swept = agent.runs(command)
        assert swept["ch.md"].fate == "restored"
        assert swept["ch.md"].result is not None
        assert swept["ch.md"].result.held
        assert agent.path("ch.md").read_bytes() == chapter()


def test_clean_takes_no_untracked_chapter(repo: Book) -> None:
    repo.put("draft.md", chapter(400, seed=5))
    with Agent(repo) as agent:
        assert agent.runs("git clean -fdq")["draft.md"].fate == "restored"
        assert agent.path("draft.md").read_bytes() == chapter(400, seed=5)


def test_stash_keeps_the_text_and_pop_brings_it_back(repo: Book) -> None:
    mine = reword(chapter())
    repo.put("ch.md", mine)
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    with Agent(repo) as agent:
        assert agent.runs("git stash -q")["ch.md"].fate == "adopted", "the stash has it"
        assert agent.path("ch.md").read_bytes() == chapter()
        assert agent.runs("git stash pop -q")["ch.md"].fate in ("accepted", "adopted")
        assert agent.path("ch.md").read_bytes() == mine


def test_a_rewrite_of_a_persons_comes_back_from_the_stash_with_its_marks(repo: Book) -> None:
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    repo.put("ch.md", chapter(900, seed=42))
    with Agent(repo) as agent:
        agent.path("ch.md").write_bytes(reword(chapter(900, seed=42)))
        assert agent.look()["ch.md"].fate == "accepted"
        before = agent.proxy.ledger.artifact("ch.md")
        assert agent.runs("git stash -q")["ch.md"].fate == "adopted"
        assert agent.runs("git stash pop -q")["ch.md"].fate == "adopted"
        assert agent.proxy.ledger.artifact("ch.md") == before
        assert agent.path("ch.md").read_bytes() == reword(chapter(900, seed=42))
        assert not agent.look()
        assert agent.runs("git stash -q; git stash pop -q") == {}, "nobody looked meanwhile"


def test_what_git_takes_away_for_a_while_is_no_way_to_new_marks(repo: Book) -> None:
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    with Agent(repo) as agent:
        words = len(chapter().split())
        for _ in range(6):
            agent.shell("head -n -6 ch.md > x.tmp; cat x.tmp > ch.md")
            agent.look()
            agent.runs("git stash -q")
            agent.runs("git stash pop -q")
            assert len(agent.path("ch.md").read_bytes().split()) >= 0.85 * words


def test_a_rebase_brings_what_people_committed(repo: Book) -> None:
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    git(repo.root, "checkout", "-q", "-b", "topic", "HEAD~1")
    repo.put("other.md", reword(chapter(300, seed=4)))
    committed(repo.root, "topic")
    with Agent(repo) as agent:
        swept = agent.runs("git rebase -q main")
        assert {s.fate for s in swept.values()} == {"adopted"}
        assert agent.path("ch.md").read_bytes() == chapter()
        assert agent.path("other.md").read_bytes() == reword(chapter(300, seed=4))


def test_an_orphan_branch_and_a_lost_repository_lose_no_text(repo: Book) -> None:
    """claude-code#70687."""
    with Agent(repo) as agent:
        swept = agent.runs("git checkout -q --orphan empty && git rm -rqf . && rm -rf .git")
        assert {s.fate for s in swept.values()} == {"restored", "put-back"}
        assert agent.path("ch.md").read_bytes() == chapter()
        assert agent.path("other.md").read_bytes() == chapter(300, seed=4)
        assert agent.path("stet.toml").exists()


def test_git_mv_is_a_rename(repo: Book) -> None:
    with Agent(repo) as agent:
        before = agent.proxy.ledger.artifact("ch.md")
        assert before is not None
        swept = agent.runs("mkdir part && git mv ch.md part/one.md")
        assert {s.path: s.fate for s in swept.values()} == {"part/one.md": "accepted"}
        after = agent.proxy.ledger.artifact("part/one.md")
        assert after is not None
        assert (after.id, after.mark) == (before.id, before.mark)


def test_a_committed_file_copied_over_another_is_not_what_git_brings(repo: Book) -> None:
    with Agent(repo) as agent:
        assert agent.runs("cp other.md ch.md")["ch.md"].fate == "restored"


def test_a_filter_of_the_agents_own_changes_nothing(repo: Book) -> None:
    script = """
    git config filter.x.clean 'git cat-file blob HEAD:ch.md'
    git config filter.x.smudge cat
    echo '*.md filter=x' > .git/info/attributes
    printf 'gone\\n' > ch.md
    """
    with Agent(repo) as agent:
        assert agent.runs(script)["ch.md"].fate == "restored"


def test_line_ends_that_git_makes_are_the_committed_text(repo: Book) -> None:
    with Agent(repo) as agent:
        swept = agent.runs("git -c core.autocrlf=true checkout -q HEAD~1 -- ch.md")
        assert swept["ch.md"].fate == "adopted"
        assert b"\r\n" in agent.path("ch.md").read_bytes()


def test_a_merge_of_two_peoples_branches_is_judged_as_a_write(repo: Book) -> None:
    git(repo.root, "config", "user.name", "A")
    git(repo.root, "config", "user.email", "a@b")
    git(repo.root, "checkout", "-q", "-b", "theirs")
    text = chapter()
    repo.put("ch.md", text + b"\nA last line of theirs, which says good night to everyone.\n")
    committed(repo.root, "theirs")
    git(repo.root, "checkout", "-q", "main")
    repo.put("ch.md", b"# Opened\n\nA first line of ours, which says good morning.\n\n" + text)
    committed(repo.root, "ours")
    with Agent(repo) as agent:
        swept = agent.runs("git merge -q --no-edit theirs")
        assert swept["ch.md"].fate == "accepted", swept
        assert agent.path("ch.md").read_bytes().endswith(b"everyone.\n")


def test_two_files_with_the_same_old_text_are_told_apart(repo: Book) -> None:
    repo.put("twin.md", chapter(1200, seed=3))
    committed(repo.root, "a twin of the first version")
    repo.put("twin.md", chapter(1200, seed=6))
    repo.put("late.md", chapter(1200, seed=7))
    committed(repo.root, "later")
    with Agent(repo) as agent:
        swept = agent.runs("git checkout -q HEAD~1 -- twin.md; git checkout -q HEAD~2 -- ch.md")
        assert {p: s.fate for p, s in swept.items()} == {"twin.md": "adopted"}
        swept = agent.runs("git checkout -q HEAD~3 -- ch.md; git cat-file blob HEAD:ch.md > late.md; git add late.md")
        assert {p: s.fate for p, s in swept.items()} == {"ch.md": "adopted", "late.md": "restored"}


def test_more_files_than_locks_are_judged_in_portions(repo: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repo.root, "checkout", "-q", "-b", "many")
    for i in range(30):
        repo.put(f"many/{i}.md", chapter(60, seed=i))
    committed(repo.root, "many")
    git(repo.root, "checkout", "-q", "main")
    monkeypatch.setattr("firewall.agents.reach.room_for", lambda _: 7)
    with Agent(repo) as agent:
        swept = agent.runs("git checkout -q many; echo short > ch.md; rm many/29.md")
        assert [s.path for s in swept.values() if s.fate == "restored"] == ["ch.md"]
        assert [s.fate for s in swept.values()].count("adopted") == 29
