"""Hook settings in the form that Claude Code, Codex, Gemini CLI and Qwen Code share.

    {"hooks": {"EVENT": [{"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}]}}

Stet's entries are groups of their own, so that nobody else's is touched; they are known by the program they name, and
in the user's settings, which hold groups for several projects, by the folder as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from firewall.agents.install import settings as files
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import Done, Hook, Setup, is_ours, scoped

Mine = Callable[[Any], bool]
"""Is this handler one that Stet put there, and that the caller answers for?"""


def is_handler_ours(handler: Any) -> bool:
    """Is this handler one that Stet put there, for whatever project?"""
    return _is_handler(handler, is_ours)


def mine(setup: Setup) -> Mine:
    """Which handlers in settings of the setup's scope are Stet's, and for its folder."""
    return lambda handler: _is_handler(handler, setup.owns)


def _is_handler(handler: Any, owns: Callable[[object], bool]) -> bool:
    if not isinstance(handler, dict):
        return False
    url = handler.get("url")
    if isinstance(url, str) and url.endswith("/stet/hook"):
        return True
    return owns(handler.get("command"))


def merged(path: Path, settings: Json, wanted: Mapping[str, Json], is_mine: Mine = is_handler_ours) -> Json:
    """Settings with Stet's group for each event of `wanted`, in the place of any that was there for the same folder.

    Raises BadSettings.
    """
    result = without(path, settings, is_mine)
    hooks = dict(result.get("hooks") or {})
    for event, group in wanted.items():
        hooks[event] = [*hooks.get(event, []), group]
    return {**result, "hooks": hooks}


def without(path: Path, settings: Json, is_mine: Mine = is_handler_ours) -> Json:
    """Settings without these hooks of Stet; a group or event that is empty then goes too. Raises BadSettings."""
    hooks = settings.get("hooks")
    if hooks is None:
        return {k: v for k, v in settings.items() if k != "hooks"} if "hooks" in settings else dict(settings)
    if not isinstance(hooks, dict):
        raise BadSettings(path=path, problem="'hooks' is no object")
    kept: Json = {}
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise BadSettings(path=path, problem=f"hooks.{event} is no list")
        left = [group for group in (_stripped(g, is_mine) for g in groups) if group is not None]
        if left or not groups:
            kept[event] = left
    result = {**settings, "hooks": kept}
    if not kept and hooks:
        del result["hooks"]
    return result


def _stripped(group: Any, is_mine: Mine) -> Any:
    """A group without Stet's handlers; None where nothing else was in it."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [handler for handler in group["hooks"] if not is_mine(handler)]
    if len(left) == len(group["hooks"]):
        return group
    return {**group, "hooks": left} if left else None


def put_in(setup: Setup, path: Path, wanted: Mapping[str, Json], title: str) -> Done:
    """Merge the groups into a settings file. Raises BadSettings, StorageError."""
    before = files.read(path)
    after = merged(path, before, wanted, mine(setup))
    if _same(before, after) or not files.write(path, after):
        return Done((), (f"{path} has the hooks already.",))
    return Done((path,), (f"{title} asks Stet before and after every tool ({path}).",))


def _same(before: Json, after: Json) -> bool:
    """Do both say the same? Groups of several projects may stand in another order: none comes before another."""

    def sorted_groups(value: Json) -> Json:
        hooks = value.get("hooks")
        if not isinstance(hooks, dict):
            return value
        return {**value, "hooks": {e: sorted(g, key=repr) if isinstance(g, list) else g for e, g in hooks.items()}}

    return sorted_groups(before) == sorted_groups(after)


def taken_out(setup: Setup, path: Path) -> Done:
    """Take Stet's hooks for this folder out of a settings file; a file that held nothing else goes too."""
    before = files.read(path)
    after = without(path, before, mine(setup))
    if after == before:
        return Done((), (f"{path} has no hooks of Stet.",))
    if after:
        files.write(path, after)
    else:
        files.leave(path, after, (setup.root, setup.home))
    return Done((path,), (f"Stet's hooks are out of {path}.",))


def found(path: Path, settings: Json, is_mine: Mine = is_handler_ours) -> Iterator[Hook]:
    """Stet's hooks in these settings."""
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                if is_mine(handler):
                    yield Hook(path, str(event), str(handler.get("command") or handler.get("url")))


def of(setup: Setup, file: Callable[[Setup], Path], scopes: Sequence[str] = ("project", "user")) -> list[Hook]:
    """Stet's hooks for this folder in the settings of each scope."""
    return [
        hook._replace(scope=one.scope)
        for one, path in scoped(setup, file, scopes)
        for hook in found(path, files.read(path), mine(one))
    ]
