"""Qwen Code: hooks in .qwen/settings.json, with Claude Code's names and its time limits in milliseconds."""

from __future__ import annotations

from pathlib import Path

from firewall.agents.install import claude, groups, settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing, places

NAME = "qwen"
TITLE = "Qwen Code"
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
EVENTS = (*TOOL_EVENTS, "UserPromptSubmit", "Stop", "SubagentStop", "SessionStart", "SessionEnd")
MILLISECONDS = 60_000
CANARY_EVENT = "PreToolUse"


def settings_file(setup: Setup) -> Path:
    """The settings that the hooks go to."""
    return (setup.home if setup.scope == "user" else setup.root) / ".qwen" / "settings.json"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every settings file that can carry the hooks, or switch them off."""
    return places(setup, settings_file)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count."""
    return dict.fromkeys(all_files(setup), ("hooks", "disableAllHooks", "hooksConfig", "env"))


def wanted(setup: Setup) -> dict[str, Json]:
    """The hook groups, one an event."""
    hook = {"type": "command", "name": "stet", "command": setup.command(NAME), "timeout": MILLISECONDS}
    return {e: {**({"matcher": "*"} if e in TOOL_EVENTS else {}), "hooks": [hook]} for e in EVENTS}


def install(setup: Setup) -> Done:
    """Merge the hooks into the settings. Raises BadSettings, StorageError."""
    return groups.put_in(setup, settings_file(setup), wanted(setup), TITLE)


def undo(setup: Setup) -> Done:
    """Take the hooks out of the settings again, and nothing else."""
    return groups.taken_out(setup, settings_file(setup))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's and the user's settings."""
    return groups.of(setup, settings_file)


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Qwen Code would announce it."""
    return {**claude.canary(setup), "tool_name": "write_file"}


canary_end = claude.canary_end
denial = claude.denial


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    said = []
    for path in all_files(setup):
        value = settings.read(path)
        config = value.get("hooksConfig")
        if value.get("disableAllHooks") or (isinstance(config, dict) and config.get("enabled") is False):
            said.append(f"{path} switches hooks off.")
    return (*said, *missing(NAME, EVENTS, hooks(setup)))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return ("Qwen Code lets a call pass when a hook cannot start or times out.", GOES_ON)
