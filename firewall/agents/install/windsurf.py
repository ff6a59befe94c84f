"""Windsurf's Cascade: .windsurf/hooks.json. From its documentation; not tried with the program itself."""

from __future__ import annotations

from pathlib import Path

from firewall.agents.install import flat
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing, places, scoped

NAME = "windsurf"
TITLE = "Windsurf"
CANARY_EVENT = "pre_write_code"
EVENTS = (
    "pre_user_prompt", "pre_write_code", "pre_run_command", "pre_mcp_tool_use", "post_read_code", "post_write_code",
    "post_run_command", "post_mcp_tool_use", "post_cascade_response",
)  # fmt: skip


def settings_file(setup: Setup) -> Path:
    """The file that the hooks go to."""
    if setup.scope == "user":
        return setup.home / ".codeium" / "windsurf" / "hooks.json"
    return setup.root / ".windsurf" / "hooks.json"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can carry the hooks."""
    return places(setup, settings_file)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count."""
    return dict.fromkeys(all_files(setup), ("hooks",))


def wanted(setup: Setup) -> dict[str, Json]:
    """The handlers, one an event."""
    return {e: {"command": setup.command(NAME), "show_output": True} for e in EVENTS}


def install(setup: Setup) -> Done:
    """Merge the hooks in. Raises BadSettings, StorageError."""
    return flat.put_in(setup, settings_file(setup), wanted(setup), TITLE, {})


def undo(setup: Setup) -> Done:
    """Take the hooks out again, and nothing else."""
    return flat.taken_out(setup, settings_file(setup), {})


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's and the user's file."""
    return [hook for one, path in scoped(setup, settings_file) for hook in flat.found(one, path)]


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Cascade would announce it."""
    edits = [{"old_string": "", "new_string": ""}]
    info = {"file_path": str(setup.root / "stet.toml"), "edits": edits}
    return {**_event("pre_write_code"), "tool_info": info}


def canary_end(setup: Setup) -> list[Json]:  # noqa: ARG001 - one signature for all runtimes
    """What closes the canary's session again."""
    return [_event("post_cascade_response")]


def _event(name: str) -> Json:
    return {
        "agent_action_name": name, "trajectory_id": "stet-doctor", "execution_id": "stet-doctor",
        "timestamp": "2026-01-01T00:00:00Z", "tool_info": {},
    }  # fmt: skip


def denial(status: int, out: bytes, err: bytes) -> str:  # noqa: ARG001 - one signature for all runtimes
    """The reason of a denial, '' where there is none."""
    return err.decode("utf-8", "replace").strip() if status == 2 else ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    return missing(NAME, EVENTS, hooks(setup))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "Windsurf's hooks follow its documentation and were not tried with the program itself.",
        (
            "A hook that cannot start or times out lets the action pass, and after an action the model is told nothing:"
            " what was put back is in `stet alerts` and `stet pending`."
        ),
        GOES_ON,
    )
