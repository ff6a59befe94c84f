"""One command's changes are one change set: moves between files, renames, folders, many files at once."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stet_kit import STET, STUB, Book, NewBook, chapter, files_below, no_leftovers, prose, reword
from turn_kit import Agent, git

from firewall.agents import lasting, manifest, turns
from firewall.agents.sweep import sweep
from firewall.writes import cases, disk
from firewall.writes.answers import approve
from firewall.writes.operator import versions

SPLIT = """
import pathlib
text = pathlib.Path("ch.md").read_text()
parts = text.split("\\n## ")
half = len(parts) // 2
pathlib.Path("ch.md").write_text("\\n## ".join(parts[:half]) + "\\n")
pathlib.Path("ch2.md").write_text("# Second\\n\\n## " + "\\n## ".join(parts[half:]))
"""


def sections(count: int, words: int = 200) -> bytes:
    """A chapter of many sections."""
    parts = [f"## Section {i}\n\n{prose(words, seed=50 + i)}\n" for i in range(count)]
    return ("# Chapter\n\n" + "\n".join(parts)).encode()


def test_a_script_that_splits_a_chapter_passes(book: Book) -> None:
    book.put("ch.md", sections(6))
    with Agent(book) as agent:
        (agent.root / "split.py").write_text(SPLIT)
        swept = agent.runs(f"{sys.executable} split.py")
        assert {p: s.fate for p, s in swept.items()} == {"ch.md": "accepted", "ch2.md": "accepted"}, swept[
            "ch.md"
        ].message
        assert agent.path("ch2.md").read_bytes().count(b"## Section") == 4
        again = agent.runs("rm ch2.md")
        assert again["ch2.md"].fate == "restored", "it holds the other's text"


def test_a_split_that_loses_half_is_put_back_whole(book: Book) -> None:
    book.put("ch.md", sections(6))
    with Agent(book) as agent:
        (agent.root / "split.py").write_text(SPLIT + "\npathlib.Path('ch2.md').write_text('# Second\\n')\n")
        swept = agent.runs(f"{sys.executable} split.py")
        assert swept["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == sections(6)


def test_what_is_refused_takes_back_what_leant_on_it_and_nothing_else(book: Book) -> None:
    book.put("ch.md", sections(6))
    book.put("notes.md", chapter(300, seed=7))
    with Agent(book) as agent:
        (agent.root / "split.py").write_text(SPLIT + "\nopen('ch2.md', 'a').write('a NUL: \\0')\n")
        swept = agent.runs(f"{sys.executable} split.py; sed -i '1s/$/ again/' notes.md")
        assert {p: s.fate for p, s in swept.items()} == {
            "ch.md": "restored", "ch2.md": "left", "notes.md": "accepted",
        }  # fmt: skip
        assert agent.proxy.ledger.artifact("ch2.md").disk == ""  # type: ignore[union-attr]
        assert agent.path("ch.md").read_bytes() == sections(6)


def test_a_moved_file_is_a_rename_and_keeps_its_history(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        before = agent.proxy.ledger.artifact("ch.md")
        assert before
        assert agent.runs("mv ch.md one.md")["one.md"].fate == "accepted"
        after = agent.proxy.ledger.artifact("one.md")
        assert after
        assert after.id == before.id
        assert agent.proxy.ledger.artifact("ch.md") is None
        assert agent.runs("echo x > one.md")["one.md"].fate == "restored"


def test_a_moved_folder_is_many_renames(book: Book) -> None:
    for i in range(8):
        book.put(f"a/part{i % 2}/ch{i}.md", chapter(200, seed=i))
    with Agent(book) as agent:
        swept = agent.runs("mkdir b && mv a b/deep")
        assert {s.fate for s in swept.values()} == {"accepted"}
        assert len(swept) == 8
        assert agent.proxy.ledger.artifact("b/deep/part1/ch7.md")
        assert not agent.look()


def test_two_equal_files_may_both_move(book: Book) -> None:
    book.put("a/x.md", chapter())
    book.put("b/x.md", chapter())
    with Agent(book) as agent:
        swept = agent.runs("mv a/x.md a/y.md; mv b/x.md b/y.md")
        assert {p: s.fate for p, s in swept.items()} == {"a/y.md": "accepted", "b/y.md": "accepted"}


def test_a_file_moved_to_another_kind_of_name_is_a_delete(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        swept = agent.runs("mv ch.md ch.ipynb")
        assert swept["ch.md"].fate == "restored"
        assert swept["ch.ipynb"].fate == "left", "it is no notebook"


def test_a_folder_that_is_deleted_comes_back(book: Book) -> None:
    book.put("x/a.md", chapter(300, seed=1))
    book.put("x/log/b.md", chapter(300, seed=2))
    book.put("x/log/shot.png", b"\x89PNG")
    with Agent(book) as agent:
        swept = agent.runs("rm -rf x && mkdir x && echo new > x/readme.md")
        assert {p: s.fate for p, s in swept.items()} == {
            "x/a.md": "restored", "x/log/b.md": "restored", "x/readme.md": "accepted",
        }  # fmt: skip
        assert agent.path("x/log/b.md").read_bytes() == chapter(300, seed=2)
        held = {s.result.held for s in swept.values() if s.result and s.result.held}
        assert len(held) == 2
        assert {c.path for c in cases.every(agent.proxy.ledger, ("hold",))} == {"x/a.md", "x/log/b.md"}


def test_a_script_that_moves_files_into_a_folder_and_deletes_it_loses_none(book: Book) -> None:
    """claude-code#49129."""
    book.put("x/a.md", chapter(300, seed=1))
    with Agent(book) as agent:
        swept = agent.runs("mkdir -p x/log; mv x/a.md x/log/; rm -rf x")
        assert swept["x/a.md"].fate == "restored"
        assert agent.path("x/a.md").read_bytes() == chapter(300, seed=1)


def test_a_clone_over_a_folder_leaves_what_git_ignores(book: Book, tmp_path: Path) -> None:
    """claude-code#80830."""
    git(tmp_path, "init", "-q", "far")
    (tmp_path / "far" / "a.md").write_text("# Far\n")
    git(tmp_path / "far", "add", "-A")
    git(tmp_path / "far", "commit", "-qm", "x")
    book.put("dir/local.md", chapter(300, seed=3))
    book.put("dir/.gitignore", b"local.md\n")
    with Agent(book) as agent:
        swept = agent.runs(f"rm -rf dir && git clone -q {tmp_path / 'far'} dir")
        assert swept["dir/local.md"].fate == "restored"
        assert agent.path("dir/local.md").read_bytes() == chapter(300, seed=3)
        assert agent.path("dir/a.md").exists()


def test_an_approved_delete_happens(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        result = agent.runs("rm ch.md")["ch.md"].result
        assert result
        monkeypatch.setattr("firewall.writes.person.require", lambda *_: "terminal")
        assert approve(agent.proxy, result.held).done
        assert not agent.path("ch.md").exists()
        assert not agent.look()


def test_ten_small_shrinks_do_not_add_up(book: Book) -> None:
    book.put("ch.md", sections(20, 60))
    words = len(sections(20, 60).split())
    with Agent(book) as agent:
        for i in range(10):
            agent.runs("sed -i '$d' ch.md; sed -i '$d' ch.md; sed -i '$d' ch.md; sed -i '$d' ch.md")
            assert len(agent.path("ch.md").read_bytes().split()) >= 0.85 * words, i
            turns.close_turn(agent.proxy, agent.session)
            turns.open_turn(agent.proxy, agent.session)


def test_three_refusals_latch_and_then_every_change_is_put_back(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        for i in (1, 2, 3):
            result = agent.runs(f"echo short {i} > ch.md")["ch.md"].result
            assert result
            assert (result.attempt, result.tripped) == (i, i == 3)
        assert [a.kind for a in book.alerts] == ["trip"]
        agent.path("ch.md").write_bytes(reword(chapter()))
        assert agent.look()["ch.md"].fate == "restored", "an honest edit as well: it is latched"
        assert agent.runs("mv ch.md other.md")["ch.md"].fate == "restored"
        assert not agent.path("other.md").exists()
        assert agent.runs("rm ch.md")["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_write_of_the_agents_own_shell_makes_no_change_a_persons(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.path("new.md").write_text("short\n")
        done = agent.book.user.stet("write", "ch.md", "--content", "new.md", cwd=agent.root)
        assert done.status == 1
        agent.path("ch.md").write_bytes(STUB)
        for _ in range(2):
            done = agent.book.user.stet("check", "ch.md", "--content", "new.md", cwd=agent.root)
            assert done.status == 1
            assert agent.path("ch.md").read_bytes() == chapter()
        known = agent.proxy.ledger.artifact("ch.md")
        assert known
        assert agent.proxy.ledger.load(known.baseline) == chapter()


def test_many_who_look_at_once_put_back_once(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        agent.path("ch.md").write_bytes(STUB)
        words = [str(STET), "check", "ch.md", "--content", "ch.md", "--json"]
        env = book.user.environment()
        running = [subprocess.Popen(words, cwd=agent.root, env=env, stdout=subprocess.DEVNULL) for _ in range(4)]
        for one in running:
            assert one.wait() in (0, 1)
        known = agent.proxy.ledger.artifact("ch.md")
        assert known
        assert known.attempts == 1
        assert agent.path("ch.md").read_bytes() == chapter()


def test_between_turns_a_change_is_a_persons(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        turns.close_turn(agent.proxy, agent.session)
        assert agent.turn is None
        agent.path("ch.md").write_bytes(STUB)
        swept = sweep(agent.proxy, None, "s1")
        assert [(s.path, s.fate) for s in swept] == [("ch.md", "adopted")]
        known = agent.proxy.ledger.artifact("ch.md")
        assert known
        assert agent.proxy.ledger.load(known.baseline) == STUB


def test_a_dead_sessions_turn_ends_by_itself(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        book.now += 23 * 3600
        assert agent.turn
        turns.heard(agent.proxy, agent.session)
        book.now += 23 * 3600
        assert agent.turn
        book.now += 2 * 3600
        assert agent.turn is None


def test_work_in_the_background_keeps_the_turn_and_its_refs(book: Book) -> None:
    git(book.root, "init", "-q")
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        first = agent.turn
        assert first
        lasting.in_background(agent.proxy, agent.session)
        assert turns.open_turn(agent.proxy, agent.session).id == first.id
        with agent.book.open(session="other") as other:
            second = turns.open_turn(other, "other")
        assert second.id != first.id
        assert agent.turn == turns.Turn(*first[:4], background=True)
        turns.close_turn(agent.proxy, agent.session)
        assert agent.turn
        assert agent.turn.session == "other"


def test_a_change_of_a_background_job_is_judged_when_it_is_seen(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        job = subprocess.Popen(["/bin/bash", "-c", "sleep 0.2; echo short > ch.md"], cwd=agent.root)
        assert not agent.look()
        job.wait()
        assert agent.look()["ch.md"].fate == "restored"


def test_a_change_while_it_is_looked_at_is_not_overwritten(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        late = reword(chapter(), b"later")
        replace, times = disk.replace, iter(range(10))

        def slow(path: Path, data: bytes, old: disk.Reading) -> None:
            if next(times) == 0:
                path.write_bytes(late)
            replace(path, data, old)

        monkeypatch.setattr(disk, "replace", slow)
        agent.shell("echo short > ch.md")
        turn = agent.turn
        fates = [(s.path, s.fate) for s in sweep(agent.proxy, turn, "s1")]
        assert agent.path("ch.md").read_bytes() == late
        assert ("ch.md", "accepted") in fates


def test_a_change_between_verdict_and_record_is_judged_anew(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        land, times = type(agent.proxy).land, iter(range(10))

        def slow(self: object, judged: object) -> object:
            if next(times) == 0:
                agent.path("ch.md").write_bytes(STUB)
            return land(self, judged)  # type: ignore[arg-type]

        monkeypatch.setattr(type(agent.proxy), "land", slow)
        agent.path("ch.md").write_bytes(reword(chapter()))
        assert agent.look()["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == chapter()


OBSTACLES = {
    "a folder": "rm ch.md; mkdir ch.md",
    "a folder with something in it": "rm ch.md; mkdir ch.md; echo mine > ch.md/x.dat",
    "a link to another file": "rm ch.md; echo x > o.dat; ln -s o.dat ch.md",
    "a link to a guarded file": "rm ch.md; ln -s second.md ch.md",
    "a link in a circle": "rm ch.md; ln -s ch.md ch.md",
    "a link to nowhere": "ln -sf nowhere ch.md",
    "a pipe": "rm ch.md; mkfifo ch.md",
    "a file nobody may read": "echo short > ch.md; chmod 000 ch.md",
    "a huge file": "truncate -s 100G ch.md",
}


@pytest.mark.parametrize("command", OBSTACLES.values(), ids=list(OBSTACLES))
def test_whatever_stands_in_its_place_the_file_comes_back(book: Book, command: str) -> None:
    book.put("ch.md", chapter())
    book.put("second.md", chapter(300, seed=2))
    with Agent(book) as agent:
        swept = agent.runs(command)
        assert {p: s.fate for p, s in swept.items()} == {"ch.md": "restored"}
        info = os.lstat(agent.path("ch.md"))
        assert stat.S_ISREG(info.st_mode)
        assert agent.path("ch.md").read_bytes() == chapter()
        assert agent.path("second.md").read_bytes() == chapter(300, seed=2)
        assert not agent.look()
        if "x.dat" in command:
            assert b"mine\n" in files_below(agent.root).values(), "what stood there is set aside"
            assert "What stood in its place is .stet-aside-" in swept["ch.md"].message


@pytest.mark.parametrize("command", OBSTACLES.values(), ids=list(OBSTACLES))
def test_what_a_person_puts_in_its_place_between_turns_stays(book: Book, command: str) -> None:
    if "100G" in command or "chmod" in command:
        command = "rm ch.md; truncate -s 100G ch.md"
    book.put("ch.md", chapter())
    book.put("second.md", chapter(300, seed=2))
    with Agent(book) as agent:
        turns.close_turn(agent.proxy, agent.session)
        agent.shell(command)
        turns.open_turn(agent.proxy, agent.session)
        before = os.lstat(agent.path("ch.md"))
        assert not agent.look()
        assert os.lstat(agent.path("ch.md")).st_ino == before.st_ino


@pytest.mark.parametrize("command", ["rm -rf d; echo x > d", "rm -rf d; mkfifo d", "mv d d2; echo x > d; rm -rf d2"])
def test_a_file_in_place_of_its_folder_gives_way(book: Book, command: str) -> None:
    book.put("d/e/ch.md", chapter())
    with Agent(book) as agent:
        assert agent.runs(command)["d/e/ch.md"].fate == "restored"
        assert agent.path("d/e/ch.md").read_bytes() == chapter()


def test_a_folder_behind_a_link_is_where_its_files_are(book: Book) -> None:
    book.put("d/ch.md", chapter())
    with Agent(book) as agent:
        swept = agent.runs("mv d real; ln -s real d")
        assert {p: s.fate for p, s in swept.items()} == {"real/ch.md": "accepted"}
        assert agent.runs("echo short > d/ch.md")["real/ch.md"].fate == "restored"
        assert agent.runs("rm d; mv real d")["d/ch.md"].fate == "accepted"


@pytest.fixture
def plain_user(new_book: NewBook, monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    """A guarded folder of a user who may not look into whatever is closed, whoever runs the tests."""
    warm = new_book("warm")  # so that all is imported that this user may not read
    warm.put("ch.md", chapter())
    with Agent(warm) as agent:
        agent.path("ch.md").write_bytes(STUB)
        agent.look()
    folder = Path(tempfile.mkdtemp(prefix="stet-plain-"))
    for name, value in (("HOME", "home"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")):
        monkeypatch.setenv(name, str(folder / "b" / value))
    book = Book(folder / "b")
    root = os.geteuid() == 0
    if root:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 65534, 65534)
        os.setresuid(65534, 65534, 0)
    try:
        book.found()
        yield book
    finally:
        if root:
            os.setresuid(0, 0, 0)
        shutil.rmtree(folder, ignore_errors=True)


def test_a_closed_folder_is_opened_and_looked_at(plain_user: Book) -> None:
    plain_user.put("d/ch.md", chapter())
    with Agent(plain_user) as agent:
        agent.path("d/ch.md").write_bytes(STUB)
        agent.path("d").chmod(0)
        assert agent.look()["d/ch.md"].fate == "restored"
        assert agent.path("d/ch.md").read_bytes() == chapter()
        agent.path("d/ch.md").chmod(0)
        os.utime(agent.path("d/ch.md"))
        assert not agent.look()
        assert agent.path("d/ch.md").read_bytes() == chapter()
        agent.path("d/ch.md").write_bytes(STUB)
        agent.path("d/ch.md").chmod(0o200)
        assert agent.look()["d/ch.md"].fate == "restored"


def test_a_new_file_is_judged_as_a_create(book: Book) -> None:
    with Agent(book) as agent:
        swept = agent.runs("echo '# Fine' > fine.md; printf 'a\\0b' > nul.md; echo x > code.py")
        assert {p: s.fate for p, s in swept.items()} == {"fine.md": "accepted", "nul.md": "left"}
        assert agent.path("code.py").exists()
        assert "nul.md is new; it stays" in swept["nul.md"].message


def test_a_file_that_is_kept_whole_is_judged_for_loss_alone(new_book: NewBook) -> None:
    book = new_book()
    text = (book.root / "stet.toml").read_text()
    (book.root / "stet.toml").write_text(text.replace("[protect]\n", '[protect]\ndelete_only = ["*.bin"]\n', 1))
    book.put("a.bin", bytes(range(256)) * 10)
    with Agent(book) as agent:
        assert agent.runs("head -c 2000 /dev/zero >> a.bin")["a.bin"].fate == "accepted"
        assert agent.runs("rm a.bin")["a.bin"].fate == "restored"


def test_the_agents_version_is_kept_on_a_branch_and_in_the_store(book: Book) -> None:
    git(book.root, "init", "-q")
    book.put("ch.md", chapter())
    book.put("two.md", chapter(400, seed=2))
    with Agent(book) as agent:
        swept = agent.runs("echo short > ch.md; echo tiny > two.md")
        branch = git(agent.root, "for-each-ref", "--format=%(refname:short)", "refs/heads/stet")
        assert branch.startswith("stet/staging/put-back-")
        assert git(agent.root, "show", f"{branch}:ch.md") == "short"
        assert git(agent.root, "show", f"{branch}:two.md") == "tiny"
        assert git(agent.root, "show", f"{branch}~1:two.md") == chapter(400, seed=2).decode().strip()
        assert branch in swept["ch.md"].message
        assert agent.proxy.ledger.load(disk.sha256(b"short\n")) == b"short\n"
        assert git(agent.root, "status", "--porcelain", "ch.md") == "?? ch.md"


def test_a_trip_is_staged_once(book: Book) -> None:
    git(book.root, "init", "-q")
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        for i in range(3):
            swept = agent.runs(f"echo short {i} > ch.md")
        branches = git(agent.root, "for-each-ref", "--format=%(refname:short)", "refs/heads/stet").split()
        assert len(branches) == 3
        assert book.alerts[0].staged.branch in swept["ch.md"].message


def test_a_look_that_is_killed_before_it_puts_back_does_so_the_next_time(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        with monkeypatch.context() as broken:
            broken.setattr(disk, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            agent.shell("echo short > ch.md")
            with pytest.raises(KeyboardInterrupt):
                agent.look()
        assert agent.look()["ch.md"].fate == "restored"
        assert agent.path("ch.md").read_bytes() == chapter()


def test_a_look_that_is_killed_while_it_records_finishes_the_next_time(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        with monkeypatch.context() as broken:
            broken.setattr("firewall.writes.commit._record", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            agent.path("ch.md").write_bytes(reword(chapter()))
            with pytest.raises(KeyboardInterrupt):
                agent.look()
        assert agent.proxy.ledger.intents()
        with agent.book.open(session="s1") as again:
            assert again.recovered
            known = again.ledger.artifact("ch.md")
            assert known
            assert again.ledger.load(known.disk) == reword(chapter())
            assert again.ledger.load(known.baseline) == chapter()
            assert [v.kind for v in versions(again, known)] == ["adopt", "commit"]


def test_a_question_answered_yes_is_an_acceptance(book: Book) -> None:
    book.put("ch.md", chapter())
    new = chapter(1200, seed=77)
    with Agent(book) as agent:
        held = agent.proxy.write(agent.path("ch.md"), new)
        assert held.verdict.outcome.label in ("hold", "block")
        ident = held.held or agent.proxy.write(agent.path("ch.md"), None).held
        assert ident
        turns.asked(agent.proxy, agent.session, "toolu_1", [ident])
        case = cases.get(agent.proxy.ledger, ident)
        assert case
        if case.proposal:
            agent.path("ch.md").write_bytes(agent.proxy.ledger.load(case.proposal) or b"")
        else:
            agent.path("ch.md").unlink()
        assert turns.answered_yes(agent.proxy, agent.session, "toolu_2") == ()
        assert turns.answered_yes(agent.proxy, agent.session, "toolu_1") == (ident,)
        assert turns.answered_yes(agent.proxy, agent.session, "toolu_1") == ()
        assert not agent.look()
        known = agent.proxy.ledger.artifact("ch.md")
        assert known
        assert known.baseline == known.disk == case.proposal
        assert known.attempts == 0


def test_a_yes_is_for_the_bytes_that_were_shown(book: Book) -> None:
    book.put("ch.md", chapter())
    with Agent(book) as agent:
        ident = agent.proxy.write(agent.path("ch.md"), None).held
        turns.asked(agent.proxy, agent.session, "toolu_1", [ident])
        agent.path("ch.md").write_bytes(STUB)
        assert turns.answered_yes(agent.proxy, agent.session, "toolu_1") == ()
        assert agent.look()["ch.md"].fate == "restored"


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_sequence_of_shell_changes_takes_a_text_below_its_floor(data: st.DataObject, new_book: NewBook) -> None:
    book = new_book(f"any-{secrets.token_hex(4)}")
    text = sections(8, 150)
    book.put("ch.md", text)
    words = len(text.split())
    with Agent(book) as agent:
        for _ in range(data.draw(st.integers(1, 6))):
            lines = agent.path("ch.md").read_bytes().splitlines(keepends=True)
            start = data.draw(st.integers(0, len(lines)))
            count = data.draw(st.integers(0, 12))
            extra = data.draw(st.sampled_from([b"", b"A new line, and what it says.\n", prose(90, seed=5).encode()]))
            agent.path("ch.md").write_bytes(b"".join([*lines[:start], extra, *lines[start + count :]]))
            agent.look()
        survivors = agent.path("ch.md").read_bytes().split()
        assert len(survivors) >= 0.85 * words
        assert no_leftovers(agent.root) == []


def test_signatures_spare_the_reading_and_hide_nothing(book: Book) -> None:
    for i in range(20):
        book.put(f"c{i}.md", chapter(100, seed=i))
    with Agent(book) as agent:
        for i in range(20):
            os.utime(agent.path(f"c{i}.md"), ns=(1, 1))
        assert not agent.look()
        path = agent.path("c3.md")
        info = path.stat()
        path.write_bytes(path.read_bytes()[::-1])
        os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
        assert "c3.md" in manifest.look(agent.proxy).changed, "size and time are as they were; ctime is not"
