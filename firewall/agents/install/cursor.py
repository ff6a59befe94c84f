"""Cursor: .cursor/hooks.json. From its documentation; not tried with the program itself."""

from __future__ import annotations

import json
from pathlib import Path

from firewall.agents.install import flat
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing, places, scoped

NAME = "cursor"
TITLE = "Cursor"
CANARY_EVENT = "preToolUse"
EVENTS = (
    "sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "beforeShellExecution",
    "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "afterFileEdit", "subagentStop", "stop",
    "sessionEnd",
)  # fmt: skip
SECONDS = 60
DEFAULTS: Json = {"version": 1}


def settings_file(setup: Setup) -> Path:
    """The file that the hooks go to."""
    return (setup.home if setup.scope == "user" else setup.root) / ".cursor" / "hooks.json"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can carry the hooks."""
    return places(setup, settings_file)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count."""
    return dict.fromkeys(all_files(setup), ("hooks",))


def wanted(setup: Setup) -> dict[str, Json]:
    """The handlers. `failClosed`: a hook that cannot answer blocks, where the version knows the key."""
    return {e: {"command": setup.command(NAME), "timeout": SECONDS, "failClosed": True} for e in EVENTS}


def install(setup: Setup) -> Done:
    """Merge the hooks in. Raises BadSettings, StorageError."""
    return flat.put_in(setup, settings_file(setup), wanted(setup), TITLE, DEFAULTS)


def undo(setup: Setup) -> Done:
    """Take the hooks out again, and nothing else."""
    return flat.taken_out(setup, settings_file(setup), DEFAULTS)


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's and the user's file."""
    return [hook for one, path in scoped(setup, settings_file) for hook in flat.found(one, path)]


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Cursor would announce it."""
    call = {"file_path": str(setup.root / "stet.toml"), "content": ""}
    return {**_event(setup, "preToolUse"), "tool_name": "Write", "tool_input": call, "tool_use_id": "stet-doctor"}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return [{**_event(setup, "stop"), "status": "completed"}]


def _event(setup: Setup, name: str) -> Json:
    return {"hook_event_name": name, "conversation_id": "stet-doctor", "workspace_roots": [str(setup.root)]}


def denial(status: int, out: bytes, err: bytes) -> str:
    """The reason of a denial, '' where there is none."""
    try:
        answer = json.loads(out)
        if answer["permission"] == "deny":
            return str(answer["agent_message"])
    except (ValueError, KeyError, TypeError):
        pass
    return err.decode("utf-8", "replace").strip() if status == 2 else ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    return missing(NAME, EVENTS, hooks(setup))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "Cursor's hooks follow its documentation and were not tried with the program itself.",
        (
            "Tab completions and cloud agents run without these hooks; versions without failClosed let a call pass when"
            " a hook fails. `stet watch` sees what they do."
        ),
        GOES_ON,
    )
