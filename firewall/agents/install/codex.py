"""Codex CLI: hooks in .codex/hooks.json, and their trust in config.toml.

Codex runs a hook only if the user trusted its exact text, by hash, and a project's hooks only in a trusted project;
otherwise it skips them in silence. So installing writes both, as text at the end of config.toml between two marks.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from firewall.agents.install import claude, groups, settings, toml_block
from firewall.agents.install.settings import Json
from firewall.agents.install.setup import GOES_ON, Done, Hook, Setup, missing, places

NAME = "codex"
TITLE = "Codex CLI"
TOOL_EVENTS = ("PreToolUse", "PostToolUse")
EVENTS = (*TOOL_EVENTS, "UserPromptSubmit", "SessionStart", "Stop")
SNAKE = {
    "PreToolUse": "pre_tool_use", "PostToolUse": "post_tool_use", "UserPromptSubmit": "user_prompt_submit",
    "SessionStart": "session_start", "Stop": "stop",
}  # fmt: skip
SECONDS = 60
CANARY_EVENT = "PreToolUse"
UPWARD = "repository"
"""In a git work tree it reads the hooks of the folders above as well; seen running with 0.171.0."""


def codex_home(setup: Setup) -> Path:
    """The user's own Codex folder."""
    return Path(os.environ.get("CODEX_HOME") or setup.home / ".codex")


def settings_file(setup: Setup) -> Path:
    """The file that the hooks go to."""
    return codex_home(setup) / "hooks.json" if setup.scope == "user" else setup.root / ".codex" / "hooks.json"


def config_file(setup: Setup) -> Path:
    """Where trust is kept."""
    return codex_home(setup) / "config.toml"


def all_files(setup: Setup) -> tuple[Path, ...]:
    """Every file that can carry the hooks, or their trust."""
    return (*places(setup, settings_file), config_file(setup))


def guarded(setup: Setup) -> dict[Path, tuple[str, ...]]:
    """Files to put back when an agent changes them, each with the keys that count; none: every byte."""
    return dict.fromkeys(all_files(setup), ("hooks",))


def wanted(setup: Setup) -> dict[str, Json]:
    """The hook groups, one an event."""
    hook = {"type": "command", "command": setup.command(NAME), "timeout": SECONDS}
    return {e: {**({"matcher": "*"} if e in TOOL_EVENTS else {}), "hooks": [hook]} for e in EVENTS}


def trust_hash(event: str, group: Json, hook: Json) -> str:
    """The hash by which Codex knows a hook that the user trusted: of its compact JSON with sorted keys."""
    value: Json = {
        "event_name": SNAKE[event],
        "hooks": [{"async": False, "command": hook["command"], "timeout": hook.get("timeout", 600), "type": "command"}],
    }
    if "matcher" in group:
        value["matcher"] = group["matcher"]
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def trust(path: Path, value: Json) -> dict[str, str]:
    """Key and hash for each of Stet's hooks in a hooks.json."""
    result = {}
    hooks = value.get("hooks")
    for event, listed in hooks.items() if isinstance(hooks, dict) else ():
        for at, group in enumerate(listed if isinstance(listed, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, hook in enumerate(handlers if isinstance(handlers, list) else ()):
                if event in SNAKE and groups.is_handler_ours(hook):
                    result[f"{path}:{SNAKE[event]}:{at}:{number}"] = trust_hash(event, group, hook)
    return result


def install(setup: Setup) -> Done:
    """Merge the hooks in and trust them. Raises BadSettings, StorageError."""
    config = config_file(setup)
    text = toml_block.read(config)
    toml_block.parsed(config, text)  # hooks that could not be trusted would not run
    done = groups.put_in(setup, settings_file(setup), wanted(setup), TITLE)
    after = _with_trust(setup, text)
    if after == text:
        return done
    toml_block.put(config, after)
    trusted = f"The hooks and the project are trusted ({config}): without that Codex skips them in silence."
    return Done((*done.files, config), (*done.said, trusted))


def undo(setup: Setup) -> Done:
    """Take the hooks and their trust out again, and nothing else."""
    done = groups.taken_out(setup, settings_file(setup))
    config = config_file(setup)
    text = toml_block.read(config)
    after = _with_trust(setup, text, undo=True)
    if after == text:
        return done
    toml_block.put(config, after, (setup.root, setup.home))
    return done._replace(files=(*done.files, config), said=(*done.said, f"Their trust is out of {config}."))


def hooks(setup: Setup) -> list[Hook]:
    """Stet's hooks in the project's and the user's files."""
    return groups.of(setup, settings_file)


def _with_trust(setup: Setup, text: str, *, undo: bool = False) -> str:
    """config.toml with the trust of what is in hooks.json now, between the marks.

    All projects share this file: what the block says of others stays, unless they are gone. A project that the user
    has settled outside of the block is left as it is.
    """
    path, config = settings_file(setup), config_file(setup)
    settled = toml_block.parsed(config, toml_block.without(text, NAME)).get("projects", {})
    before = toml_block.inside(config, text, NAME)
    projects = [p for p in before.get("projects", {}) if Path(p).is_dir()]
    state = {
        key: str(value.get("trusted_hash"))
        for key, value in before.get("hooks", {}).get("state", {}).items()
        if not key.startswith(f"{path}:") and Path(key.rsplit(":", 3)[0]).exists()
    }
    if setup.scope != "user":
        root = str(setup.root)
        projects = [p for p in projects if p != root] + ([] if undo or root in settled else [root])
    lines = []
    for project in projects:
        lines += [f"[projects.{toml_block.quoted(project)}]", 'trust_level = "trusted"']
    for key, value in {**state, **trust(path, settings.read(path))}.items():
        lines += [f"[hooks.state.{toml_block.quoted(key)}]", f"trusted_hash = {toml_block.quoted(value)}"]
    after = toml_block.with_block(config, text, NAME, lines)
    same = toml_block.parsed(config, after) == toml_block.parsed(config, text)
    return text if same else after


def canary(setup: Setup) -> Json:
    """A write that no project allows, as Codex would announce it."""
    patch = "*** Begin Patch\n*** Delete File: stet.toml\n*** End Patch\n"
    return {
        **claude.canary(setup), "turn_id": "stet-doctor", "model": "", "tool_name": "apply_patch",
        "tool_input": {"command": patch},
    }  # fmt: skip


def canary_end(setup: Setup) -> list[Json]:
    """What closes the canary's session again."""
    return claude.canary_end(setup)[:1]


denial = claude.denial


def off(setup: Setup) -> tuple[str, ...]:
    """What keeps hooks from running here."""
    said = []
    config = toml_block.parsed(config_file(setup), toml_block.read(config_file(setup)))
    state = config.get("hooks", {}).get("state", {})
    for path in all_files(setup):
        if path.name != "hooks.json":
            continue
        value = settings.read(path)
        untrusted = [k for k, v in trust(path, value).items() if state.get(k, {}).get("trusted_hash") != v]
        if untrusted:
            said.append(
                f"{len(untrusted)} hooks of {path} are not trusted: Codex skips them in silence. Install again."
            )
    project = config.get("projects", {}).get(str(setup.root), {}).get("trust_level")
    if any(h.file == setup.root / ".codex" / "hooks.json" for h in hooks(setup)) and project != "trusted":
        said.append(f"{setup.root} is not a trusted project: Codex does not run its hooks.")
    return (*said, *missing(NAME, EVENTS, hooks(setup)))


def gaps(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - one signature for all runtimes
    """What gets past the hooks of this runtime."""
    return (
        "Codex hides a command's working folder (workdir) from hooks: what changed is found after the command.",
        "Text typed into a running command (write_stdin) fires no hook before it; it is found at the next event.",
        "A hook that cannot start, times out or is killed lets the call pass; `codex cloud` runs no hooks.",
        GOES_ON,
    )
