"""The record of a guarded folder is missed when it is gone, and nothing an agent can run begins a new one.

Moving a folder, removing or editing stet.toml, a second stet.toml inside or above, a second `stet init`: none
forgets a latch, a mark or the accepted policy. What stays possible to a process of the same user is in the
README.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from stet_kit import (
    STUB,
    Book,
    Home,
    chapter,
    edit_past_stet,
    edit_record,
    files_below,
    quick_terminal,
    reword,
)

from firewall.errors import NeedsPerson, ProjectExists, StateBroken, StetError
from firewall.writes import person, project
from firewall.writes.operator import verify_journal
from firewall.writes.proxy import WriteProxy

TEXT = chapter(1000)
LOOSE = "[rules]\nattempts = 1000\nword_floor = 0.01\nsurvival = 0.01\n"


@pytest.fixture
def latched(book: Book) -> Book:
    """A book whose docs/ch.md is latched."""
    book.put("docs/ch.md", TEXT)
    for n in range(3):
        book.write("docs/ch.md", STUB + bytes([97 + n]))
    assert book.write("docs/ch.md", reword(TEXT)).tripped
    return book


def refuses(book: Book, where: Path | None = None, code: str = "state-broken") -> StetError:
    """A good proposal from folder `where` raises an error of this code, with a next step, and writes nothing."""
    path = book.root / "docs/ch.md"
    before = path.read_bytes()
    with pytest.raises(StetError) as caught, WriteProxy.open(where or book.root) as proxy:
        proxy.write(path, reword(before))
    assert caught.value.code == code, caught.value
    assert caught.value.hint.strip()
    assert path.read_bytes() == before
    return caught.value


def is_still_latched(book: Book, root: Path) -> bool:
    with WriteProxy.open(root) as proxy:
        return proxy.write(root / "docs/ch.md", reword(TEXT)).tripped


# -- the state ---------------------------------------------------------------------------------------------


def test_a_state_that_is_gone_is_missed(latched: Book) -> None:
    shutil.rmtree(latched.state_folder)
    assert "gone" in refuses(latched).message
    assert not latched.state_folder.exists(), "a refusal makes no new record"


def test_a_state_that_was_moved_is_missed_and_put_back_it_serves(latched: Book) -> None:
    away = latched.state_folder.rename(latched.state_folder.with_name("away"))
    refuses(latched)
    away.rename(latched.state_folder)
    assert is_still_latched(latched, latched.root)


def test_a_changed_xdg_state_home_is_noticed(latched: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(latched.user.folder / "elsewhere"))
    assert "environment" in refuses(latched).message
    assert not (latched.user.folder / "elsewhere").exists()
    monkeypatch.setenv("XDG_STATE_HOME", "relative/path")  # the XDG specification: to be ignored
    refuses(latched)
    monkeypatch.setenv("XDG_STATE_HOME", str(latched.user.state))
    assert is_still_latched(latched, latched.root)


@pytest.mark.parametrize("keep", [0, 1, 16, 100, 4096, 8192, 0.5, -1])
def test_a_ledger_cut_short_is_refused(latched: Book, keep: float) -> None:
    path = latched.state_folder / "ledger.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = path.read_bytes()
    size = int(len(data) * keep) if isinstance(keep, float) else int(keep) if keep >= 0 else len(data) - 1
    path.write_bytes(data[:size])
    for leftover in latched.state_folder.glob("ledger.db-*"):
        leftover.unlink()
    before = (latched.root / "docs/ch.md").read_bytes()
    try:
        with latched.open() as proxy:
            result = proxy.write(latched.root / "docs/ch.md", reword(before))
    except StetError as error:
        assert error.code == "state-broken", error
        assert error.hint
    else:
        assert result.tripped, "a page that nobody needed may be lost; a latch may not"
    assert (latched.root / "docs/ch.md").read_bytes() == before


@pytest.mark.parametrize("junk", [b"\0" * 5000, b"this is no database " * 300])
def test_a_ledger_that_is_no_ledger_is_refused(latched: Book, junk: bytes) -> None:
    for leftover in latched.state_folder.glob("ledger.db*"):
        leftover.unlink()
    (latched.state_folder / "ledger.db").write_bytes(junk)
    refuses(latched)
    assert (latched.state_folder / "ledger.db").read_bytes() == junk


def test_a_ledger_of_another_version_is_refused(latched: Book) -> None:
    edit_record(latched.state_folder, "UPDATE meta SET value='999' WHERE key='version'")
    assert "version" in refuses(latched).message


def test_a_damaged_snapshot_is_refused_and_named(latched: Book) -> None:
    edit_past_stet(latched.state_folder, "UPDATE blobs SET data=x'00'")
    mark = "mark=(SELECT max(sha) FROM blobs WHERE sha<>disk)"
    edit_record(latched.state_folder, f"UPDATE artifacts SET alert='', attempts=0, {mark}")
    assert "snapshot" in refuses(latched).message


def test_a_note_that_cannot_be_read_is_refused(latched: Book) -> None:
    for note in latched.user.config.rglob("*.json"):
        note.write_text("[1, 2", "utf-8")
    refuses(latched)


@pytest.mark.skipif(os.name != "posix", reason="POSIX modes")
def test_the_state_is_for_the_user_s_eyes(latched: Book) -> None:
    assert latched.state_folder.stat().st_mode & 0o777 == 0o700
    for path in latched.state_folder.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    latched.state_folder.chmod(0o755)
    is_still_latched(latched, latched.root)
    assert latched.state_folder.stat().st_mode & 0o777 == 0o700


def test_the_state_survives_git_clean_and_the_loss_of_git(latched: Book) -> None:
    subprocess.run(["git", "init", "-q"], cwd=latched.root, check=True)
    subprocess.run(["git", "add", "."], cwd=latched.root, check=True)
    subprocess.run(["git", "clean", "-fdxq"], cwd=latched.root, check=True)
    shutil.rmtree(latched.root / ".git")
    assert is_still_latched(latched, latched.root)


# -- the journal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE journal SET data='{}' WHERE seq=3",
        "UPDATE journal SET at=at+1 WHERE seq=3",
        "UPDATE journal SET session='someone' WHERE seq=3",
        "UPDATE journal SET kind='commit' WHERE kind='refuse'",
        "UPDATE journal SET new='' WHERE seq=3",
        "UPDATE journal SET artifact=NULL WHERE seq=3",
        "UPDATE journal SET hash='00' WHERE seq=3",
        "DELETE FROM journal WHERE seq=3",
        "DELETE FROM journal WHERE seq=1",
        "UPDATE journal SET seq=seq+100 WHERE seq>=3",
    ],
)
def test_an_edited_journal_is_seen(latched: Book, edit: str) -> None:
    with latched.open() as proxy:
        assert verify_journal(proxy.ledger.journal()) is None
    with sqlite3.connect(latched.state_folder / "ledger.db") as db:
        assert db.execute(edit).rowcount > 0
    db.close()
    with latched.open() as proxy:
        bad = verify_journal(proxy.ledger.journal())
        assert bad is not None
        assert bad <= 3


def test_log_verify_says_from_which_entry_on(latched: Book) -> None:
    whole = latched.user.quick("log", "--verify", "--json", cwd=latched.root)
    assert (whole.status, whole.json()["whole"]) == (0, True)
    with sqlite3.connect(latched.state_folder / "ledger.db") as db:
        db.execute("UPDATE journal SET data='{}' WHERE seq=3")
    db.close()
    damaged = latched.user.quick("log", "--verify", "--json", cwd=latched.root)
    assert (damaged.status, damaged.json()["whole"], damaged.json()["first_bad"]) == (1, False, 3)


# -- moves, copies, worktrees --------------------------------------------------------------------------------


def test_a_folder_that_moved_keeps_its_state(latched: Book) -> None:
    moved = latched.root.rename(latched.root.with_name("moved"))
    assert is_still_latched(latched, moved)
    back = moved.rename(latched.root)
    assert is_still_latched(latched, back)


def test_a_copy_put_in_the_place_of_the_folder_keeps_its_state(latched: Book) -> None:
    copy = latched.root.with_name("copy")
    shutil.copytree(latched.root, copy)
    shutil.rmtree(latched.root)
    copy.rename(latched.root)
    assert is_still_latched(latched, latched.root)


def test_worktrees_share_the_policy_and_have_artifacts_of_their_own(latched: Book) -> None:
    tree = latched.root / ".worktrees" / "feature"  # inside the main work tree, as many agents make them
    shutil.copytree(latched.root, tree, ignore=shutil.ignore_patterns(".worktrees"))
    with WriteProxy.open(tree) as proxy:
        assert proxy.state == latched.state_folder
        assert proxy.write(tree / "docs/ch.md", reword(TEXT)).committed, "another file"
    assert is_still_latched(latched, latched.root)
    with latched.open() as proxy:
        nested = proxy.write(tree / "docs/ch.md", TEXT)
        assert "belongs to the project in .worktrees/feature" in nested.verdict.findings[0].message
    policy = tree / "stet.toml"
    policy.write_text(policy.read_text("utf-8").replace("[rules]\n", LOOSE, 1), "utf-8")
    with WriteProxy.open(tree) as proxy:
        assert proxy.limits.attempts == 3
        assert proxy.limits.word_floor == 0.85


# -- what an agent may try -----------------------------------------------------------------------------------


def test_another_project_id_is_no_new_record(latched: Book) -> None:
    path = latched.root / "stet.toml"
    text = path.read_text("utf-8")
    path.write_text(re.sub('id = ".*"', 'id = "abcdefgh1234"', text), "utf-8")
    assert "names abcdefgh1234" in refuses(latched).message
    moved = latched.root.rename(latched.root.with_name("moved"))
    with pytest.raises(StateBroken):
        WriteProxy.open(moved)
    moved.rename(latched.root)
    path.write_text(text, "utf-8")
    assert is_still_latched(latched, latched.root)


def test_a_removed_policy_and_a_second_init_are_no_new_record(latched: Book) -> None:
    text = (latched.root / "stet.toml").read_text("utf-8")
    with pytest.raises(ProjectExists):
        project.create(latched.root)
    (latched.root / "stet.toml").unlink()
    assert "its stet.toml is gone" in refuses(latched).message
    with pytest.raises(StateBroken):
        project.create(latched.root)
    assert not (latched.root / "stet.toml").exists()
    (latched.root / "stet.toml").write_text(text, "utf-8")
    assert is_still_latched(latched, latched.root)


def test_a_policy_put_into_a_guarded_folder_is_no_new_record(latched: Book) -> None:
    docs = latched.root / "docs"
    with pytest.raises(StateBroken):
        project.create(docs)
    assert not (docs / "stet.toml").exists()
    inner = docs / "stet.toml"
    for ident in ("abcdefgh1234", latched.state_folder.name):
        inner.write_text(f'[project]\nid = "{ident}"\n{LOOSE}', "utf-8")
        refuses(latched, docs)
        with latched.open() as proxy:
            result = proxy.write(docs / "ch.md", reword(TEXT))
            assert not result.committed
    inner.unlink()
    assert is_still_latched(latched, latched.root)


def test_a_policy_moved_up_or_down_is_no_new_record(latched: Book) -> None:
    here, above = latched.root / "stet.toml", latched.root.parent / "stet.toml"
    here.rename(above)
    refuses(latched, latched.root)
    refuses(latched, latched.root.parent)
    above.rename(latched.root / "docs" / "stet.toml")
    refuses(latched, latched.root / "docs")
    (latched.root / "docs" / "stet.toml").rename(here)
    assert is_still_latched(latched, latched.root)


def test_a_policy_written_above_does_not_reach_into_a_guarded_folder(latched: Book) -> None:
    above = latched.root.parent / "stet.toml"
    above.write_text(f'[project]\nid = "abcdefgh1234"\n{LOOSE}', "utf-8")
    path = latched.root / "docs/ch.md"
    with WriteProxy.open(latched.root.parent) as proxy:
        result = proxy.write(path, STUB)
    assert not result.committed
    assert path.read_bytes() == TEXT


@pytest.mark.parametrize("moved", [False, True])
def test_a_guard_above_writes_nothing_of_a_folder_that_lost_its_policy(latched: Book, moved: bool) -> None:
    above, root = latched.root.parent, latched.root
    (root / "stet.toml").rename(above / "away")
    with pytest.raises(StateBroken):
        project.create(above)
    (above / "stet.toml").write_text(f'[project]\nid = "abcdefgh1234"\n{LOOSE}', "utf-8")
    if moved:
        root = root.rename(above / "other")
    path = root / "docs/ch.md"
    with WriteProxy.open(above) as proxy:
        for proposed in (STUB, reword(TEXT), None):
            result = proxy.write(path, proposed)
            assert not result.committed
            assert "guarded and has lost its stet.toml" in result.verdict.findings[0].message
        assert proxy.write(above / "free.md", TEXT).committed, "what is nobody's else is its own"
    assert path.read_bytes() == TEXT


def test_a_person_takes_a_folder_that_lost_its_policy_into_the_guard_above(latched: Book) -> None:
    above = latched.root.parent
    (latched.root / "stet.toml").unlink()
    (above / "stet.toml").write_text('[project]\nid = "abcdefgh1234"\n', "utf-8")
    project.adopt(above)
    with WriteProxy.open(above) as proxy:
        assert proxy.write(latched.root / "docs/ch.md", reword(TEXT)).committed


def test_only_a_person_takes_a_folder_out_of_a_guard(user: Home, tmp_path: Path) -> None:
    root = tmp_path / "w"
    (root / "docs").mkdir(parents=True)
    assert user.quick("init", cwd=root).status == 0
    before = files_below(root)
    piped = user.quick("init", "docs", cwd=root, data=b"yes\n" * 9)
    assert (piped.status, "[needs-person]" in piped.err) == (1, True)
    assert files_below(root) == before
    status, out = quick_terminal(user, root, "init", "docs")
    assert status == 0, out
    assert user.quick("write", "ch.md", cwd=root / "docs", data=TEXT).status == 0


def test_adopt_begins_a_new_record_and_keeps_the_old_one(latched: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    (latched.root / "stet.toml").unlink()
    old = latched.user.state / "stet"
    kept = {p.name for p in old.iterdir()}
    project.adopt(latched.root)
    assert latched.write("docs/ch.md", reword(TEXT)).committed
    aside = [p.name for p in old.iterdir() if "set-aside" in p.name]
    assert len(aside) == 1
    assert aside[0].split(".")[0] in kept
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(NeedsPerson):
        person.confirm("init --adopt", "This begins a new record.")
