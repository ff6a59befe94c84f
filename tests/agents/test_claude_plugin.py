"""The same hooks as a plugin of Claude Code: what it holds, that the real program takes it, and that it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from agent_clients import CLAUDE, CLAUDE_OLD, Client, program
from claude_runner import Guarded, answers
from fake_messages import say, tool

from firewall.agents.install import claude

REPOSITORY = Path(__file__).parent.parent.parent
PLUGIN = REPOSITORY / "firewall" / "agents" / "plugin"


def test_it_has_the_events_that_install_writes() -> None:
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    assert list(hooks) == list(claude.EVENTS)
    for event, ((group,), *_) in ((e, (g,)) for e, g in hooks.items()):
        (handler,) = group["hooks"]
        assert handler["command"] == "stet-hook claude"
        assert (group.get("matcher") == "*") is (event in claude.TOOL_EVENTS)
        assert (handler.get("onFailure") == "block") is (event in claude.BLOCKING)


def test_the_marketplace_names_the_plugin() -> None:
    value = json.loads((REPOSITORY / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    (entry,) = value["plugins"]
    named = json.loads((REPOSITORY / entry["source"] / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert named["name"] == entry["name"]


@pytest.mark.parametrize("folder", [PLUGIN, REPOSITORY], ids=["plugin", "marketplace"])
def test_claude_code_finds_nothing_wrong_with_it(tmp_path: Path, folder: Path) -> None:
    done = subprocess.run(
        [program(CLAUDE), "plugin", "validate", str(folder)],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "DISABLE_AUTOUPDATER": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("client", [CLAUDE_OLD, CLAUDE], ids=lambda c: c.version)
def test_it_refuses_and_puts_back(tmp_path: Path, client: Client) -> None:
    guarded = Guarded(tmp_path, client)
    claude_settings = guarded.root / ".claude" / "settings.json"
    claude_settings.unlink()  # the plugin alone
    with_hook = f"{Path(sys.executable).parent}:{guarded.path}"
    before = guarded.chapter.read_bytes()
    ran = guarded.run(
        answers(
            tool("Read", file_path=str(guarded.chapter)),
            tool("Write", file_path=str(guarded.chapter), content="# To be continued\n"),
            tool("Bash", command="echo gone > chapter.md", description="x"),
            say("done"),
        ),
        more=("--plugin-dir", str(PLUGIN)),
        env={"PATH": with_hook},
    )
    assert guarded.chapter.read_bytes() == before
    assert "word-floor" in ran.told[1]
    assert "chapter.md" in ran.told[2]
