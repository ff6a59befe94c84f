"""stet log: what was refused and is about no artifact stands there too; who and when fit a terminal."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from stet_kit import Home, chapter

from firewall.commands.moment import Moment
from firewall.commands.show import rows_of


@pytest.fixture
def folder(user: Home, tmp_path: Path) -> Path:
    root = tmp_path / "w"
    root.mkdir()
    (root / "ch.md").write_bytes(chapter(300))
    assert user.quick("init", cwd=root).status == 0
    return root


def test_a_refused_write_of_the_policy_has_a_row(user: Home, folder: Path) -> None:
    assert user.quick("write", "stet.toml", "--session", "s1", cwd=folder, data=b"[rules]\n").status == 1
    (row,) = [e for e in user.quick("log", "--json", cwd=folder).json() if e["kind"] == "refuse"]
    assert (row["path"], row["session"]) == ("stet.toml", "s1")
    assert [f["rule"] for f in row["data"]["findings"]] == ["path"]
    shown = user.quick("log", cwd=folder).out
    assert [line.split()[2:5] for line in shown.splitlines() if "refuse" in line] == [["refuse", "stet.toml", "path"]]
    assert "whole" in user.quick("log", "--verify", cwd=folder).out
    assert user.quick("stats", "--json", cwd=folder).status == 0


def test_a_long_session_is_shown_short_and_kept_whole(user: Home, folder: Path) -> None:
    session = "57bd23b5-43a3-4e72-a6db-7371b60a0065"
    user.quick("write", "ch.md", "--session", session, cwd=folder, data=b"stub\n")
    shown = user.quick("log", cwd=folder).out
    assert session not in shown
    assert "57bd23b5…" in shown
    assert session in [e["session"] for e in user.quick("log", "--json", cwd=folder).json()]


def test_since_is_understood_as_people_say_it(user: Home, folder: Path) -> None:
    user.quick("write", "ch.md", cwd=folder, data=b"stub\n")
    for since in ("yesterday", "today", "2 hours", "1 day ago", "3w"):
        assert user.quick("log", "--since", since, "--json", cwd=folder).json(), since
    done = user.quick("log", "--since", "whenever", cwd=folder)
    assert done.status == 2
    assert "is no moment" in done.err


@pytest.mark.parametrize(
    ("said", "ago"),
    [("3 hours", timedelta(hours=3)), ("90 min", timedelta(minutes=90)), ("2d", timedelta(days=2)),
     ("1 week ago", timedelta(weeks=1)), ("999999 weeks", None)],
)  # fmt: skip
def test_how_long_ago(said: str, ago: timedelta | None) -> None:
    if ago is None:
        with pytest.raises(click.UsageError):
            Moment().convert(said, None, None)
        return
    found = Moment().convert(said, None, None)
    assert abs(datetime.now().astimezone() - ago - found) < timedelta(seconds=5)


@given(st.text(max_size=20))
def test_any_words_are_a_moment_or_a_usage_error(said: str) -> None:
    with contextlib.suppress(click.UsageError):
        assert isinstance(Moment().convert(said, None, None), datetime)


def test_a_long_line_of_a_diff_breaks_between_words() -> None:
    rows = rows_of("+" + "lantern " * 30, "+", 40)
    assert all(row.startswith("+lantern") and row.endswith("lantern") for row in rows)
    assert all(len(row) <= 40 for row in rows)


@given(st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=120), st.integers(21, 60))
def test_no_letter_of_it_is_lost_and_no_row_too_wide(words: str, width: int) -> None:
    line = f"-{words}"
    rows = rows_of(line, "-", width)
    assert "".join("".join(row[1:] for row in rows).split()) == "".join(words.split())
    assert all(cell_len(row) <= width for row in rows)


def test_no_line_of_a_piped_table_ends_with_blanks(user: Home, folder: Path) -> None:
    for data in (b"Gone.\n", chapter(300) + b"\nMore of it.\n"):
        user.quick("write", "ch.md", cwd=folder, data=data)
    lines = user.quick("log", cwd=folder).out.splitlines()
    assert len(lines) == 4
    assert [line for line in lines if line != line.rstrip()] == []
