"""Kimi CLI: `[[hooks]]` at the end of the user's config.toml. From its documentation, not tried with the program."""

from __future__ import annotations

import json
from pathlib import Path

from firewall.agents.install import claude, toml_block
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing

NAME = "kimi"
TITLE = "Kimi CLI"
SCOPES = ("user",)
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
    """Put the hooks into each configuration. They are the user's, and so stand beside those of other projects.
    Raises BadSettings, StorageError."""
    files, said = [], []
    for path in all_files(setup):
        text = toml_block.read(path)
        if not isinstance(toml_block.parsed(path, text).get("hooks", []), list):
            raise BadSettings(path=path, problem="'hooks' is no list of tables")
        setup = setup._replace(scope="user")
        before = toml_block.inside(path, text, NAME).get("hooks", [])
        after = toml_block.with_block(path, text, NAME, [*_lines(_others(setup, before)), *_lines(_wanted(setup))])
        if {str(h) for h in before} == {str(h) for h in toml_block.inside(path, after, NAME)["hooks"]}:
            said.append(f"{path} has the hooks already.")
            continue
        toml_block.put(path, after)
        files.append(path)
        said.append(f"{TITLE} asks Stet before and after every tool ({path}).")
    return Done(tuple(files), tuple(said))


def _wanted(setup: Setup) -> list[Json]:
    return [{"event": event, "command": setup.command(NAME), "timeout": SECONDS} for event in EVENTS]


def _others(setup: Setup, before: list[Json]) -> list[Json]:
    """The block's hooks that serve other projects."""
    return [hook for hook in before if not setup.owns(hook.get("command"))]


def _lines(hooks: list[Json]) -> list[str]:
    lines = []
    for hook in hooks:
        lines += ["[[hooks]]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in hook.items())]
    return [line.replace("\x7f", "\\u007f") for line in lines]


def undo(setup: Setup) -> Done:
    """Take the hooks of this folder out again, and nothing else."""
    setup = setup._replace(scope="user")
    files = []
    for path in all_files(setup):
        text = toml_block.read(path)
        before = toml_block.inside(path, text, NAME).get("hooks", [])
        left = _others(setup, before)
        if len(left) < len(before):
            after = toml_block.with_block(path, text, NAME, _lines(left))
            toml_block.put(path, after, (setup.root, setup.home))
            files.append(path)
    said = [f"Stet's hooks are out of {path}." for path in files] or [f"{TITLE} has no hooks of Stet."]
    return Done(tuple(files), tuple(said))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the user's configurations."""
    found = []
    setup = setup._replace(scope="user")
    for path in all_files(setup):
        listed = toml_block.parsed(path, toml_block.read(path)).get("hooks", [])
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, dict) and setup.owns(one.get("command")):
                found.append(Hook(path, str(one.get("event")), str(one["command"]), setup.scope))
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
        GOES_ON,
    )
