"""Hooks go into Claude Code's settings beside what is there, once, and come out again without a trace."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.agents.install import claude, groups, json_text, settings
from firewall.agents.install.settings import BadSettings
from firewall.agents.install.setup import Setup, is_ours

NEW, OLD = (2, 1, 332), (2, 1, 197)
THEIRS: dict[str, Any] = {
    "permissions": {"allow": ["Read"], "deny": []},
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh", "timeout": 5}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "notify-send done"}]}],
    },
    "model": "öpus",
}


def setup_in(tmp_path: Path, **more: Any) -> Setup:
    """A project with its record, and a program that need not exist."""
    (tmp_path / "work").mkdir(exist_ok=True)
    made = Setup(tmp_path / "work", tmp_path / "state dir", tmp_path / "home", "/opt/stet env/bin/stet-hook")
    return made._replace(**{"version": NEW, **more})


def put(path: Path, value: object, **how: Any) -> None:
    """Write settings as a person would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, **how), "utf-8")


def read(path: Path) -> Any:
    """What is in a settings file."""
    return json.loads(path.read_text("utf-8"))


def test_what_is_there_stays_and_comes_back(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    path = claude.settings_file(made)
    put(path, THEIRS, indent=4)
    before = path.read_text("utf-8")
    claude.install(made)
    now = read(path)
    assert list(now) == list(THEIRS), "the order of keys is kept"
    assert now["hooks"]["PreToolUse"][0] == THEIRS["hooks"]["PreToolUse"][0]
    assert now["hooks"]["Notification"] == THEIRS["hooks"]["Notification"]
    assert path.read_text("utf-8").startswith('{\n    "permissions"'), "and the indentation"
    claude.undo(made)
    assert path.read_text("utf-8").rstrip("\n") == before


def test_twice_is_once(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    first = claude.install(made)
    path = claude.settings_file(made)
    text = path.read_bytes()
    second = claude.install(made)
    assert first.files == (path,)
    assert second.files == ()
    assert path.read_bytes() == text
    assert len(claude.hooks(made)) == len(claude.EVENTS)


def test_a_new_place_of_the_program_replaces_the_old_one(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    claude.install(made._replace(program="/old/bin/stet-hook"))
    claude.install(made)
    assert {hook.command for hook in claude.hooks(made)} == {made.command("claude")}


def test_every_tool_before_and_after_and_every_turn(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    claude.install(made)
    hooks = read(claude.settings_file(made))["hooks"]
    for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure"):
        assert hooks[event][0]["matcher"] == "*"
    assert {"PostToolBatch", "UserPromptSubmit", "Stop", "SubagentStop", "ConfigChange"} <= set(hooks)


@pytest.mark.parametrize(
    ("version", "blocks"), [(NEW, True), ((2, 1, 295), True), ((2, 1, 294), False), (OLD, False), ((), False)]
)
def test_on_failure_only_where_it_is_known(tmp_path: Path, version: tuple[int, ...], blocks: bool) -> None:
    made = setup_in(tmp_path, version=version)
    done = claude.install(made)
    hooks = read(claude.settings_file(made))["hooks"]
    for event in ("PreToolUse", "UserPromptSubmit", "ConfigChange"):
        assert (hooks[event][0]["hooks"][0].get("onFailure") == "block") is blocks
    assert "onFailure" not in hooks["PostToolUse"][0]["hooks"][0]
    assert blocks or any("hook" in line or "onFailure" in line for line in done.said[1:]), "and it is said"


def test_the_command_carries_the_record_and_survives_blanks(tmp_path: Path) -> None:
    import shlex

    made = setup_in(tmp_path)
    words = shlex.split(made.command("claude"))
    assert words == [made.program, "claude", "--state", str(made.state), "--root", str(made.root)]
    assert is_ours(made.command("claude"))
    assert not is_ours("echo stet-hook")
    assert not is_ours("'unclosed")


@pytest.mark.parametrize(
    "text",
    ['{"a": 1,}', "[]", '"x"', '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"a": 1, "a": 2}', "[" * 100_000, "\xff"],
)
def test_what_cannot_be_merged_into_is_left_alone(tmp_path: Path, text: str) -> None:
    made = setup_in(tmp_path)
    path = claude.settings_file(made)
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadSettings):
        claude.install(made)
    assert path.read_bytes() == text.encode("latin-1")


def test_undo_removes_what_install_made_and_no_more(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    claude.install(made)
    claude.undo(made)
    assert not (made.root / ".claude").exists()
    (made.root / ".claude" / "agents").mkdir(parents=True)
    claude.install(made)
    claude.undo(made)
    assert (made.root / ".claude" / "agents").is_dir()
    assert claude.undo(made).files == (), "nothing there: nothing done"


def test_a_group_shared_with_somebody_keeps_their_half(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    path = claude.settings_file(made)
    theirs = {"type": "command", "command": "./mine.sh"}
    put(path, {"hooks": {"Stop": [{"hooks": [theirs, {"type": "command", "command": made.command("claude")}]}]}})
    claude.undo(made)
    assert read(path) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    path = claude.settings_file(made)
    kept = tmp_path / "dotfiles.json"
    put(kept, THEIRS)
    kept.chmod(0o600)
    path.parent.mkdir()
    path.symlink_to(kept)
    claude.install(made)
    assert path.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "Stop" in read(kept)["hooks"]
    assert sorted(os.listdir(tmp_path)) == ["dotfiles.json", "work"]


def test_scopes(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    assert claude.settings_file(made._replace(scope="local")).name == "settings.local.json"
    assert claude.settings_file(made._replace(scope="user")) == made.home / ".claude" / "settings.json"


def test_http_hooks_only_where_a_dead_server_blocks(tmp_path: Path) -> None:
    made = setup_in(tmp_path, url="http://127.0.0.1:20001/stet/hook", token="secret")
    shared, path = (claude.settings_file(made._replace(scope=scope)) for scope in ("project", "local"))
    claude.install(made._replace(url="", token=""))
    done = claude.install(made)
    hook = read(path)["hooks"]["PreToolUse"][0]["hooks"][0]
    assert hook["type"] == "http"
    assert hook["headers"]["Authorization"] == "Bearer secret"
    assert path.stat().st_mode & 0o077 == 0, "a secret is for one's own eyes"
    assert not shared.exists(), "one way at a time, and no secret in what git shares"
    assert any("stet serve" in line for line in done.said)
    assert not any("stet-hook" in line for line in done.said), "nothing of a program that no hook names"
    claude.install(made._replace(url="", token=""))
    assert all(h.command.startswith("'/opt") for h in claude.hooks(made)), "one way at a time"
    assert not path.exists()
    claude.undo(made)
    assert not shared.exists()
    with pytest.raises(claude.HttpNeedsOnFailure):
        claude.install(made._replace(version=OLD))
    with pytest.raises(claude.HttpForEverySession):
        claude.install(made._replace(scope="user"))
    assert not path.exists() and not shared.exists()


def test_an_enabled_plugin_counts(tmp_path: Path) -> None:
    made = setup_in(tmp_path)
    path = claude.settings_file(made._replace(scope="user"))
    put(path, {"enabledPlugins": {"stet-firewall@stet": True, "other@x": True}})
    assert {hook.event for hook in claude.hooks(made)} == set(claude.EVENTS)
    put(path, {"enabledPlugins": {"stet-firewall@stet": False}})
    assert claude.hooks(made) == []


def test_gaps_are_named(tmp_path: Path) -> None:
    made = setup_in(tmp_path, version=OLD)
    claude.install(made)
    assert claude.off(made) == ()
    put(made.root / ".claude" / "settings.local.json", {"disableAllHooks": True})
    assert "disableAllHooks" in claude.off(made)[0]
    said = "\n".join(claude.gaps(made))
    assert "2.1.197" in said
    assert "--bare" in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
HANDLER = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=12)})
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLER, min_size=1, max_size=3)}, optional={"matcher": st.text(max_size=5)}
)
HOOKS = st.dictionaries(
    st.sampled_from(["PreToolUse", "Stop", "Notification"]), st.lists(GROUP, min_size=1, max_size=2), max_size=3
)
SETTINGS = st.dictionaries(st.text(max_size=6).filter(lambda k: k != "hooks"), JSON, max_size=4)


FORMS: list[dict[str, Any]] = [
    {"indent": 2}, {"indent": "\t"}, {"indent": 4, "ensure_ascii": False}, {}, {"separators": (",", ":")}
]  # fmt: skip


@given(others=SETTINGS, hooks=HOOKS, form=st.sampled_from(FORMS), line_end=st.sampled_from(["\n", "\r\n"]))
def test_in_and_out_leaves_the_text_to_the_byte(
    others: dict[str, Any], hooks: dict[str, Any], form: dict[str, Any], line_end: str
) -> None:
    path = Path("settings.json")
    before = {**others, "hooks": hooks} if hooks else others
    text = " " + json.dumps(before, **form).replace("\n", line_end)
    made = Setup(Path("/w"), Path("/s"), Path("/h"), "/bin/stet-hook", version=NEW)
    after = groups.merged(path, before, claude.wanted(made))
    put_in = json_text.changed(text, after)
    assert json.loads(put_in) == after
    assert json_text.changed(put_in, groups.without(path, after)) == text


NOTES = ["", ' // it\'s "mine"', " /* { */", "\n  // a line, of its own"]


@given(others=SETTINGS, hooks=HOOKS, line_end=st.sampled_from(["\n", "\r\n"]), draw=st.randoms(use_true_random=False))
def test_comments_stay_to_the_byte_as_well(
    others: dict[str, Any], hooks: dict[str, Any], line_end: str, draw: random.Random
) -> None:
    path = Path(".gemini/settings.json")
    before = {**others, "hooks": hooks} if hooks else others
    lines = json.dumps(before, indent=2).split("\n")
    text = "".join(line + draw.choice(NOTES) + "\n" for line in lines).replace("\n", line_end)
    assert json.loads(settings.bare(path, text)) == before
    made = Setup(Path("/w"), Path("/s"), Path("/h"), "/bin/stet-hook", version=NEW)
    after = groups.merged(path, before, claude.wanted(made))
    put_in = json_text.changed(text, after)
    assert json.loads(settings.bare(path, put_in)) == after
    assert json_text.changed(put_in, groups.without(path, after)) == text


def test_a_comment_outlives_what_stands_behind_it() -> None:
    text = '{\n  // both\n  "a": 1, // one\n  /* two */ "b": 2 // three\n}\n'
    assert json_text.changed(text, {"a": 1}) == '{\n  // both\n  "a": 1 // one\n  /* two */  // three\n}\n'
    assert json_text.changed(text, {"b": 2}) == '{\n  // both\n   // one\n  /* two */ "b": 2 // three\n}\n'
    assert json_text.changed(text, {}) == "{\n  // both\n   // one\n  /* two */  // three\n}\n"
    assert json_text.changed("{ // all\n}\n", {"c": 3}) == '{ // all\n  "c": 3\n}\n'
    assert json_text.changed('{ // all\n  "c": 3\n}\n', {}) == "{ // all\n}\n"


@given(others=SETTINGS, hooks=HOOKS)
def test_in_and_out_is_the_identity(others: dict[str, Any], hooks: dict[str, Any]) -> None:
    # An event with an empty list says nothing and may go.
    path = Path("settings.json")
    before = {**others, "hooks": hooks} if hooks else others
    made = Setup(Path("/w"), Path("/s"), Path("/h"), "/bin/stet-hook", version=NEW)
    after = groups.merged(path, before, claude.wanted(made))
    assert groups.merged(path, after, claude.wanted(made)) == after
    assert groups.without(path, after) == before
    for event, theirs in hooks.items():
        assert after["hooks"][event][: len(theirs)] == theirs


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a" / "settings.json"
    assert settings.write(path, {"ü": [1]})
    assert settings.read(path) == {"ü": [1]}
    assert not settings.write(path, {"ü": [1]})
    assert settings.read(tmp_path / "none.json") == {}
