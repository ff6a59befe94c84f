"""Cline: one executable script an event, in .clinerules/hooks or the user's own folder."""

from __future__ import annotations

import json
from pathlib import Path

from firewall.agents.install import settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import Done, Hook, Setup, missing
from firewall.errors import StetError, StorageError

NAME = "cline"
TITLE = "Cline"
CANARY_EVENT = "PreToolUse"
EVENTS = ("PreToolUse", "PostToolUse", "TaskStart", "TaskResume", "TaskCancel", "UserPromptSubmit")
MARK = "# Written by `stet install cline`; it is written anew each time, so edit nothing here."
CANCEL = '{"cancel":true,"errorMessage":"Stet refuses, since its hook could not run."}'


class ScriptNotOurs(StetError):
    """A hook of that name that Stet did not write: Cline runs one an event."""

    code = "script-not-ours"
    template = "{path} is there and was not written by Stet; it was left as it is, and so was everything else."
    next_step = "Cline runs one script an event: call Stet's from yours, or move yours away and run this again."


def folder(setup: Setup) -> Path:
    """Where the scripts go. The command line reads the user's folder, the editor both."""
    return setup.home / ".cline" / "hooks" if setup.scope == "user" else setup.root / ".clinerules" / "hooks"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can be one of the scripts."""
    folders = dict.fromkeys(folder(setup._replace(scope=scope)) for scope in ("project", "user"))
    return tuple(place / event for place in folders for event in EVENTS)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them: every byte counts."""
    return dict.fromkeys(all_files(setup), ())


def script(setup: Setup) -> str:
    """A script that cancels where Stet's hook cannot be run or ends badly."""
    return f"#!/bin/sh\n{MARK}\nanswer=$({setup.command(NAME)}) || answer='{CANCEL}'\nprintf '%s\\n' \"$answer\"\n"


def install(setup: Setup) -> Done:
    """Write the scripts. Raises ScriptNotOurs, StorageError."""
    places = [folder(setup) / event for event in EVENTS]
    for path in places:
        if (text := _read(path)) and MARK not in text:
            raise ScriptNotOurs(path=path)
    files = [path for path in places if _read(path) != script(setup)]
    for path in files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            settings.put(path, script(setup).encode())
            path.chmod(0o755)
        except OSError as error:
            raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None
    said = f"{TITLE} asks Stet before and after every tool ({folder(setup)})."
    return Done(tuple(files), (said if files else f"{folder(setup)} has the hooks already.",))


def undo(setup: Setup) -> Done:
    """Remove the scripts that Stet wrote, and the folder if nothing else is in it."""
    files = [path for event in EVENTS if MARK in _read(path := folder(setup) / event)]
    try:
        for path in files:
            path.unlink()
        for place in (folder(setup), folder(setup).parent) if files else ():
            if not any(place.iterdir()):
                place.rmdir()
    except OSError as error:
        raise StorageError(action="remove", path=folder(setup), reason=error.strerror or str(error)) from None
    return Done(tuple(files), (f"{len(files)} scripts of Stet are out of {folder(setup)}.",))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's scripts in the project and in the user's folder."""
    return [Hook(path, path.name, f"'{path}'") for path in all_files(setup) if MARK in _read(path)]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Cline would announce it."""
    call = {"path": str(setup.root / "stet.toml"), "content": ""}
    return {**_event(setup, "PreToolUse"), "preToolUse": {"toolName": "write_to_file", "parameters": call}}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return [_event(setup, "TaskCancel")]


def _event(setup: Setup, name: str) -> Json:
    return {
        "clineVersion": "", "hookName": name, "timestamp": "0", "taskId": "stet-doctor", "userId": "",
        "workspaceRoots": [str(setup.root)],
    }  # fmt: skip


def denial(status: int, out: bytes, err: bytes) -> str:  # noqa: ARG001 - one signature for all runtimes
    """The reason of a denial, '' where there is none."""
    try:
        answer = json.loads(out)
        return str(answer["errorMessage"]) if answer["cancel"] is True else ""
    except (ValueError, KeyError, TypeError):
        return ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    return missing(NAME, EVENTS, hooks(setup))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        (
            "Cline's command line ends the whole run on a refusal and tells its model nothing; in the editor another"
            " script's failure may discard a refusal."
        ),
        "The command line was seen to read ~/.cline/hooks only: install with --user for it.",
    )
