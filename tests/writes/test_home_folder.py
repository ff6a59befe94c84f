"""Where the record is follows from the environment alone, never from the working directory; an init that fails undoes
itself; and a folder that has its record by way of another home folder gets no second one."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest
from stet_kit import Home

NO_XDG = {"XDG_STATE_HOME": None, "XDG_CONFIG_HOME": None}


@pytest.mark.parametrize("home", ["relative", "./here", "..", ""])
@pytest.mark.parametrize("xdg", ["unset", "relative"])
def test_a_home_that_is_no_absolute_path_is_refused(user: Home, home: str, xdg: str) -> None:
    root = user.folder / "book"
    root.mkdir()
    env = dict.fromkeys(NO_XDG, "state" if xdg == "relative" else None)
    done = user.quick("init", cwd=root, env={**env, "HOME": home})
    assert done.status == 1
    assert "[state-broken]" in done.err
    assert "Set HOME" in done.err
    assert list(root.iterdir()) == []
    assert user.quick("init", cwd=root).status == 0
    before = sorted(root.iterdir())
    done = user.quick("write", "a.md", cwd=root, data=b"# A\n\nText.\n", env={**env, "HOME": home})
    assert (done.status, "[state-broken]" in done.err) == (1, True)
    assert sorted(root.iterdir()) == before


def test_absolute_xdg_folders_need_no_home(user: Home) -> None:
    root = user.folder / "book"
    root.mkdir()
    assert user.quick("init", cwd=root, env={"HOME": ""}).status == 0


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "XDG_CONFIG_HOME"])
def test_an_init_that_fails_half_way_leaves_no_policy(user: Home, variable: str) -> None:
    root = user.folder / "book"
    root.mkdir()
    done = user.quick("init", cwd=root, env={variable: "/dev/null/no/folder" if variable[4] == "S" else "/proc/none"})
    assert done.status == 1
    assert "[storage]" in done.err
    assert list(root.iterdir()) == []
    assert user.quick("init", cwd=root).status == 0
    assert user.quick("alerts", cwd=root).status == 0


def test_a_policy_that_was_there_survives_an_init_that_fails(user: Home) -> None:
    root = user.folder / "book"
    root.mkdir()
    assert user.quick("init", cwd=root).status == 0
    before = Path(root / "stet.toml").read_bytes()
    assert user.quick("init", cwd=root, env={"XDG_CONFIG_HOME": "/proc/none"}).status != 0
    assert (root / "stet.toml").read_bytes() == before


@pytest.fixture
def guarded(user: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that was guarded from the account's own home folder, with one refusal on record."""
    account = user.folder / "account"
    account.mkdir()
    _account_at(account, monkeypatch)
    root = user.folder / "book"
    root.mkdir()
    (root / "a.md").write_text("On this night the lamps were lit and nobody slept. " * 150)
    assert user.forked("init", cwd=root, env={**NO_XDG, "HOME": str(account)}).status == 0
    assert user.forked("write", "a.md", cwd=root, data=b"Gone.\n", env={**NO_XDG, "HOME": str(account)}).status == 1
    return root


def _account_at(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = pwd.getpwuid(os.getuid())
    values = [*entry[:5], str(home), *entry[6:]]
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: pwd.struct_passwd(values))


@pytest.mark.parametrize("words", [("write", "a.md"), ("log",), ("alerts",), ("doctor",)])
def test_another_home_begins_no_second_record(user: Home, guarded: Path, words: tuple[str, ...]) -> None:
    done = user.forked(*words, cwd=guarded, data=b"Gone.\n", env=NO_XDG)
    assert done.status == 1
    assert "[state-broken]" in done.err
    assert f"Set HOME to {user.folder / 'account'}" in done.err
    assert list(user.home.iterdir()) == []
    done = user.forked("log", cwd=guarded, env={**NO_XDG, "HOME": str(user.folder / "account")})
    assert "refuse" in done.out, "and what it says to do works"


def test_with_home_unset_the_accounts_own_record_counts(user: Home, guarded: Path) -> None:
    done = user.forked("write", "a.md", cwd=guarded, data=b"Gone too.\n", env={**NO_XDG, "HOME": None})
    assert "attempt 2" in done.err


def test_an_init_over_a_policy_that_is_gone_begins_no_second_record(user: Home, guarded: Path) -> None:
    (guarded / "stet.toml").unlink()
    done = user.forked("init", cwd=guarded, env=NO_XDG)
    assert (done.status, "[state-broken]" in done.err) == (1, True)
    assert not (guarded / "stet.toml").exists()


def test_a_new_folder_where_a_guarded_one_stood_is_its_own(user: Home, guarded: Path) -> None:
    guarded.rename(user.folder / "away")  # keeps its inode's number in use
    guarded.mkdir()
    assert user.forked("init", cwd=guarded, env=NO_XDG).status == 0


def test_with_home_unset_no_record_is_begun(user: Home, guarded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = user.folder / "other"
    other.mkdir()
    _account_at(other, monkeypatch)
    done = user.forked("write", "a.md", cwd=guarded, data=b"Gone.\n", env={**NO_XDG, "HOME": None})
    assert done.status == 1
    assert "HOME is not set" in done.err
    assert "Set HOME as it was" in done.err
    assert list(other.iterdir()) == []


def test_a_new_folder_can_be_guarded_with_home_unset(
    user: Home, guarded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = user.folder / "fresh"
    fresh.mkdir()
    assert user.forked("init", cwd=fresh, env={**NO_XDG, "HOME": None}).status == 0
    assert user.forked("log", cwd=fresh, env={**NO_XDG, "HOME": None}).status == 0
    assert user.forked("log", cwd=fresh, env={**NO_XDG, "HOME": str(user.folder / "account")}).status == 0
    assert user.forked("log", cwd=fresh, env=NO_XDG).status == 1


def test_a_record_that_begins_without_init_is_told_of_once(user: Home, guarded: Path) -> None:
    clone = user.folder / "clone"
    clone.mkdir()
    (clone / "stet.toml").write_bytes((guarded / "stet.toml").read_bytes())
    first, second = (user.forked("log", cwd=clone) for _ in "12")
    assert (first.status, second.status, second.err) == (0, 0, "")
    assert f"The record of {clone} begins now" in first.err
