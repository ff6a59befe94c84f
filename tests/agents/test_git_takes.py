"""What git takes from the work tree in an agent's turn: kept in a commit, remembered, and told of when that goes."""

from __future__ import annotations

import subprocess

import pytest
from hook_kit import Claude, reason
from stet_kit import STUB, Book, Home, chapter, prose, quick_terminal, reword
from turn_kit import Agent, committed, git

from firewall.agents import taken, turns
from firewall.agents.rounds import Rounds
from firewall.writes import cases, gc


@pytest.fixture
def repo(book: Book) -> Book:
    """A folder under git with a committed chapter; git knows who commits."""
    git(book.root, "init", "-q")
    git(book.root, "config", "user.name", "A")
    git(book.root, "config", "user.email", "a@b")
    (book.root / ".git/info/exclude").write_text("stet.toml\n")
    book.put("ch.md", chapter())
    book.put("note.md", chapter(300, seed=4))
    committed(book.root, "one")
    return book


def waiting(agent: Agent) -> list[str]:
    """The files with a text that waits for a person."""
    return [case.path for case in cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)]


WORK = chapter(900, seed=21)
"""A person's, which nobody committed."""
CUT = "git commit -qam wip; git commit -q --allow-empty -m more; git checkout -q HEAD~2 -- ch.md; git commit -qam old"
EMPTIED = (
    "git tag t HEAD~1; find .git/objects -type f -delete; git read-tree --empty; git add -A;"
    " git commit-tree $(git write-tree) -m new > new; cp new .git/refs/heads/main; rm new"
)
KEEP = "git checkout -q -b keep && git commit -qam wip && git checkout -q main"


# -- the commit that keeps it goes -------------------------------------------------------------------------


def test_uncommitted_work_waits_for_a_person_when_the_branch_that_kept_it_is_deleted(repo: Book) -> None:
    repo.put("ch.md", STUB)
    committed(repo.root, "a stub")
    repo.put("ch.md", WORK)
    claude = Claude(repo)
    claude.prompt()
    git(repo.root, "checkout", "-q", "-b", "keep")
    git(repo.root, "commit", "-qam", "wip")
    git(repo.root, "checkout", "-q", "main")
    assert claude.ran(KEEP) == {}, "the branch has it"
    assert (repo.root / "ch.md").read_bytes() == STUB
    git(repo.root, "branch", "-q", "-D", "keep")
    said = claude.ran("git branch -D keep")
    assert "900 words" in reason(said)
    with repo.open() as proxy:
        (case,) = cases.every(proxy.ledger, ("hold",), cases.PENDING)
        assert f"stet approve {case.id}" in reason(said)
        assert proxy.ledger.load(case.proposal) == WORK
    assert claude.stop() == {}, "told once"
    status, shown = quick_terminal(Home(repo.user.folder), repo.root, "approve", case.id)
    assert status == 0, shown
    assert (repo.root / "ch.md").read_bytes() == WORK


@pytest.mark.parametrize(
    ("takes", "drops"),
    [
        (KEEP, "git branch -q -D keep"),
        (KEEP, "git branch -qf keep main"),
        (KEEP, "git checkout -q keep && git reset -q --hard main"),
        ("git stash -q", "git stash drop -q"),
        ("git stash -q && git stash branch other && git commit -qam x && git checkout -q main",
         "git branch -q -D other"),
        ("git commit -qam wip && git tag t && git checkout -q HEAD~1", "git branch -qf main HEAD; git tag -d t"),
        (KEEP, "mv .git ../away"),
        (CUT, "git rev-parse HEAD > .git/shallow; git reflog expire --expire=now --all; git gc -q --prune=now"),
        (CUT, EMPTIED),
    ],
)  # fmt: skip
def test_every_way_to_drop_the_last_commit_is_told(repo: Book, takes: str, drops: str) -> None:
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        assert [s.fate for s in agent.runs(takes).values()] == ["adopted"]
        assert not waiting(agent)
        swept = agent.runs(drops)
        assert swept["ch.md"].fate in ("dropped", "restored")
        if swept["ch.md"].fate == "restored":
            assert agent.path("ch.md").read_bytes() == WORK
        else:
            assert waiting(agent) == ["ch.md"]
        assert not agent.look(), "told once"


def test_what_only_a_staging_branch_keeps_is_not_safe_with_git(repo: Book) -> None:
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        assert agent.runs("echo stub > ch.md")["ch.md"].fate == "restored"
        assert "stet/staging/" in git(repo.root, "for-each-ref")
        assert agent.runs("git checkout -q -- ch.md")["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == WORK


def test_what_an_earlier_turns_agent_committed_is_told_as_well(repo: Book) -> None:
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        agent.runs(KEEP)
        turns.close_turn(agent.proxy, agent.session)
        turns.open_turn(agent.proxy, agent.session)
        assert agent.runs("git branch -q -D keep")["ch.md"].fate == "dropped"
        assert waiting(agent) == ["ch.md"]


def test_the_store_keeps_what_git_took_for_as_long_as_it_is_remembered(
    repo: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc, "_NEWEST", "SELECT '' AS sha WHERE ?1<0 AND ?2<0")  # as after many versions
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        agent.runs(KEEP)
        turns.close_turn(agent.proxy, agent.session)
        repo.now += 400 * 86_400.0
        gc.collect(agent.proxy)
        turns.open_turn(agent.proxy, agent.session)
        assert agent.runs("git branch -q -D keep")["ch.md"].fate == "dropped"
        (case,) = cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)
        assert agent.proxy.ledger.load(case.proposal) == WORK


def test_a_persons_own_branch_is_told_when_the_agent_that_left_it_deletes_it(repo: Book) -> None:
    git(repo.root, "checkout", "-q", "-b", "mine")
    repo.put("ch.md", WORK)
    repo.put("draft.md", chapter(200, seed=8))
    committed(repo.root, "mine")
    with Agent(repo) as agent:
        assert {s.fate for s in agent.runs("git checkout -q main").values()} == {"adopted"}
        assert {p: s.fate for p, s in agent.runs("git branch -q -D mine").items()} == {
            "ch.md": "dropped",
            "draft.md": "dropped",
        }
        waits = cases.every(agent.proxy.ledger, ("hold",), cases.PENDING)
        assert len({case.change_set for case in waits}) == 1, "a person's yes brings all of it back"


@pytest.mark.parametrize("drops", ["git branch -q -D main; git checkout -q -b main", "git branch -qf main"])
@pytest.mark.parametrize("between", [0, 1, 2])
def test_a_persons_commit_that_one_turn_left_is_told_when_a_later_one_drops_it(
    repo: Book, drops: str, between: int
) -> None:
    repo.put("ch2.md", WORK)
    committed(repo.root, "two")
    with Agent(repo) as agent:
        assert {s.fate for s in agent.runs("git checkout -q HEAD~1").values()} == {"adopted"}
        for _ in range(1 + between):
            turns.close_turn(agent.proxy, agent.session)
            turns.open_turn(agent.proxy, agent.session)
            assert not agent.look()
        assert {p: s.fate for p, s in agent.runs(drops).items()} == {"ch2.md": "dropped"}
        assert waiting(agent) == ["ch2.md"]
        assert not agent.look(), "told once"


def test_a_version_that_git_took_stays_known_while_heads_own_commit_has_it(repo: Book) -> None:
    repo.put("ch.md", WORK)
    committed(repo.root, "another chapter")
    with Agent(repo) as agent:
        assert agent.runs("git checkout -q HEAD~1 -- ch.md")["ch.md"].fate == "adopted"
        turns.close_turn(agent.proxy, agent.session)
        git(repo.root, "tag", "theirs")
        turns.open_turn(agent.proxy, agent.session)
        drops = "git checkout -q --orphan z; git commit -qm all; git branch -D main; git tag -d theirs"
        assert agent.runs(drops)["ch.md"].fate == "dropped"


def test_what_is_back_in_a_persons_branch_is_known_no_more(repo: Book) -> None:
    repo.put("ch.md", WORK)
    committed(repo.root, "another chapter")
    with Agent(repo) as agent:
        agent.runs("git checkout -q HEAD~1")
        turns.close_turn(agent.proxy, agent.session)
        git(repo.root, "checkout", "-q", "main")
        repo.put("ch.md", reword(WORK))
        committed(repo.root, "edited")
        turns.open_turn(agent.proxy, agent.session)
        assert not taken.known(agent.proxy)


def test_what_only_an_agents_commit_had_waits_whoever_drops_it_between_turns(repo: Book) -> None:
    """A process that the agent left behind may have done it."""
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        agent.runs(KEEP)
        turns.close_turn(agent.proxy, agent.session)
        git(repo.root, "branch", "-q", "-D", "keep")
        turns.open_turn(agent.proxy, agent.session)
        assert not agent.look()
        assert waiting(agent) == ["ch.md"]
        assert not taken.known(agent.proxy)
    claude = Claude(repo)
    assert claude.prompt() == {}, "told once"


def test_a_prompt_tells_of_it(repo: Book) -> None:
    repo.put("ch.md", WORK)
    claude = Claude(repo)
    claude.prompt()
    subprocess.run(["/bin/bash", "-c", KEEP], cwd=repo.root, check=True, capture_output=True, timeout=60)
    claude.ran(KEEP)
    assert claude.stop() == {}
    git(repo.root, "branch", "-q", "-D", "keep")
    assert "900 words" in str(claude.prompt())


@pytest.mark.parametrize("committed_by_them", [True, False])
def test_a_person_may_drop_what_is_theirs_or_the_agents_between_turns(repo: Book, committed_by_them: bool) -> None:
    """A branch of their own with their text; a branch of the agent's with its text."""
    git(repo.root, "checkout", "-q", "-b", "keep")
    if committed_by_them:
        repo.put("ch.md", WORK)
        committed(repo.root, "work")
    with Agent(repo) as agent:
        if not committed_by_them:
            agent.runs(f"printf '\n{prose(400, seed=33)}\n' >> note.md")
            agent.runs("git commit -qam more")
        assert not any(s.refused for s in agent.runs("git checkout -q main").values())
        turns.close_turn(agent.proxy, agent.session)
        git(repo.root, "branch", "-q", "-D", "keep")
        turns.open_turn(agent.proxy, agent.session)
        assert not agent.look()
        assert not waiting(agent)
        assert not taken.known(agent.proxy)


def test_a_persons_merge_makes_it_theirs(repo: Book) -> None:
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        agent.runs(KEEP)
        turns.close_turn(agent.proxy, agent.session)
        git(repo.root, "merge", "-q", "--no-ff", "-m", "merged", "keep")
        turns.open_turn(agent.proxy, agent.session)
        assert not taken.known(agent.proxy)
        assert not agent.runs("git branch -q -D keep")


def test_a_watch_tells_of_the_dropped_branch_and_puts_the_renamed_chapter_back(repo: Book) -> None:
    repo.put("ch.md", WORK)
    repo.put("two.md", chapter(700, seed=12))
    git(repo.root, "add", "two.md")
    git(repo.root, "commit", "-qm", "two")
    with repo.open():
        pass
    with Rounds(repo.root) as watch:

        def look(command: str) -> dict[str, str]:
            subprocess.run(["/bin/bash", "-c", command], cwd=repo.root, check=True, timeout=60)
            return {one.path: one.fate for one in watch.look()[0]}

        assert look(KEEP) == {"ch.md": "adopted"}
        assert look("git branch -q -D keep") == {"ch.md": "dropped"}
        assert look("mv two.md old.md; git add old.md; git commit -qm r -- old.md") == {"old.md": "accepted"}
        assert look("echo To be continued. > two.md") == {"two.md": "accepted"}
        assert look("git checkout -q HEAD~1") == {"old.md": "restored"}


# -- honest days -------------------------------------------------------------------------------------------

AGAIN = "look; git checkout -q keep"
HONEST = (
    f"{KEEP}; {AGAIN}",
    f"{KEEP}; {AGAIN}; look; git commit -q --amend -m better; git checkout -q main; {AGAIN}",
    "git stash -q; look; git stash pop -q",
    "git checkout -q -b keep; git commit -qam wip; git commit -q --amend -m better",
    f"{KEEP}; look; git merge -q keep; git branch -q -d keep",
    f"{KEEP}; look; git cherry-pick keep; git branch -q -D keep",
    "git stash -q; look; printf '\\nOne more line.\\n' >> note.md; git commit -qam note; look; git stash pop -q",
)


@pytest.mark.parametrize("day", HONEST)
def test_a_day_that_loses_nothing_is_silent(repo: Book, day: str) -> None:
    mine = reword(chapter()) + prose(60, seed=5).encode()
    repo.put("ch.md", mine)
    with Agent(repo) as agent:
        before = agent.proxy.ledger.artifact("ch.md")
        for commands in f"{day}; look".split("look"):
            swept = agent.runs(commands.strip(" ;"))
            assert {s.fate for s in swept.values()} <= {"adopted", "accepted"}, commands
        assert not waiting(agent)
        assert agent.path("ch.md").read_bytes() == mine
        if "merge" not in day and "cherry" not in day:
            assert agent.proxy.ledger.artifact("ch.md") == before, "marks and all"


def test_a_rebase_of_the_branch_keeps_its_text_in_other_commits(repo: Book) -> None:
    repo.put("ch.md", chapter() + b"\nA last line of today, which says good night to everyone.\n")
    with Agent(repo) as agent:
        agent.runs(KEEP)
        agent.shell("git checkout -q -b side; (echo '# Opened'; echo; cat ch.md) > x; cp x ch.md; rm x")
        agent.look()
        agent.shell("git commit -qam side")
        assert not agent.look()
        swept = agent.runs("git rebase -q side keep; git checkout -q side")
        assert {s.fate for s in swept.values()} <= {"adopted", "accepted"}
        assert not agent.runs("true")
        assert not waiting(agent)


def test_marks_come_back_however_many_branches_were_between(repo: Book) -> None:
    git(repo.root, "branch", "third")
    repo.put("ch.md", WORK)
    with Agent(repo) as agent:
        before = agent.proxy.ledger.artifact("ch.md")
        for command in (KEEP, "git checkout -q third", "git checkout -q HEAD~0", "git checkout -q keep"):
            agent.runs(command)
        assert agent.path("ch.md").read_bytes() == WORK
        assert agent.proxy.ledger.artifact("ch.md") == before
        assert agent.runs("echo stub > ch.md")["ch.md"].fate == "restored"


# -- text that a file holds for another --------------------------------------------------------------------


def moved(agent: Agent, holder: str = "note.md") -> bytes:
    """All but the beginning of the chapter goes to another file; what that has then."""
    parts = chapter().decode().split("\n\n")
    with agent.path(holder).open("a") as file:
        file.write("\n" + "\n\n".join(parts[2:]))
    assert agent.look()[holder].fate == "accepted"
    agent.path("ch.md").write_text("\n\n".join(parts[:2]) + "\n")
    assert agent.look()["ch.md"].fate == "accepted"
    return agent.path(holder).read_bytes()


@pytest.mark.parametrize(
    "command", ["git checkout -q -- note.md", "git stash push -q -- note.md", "git restore note.md"]
)
def test_git_takes_no_text_from_a_file_that_holds_it_for_another(repo: Book, command: str) -> None:
    with Agent(repo) as agent:
        holds = moved(agent)
        assert agent.runs(command)["note.md"].fate == "restored"
        assert agent.path("note.md").read_bytes() == holds


def test_a_new_file_that_holds_moved_text_is_not_taken_by_an_older_commit(repo: Book) -> None:
    with Agent(repo) as agent:
        holds = moved(agent, "new.md")
        agent.shell("git add new.md; git commit -qm new -- new.md")
        assert agent.runs("git checkout -q HEAD~1")["new.md"].fate == "restored"
        assert agent.path("new.md").read_bytes() == holds


def test_the_holder_of_a_file_that_was_deleted_keeps_its_text(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("cat ch.md >> note.md")
        assert agent.runs("rm ch.md")["ch.md"].fate == "accepted"
        assert agent.runs("git checkout -q -- note.md")["note.md"].fate == "restored"
        assert chapter() in agent.path("note.md").read_bytes()


@pytest.mark.parametrize("command", ["git checkout -q -- .", "git stash -q", "git reset -q --hard"])
def test_git_may_take_a_move_back_whole(repo: Book, command: str) -> None:
    with Agent(repo) as agent:
        moved(agent)
        assert {p: s.fate for p, s in agent.runs(command).items()} == {"ch.md": "adopted", "note.md": "adopted"}
        assert agent.path("ch.md").read_bytes() == chapter()
        assert agent.runs("head -n 3 ch.md > x; cp x ch.md; rm x")["ch.md"].fate == "restored"


def test_half_of_a_stashed_move_does_not_come_back_alone(repo: Book) -> None:
    with Agent(repo) as agent:
        moved(agent)
        agent.runs("git stash -q")
        assert agent.runs("git checkout -q stash@{0} -- ch.md")["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_whole_stashed_move_comes_back_and_binds_on(repo: Book) -> None:
    with Agent(repo) as agent:
        moved(agent)
        agent.runs("git stash -q")
        assert {s.fate for s in agent.runs("git stash pop -q").values()} == {"adopted"}
        assert agent.runs("git checkout -q -- note.md")["note.md"].fate == "restored"


# -- names -------------------------------------------------------------------------------------------------


def test_a_renamed_chapter_is_not_taken_away_while_a_stub_has_its_name(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("mv ch.md old.md")
        agent.shell("git add old.md; git commit -qm rename -- old.md")
        agent.runs("echo To be continued. > ch.md")
        assert agent.runs("git checkout -q HEAD~1")["old.md"].fate == "restored"
        assert agent.path("old.md").read_bytes() == chapter()


def test_a_renamed_chapter_is_not_taken_away_while_nothing_has_its_name(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("mv ch.md old.md")
        agent.shell("git add old.md; git commit -qm rename -- old.md")
        assert agent.runs("git checkout -q HEAD~1")["old.md"].fate == "restored"


@pytest.mark.parametrize("more", ["true", "echo 'And a line.' >> part/one.md", "echo 'See part/one.md.' > ch.md"])
def test_a_rename_carries_its_marks_back_and_forth_between_branches(repo: Book, more: str) -> None:
    with Agent(repo) as agent:
        before = agent.proxy.ledger.artifact("ch.md")
        agent.runs("git checkout -q -b moved; mkdir part; git mv ch.md part/one.md")
        agent.runs(more)
        agent.shell("git add ch.md part; git commit -qm moved -- ch.md part")
        assert {s.fate for s in agent.runs("git checkout -q main").values()} == {"adopted"}
        back = agent.proxy.ledger.artifact("ch.md")
        assert before is not None
        assert back is not None
        assert (back.id, back.mark, back.disk) == (before.id, before.mark, before.disk)
        assert not agent.path("part/one.md").exists()
        assert {s.fate for s in agent.runs("git checkout -q moved").values()} <= {"adopted", "accepted"}
        assert chapter() in agent.path("part/one.md").read_bytes()
        assert not agent.look()


# -- worktrees ---------------------------------------------------------------------------------------------


def test_files_of_a_worktree_that_git_removes_are_no_loss(repo: Book) -> None:
    with Agent(repo) as agent:
        assert {s.fate for s in agent.runs("git worktree add -q .claude/worktrees/a").values()} == {"accepted"}
        assert {s.fate for s in agent.runs("git worktree remove .claude/worktrees/a").values()} == {"adopted"}
        assert not agent.path(".claude/worktrees/a").exists()
        assert not waiting(agent)


def test_work_in_a_removed_worktree_is_told_when_its_branch_goes(repo: Book) -> None:
    with Agent(repo) as agent:
        agent.runs("git worktree add -q wt -b wt; cp note.md wt/ch2.md; rm wt/note.md")
        agent.shell("cd wt && git add -A && git commit -qm more")
        assert {s.fate for s in agent.runs("git worktree remove wt").values()} == {"adopted"}
        agent.path("keep.md").write_bytes(chapter(400, seed=31))
        agent.look()
        agent.runs("git worktree add -q wt2 -b wt2; mv keep.md wt2/keep.md")
        agent.shell("cd wt2 && git add -A && git commit -qm kept")
        assert {s.fate for s in agent.runs("git worktree remove wt2").values()} == {"adopted"}
        assert agent.runs("git branch -D wt2")["wt2/keep.md"].fate == "dropped"


def test_unsaved_work_in_a_worktree_comes_back_from_a_forced_removal(repo: Book) -> None:
    git(repo.root, "worktree", "add", "-q", "wt")
    repo.put("wt/mine.md", WORK)
    with Agent(repo) as agent:
        swept = agent.runs("git worktree remove --force wt")
        assert {p: s.fate for p, s in swept.items() if s.fate != "adopted"} == {"wt/mine.md": "restored"}
        assert agent.path("wt/mine.md").read_bytes() == WORK


def test_a_folder_that_is_no_worktree_is_not_gone_with_one(repo: Book) -> None:
    repo.put("docs/ch.md", chapter())
    with Agent(repo) as agent:
        agent.runs("git worktree add -q wt")
        swept = agent.runs("rm -rf docs; git worktree remove wt")
        assert swept["docs/ch.md"].fate == "restored"


@pytest.mark.parametrize(
    "add", ["git worktree add -q --no-checkout wt -b wb", "git worktree add -q wt -b wb; rm -r wt/*"]
)
@pytest.mark.parametrize("more", ["true", "git -C wt reset -q", "git commit -qam tidy", "echo More. >> wt/docs/a.md"])
def test_a_chapter_that_was_moved_into_a_worktree_does_not_go_with_it(repo: Book, add: str, more: str) -> None:
    text = chapter(400, seed=5)
    repo.put("docs/a.md", text)
    committed(repo.root, "docs")
    with Agent(repo) as agent:
        agent.runs(add)
        assert not any(s.refused for s in agent.runs("mv docs wt/docs").values())
        agent.runs(more)
        swept = agent.runs("git worktree remove --force wt; git commit -qam tidy")
        assert swept["wt/docs/a.md"].fate == "restored"
        assert text in agent.path("wt/docs/a.md").read_bytes()


@pytest.mark.parametrize("moves", ["mv docs/a.md wt/docs/a.md", "cp docs/a.md wt/docs/new.md; rm docs/a.md"])
def test_the_only_copy_of_a_chapter_does_not_go_with_a_worktree_that_has_another(repo: Book, moves: str) -> None:
    text = chapter(400, seed=5)
    repo.put("docs/a.md", text)
    committed(repo.root, "docs")
    with Agent(repo) as agent:
        agent.runs("git worktree add -q wt -b wb")
        agent.runs(moves)
        agent.runs("git worktree remove --force wt")
        assert any(p.read_bytes() == text for p in agent.root.rglob("*.md"))
