"""Kimi CLI: `[[hooks]]` at the end of the user's config.toml. From its documentation, not tried with the program."""

from __future__ import annotations

from pathlib import Path

from firewall.agents.install import claude, toml_block
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import Done, Hook, Setup, is_ours, missing

NAME = "kimi"
TITLE = "Kimi CLI"
CANARY_EVENT = "PreToolUse"
EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "StopFailure", "SubagentStop",
    "SessionStart", "SessionEnd",
)  # fmt: skip
SECONDS = 60


def all_files(setup: Setup) -> tuple[Path, ...]:
    """The configuration of the two programs of that name: the one there is, else the older one's."""
    both = (setup.home / ".kimi" / "config.toml", setup.home / ".kimi-code" / "config.toml")
    return tuple(path for path in both if path.parent.is_dir()) or both[:1]


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count."""
    return dict.fromkeys(all_files(setup), ("hooks",))


def install(setup: Setup) -> Done:
    """Put the hooks into each configuration. They are the user's, so they run everywhere; outside of a guarded folder
    they say nothing. Raises BadSettings, StorageError."""
    files, said = [], []
    for path in all_files(setup):
        text = toml_block.read(path)
        if not isinstance(toml_block.parsed(path, text).get("hooks", []), list):
            raise BadSettings(path=path, problem="'hooks' is no list of tables")
        after = toml_block.with_block(path, text, NAME, _lines(setup))
        if after == text:
            said.append(f"{path} has the hooks already.")
            continue
        toml_block.put(path, after)
        files.append(path)
        said.append(f"{TITLE} asks Stet before and after every tool ({path}).")
    return Done(tuple(files), tuple(said))


def _lines(setup: Setup) -> list[str]:
    lines = []
    for event in EVENTS:
        command = f"command = {toml_block.quoted(setup.command(NAME))}"
        lines += ["[[hooks]]", f'event = "{event}"', command, f"timeout = {SECONDS}"]
    return lines


def undo(setup: Setup) -> Done:
    """Take the block out again, and nothing else."""
    files = []
    for path in all_files(setup):
        text = toml_block.read(path)
        after = toml_block.without(text, NAME)
        if after != text:
            toml_block.put(path, after)
            files.append(path)
    said = [f"Stet's hooks are out of {path}." for path in files] or [f"{TITLE} has no hooks of Stet."]
    return Done(tuple(files), tuple(said))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the user's configurations."""
    found = []
    for path in all_files(setup):
        listed = toml_block.parsed(path, toml_block.read(path)).get("hooks", [])
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, dict) and is_ours(one.get("command")):
                found.append(Hook(path, str(one.get("event")), str(one["command"])))
    return found


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Kimi CLI would announce it."""
    call = {"path": str(setup.root / "stet.toml"), "content": ""}
    return {**claude.canary(setup), "tool_name": "WriteFile", "tool_input": call}


canary_end = claude.canary_end
denial = claude.denial


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    return missing(NAME, EVENTS, hooks(setup))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "Kimi CLI's hooks follow its documentation and were not tried with the program itself.",
        "A hook that times out or cannot start lets the call pass.",
    )
