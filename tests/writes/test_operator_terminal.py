"""People answer at real terminals, agents do not, and of two answers one wins."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STUB, Home, at_terminal, chapter, quick_terminal, reword

CONDENSED = chapter(800)
PASSPHRASE = "correct horse"


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    """A guarded folder with a chapter of 1,200 words."""
    root = tmp_path / "w"
    root.mkdir()
    assert user.quick("init", cwd=root).status == 0
    (root / "ch.md").write_bytes(chapter(1200))
    return root


def hold(user: Home, folder: Path, text: bytes = CONDENSED, name: str = "ch.md") -> str:
    """The id of a held proposal for the chapter."""
    value = user.quick("write", name, "--json", cwd=folder, data=text).json()
    assert value["outcome"] == "hold"
    return str(value["held"])


def pending(user: Home, folder: Path) -> list[Any]:
    return list(user.quick("pending", "--json", cwd=folder).json())


def test_a_person_approves_what_an_agent_may_not(user: Home, folder: Path) -> None:
    ident = hold(user, folder)
    (waits,) = pending(user, folder)
    assert (waits["id"], waits["path"], waits["change"], waits["stale"]) == (ident, "ch.md", "text", False)
    assert "word-floor" in waits["rules"]

    for words in (["approve", ident], ["reject", ident], ["escalate", ident], ["edit", ident]):
        piped = user.quick(*words, cwd=folder, data=b"yes\n")
        assert (piped.status, "[needs-person]" in piped.err) == (1, True), words
    status, out = at_terminal(user, folder, "approve", ident, env={"CLAUDECODE": "1"})
    assert status == 1
    assert "belongs to an agent" in out
    status, out = at_terminal(user, folder, "approve", ident, answer="yes")
    assert (status, "[not-confirmed]" in out) == (1, True)
    assert (folder / "ch.md").read_bytes() == chapter(1200)

    status, out = at_terminal(user, folder, "approve", ident)
    assert status == 0, out
    assert "This writes ch.md (1200 -> 800 words), exactly as proposed." in out
    assert (folder / "ch.md").read_bytes() == CONDENSED
    assert pending(user, folder) == []
    assert user.quick("write", "ch.md", cwd=folder, data=reword(CONDENSED)).status == 0
    late = user.quick("approve", ident, "--json", cwd=folder)
    assert (late.status, late.json()["code"]) == (1, "late-answer")


def test_rejecting_an_alert_opens_the_file(user: Home, folder: Path) -> None:
    for word in (b"one", b"two", b"three"):
        last = user.quick("write", "ch.md", "--json", cwd=folder, data=STUB.replace(b"continued", word))
    ident = last.json()["alert"]["id"]
    assert last.json()["alert"]["commands"]["approve"] == f"stet approve {ident}"
    assert user.quick("write", "ch.md", cwd=folder, data=reword(chapter(1200))).status == 4
    status, out = quick_terminal(user, folder, "reject", ident)
    assert status == 0, out
    assert "open to writers again" in out
    assert user.quick("write", "ch.md", cwd=folder, data=reword(chapter(1200))).status == 0
    (told,) = user.quick("alerts", "--all", "--json", cwd=folder).json()
    assert (told["id"], told["state"]) == (ident, "rejected")


def test_a_person_edits_a_proposal_in_their_editor(user: Home, folder: Path, tmp_path: Path) -> None:
    ident = hold(user, folder)
    editor = tmp_path / "my editor"
    editor.write_text("#!/bin/sh\nfor last; do :; done\nsed -i 's/Field notes/Short notes/' \"$last\"\n")
    editor.chmod(0o755)
    words = f"'{editor}' --wait"
    for bad, code in (("/no/such/editor", "editor-failed"), ("false", "editor-failed"), ("true", "edit-unchanged")):
        status, out = quick_terminal(user, folder, "edit", ident, env={"EDITOR": bad, "TMPDIR": str(tmp_path)})
        assert (status, code in out) == (1, True), out
    assert (folder / "ch.md").read_bytes() == chapter(1200)
    status, out = quick_terminal(
        user, folder, "edit", ident, env={"EDITOR": "false", "VISUAL": words, "TMPDIR": str(tmp_path)}
    )
    assert status == 0, out
    assert (folder / "ch.md").read_bytes() == CONDENSED.replace(b"Field notes", b"Short notes")
    entries = user.quick("log", "ch.md", "--json", cwd=folder).json()
    assert entries[-1]["kind"] == "edit"
    assert not list(tmp_path.glob("stet-edit-*")), "no copy is left behind"


def test_what_a_person_typed_is_kept_where_it_is_refused(user: Home, folder: Path, tmp_path: Path) -> None:
    ident = hold(user, folder)
    editor = tmp_path / "ed"
    editor.write_text('#!/bin/sh\nprintf "x\\000" > "$1"\n')
    editor.chmod(0o755)
    status, out = quick_terminal(user, folder, "edit", ident, env={"EDITOR": str(editor), "TMPDIR": str(tmp_path)})
    assert status == 1
    kept = re.search(r"kept in (\S+)", out)
    assert kept
    assert Path(kept.group(1)).read_bytes() == b"x\0"
    assert (folder / "ch.md").read_bytes() == chapter(1200)


@pytest.fixture
def with_passphrase(user: Home, folder: Path) -> Home:
    """A project whose operator set a passphrase."""
    status, out = quick_terminal(user, folder, "operator", "init", passphrase=PASSPHRASE)
    assert status == 0, out
    return user


def test_the_passphrase_is_typed_or_piped_and_never_in_the_environment(with_passphrase: Home, folder: Path) -> None:
    user = with_passphrase
    ident = hold(user, folder)
    names = ("STET_PASSPHRASE", "STET_OPERATOR_PASSPHRASE", "PASSPHRASE", "STET_PASSWORD")
    env = dict.fromkeys(names, PASSPHRASE)
    assert user.quick("approve", ident, cwd=folder, env=env).status == 1
    wrong = user.quick("approve", ident, cwd=folder, data=b"wrong horse\n")
    assert (wrong.status, "[wrong-passphrase]" in wrong.err) == (1, True)
    assert (folder / "ch.md").read_bytes() == chapter(1200)
    status, out = quick_terminal(user, folder, "approve", ident, passphrase="wrong")
    assert status == 1, out
    done = user.quick("approve", ident, "--json", cwd=folder, data=PASSPHRASE.encode() + b"\n")
    assert done.status == 0, done.err
    assert (done.json()["state"], done.json()["by"], done.json()["done"]) == ("approved", "passphrase", True)
    assert done.json()["files"][0]["path"] == "ch.md"
    kinds = [e["kind"] for e in user.quick("log", "--json", cwd=folder).json()]
    assert kinds.count("operator-wrong") == 2, "what was tried is noticed"
    assert PASSPHRASE not in str(sorted((p.name, p.read_bytes()) for p in folder.parent.rglob("*") if p.is_file()))


def at_once(user: Home, folder: Path, *commands: list[str]) -> list[tuple[int, bytes]]:
    """Run commands at the same time, let go together by the passphrase: exit status and standard output of each."""
    running = [user.beside(*words, cwd=folder) for words in commands]
    for _, to, _ in running:
        to.write(PASSPHRASE.encode() + b"\n")
    for _, to, _ in running:
        to.flush()
    out = []
    for pid, to, back in running:
        with to, back:
            told = back.read()
        out.append((os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), told))
    return out


@pytest.mark.parametrize("pair", [("approve", "approve"), ("approve", "reject"), ("reject", "reject")])
def test_of_two_answers_at_once_exactly_one_wins(with_passphrase: Home, folder: Path, pair: tuple[str, str]) -> None:
    user = with_passphrase
    for turn in range(4):
        name = f"ch{turn}.md"
        (folder / name).write_bytes(chapter(1200, seed=turn))
        ident = hold(user, folder, chapter(800, seed=turn), name)
        done = at_once(user, folder, *([verb, ident, "--json"] for verb in pair))
        won = [i for i, (status, _) in enumerate(done) if status == 0]
        assert len(won) == 1, done
        lost = json.loads(done[1 - won[0]][1])
        assert lost["code"] == "late-answer"
        now = (folder / name).read_bytes()
        assert now == (chapter(800, seed=turn) if pair[won[0]] == "approve" else chapter(1200, seed=turn))
        state = user.quick("show", ident, "--json", cwd=folder).json()["state"]
        assert state == {"approve": "approved", "reject": "rejected"}[pair[won[0]]]
        mine = [e for e in user.quick("log", "--json", cwd=folder).json() if e["kind"] in ("approve", "reject")]
        assert len(mine) == turn + 1, "one answer, one entry"


# -- show --------------------------------------------------------------------------------------------------


@pytest.fixture
def narrow() -> Iterator[dict[str, str]]:
    yield {"COLUMNS": "60", "LINES": "40"}


def test_show_has_the_whole_context(user: Home, folder: Path, narrow: dict[str, str]) -> None:
    ident = hold(user, folder)
    shown = user.quick("show", ident, cwd=folder, env=narrow)
    assert shown.status == 0
    measured = ("ch.md", "1200 -> 800 words", "1200 in the mark", "word-floor", "floor 1020", "1 in a row now")
    for piece in (
        *measured,
        f"stet approve {ident}",
        f"stet edit {ident}",
        f"stet reject {ident}",
        "--- ch.md on disk",
    ):
        assert piece in shown.out, piece
    assert "\x1b" not in shown.out, "no colour into a pipe"
    head = shown.out.split("--- ch.md on disk")[0]
    assert max(len(line) for line in head.splitlines()) <= 60
    value = user.quick("show", ident, "--json", cwd=folder).json()
    assert {
        "id",
        "kind",
        "state",
        "path",
        "change",
        "stale",
        "latched",
        "words",
        "findings",
        "commands",
        "diff",
    } <= set(value)
    assert value["words"] == {"before": 1200, "after": 800, "mark": 1200}
    assert any(line.startswith("-") for line in value["diff"])
    for bad in ("P00000000", "nonsense"):
        assert user.quick("show", bad, cwd=folder).status == 2


def test_show_colours_at_a_terminal_and_fits_it(user: Home, folder: Path, narrow: dict[str, str]) -> None:
    (folder / "ch.md").write_text("# One line\n\n" + "A sentence in a long paragraph goes on. " * 60 + "\n")
    ident = hold(user, folder, b"# One line\n\nShort now. " + b"A sentence in a long paragraph goes on. " * 25)
    status, out = quick_terminal(user, folder, "show", ident, env=narrow)
    assert status == 0
    assert "\x1b[31m" in out
    assert "\x1b[32m" in out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out).replace("\r", "")
    assert max(len(line) for line in plain.splitlines()) <= 60, max(plain.splitlines(), key=len)
    status, out = quick_terminal(user, folder, "show", ident, env={**narrow, "NO_COLOR": "1"})
    assert "\x1b[3" not in out


def test_show_lets_nothing_out_that_drives_a_terminal(user: Home, folder: Path) -> None:
    evil = "\n\x1b[2J\x1b[8mhidden\x1b[0m \u202ereversed \u200bzero.\n"  # new ones are refused: these are there, and go
    (folder / "ch.md").write_bytes(chapter(1200) + evil.encode())
    ident = hold(user, folder)
    for words in (["show", ident], ["pending"]):
        status, out = quick_terminal(user, folder, *words, env={"NO_COLOR": "1"})
        assert status == 0
        assert "\x1b[2J" not in out
        assert "\x1b[8m" not in out
        assert "\u202e" not in out
    assert "\\x1b[8mhidden" in user.quick("show", ident, cwd=folder).out


def test_a_stale_proposal_says_so(user: Home, folder: Path) -> None:
    ident = hold(user, folder)
    (folder / "ch.md").write_bytes(reword(chapter(1200)))
    assert pending(user, folder)[0]["stale"]
    shown = user.quick("show", ident, cwd=folder).out
    assert "changed since" in shown
    assert f"stet approve {ident}" not in shown
    assert f"stet reject {ident}" in shown
