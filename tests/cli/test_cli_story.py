"""The story of a stub over a chapter, told at the command line, and what every command owes its user."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from stet_kit import STET, STUB, Home, at_terminal, chapter, quick_terminal, reword

from pipeline.cli import COMMANDS


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    """A guarded git folder with a chapter of 1,200 words."""
    root = tmp_path / "w"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True, env=user.environment())
    assert user.quick("init", cwd=root).status == 0
    (root / "ch.md").write_bytes(chapter(1200))
    return root


def test_three_strikes_then_a_person(user: Home, folder: Path) -> None:
    old = (folder / "ch.md").read_bytes()
    good = reword(old)
    statuses = [
        user.stet("write", "ch.md", "--session", f"s{n}", cwd=folder, data=b"two words\n" * n).status for n in (1, 2, 3)
    ]
    assert statuses == [1, 1, 4]
    assert (folder / "ch.md").read_bytes() == old
    fourth = user.stet("write", "ch.md", "--json", cwd=folder, data=good)
    assert (fourth.status, fourth.json()["findings"][0]["rule"]) == (4, "latched")
    assert (folder / "ch.md").read_bytes() == old
    alerts = user.stet("alerts", "--json", cwd=folder).json()
    assert [(a["path"], a["kind"], a["state"]) for a in alerts] == [("ch.md", "trip", "open")]
    branches = subprocess.run(
        ["git", "branch", "--list", "stet/staging/*"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert branches.stdout.strip() == alerts[0]["staging"]["branch"]
    lines = [json.loads(line) for line in next(user.state.glob("stet/*/alerts.jsonl")).read_text().splitlines()]
    assert [line["id"] for line in lines] == [alerts[0]["id"]]
    assert alerts[0]["commands"]["reset"] == "stet reset ch.md"
    status, out = at_terminal(user, folder, "reset", "ch.md")
    assert status == 0, out
    assert user.stet("alerts", "--json", cwd=folder).json() == []
    landed = user.stet("write", "ch.md", "--json", cwd=folder, data=good).json()
    assert (landed["outcome"], landed["committed"], landed["attempts_left"]) == ("allow", True, 3)
    assert (folder / "ch.md").read_bytes() == good


def test_json_has_the_keys_that_scripts_depend_on(user: Home, folder: Path) -> None:
    value = user.quick("check", "ch.md", "--json", cwd=folder, data=STUB).json()
    assert {"outcome", "path", "committed", "tripped", "attempt", "attempts_left", "words", "findings", "alert"} <= set(
        value
    )
    assert set(value["words"]) == {"before", "after", "mark"}
    assert value["words"]["before"] == len((folder / "ch.md").read_text().split())
    assert {"rule", "message", "evidence"} <= set(value["findings"][0])
    assert user.quick("check", "ch.md", "--json", cwd=folder, data=STUB).json()["attempt"] == 0, (
        "a check counts nothing"
    )


def test_edits_name_what_they_replace_once(user: Home, folder: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    text = (folder / "ch.md").read_text()
    sentence = re.search(r"[A-Z][^.\n]{20,}\.", text)
    assert sentence
    old.write_text(sentence.group())
    new.write_text(sentence.group()[:-1] + " tonight.")
    assert user.quick("write", "ch.md", "--edit", str(old), str(new), cwd=folder).status == 0
    assert " tonight." in (folder / "ch.md").read_text()
    absent = user.quick("write", "ch.md", "--edit", str(tmp_path / "gone"), str(new), cwd=folder)
    assert absent.status == 2
    (tmp_path / "gone").write_text("no such sentence stands here")
    for expected in (1, 1, 4, 4):
        done = user.quick("write", "ch.md", "--edit", str(tmp_path / "gone"), str(new), cwd=folder)
        assert done.status == expected, done.err


def test_restore_and_log(user: Home, folder: Path) -> None:
    old = (folder / "ch.md").read_bytes()
    assert user.quick("write", "ch.md", cwd=folder, data=reword(old)).status == 0
    entries = user.quick("log", "ch.md", "--json", cwd=folder).json()
    assert [e["kind"] for e in entries] == ["adopt", "commit"]
    status, out = quick_terminal(user, folder, "restore", "ch.md", "--to", str(entries[0]["version"]))
    assert status == 0, out
    assert (folder / "ch.md").read_bytes() == old
    assert user.quick("log", "--verify", cwd=folder).status == 0


@pytest.mark.parametrize("command", ["reset", "accept"])
def test_answers_need_a_person(user: Home, folder: Path, tmp_path: Path, command: str) -> None:
    for n in range(3):
        user.quick("write", "ch.md", cwd=folder, data=STUB + bytes([97 + n]))
    piped = user.quick(command, "ch.md", cwd=folder, data=b"yes\n" * 100)
    assert (piped.status, "[needs-person]" in piped.err) == (1, True)
    said_so = user.quick(command, "ch.md", cwd=folder, env={"CLAUDECODE": "1"})
    assert "agent" in said_so.err
    wrong, out = quick_terminal(user, folder, command, "ch.md", answer="yes")
    assert (wrong, "not confirmed" in out) == (1, True)
    agent = tmp_path / "claude"
    agent.write_text('#!/bin/sh\n"$@"\n')
    agent.chmod(0o755)
    below, out = at_terminal(user, folder, command, "ch.md", prefix=(str(agent),))
    assert below == 1, out
    assert "agent" in out
    assert user.quick("write", "ch.md", cwd=folder, data=reword(chapter(1200))).status == 4


def test_a_passphrase_proves_a_person(user: Home, folder: Path) -> None:
    status, out = quick_terminal(user, folder, "operator", "init", passphrase="short")
    assert (status, "shorter than 8" in out) == (2, True)
    status, out = quick_terminal(user, folder, "operator", "init", passphrase="correct horse")
    assert status == 0, out
    for n in range(3):
        user.quick("write", "ch.md", cwd=folder, data=STUB + bytes([97 + n]))
    assert user.quick("reset", "ch.md", cwd=folder, data=b"wrong horse\n").status == 1
    assert user.quick("reset", "ch.md", cwd=folder, env={"STET_PASSPHRASE": "correct horse"}).status == 1
    assert user.quick("reset", "ch.md", cwd=folder, data=b"correct horse\n").status == 0
    for path in user.state.rglob("*"):
        if path.is_file():
            assert b"correct horse" not in path.read_bytes()


def test_every_command_helps(user: Home, tmp_path: Path) -> None:
    listed = user.quick("--help", cwd=tmp_path)
    assert listed.status == 0
    for name in COMMANDS:
        assert re.search(rf"(?m)^  {name} ", listed.out), name
        done = user.quick(name, "--help", cwd=tmp_path)
        assert done.status == 0, done.err
        assert name == "operator" or "--json" in done.out, name


def test_usage_is_2_and_never_a_traceback(user: Home, folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "stet.toml").write_text("[rules]\nword_flor = 1\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for cwd, words in (
        (folder, ["write"]),
        (folder, ["nonsense"]),
        (folder, ["write", "ch.md", "--delete", "--content", "x"]),
        (folder, ["write", "ch.md", "--content", "missing-file"]),
        (folder, ["show", "A0"]),
        (folder, ["log", "unknown.md"]),
        (folder, ["restore", "unknown.md"]),
        (folder, ["init"]),
        (bad, ["check", "a.md"]),
        (elsewhere, ["alerts"]),
    ):
        done = user.quick(*words, cwd=cwd)
        assert done.status == 2, (words, done)
        assert "Traceback" not in done.err
        assert done.err.strip(), words


def test_a_closed_pipe_and_an_interrupt(user: Home, folder: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {STET} log --json | head -c 1; echo status:${{PIPESTATUS[0]}}"],
        cwd=folder, env=user.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    child = subprocess.Popen([str(STET), "write", "ch.md"], cwd=folder, env=user.environment(), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 130, err
    assert b"Traceback" not in err


def test_a_state_that_is_gone_or_elsewhere_refuses_everything(user: Home, folder: Path, tmp_path: Path) -> None:
    old = (folder / "ch.md").read_bytes()
    user.quick("check", "ch.md", cwd=folder, data=old)
    moved = user.quick("write", "ch.md", cwd=folder, data=reword(old), env={"XDG_STATE_HOME": str(tmp_path / "other")})
    assert (moved.status, "[state-broken]" in moved.err) == (1, True)
    ledger = next(user.state.glob("stet/*/ledger.db"))
    ledger.write_bytes(b"this is no database at all, not even nearly one" * 20)
    broken = user.quick("write", "ch.md", cwd=folder, data=reword(old))
    assert (broken.status, "[state-broken]" in broken.err) == (1, True), broken
    for path in ledger.parent.glob("ledger.db*"):
        path.unlink()
    gone = user.quick("write", "ch.md", "--json", cwd=folder, data=reword(old))
    assert (gone.status, gone.json()["code"]) == (1, "state-broken")
    assert (folder / "ch.md").read_bytes() == old
    status, out = quick_terminal(user, folder, "init", "--adopt")
    assert status == 0, out
    assert user.quick("write", "ch.md", cwd=folder, data=reword(old)).status == 0


def test_an_edited_policy_loosens_nothing(user: Home, folder: Path) -> None:
    user.quick("check", "ch.md", cwd=folder, data=STUB)
    policy = folder / "stet.toml"
    policy.write_text(
        policy.read_text().replace("[rules]\n", '[rules]\nword_floor = 0.01\nsurvival = 0.01\npreset = "article"\n')
    )
    assert user.quick("check", "ch.md", cwd=folder, data=STUB).status == 1
    assert user.quick("write", "stet.toml", cwd=folder, data=b"[project]\n").status == 1
    status, out = quick_terminal(user, folder, "accept", "stet.toml")
    assert status == 0, out
    thinner = b" ".join((folder / "ch.md").read_bytes().split()[:1000]) + b"\n"
    assert user.quick("check", "ch.md", cwd=folder, data=thinner).status == 0
