"""Gemini CLI: hooks in .gemini/settings.json, which run only in a folder that the user trusts."""

from __future__ import annotations

import json
from pathlib import Path

from firewall.agents.install import groups, settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import Done, Hook, Setup, missing, places

NAME = "gemini"
TITLE = "Gemini CLI"
TOOL_EVENTS = ("BeforeTool", "AfterTool")
EVENTS = (*TOOL_EVENTS, "BeforeAgent", "AfterAgent", "SessionStart", "SessionEnd")
MILLISECONDS = 60_000
TRUSTED = ("TRUST_FOLDER", "TRUST_PARENT")
CANARY_EVENT = "BeforeTool"


def settings_file(setup: Setup) -> Path:
    """The settings that the hooks go to."""
    return (setup.home if setup.scope == "user" else setup.root) / ".gemini" / "settings.json"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every settings file that can carry the hooks, or switch them off."""
    return places(setup, settings_file)


def trust_file(setup: Setup) -> Path:
    """Where Gemini CLI keeps which folders a user trusts."""
    return setup.home / ".gemini" / "trustedFolders.json"


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count."""
    files: dict[Path, tuple[str, ...]] = dict.fromkeys(all_files(setup), ("hooks", "hooksConfig"))
    return {**files, trust_file(setup): (str(setup.root),)}


def wanted(setup: Setup) -> dict[str, Json]:
    """The hook groups, one an event."""
    hook = {"type": "command", "name": "stet", "command": setup.command(NAME), "timeout": MILLISECONDS}
    return {e: {**({"matcher": ".*"} if e in TOOL_EVENTS else {}), "hooks": [hook]} for e in EVENTS}


def install(setup: Setup) -> Done:
    """Merge the hooks into the settings and trust the folder. Raises BadSettings, StorageError.

    Hooks of a project are silently off in a folder that is not trusted, so a decision not to trust it is
    the user's, and is said and not changed.
    """
    done = groups.put_in(setup, settings_file(setup), wanted(setup), TITLE)
    files, said = list(done.files), list(done.said)
    if setup.scope != "user":
        trust = trust_file(setup)
        folders = settings.read(trust)
        before = folders.get(str(setup.root))
        if before is None:
            settings.write(trust, {**folders, str(setup.root): "TRUST_FOLDER"})
            files.append(trust)
            said.append(f"{setup.root} is a trusted folder now ({trust}): in others a project's hooks do not run.")
        elif before not in TRUSTED:
            said.append(f"{trust} says {before} of {setup.root}: its hooks will NOT run until you trust it.")
    return Done(tuple(files), tuple(said))


def undo(setup: Setup) -> Done:
    """Take the hooks out of the settings again. The folder's trust is left: it may be the user's own."""
    done = groups.taken_out(setup, settings_file(setup))
    if setup.scope == "user" or not done.files:
        return done
    return done._replace(said=(*done.said, f"What {trust_file(setup)} says of the folder was left as it is."))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's and the user's settings."""
    return groups.of(setup, settings_file)


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Gemini CLI would announce it."""
    call = {"file_path": str(setup.root / "stet.toml"), "content": ""}
    return {**_event(setup, "BeforeTool"), "tool_name": "write_file", "tool_input": call}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return [_event(setup, "AfterAgent"), _event(setup, "SessionEnd")]


def _event(setup: Setup, name: str) -> Json:
    return {
        "session_id": "stet-doctor", "transcript_path": "", "cwd": str(setup.root), "hook_event_name": name,
        "timestamp": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip


def denial(status: int, out: bytes, err: bytes) -> str:
    """The reason of a denial in a hook's answer, '' where it denies nothing."""
    if status == 2:
        return err.decode("utf-8", "replace").strip()
    try:
        answer = json.loads(out)
        return str(answer["reason"]) if answer["decision"] in ("deny", "block") else ""
    except (ValueError, KeyError, TypeError):
        return ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    said = []
    trust = settings.read(trust_file(setup)).get(str(setup.root))
    if any(h.scope == "project" for h in hooks(setup)) and trust not in TRUSTED:
        said.append(f"{setup.root} is not a trusted folder: its hooks do NOT run, and nothing says so.")
    for path in all_files(setup):
        config = settings.read(path).get("hooksConfig")
        if isinstance(config, dict) and (config.get("enabled") is False or config.get("disabled")):
            said.append(f"{path} switches hooks off (hooksConfig).")
    return (*said, *missing(NAME, EVENTS, hooks(setup)))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "`gemini --skip-trust` runs without a project's hooks.",
        "A hook that times out or is killed lets the call pass.",
    )
