"""Input that is endless, no text, no file, or meant for the operator's terminal: a clear word and no traceback."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stet_kit import STET, STUB, Home, chapter, reword

from firewall.text.outline import outline
from firewall.text.printable import printable
from firewall.writes.alerts import quoted
from pipeline.cli import stet


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    root = tmp_path / "w"
    root.mkdir()
    assert user.stet("init", cwd=root).status == 0
    (root / "ch.md").write_bytes(chapter(1200))
    return root


@pytest.mark.parametrize(
    "words",
    [
        ["log", b"\xff"],
        ["show", b"\xff"],
        ["reset", b"\xff.md"],
        ["accept", b"\xff.md"],
        ["restore", b"\xff.md"],
        ["write", b"\xff.md"],
    ],
)
def test_bytes_that_are_no_text_are_named(user: Home, folder: Path, words: list[str | bytes]) -> None:
    done = user.stet(*words, cwd=folder, data=chapter(1200))
    assert done.status in (1, 2), done
    assert "Traceback" not in done.err
    assert done.err.strip()


def test_an_endless_input_is_refused_without_filling_memory(user: Home, folder: Path) -> None:
    before = (folder / "ch.md").read_bytes()
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 2000000; {STET} write ch.md < /dev/zero"],
        cwd=folder, env=user.environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "max-bytes" in done.stderr
    assert (folder / "ch.md").read_bytes() == before


def test_a_named_pipe_as_content_does_not_wait_for_ever(user: Home, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    done = user.stet("write", "ch.md", "--content", "pipe", cwd=folder)
    assert (done.status, "[bad-content]" in done.err) == (2, True)
    through = subprocess.run(
        ["bash", "-c", f"{STET} check ch.md --content <(cat ch.md)"],
        cwd=folder, env=user.environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert through.returncode == 0, through.stderr


def test_a_name_does_not_write_to_the_operator_s_terminal(user: Home, folder: Path) -> None:
    name = "a\x1b[31m\nb\u202e.md"
    (folder / name).write_bytes(chapter(1200))
    out = ""
    for n in range(3):
        done = user.stet("write", name, cwd=folder, data=STUB + bytes([97 + n]))
        out += done.out + done.err
    assert done.status == 4
    for words in (["alerts"], ["log"], ["pending"]):
        shown = user.stet(*words, cwd=folder)
        out += shown.out + shown.err
    assert "\x1b[31m" not in out
    assert "\u202e" not in out
    assert "\\x1b[31m\\x0ab" in out
    reset = next(line for line in out.splitlines() if line.strip().startswith("reset "))
    typed = reset.split("stet reset ", 1)[1]
    got = subprocess.run(["bash", "-c", f"printf %s {typed}"], capture_output=True, check=True).stdout.decode()
    assert got == name, "what the alert says to type names the file"


@given(st.text())
def test_printable_is_one_line_and_says_what_was_there(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()


def test_a_session_that_is_no_text_is_kept_as_an_escape(user: Home, folder: Path) -> None:
    for _ in range(2):
        done = user.stet("write", "ch.md", "--session", b"\xff", cwd=folder, data=reword(chapter(1200)))
        assert done.status == 0, done.err
    entries = user.stet("log", "ch.md", "--json", cwd=folder).json()
    assert entries[-1]["session"] == "\\udcff"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_quoted_name_is_the_name_to_a_shell(name: str) -> None:
    got = subprocess.run(["bash", "-c", f"printf %s {quoted(name)}"], capture_output=True, check=True).stdout
    assert got.decode() == name


def test_nested_lists_cost_no_more_than_they_are_long() -> None:
    def seconds(depth: int) -> float:
        text = "- " * depth + "x\n"
        start = time.process_time()
        outline(text)
        return time.process_time() - start

    seconds(100)
    assert seconds(20_000) < 60 * max(seconds(1_000), 0.002), "twenty times as deep, not four hundred times as slow"


def _options() -> list[tuple[str, click.Option]]:
    out: list[tuple[str, click.Option]] = []
    context = click.Context(stet)
    for name in stet.list_commands(context):
        command = stet.get_command(context, name)
        assert command is not None
        found = command.commands.values() if isinstance(command, click.Group) else [command]
        out += [(name, param) for each in found for param in each.params if isinstance(param, click.Option)]
    return out


def test_no_option_takes_a_number_that_is_none() -> None:
    asked = [
        (name, option)
        for name, option in _options()
        if isinstance(option.type, (click.FloatRange, click.types.FloatParamType))
    ]
    assert {name for name, _ in asked} >= {"gc", "run", "watch"}
    for name, option in asked:
        for value in ("nan", "inf", "-inf", "1e999"):
            with pytest.raises(click.BadParameter):
                option.type.convert(value, option, click.Context(stet, info_name=name))
