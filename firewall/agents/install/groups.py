"""Hook settings in the form that Claude Code, Codex, Gemini CLI and Qwen Code share.

    {"hooks": {"EVENT": [{"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}]}}

Stet's entries are groups of their own, so that nobody else's is touched; they are known by the program they name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firewall.agents.install import settings as files
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import Done, Hook, is_ours


def merged(path: Path, settings: Json, wanted: Mapping[str, Json], ours_at: str = "") -> Json:
    """Settings with Stet's group for each event of `wanted`, in the place of any that Stet put there before.

    `ours_at` is the address of `stet serve`: a hook that asks it is Stet's as well. Raises BadSettings.
    """
    result = without(path, settings, ours_at)
    hooks = dict(result.get("hooks") or {})
    for event, group in wanted.items():
        hooks[event] = [*hooks.get(event, []), group]
    return {**result, "hooks": hooks}


def without(path: Path, settings: Json, ours_at: str = "") -> Json:
    """Settings without Stet's hooks; a group or event that is empty then goes too. Raises BadSettings."""
    hooks = settings.get("hooks")
    if hooks is None:
        return {k: v for k, v in settings.items() if k != "hooks"} if "hooks" in settings else dict(settings)
    if not isinstance(hooks, dict):
        raise BadSettings(path=path, problem="'hooks' is no object")
    kept: Json = {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise BadSettings(path=path, problem=f"hooks.{event} is no list")
        left = [group for group in (_stripped(g, ours_at) for g in groups) if group is not None]
        if left or not groups:
            kept[event] = left
    result = {**settings, "hooks": kept}
    if not kept and hooks:
        del result["hooks"]
    return result


def _stripped(group: Any, ours_at: str) -> Any:
    """A group without Stet's handlers; None where nothing else was in it."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [handler for handler in group["hooks"] if not _is_ours(handler, ours_at)]
    if len(left) == len(group["hooks"]):
        return group
    return {**group, "hooks": left} if left else None


def _is_ours(handler: Any, ours_at: str) -> bool:
    if not isinstance(handler, dict):
        return False
    url = handler.get("url")
    if isinstance(url, str) and (url.endswith("/stet/hook") or (ours_at and url == ours_at)):
        return True
    return is_ours(handler.get("command"))


def put_in(path: Path, wanted: Mapping[str, Json], title: str, ours_at: str = "") -> Done:
    """Merge the groups into a settings file. Raises BadSettings, StorageError."""
    if not files.write(path, merged(path, files.read(path), wanted, ours_at)):
        return Done((), (f"{path} has the hooks already.",))
    return Done((path,), (f"{title} asks Stet before and after every tool ({path}).",))


def taken_out(path: Path, ours_at: str = "") -> Done:
    """Take Stet's hooks out of a settings file; a file that held nothing else goes too."""
    before = files.read(path)
    after = without(path, before, ours_at)
    if after == before:
        return Done((), (f"{path} has no hooks of Stet.",))
    if not files.remove_if_empty(path, after):
        files.write(path, after)
    return Done((path,), (f"Stet's hooks are out of {path}.",))


def is_handler_ours(handler: Any) -> bool:
    """Is this handler one that Stet put there?"""
    return _is_ours(handler, "")


def found(path: Path, settings: Json) -> Iterator[Hook]:
    """Stet's hooks in these settings."""
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                if _is_ours(handler, ""):
                    yield Hook(path, str(event), str(handler.get("command") or handler.get("url")))
