"""Claude Code: hooks in .claude/settings.json, or the same as a plugin."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from firewall.agents.install import groups, settings
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import Done, Hook, Setup, missing, places
from firewall.errors import UsageError

NAME = "claude"
TITLE = "Claude Code"
SCOPES = ("project", "local", "user")
HTTP = True
"""Its hooks can ask `stet serve`."""

ON_FAILURE = (2, 1, 295)
"""The first release that knows `onFailure`: a hook that cannot start, times out or crashes then blocks."""

TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
EVENTS = (
    *TOOL_EVENTS, "PostToolBatch", "UserPromptSubmit", "Stop", "SubagentStop", "SessionStart", "SessionEnd",
    "ConfigChange",
)  # fmt: skip
BLOCKING = ("PreToolUse", "UserPromptSubmit", "ConfigChange")
"""Events before something happens. After the fact there is nothing left that a failed hook could block."""

PLUGIN = "stet-firewall"
PLUGIN_COMMAND = f"stet-hook {NAME}"
"""What the plugin's hooks run: it is made for every machine, so it cannot name this one's program."""
KEYS = ("hooks", "disableAllHooks", "allowManagedHooksOnly", "enabledPlugins", "env")
"""Keys of settings that an agent may not change: the hooks, what switches them off, and `env`, which the runtime
gives to them: a PYTHONPATH there would run somebody else's code in the hook."""

SECONDS = 60
"""A hook's time limit. Longer than the wait for a lock, shorter than a person's patience."""


class HttpForEverySession(UsageError):
    """HTTP hooks in the user's settings."""

    code = "http-for-every-session"
    template = (
        "Hooks over HTTP in your own settings would block every session anywhere while `stet serve` is not running."
    )
    next_step = "Leave out --user, or --http."


class HttpNeedsOnFailure(UsageError):
    """HTTP hooks with a Claude Code that lets a call pass when nobody answers."""

    code = "http-needs-on-failure"
    template = (
        "Claude Code {version} lets every call pass while `stet serve` does not answer; hooks over HTTP need 2.1.295."
    )
    next_step = "Update Claude Code, or run `stet install claude` without --http."


def settings_file(setup: Setup) -> Path:
    """The settings that the hooks go to."""
    if setup.scope == "user":
        return setup.home / ".claude" / "settings.json"
    return setup.root / ".claude" / ("settings.local.json" if setup.scope == "local" else "settings.json")


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every settings file that can carry the hooks, or switch them off."""
    return places(setup, settings_file, SCOPES)


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count. Claude Code writes others itself."""
    return dict.fromkeys(all_files(setup), KEYS)


def installed_version() -> tuple[int, ...]:
    """The version of the `claude` on PATH, () where there is none or it does not say."""
    program = shutil.which("claude")
    if program is None:
        return ()
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", said.stdout.strip())
    return tuple(int(part) for part in match.groups()) if match else ()


def handler(setup: Setup, event: str) -> Json:
    """One hook handler. `onFailure` only where the installed version knows it: an older one may refuse the key."""
    if setup.url:
        headers = {"Authorization": f"Bearer {setup.token}", "X-Stet-Entrypoint": "$CLAUDE_CODE_ENTRYPOINT"}
        hook: Json = {
            "type": "http",
            "url": setup.url,
            "headers": headers,
            "allowedEnvVars": ["CLAUDE_CODE_ENTRYPOINT"],
        }
    else:
        hook = {"type": "command", "command": setup.command(NAME)}
    hook["timeout"] = SECONDS
    if event in BLOCKING and setup.version >= ON_FAILURE:
        hook["onFailure"] = "block"
    return hook


def wanted(setup: Setup) -> dict[str, Json]:
    """The hook groups, one an event. Every tool is matched: one that nobody knows may write too."""
    result: dict[str, Json] = {}
    for event in EVENTS:
        group: Json = {"matcher": "*"} if event in TOOL_EVENTS else {}
        result[event] = {**group, "hooks": [handler(setup, event)]}
    return result


def install(setup: Setup) -> Done:
    """Merge the hooks into the settings. The token of `stet serve` goes into those of this machine only, which git does
    not share. A folder's hooks are in one of its two files at a time.

    Raises BadSettings, StorageError, HttpNeedsOnFailure, HttpForEverySession.
    """
    if setup.url:
        setup = _for_http(setup)
    done = groups.put_in(setup, settings_file(setup), wanted(setup), TITLE)
    files, said = list(done.files), list(done.said)
    if setup.scope != "user":
        other = setup._replace(scope="project" if setup.scope == "local" else "local")
        before = groups.taken_out(other, settings_file(other))
        if before.files:
            files += before.files
            said += before.said
    if setup.url:
        settings_file(setup).chmod(0o600)
        said.append(
            f"Now run `stet serve` in {setup.root} and keep it running: without its answer every call is blocked."
        )
    if not setup.version:
        said.append(
            "No `claude` is on PATH, so its version is unknown and `onFailure` was left out; run this again once it is."
        )
    elif setup.version < ON_FAILURE:
        version = ".".join(map(str, setup.version))
        said.append(
            f"Claude Code {version} lets a call pass when a hook cannot start or times out; 2.1.295 and later block."
        )
    return Done(tuple(files), tuple(said))


def _for_http(setup: Setup) -> Setup:
    if setup.scope == "user":
        raise HttpForEverySession
    if setup.version < ON_FAILURE:
        version = ".".join(map(str, setup.version)) or "of an unknown version"
        raise HttpNeedsOnFailure(version=version)
    return setup._replace(scope="local")


def undo(setup: Setup) -> Done:
    """Take the hooks out of the settings again, and nothing else."""
    return groups.taken_out(setup, settings_file(setup))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's, the machine's and the user's settings, those of the plugin among them."""
    found = groups.of(setup, settings_file, SCOPES)
    return found + [Hook(path, event, PLUGIN_COMMAND, "plugin") for path in _with_plugin(setup) for event in EVENTS]


def _with_plugin(setup: Setup) -> list[Path]:
    """The settings that switch this repository's plugin on."""
    found = []
    for path in all_files(setup):
        enabled = settings.read(path).get("enabledPlugins")
        if isinstance(enabled, dict) and any(on is True and _is_plugin(name) for name, on in enabled.items()):
            found.append(path)
    return found


def _is_plugin(name: str) -> bool:
    """Is this the plugin of this repository (firewall/agents/plugin), whatever marketplace it came from?"""
    return name.partition("@")[0] == PLUGIN


CANARY_EVENT = "PreToolUse"


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Claude Code would announce it."""
    call = {"file_path": str(setup.root / "stet.toml"), "content": ""}
    return {**_event(setup, "PreToolUse"), "tool_name": "Write", "tool_input": call, "tool_use_id": "stet-doctor"}


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return [
        {**_event(setup, "Stop"), "stop_hook_active": False, "background_tasks": []},
        {**_event(setup, "SessionEnd"), "reason": "other"},
    ]


def _event(setup: Setup, name: str) -> Json:
    return {
        "session_id": "stet-doctor", "transcript_path": "", "cwd": str(setup.root), "permission_mode": "acceptEdits",
        "hook_event_name": name,
    }  # fmt: skip


def denial(status: int, out: bytes, err: bytes) -> str:
    """The reason of a denial in a hook's answer, '' where it denies nothing."""
    if status == 2:
        return err.decode("utf-8", "replace").strip()
    try:
        answer = json.loads(out)["hookSpecificOutput"]
        return str(answer["permissionDecisionReason"]) if answer["permissionDecision"] == "deny" else ""
    except (ValueError, KeyError, TypeError):
        return ""


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    said = [
        f"{path} has disableAllHooks: no hook runs at all."
        for path in all_files(setup)
        if settings.read(path).get("disableAllHooks")
    ]
    if _with_plugin(setup) and not shutil.which("stet-hook"):
        does = (
            "blocks every prompt and call, in every folder" if setup.version >= ON_FAILURE else "lets every call pass"
        )
        said.append(
            f"The plugin {PLUGIN} is on in {_with_plugin(setup)[0]}, and `stet-hook`, its program, is not on PATH here:"
            f" Claude Code then {does}. Put {Path(setup.program).parent} on the PATH of whatever starts Claude Code, or"
            f" run `claude plugin disable {PLUGIN}`."
        )
    return (*said, *missing(NAME, EVENTS, hooks(setup)))


def gaps(setup: Setup) -> tuple[str, ...]:
    """What gets past the hooks of this runtime as it is set up here."""
    said = []
    if setup.version and setup.version < ON_FAILURE:
        version = ".".join(map(str, setup.version))
        said.append(
            f"Claude Code {version}: a hook that cannot start or times out lets the call pass (2.1.295 blocks)."
        )
    if not setup.version:
        said.append("No `claude` on PATH: its version is unknown.")
    said.append(
        "`claude --bare`, `--safe-mode` and a managed policy with allowManagedHooksOnly run without these hooks."
    )
    return tuple(said)
