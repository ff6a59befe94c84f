"""GitHub Copilot: a file of its own in .github/hooks. From its documentation; not tried with the program itself."""

from __future__ import annotations

import json
from pathlib import Path

from firewall.agents.install import flat
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing, places, scoped

NAME = "copilot"
TITLE = "GitHub Copilot"
CANARY_EVENT = "preToolUse"
EVENTS = ("sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "agentStop", "subagentStop", "sessionEnd")
SECONDS = 60
DEFAULTS: Json = {"version": 1}


def settings_file(setup: Setup) -> Path:
    """The file that the hooks go to."""
    folder = setup.home / ".copilot" / "hooks" if setup.scope == "user" else setup.root / ".github" / "hooks"
    return folder / "stet.json"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can carry the hooks."""
    return places(setup, settings_file)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them: every byte counts."""
    return dict.fromkeys(all_files(setup), ())


def wanted(setup: Setup) -> dict[str, Json]:
    """The handlers. The command line's JSON does not name its event, so the command does."""
    command = setup.command(NAME)
    return {
        e: {"type": "command", "bash": f"STET_EVENT={e} {command}", "cwd": ".", "timeoutSec": SECONDS} for e in EVENTS
    }


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
    """A write that no project allows, as Copilot's command line would announce it."""
    arguments = json.dumps({"path": str(setup.root / "stet.toml"), "file_text": ""})
    return {**_event(setup), "toolName": "create", "toolArgs": arguments}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again: in VS Code's form, which names its event."""
    return [{"session_id": "stet-doctor", "cwd": str(setup.root), "hook_event_name": "Stop"}]


def _event(setup: Setup) -> Json:
    return {"sessionId": "stet-doctor", "timestamp": 0, "cwd": str(setup.root)}


def denial(status: int, out: bytes, err: bytes) -> str:
    """The reason of a denial, '' where there is none."""
    if status == 2:
        return err.decode("utf-8", "replace").strip()
    try:
        answer = json.loads(out)
        return str(answer["permissionDecisionReason"]) if answer["permissionDecision"] == "deny" else ""
    except (ValueError, KeyError, TypeError):
        return ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    return missing(NAME, EVENTS, hooks(setup))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "Copilot's hooks follow its documentation and were not tried with the program itself.",
        (
            "A hook that times out lets the call pass; the coding agent in the cloud runs hooks of the repository's"
            " default branch only, on a machine without this program."
        ),
        GOES_ON,
    )
