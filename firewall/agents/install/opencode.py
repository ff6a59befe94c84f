"""opencode: a plugin file that asks Stet, and that throws, so blocks, whenever it gets no clear yes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from firewall.agents.install import settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, places, scoped
from firewall.errors import StetError

NAME = "opencode"
TITLE = "opencode"
MARK = "// Written by `stet install opencode`; it is written anew each time, so edit nothing here."
UPWARD = "all"
"""It loads plugins of the folders above the one it is started in as well; seen running with 1.18.33."""
CANARY_EVENT = "tool.execute.before"

PLUGIN = """\
{mark}
import {{ spawnSync }} from "node:child_process"

const COMMANDS = {commands}

const ask = (event) => COMMANDS.map((command) => {{
  const done = spawnSync(command[0], command.slice(1), {{
    input: JSON.stringify(event), encoding: "utf8", timeout: 60000, maxBuffer: 67108864,
  }})
  if (done.error || done.status !== 0) {{
    const why = (done.stderr || "").trim() || (done.error && done.error.message) || "it ended with " + done.status
    throw new Error("Stet: " + why)
  }}
  return done.stdout.trim()
}}).filter(Boolean).join("\\n")

export const Stet = async ({{ directory }}) => ({{
  event: async ({{ event }}) => {{
    if (!["session.created", "session.idle", "session.deleted", "session.error"].includes(event.type)) return
    ask({{ hook: event.type, input: event.properties || {{}}, cwd: directory }})
  }},
  "chat.message": async (input) => {{
    ask({{ hook: "chat.message", input: {{ sessionID: input.sessionID }}, cwd: directory }})
  }},
  "tool.execute.before": async (input, output) => {{
    ask({{ hook: "tool.execute.before", input, output: {{ args: output.args }}, cwd: directory }})
  }},
  "tool.execute.after": async (input, output) => {{
    const said = ask({{ hook: "tool.execute.after", input, output: {{ title: output.title }}, cwd: directory }})
    if (said) output.output = (output.output || "") + "\\n\\n" + said
  }},
}})
"""


class NotOurs(StetError):
    """A plugin of that name that Stet did not write."""

    code = "plugin-not-ours"
    template = "{path} is there and was not written by Stet; it was left as it is."
    next_step = "Move it away, and run the command again."


def plugin_file(setup: Setup) -> Path:
    """Where the plugin goes."""
    if setup.scope == "user":
        return setup.home / ".config" / "opencode" / "plugins" / "stet.js"
    return setup.root / ".opencode" / "plugins" / "stet.js"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can carry the plugin."""
    return places(setup, plugin_file)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them: every byte counts."""
    return dict.fromkeys(all_files(setup), ())


def source(commands: Sequence[str]) -> str:
    """The plugin's text with the commands that it asks, one a project."""
    listed = ",\n".join(f"  {json.dumps(shlex.split(command))}" for command in commands)
    return PLUGIN.format(mark=MARK, commands=f"[\n{listed},\n]")


def _commands(text: str) -> list[str]:
    """The commands of a plugin that Stet wrote, [] where there are none to be found."""
    _, mark, rest = text.partition("const COMMANDS = ")
    try:
        value = json.loads(rest.partition("\n]\n")[0].rstrip().rstrip(",") + "]") if mark else []
    except ValueError:
        return []
    return [shlex.join(words) for words in value if isinstance(words, list) and all(isinstance(w, str) for w in words)]


def install(setup: Setup) -> Done:
    """Write the plugin. Raises NotOurs, StorageError."""
    path = plugin_file(setup)
    before = _read(path)
    if before and MARK not in before:
        raise NotOurs(path=path)
    commands = _commands(before)
    mine = setup.command(NAME)
    if mine in commands and before == source(commands):
        return Done((), (f"{path} is there already.",))
    settings.store(path, source([*(command for command in commands if not setup.owns(command)), mine]))
    return Done((path,), (f"{TITLE} asks Stet before and after every tool ({path}).",))


def undo(setup: Setup) -> Done:
    """Remove the plugin, if it is Stet's; where it serves other projects too, this one goes out of it.

    Raises NotOurs, StorageError.
    """
    path = plugin_file(setup)
    before = _read(path)
    if not before:
        return Done((), (f"{path} is not there.",))
    if MARK not in before:
        raise NotOurs(path=path)
    commands = _commands(before)
    others = [command for command in commands if not setup.owns(command)]
    if others and len(others) == len(commands):
        return Done((), (f"{path} asks nothing for this folder.",))
    if others:
        settings.store(path, source(others))
        return Done((path,), (f"{path} serves other projects alone.",))
    settings.remove(path, (setup.root, setup.home))
    return Done((path,), (f"{path} is removed.",))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's plugin in the project and in the user's own."""
    found = []
    for one, path in scoped(setup, plugin_file):
        text = _read(path)
        commands = [command for command in _commands(text) if one.owns(command)]
        if MARK in text and not _commands(text):
            commands = [f": {path} asks nobody"]  # edited: a canary through it is not refused
        found += [Hook(path, CANARY_EVENT, command, one.scope) for command in commands]
    return found


def _read(path: Path) -> str:
    return (settings.contents(path) or b"").decode("utf-8", "replace")


def canary(setup: Setup) -> Json:
    """A write that no project allows, as the plugin would announce it."""
    call = {"tool": "write", "sessionID": "stet-doctor", "callID": "stet-doctor"}
    args = {"filePath": str(setup.root / "stet.toml"), "content": ""}
    return {"hook": CANARY_EVENT, "input": call, "output": {"args": args}, "cwd": str(setup.root)}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return [{"hook": "session.idle", "input": {"sessionID": "stet-doctor"}, "cwd": str(setup.root)}]


def denial(status: int, out: bytes, err: bytes) -> str:  # noqa: ARG001 - one signature for all runtimes
    """The reason of a denial, '' where there is none: the plugin throws on any status but 0."""
    return err.decode("utf-8", "replace").strip() if status else ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps the plugin from doing its work here."""
    said = []
    for path in dict.fromkeys(hook.file for hook in hooks(setup)):
        text = _read(path)
        if text != source(_commands(text)):
            said.append(f"{path} was edited; run `stet install opencode` again.")
    return tuple(said)


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the plugin."""
    return (
        "opencode skips a plugin that it cannot load, and says nothing; a V2 opencode does not load V1 plugins.",
        "What an opencode session does outside the folder it was started in is not seen.",
        GOES_ON,
    )
