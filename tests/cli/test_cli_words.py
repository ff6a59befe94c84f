"""What commands say is true where it is said, and leads on: to the next command, with the right number."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from stet_kit import Home, chapter, quick_terminal

from firewall.agents.rounds import Told
from firewall.commands.watch import sizes


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    """A guarded git folder with a committed chapter of 1,200 words."""
    root = tmp_path / "w"
    root.mkdir()
    (root / "ch.md").write_bytes(chapter(1200))
    git(user, root, "init", "-q")
    git(user, root, "add", ".")
    git(user, root, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "one")
    assert user.quick("init", cwd=root).status == 0
    return root


def git(user: Home, root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, env=user.environment(), capture_output=True)


def held(user: Home, folder: Path) -> str:
    """The id of a delete that waits."""
    return str(user.quick("write", "ch.md", "--delete", "--json", cwd=folder).json()["held"])


def tripped(user: Home, folder: Path) -> str:
    """The id of the alert of a latched chapter."""
    for number in range(3):
        user.quick("write", "ch.md", cwd=folder, data=b"stub %d\n" % number)
    return str(user.quick("alerts", "--json", cwd=folder).json()[0]["id"])


# -- deletes -----------------------------------------------------------------------------------------------


def test_a_check_of_a_delete_does_not_say_that_something_waits(user: Home, folder: Path) -> None:
    done = user.quick("check", "ch.md", "--delete", cwd=folder)
    assert "waits" not in done.err
    assert "other work" not in done.err
    assert user.quick("pending", "--json", cwd=folder).json() == []


def test_a_write_that_is_held_says_what_waits_and_how_to_see_it(user: Home, folder: Path) -> None:
    done = user.quick("write", "ch.md", "--delete", cwd=folder)
    (waits,) = user.quick("pending", "--json", cwd=folder).json()
    assert f"waits for a person as {waits['id']}" in done.err
    assert f"`stet show {waits['id']}`" in done.err


def test_a_person_is_told_how_to_commit_what_is_meant(user: Home, folder: Path) -> None:
    git(user, folder, "rm", "-q", "ch.md")
    status, out = quick_terminal(user, folder, "check", "--staged")
    assert status == 1
    assert "git commit --no-verify" in out
    assert "waits" not in out
    asked = user.quick("check", "--staged", cwd=folder, env={"CLAUDECODE": "1"})
    assert asked.status == 1
    assert "no-verify" not in asked.err, "an agent is told no way round"


# -- alerts and answers ------------------------------------------------------------------------------------


def test_alerts_points_to_what_is_held_and_pending_to_what_is_alarming(user: Home, folder: Path) -> None:
    assert user.quick("alerts", cwd=folder).out == "No open alerts.\n"
    held(user, folder)
    assert user.quick("alerts", cwd=folder).out == "No open alerts.\n1 held proposal waits: `stet pending`.\n"
    tripped(user, folder)
    assert "1 held proposal waits: `stet pending`." in user.quick("alerts", cwd=folder).out


def test_the_passphrase_is_asked_for_with_what_it_will_do(user: Home, folder: Path) -> None:
    ident = held(user, folder)
    status, out = quick_terminal(user, folder, "operator", "init", passphrase="correct horse")
    assert status == 0, out
    status, out = quick_terminal(user, folder, "approve", ident, passphrase="correct horse")
    assert status == 0, out
    assert out.index("This deletes ch.md (1200 words)") < out.index("Operator passphrase:")


# -- reset -------------------------------------------------------------------------------------------------


def test_reset_says_what_it_does_and_turns_the_same_events_proposal_down(user: Home, folder: Path) -> None:
    for number in range(2):
        user.quick("write", "ch.md", cwd=folder, data=b"stub %d\n" % number)
    done = user.quick("write", "ch.md", "--delete", "--json", cwd=folder)
    ident = done.json()["held"]
    assert ident
    assert done.json()["tripped"]
    status, out = quick_terminal(user, folder, "reset", "ch.md")
    assert status == 0
    assert "This opens ch.md to writers again, after 3 failed attempts; what is on disk is its baseline then." in out
    assert ident in out
    assert user.quick("pending", "--json", cwd=folder).json() == []
    assert user.quick("alerts", "--json", cwd=folder).json() == []


def test_reset_of_an_open_file_asks_for_nothing(user: Home, folder: Path) -> None:
    assert user.quick("check", "ch.md", cwd=folder, data=chapter(1200)).status == 0
    done = user.quick("reset", "ch.md", cwd=folder)
    assert done.status == 1
    assert "ch.md is not latched, and no failed attempt counts against it" in done.err
    user.quick("write", "ch.md", cwd=folder, data=b"stub\n")
    status, out = quick_terminal(user, folder, "reset", "ch.md")
    assert status == 0
    assert "This forgets 1 failed attempt for ch.md, which is open" in out


def test_reset_of_an_id_names_the_file(user: Home, folder: Path) -> None:
    ident = tripped(user, folder)
    done = user.quick("reset", ident, cwd=folder)
    assert done.status == 2
    assert "`stet reset ch.md`" in done.err


# -- versions ----------------------------------------------------------------------------------------------


def test_restore_with_nothing_before_says_so(user: Home, folder: Path) -> None:
    user.quick("check", "ch.md", cwd=folder, data=chapter(1200))
    done = user.quick("restore", "ch.md", cwd=folder)
    assert done.status == 2
    assert "keeps no version of ch.md from before the present one" in done.err
    done = user.quick("restore", "ch.md", "--to", "99", cwd=folder)
    assert "There is no version of ch.md numbered '99' here." in done.err


# -- what leads on -----------------------------------------------------------------------------------------


def test_an_alert_says_what_each_answer_does(user: Home, folder: Path) -> None:
    ident = tripped(user, folder)
    shown = " ".join(user.quick("show", ident, cwd=folder).out.split())
    assert "Approve does exactly what was proposed; edit lets you change it first; reject turns it down." in shown
    assert "So does reset, whatever was proposed: what is on disk is its new baseline." in shown
    user.quick("write", "note.md", cwd=folder, data=b"A note.\n")
    waits = str(user.quick("write", "note.md", "--delete", "--json", cwd=folder).json()["held"])
    shown = user.quick("show", waits, cwd=folder).out
    assert "Approve does exactly what was proposed; reject turns it down." in shown
    assert "reset" not in shown


def test_the_refusal_of_a_latched_file_leads_to_its_alert(user: Home, folder: Path) -> None:
    for number in range(3):
        done = user.quick("write", "ch.md", cwd=folder, data=b"stub %d\n" % number)
    ident = user.quick("alerts", "--json", cwd=folder).json()[0]["id"]
    assert f"`stet show {ident}` shows what to answer" in done.err
    assert "Approve does exactly what was proposed" in done.err, "the alert's own block says it as well"


@pytest.mark.parametrize("name", ["alerts", "pending"])
def test_a_list_that_is_given_an_id_names_the_command_that_takes_one(user: Home, folder: Path, name: str) -> None:
    ident = held(user, folder)
    done = user.quick(name, ident, cwd=folder)
    assert done.status == 2
    assert f"`stet show {ident}`" in done.err


def test_status_of_no_book_names_the_commands_for_the_guard(user: Home, folder: Path) -> None:
    done = user.quick("status", cwd=folder)
    assert done.status == 2
    assert "stet doctor" in done.err


def test_no_project_is_named_by_its_whole_path(user: Home, tmp_path: Path) -> None:
    assert f"No stet.toml in {tmp_path}" in user.quick("watch", cwd=tmp_path).err


def test_what_waits_and_its_alert_count_the_same_attempts(user: Home, folder: Path) -> None:
    for number in range(2):
        user.quick("write", "ch.md", cwd=folder, data=b"stub %d\n" % number)
    waits = user.quick("write", "ch.md", "--delete", "--json", cwd=folder).json()["held"]
    assert user.quick("show", str(waits), "--json", cwd=folder).json()["attempts"] == 3


def test_watch_says_what_a_file_has_and_what_the_change_had_made_of_it() -> None:
    told = Told("ch.md", "restored", "", words=(2574, 1))
    assert sizes(told) == "2574 words again; it had 1"
    assert sizes(told._replace(fate="accepted", words=(10, 12))) == "10 -> 12 words"
    assert sizes(told._replace(fate="removed", words=(0, 1))) == "1 word"
