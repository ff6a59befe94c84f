"""Where the record is follows from the environment alone, never from the working directory; an init that fails undoes
itself."""

from __future__ import annotations

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
