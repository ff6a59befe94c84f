"""Cline: one executable script an event, in .clinerules/hooks or the user's own folder."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from firewall.agents.install import settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import Done, Hook, Setup, missing, scoped
from firewall.errors import StetError, StorageError, UsageError

NAME = "cline"
TITLE = "Cline"
CANARY_EVENT = "PreToolUse"
EVENTS = ("PreToolUse", "PostToolUse", "TaskStart", "TaskResume", "TaskCancel", "UserPromptSubmit")
MARK = "# Written by `stet install cline`; it is written anew each time, so edit nothing here."
NOTHING = '{"cancel":false}'
CANCEL = '{"cancel":true,"errorMessage":"Stet refuses, since its hook could not run."}'


class ScriptNotOurs(StetError):
    """A hook of that name that Stet did not write: Cline runs one an event."""

    code = "script-not-ours"
    template = "{path} is there and was not written by Stet; it was left as it is, and so was everything else."
    next_step = "Cline runs one script an event: call Stet's from yours, or move yours away and run this again."


class RulesInTheWay(UsageError):
    """Cline's rules in the one file where the folder of its hooks has to be."""

    code = "rules-in-the-way"
    template = "{file} is a file, and Cline's hooks go into a folder of that name."
    next_step = (
        "Make it a folder with that file in it, which Cline reads as well (mv .clinerules rules.md; mkdir .clinerules;"
        " mv rules.md .clinerules/), or give --user."
    )


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


def script(commands: Sequence[str]) -> str:
    """A script that asks each command, one a project, and cancels where one does, cannot be run or ends badly. Else it
    passes on what one of them tells the model."""
    lines = ["#!/bin/sh", MARK, "event=$(cat)", f"said='{NOTHING}'"]
    for command in commands:
        lines += [
            f"answer=$(printf '%s' \"$event\" | {command}) || answer='{CANCEL}'",
            "case $answer in",
            """*'"cancel":true'*) printf '%s\\n' "$answer"; exit 0;;""",
            f"'{NOTHING}') ;;",
            "*) said=$answer;;",
            "esac",
        ]
    return "\n".join([*lines, "printf '%s\\n' \"$said\"", ""])


def _commands(text: str) -> list[str]:
    """The commands of a script that Stet wrote."""
    head, tail = "answer=$(printf '%s' \"$event\" | ", f") || answer='{CANCEL}'"
    lines = [line for line in text.splitlines() if line.startswith(head) and line.endswith(tail)]
    return [line.removeprefix(head).removesuffix(tail) for line in lines]


def install(setup: Setup) -> Done:
    """Write the scripts. Raises RulesInTheWay, ScriptNotOurs, StorageError."""
    if folder(setup).parent.is_file():
        raise RulesInTheWay(file=folder(setup).parent)
    places = [folder(setup) / event for event in EVENTS]
    for path in places:
        if (text := _read(path)) and MARK not in text:
            raise ScriptNotOurs(path=path)
    files, mine = [], setup.command(NAME)
    for path in places:
        text = _read(path)
        commands = _commands(text)
        if mine in commands and text == script(commands):
            continue
        _write(path, script([*(command for command in commands if not setup.owns(command)), mine]))
        files.append(path)
    said = f"{TITLE} asks Stet before and after every tool ({folder(setup)})."
    return Done(tuple(files), (said if files else f"{folder(setup)} has the hooks already.",))


def undo(setup: Setup) -> Done:
    """Take this folder out of the scripts that Stet wrote; one that asks nobody any more goes, and so does the folder
    if nothing else is in it."""
    files = []
    for path in (folder(setup) / event for event in EVENTS):
        text = _read(path)
        commands = _commands(text)
        others = [command for command in commands if not setup.owns(command)]
        if MARK not in text or (others and len(others) == len(commands)):
            continue
        files.append(path)
        if others:
            _write(path, script(others))
        else:
            settings.remove(path, (setup.root, setup.home))
    if not files:
        return Done((), (f"{folder(setup)} has no hooks of Stet.",))
    return Done(tuple(files), (f"Stet's hooks are out of {len(files)} scripts in {folder(setup)}.",))


def _write(path: Path, text: str) -> None:
    settings.store(path, text)
    try:
        path.chmod(0o755)
    except OSError as error:
        raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None


def hooks(setup: Setup) -> list[Hook]:
    """Stet's scripts in the project and in the user's folder."""
    found = []
    for one, place in scoped(setup, folder):
        for path in (place / event for event in EVENTS):
            text = _read(path)
            if MARK in text and (not _commands(text) or any(one.owns(command) for command in _commands(text))):
                found.append(Hook(path, path.name, shlex.quote(str(path)), one.scope))
    return found


def _read(path: Path) -> str:
    return (settings.contents(path) or b"").decode("utf-8", "replace")


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
