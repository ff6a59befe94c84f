"""Hook settings in the form that Cursor, Windsurf and Copilot share: a list of handlers an event.

{"hooks": {"EVENT": [{"command": "…"}]}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firewall.agents.install import settings as files
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import Done, Hook, Setup


def merged(setup: Setup, path: Path, settings: Json, wanted: Mapping[str, Json], defaults: Json) -> Json:
    """Settings with Stet's handler for each event, in the place of any that was there for the same folder.

    Raises BadSettings.
    """
    result = {**defaults, **without(setup, path, settings)}
    hooks = dict(result.get("hooks") or {})
    for event, handler in wanted.items():
        hooks[event] = [*hooks.get(event, []), handler]
    return {**result, "hooks": hooks}


def without(setup: Setup, path: Path, settings: Json) -> Json:
    """Settings without Stet's handlers for this folder; an event that is empty then goes too. Raises BadSettings."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(listed, list) for listed in hooks.values()):
        raise BadSettings(path=path, problem="'hooks' is no object of lists")
    kept = {}
    for event, listed in hooks.items():
        left = [handler for handler in listed if not _is_mine(setup, handler)]
        if left or not listed:
            kept[event] = left
    result = {**settings, "hooks": kept}
    if not kept and (hooks or "hooks" not in settings):
        del result["hooks"]
    return result


def put_in(setup: Setup, path: Path, wanted: Mapping[str, Json], title: str, defaults: Json) -> Done:
    """Merge the handlers into a settings file. Raises BadSettings, StorageError."""
    before = files.read(path)
    after = merged(setup, path, before, wanted, defaults)
    if _sorted(before) == _sorted(after) or not files.write(path, after):
        return Done((), (f"{path} has the hooks already.",))
    return Done((path,), (f"{title} asks Stet before and after every tool ({path}).",))


def _sorted(settings: Json) -> Json:
    """The settings with the handlers of an event in one order: those of several projects may stand in any."""
    return {**settings, "hooks": {e: sorted(listed, key=repr) for e, listed in settings.get("hooks", {}).items()}}


def taken_out(setup: Setup, path: Path, defaults: Json) -> Done:
    """Take Stet's handlers for this folder out; a file that held nothing else goes too."""
    before = files.read(path)
    after = without(setup, path, before)
    if after == before:
        return Done((), (f"{path} has no hooks of Stet.",))
    if after in (dict(defaults), {**defaults, "hooks": {}}):
        files.leave(path, after, (setup.root, setup.home))
    else:
        files.write(path, after)
    return Done((path,), (f"Stet's hooks are out of {path}.",))


def found(setup: Setup, path: Path) -> Iterator[Hook]:
    """Stet's handlers for this folder in a settings file."""
    hooks = files.read(path).get("hooks")
    for event, listed in hooks.items() if isinstance(hooks, dict) else ():
        for handler in listed if isinstance(listed, list) else ():
            if _is_mine(setup, handler):
                yield Hook(path, str(event), str(handler.get("command") or handler.get("bash")), setup.scope)


def _is_mine(setup: Setup, handler: Any) -> bool:
    return isinstance(handler, dict) and setup.owns(handler.get("command") or handler.get("bash"))
