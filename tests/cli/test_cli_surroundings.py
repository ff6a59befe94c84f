"""Whatever the shell around it is like, `stet` answers in words and with the right exit status, never a traceback."""

from __future__ import annotations

import os
import pwd
import re
import subprocess
import sys
from pathlib import Path

import pytest
from stet_kit import STET, STUB, Book, Done, Home, chapter, quick_terminal, reword

from firewall.errors import StateBroken
from firewall.writes import project

TEXT = chapter(1200)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def folder(book: Book) -> Path:
    """A guarded folder with a chapter that Stet has seen."""
    book.put("ch.md", TEXT)
    book.write("ch.md", reword(TEXT))
    return book.root


def in_words(done: Done, status: int, *said: str) -> None:
    assert done.status == status, done
    assert "Traceback" not in done.err + done.out
    assert "Exception" not in done.err
    for word in said:
        assert word in done.out + done.err, done


def shell(book: Book, line: str, data: bytes = b"", **env: str | None) -> Done:
    """A line of bash in the guarded folder, `$STET` being the command."""
    done = subprocess.run(
        ["bash", "-c", line], cwd=book.root, env=book.user.environment(STET=str(STET), **env), input=data,
        capture_output=True, timeout=60,
    )  # fmt: skip
    return Done(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))


# -- pipes and descriptors -----------------------------------------------------------------------------------


def test_a_reader_that_goes_away_is_no_error(book: Book, folder: Path) -> None:
    with book.open() as proxy:
        for n in range(150):
            proxy.write(folder / "ch.md", reword(TEXT, f"word{n % 7}".encode()))
    for words in ("log", "log --json"):
        done = shell(book, f"$STET {words} | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}")
        assert (done.status, done.err) == (0, ""), words


@pytest.mark.parametrize("option", ["", "--json"])
def test_nobody_reading_the_answer_changes_no_verdict(book: Book, folder: Path, option: str) -> None:
    gone = f"(sleep 0.4; cat) | $STET write {option} ch.md 2>/dev/null | true; exit ${{PIPESTATUS[1]}}"
    assert shell(book, gone, STUB).status == 1, "a refusal that nobody reads is a refusal"
    assert shell(book, gone, reword(TEXT, b"tonight")).status == 0
    assert (folder / "ch.md").read_bytes() == reword(TEXT, b"tonight")


def test_closed_descriptors(book: Book, folder: Path) -> None:
    in_words(shell(book, "$STET write ch.md <&-"), 2, "no standard input", "[bad-content]")
    in_words(shell(book, "$STET accept ch.md <&-"), 1, "[needs-person]", "no terminal")
    in_words(shell(book, "$STET write ch.md >&-", STUB), 1)
    in_words(shell(book, "$STET write ch.md >&-", reword(TEXT, b"tonight")), 0)
    in_words(shell(book, "$STET write --json ch.md 2>&-", STUB), 1, "word-floor")
    in_words(shell(book, "$STET log >&- 2>&- <&-"), 0)
    assert (folder / "ch.md").read_bytes() == reword(TEXT, b"tonight")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_answer_that_cannot_be_written_is_no_success_and_no_traceback(book: Book, folder: Path) -> None:
    done = shell(book, "$STET log --json > /dev/full")
    assert done.status != 0
    assert "Traceback" not in done.err
    refused = shell(book, "$STET write --json ch.md > /dev/full", STUB)
    assert refused.status not in (0, 3), refused
    assert "Traceback" not in refused.err


def test_a_terminal_as_standard_input_is_no_content(book: Book, folder: Path) -> None:
    status, out = quick_terminal(book.user, folder, "write", "ch.md")
    assert (status, "standard input is a terminal" in out) == (2, True)


@pytest.mark.parametrize("content", [".", "missing.md", "/dev/null/x"])
def test_content_that_cannot_be_read(book: Book, folder: Path, content: str) -> None:
    in_words(book.user.quick("write", "ch.md", "--content", content, cwd=folder), 2, "[bad-content]")


# -- the environment -----------------------------------------------------------------------------------------


def test_words_of_any_script_in_any_locale(book: Book, folder: Path) -> None:
    book.put("ü-值班.md", TEXT)
    for env in (
        {"LC_ALL": "C"},
        {"LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ):
        done = book.user.stet("check", "ü-值班.md", cwd=folder, data=STUB, env=env)
        in_words(done, 1, "word-floor", "1200 -> 5 words")
    in_words(
        book.user.stet("check", "ü-值班.md", "--json", cwd=folder, data=STUB, env={"PYTHONIOENCODING": "ascii"}), 1
    )
    in_words(book.user.stet("log", cwd=folder, env={"PYTHONIOENCODING": "ascii"}), 0)


def test_words_that_are_no_utf8(book: Book, folder: Path) -> None:
    odd = os.fsdecode(b"\xff\xfe")
    for words in (
        ["write", "ch.md", "--session", odd],
        ["write", "ch.md", "--stop-reason", odd, "--json"],
        ["write", "ch.md", "--base", odd],
        ["show", odd],
        ["log", odd],
    ):
        done = book.user.quick(*words, cwd=folder, data=reword(TEXT, b"tonight"))
        assert done.status in (0, 1, 2), done
        assert "Traceback" not in done.err, done


def test_no_colour_where_none_is_wanted_and_lines_that_fit(book: Book, folder: Path) -> None:
    for n in range(3):
        book.write("ch.md", STUB + bytes([97 + n]))
    ident = book.alerts[0].id
    plain = {"NO_COLOR": "1", "COLUMNS": "60"}
    for words in (["show", ident], ["alerts"], ["log"], ["--help"]):
        status, out = quick_terminal(book.user, folder, *words, env=plain)
        assert status == 0, out
        assert not re.search(r"\x1b\[(?:[0-9;]*;)?(?:3[0-9]|4[0-9]|9[0-7])(?:;[0-9;]*)?m", out), words
        if words[0] in ("alerts", "log", "--help"):
            assert max(len(ESCAPES.sub("", line)) for line in out.replace("\r", "").split("\n")) <= 80, words
    status, out = quick_terminal(book.user, folder, "show", ident)
    assert "\x1b[31m" in out, "and colour where it is"
    piped = book.user.stet("show", ident, cwd=folder)
    assert "\x1b" not in piped.out + piped.err


def test_no_home_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(StateBroken) as caught:
        project.state_home()
    assert "HOME" in caught.value.hint


def test_home_is_not_needed_where_the_xdg_folders_are_named(book: Book, folder: Path) -> None:
    in_words(book.user.stet("check", "ch.md", cwd=folder, data=STUB, env={"HOME": None}), 1, "word-floor")


def test_a_home_that_cannot_be_written(user: Home, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is needed", "utf-8")
    root = tmp_path / "w"
    root.mkdir()
    done = user.quick("init", "--json", cwd=root, env={"XDG_STATE_HOME": str(blocked)})
    in_words(done, 1, '"storage"')
    assert not list(root.iterdir()), "a policy without a record would stand in the way of the next init"
    done = user.quick("init", cwd=root, env={"XDG_STATE_HOME": str(blocked)})
    in_words(done, 1, "storage")
    assert user.quick("init", cwd=root).status == 0


def test_a_working_folder_that_is_gone(book: Book) -> None:
    done = shell(book, "mkdir gone && cd gone && rmdir ../gone && $STET alerts")
    in_words(done, 2, "[no-working-folder]")


def test_python_s_own_switches_do_not_disarm_a_check(book: Book, folder: Path) -> None:
    for env in ({"PYTHONOPTIMIZE": "2"}, {"PYTHONSAFEPATH": "1"}, {"PYTHONDEVMODE": "1"}):
        in_words(book.user.stet("check", "ch.md", cwd=folder, data=STUB, env=env), 1, "word-floor")


def test_modules_in_the_working_folder_are_not_ours(book: Book, folder: Path, tmp_path: Path) -> None:
    for name in ("firewall", "json", "click", "sqlite3", "sitecustomize"):
        book.put(f"{name}.py", f"open({str(tmp_path / 'ran')!r}, 'w')\n".encode())
    in_words(book.user.stet("check", "ch.md", cwd=folder, data=STUB), 1, "word-floor")
    assert not (tmp_path / "ran").exists()


# -- the policy ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda t: t.replace(b"[rules]\n", b"[rules]\nword_flor = 1.0\n"), ["word_floor", "line"]),
        (lambda t: t.replace(b"[rules]\n", b'[rules]\nattempts = "three"\n'), ["rules.attempts", "three"]),
        (lambda t: t.replace(b"[rules]\n", b"[rulez]\n"), ["rules"]),
        (lambda t: t + b"\xff\xfe", ["UTF-8", "line"]),
        (lambda t: b"", ["project"]),
        (lambda t: t + b"[[[", ["TOML"]),
    ],
)
def test_a_policy_that_cannot_be_used_is_explained(book: Book, folder: Path, edit: object, said: list[str]) -> None:
    path = folder / "stet.toml"
    path.write_bytes(edit(path.read_bytes()))  # type: ignore[operator]
    in_words(book.user.quick("write", "ch.md", cwd=folder, data=STUB), 2, "[bad-policy]", *said)


@pytest.mark.parametrize("text", ["", "[rules]\n", "[project]\n", "x = [\n", '[project]\nid = ""\n'])
def test_a_policy_that_lost_its_id_is_told_which_it_was(book: Book, folder: Path, text: str) -> None:
    before = (folder / "stet.toml").read_text()
    (ident,) = re.findall('(?m)^id = ".*"$', before)
    (folder / "stet.toml").write_text(text)
    in_words(book.user.quick("write", "ch.md", cwd=folder, data=STUB), 2, "[bad-policy]", f"Put `{ident}` back")
    (folder / "stet.toml").write_text(f"[project]\n{ident}\n")
    in_words(book.user.quick("write", "ch.md", cwd=folder, data=STUB), 1, "word-floor", "attempt 1")


def test_a_policy_with_a_byte_order_mark_and_crlf_is_the_same_policy(book: Book, folder: Path) -> None:
    path = folder / "stet.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    in_words(book.user.quick("check", "ch.md", cwd=folder, data=STUB), 1, "word-floor")


def test_a_policy_that_is_a_folder(user: Home, tmp_path: Path) -> None:
    (tmp_path / "w" / "stet.toml").mkdir(parents=True)
    in_words(user.quick("alerts", cwd=tmp_path / "w"), 2, "[no-project]")
    done = user.quick("init", cwd=tmp_path / "w")
    in_words(done, 2, "[project-exists]")


def test_init_names_a_file_that_is_no_folder(user: Home, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("words\n", "utf-8")
    in_words(user.quick("init", "notes.md", cwd=tmp_path), 2, "[not-a-folder]")
    assert (tmp_path / "notes.md").read_text("utf-8") == "words\n"


# -- a bug of ours -------------------------------------------------------------------------------------------


def test_a_bug_of_ours_is_reported_to_be_pasted(book: Book, folder: Path) -> None:
    program = (
        "import sys, firewall.writes.disk as d\n"
        "def read(*a, **k): raise ZeroDivisionError('oops')\n"
        "d.read = read\n"
        "from pipeline.cli import main\n"
        "main(['write', 'ch.md'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env={**book.user.environment(), "PYTHONPATH": ":".join(sys.path)},
        input=b"words\n", capture_output=True, timeout=60,
    )  # fmt: skip
    said = done.stderr.decode()
    assert done.returncode == 3, said
    assert "bug in Stet" in said
    assert "ZeroDivisionError: oops" in said
    assert "words" not in said.split("---")[1], "none of the text is in the report's head"
    assert (folder / "ch.md").read_bytes() == reword(TEXT)
