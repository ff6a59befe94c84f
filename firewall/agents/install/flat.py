"""Hook settings in the form that Cursor, Windsurf and Copilot share: a list of handlers an event.

{"hooks": {"EVENT": [{"command": "…"}]}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firewall.agents.install import settings as files
from firewall.agents.install.settings import BadSettings, Json
from firewall.agents.install.setup import Done, Hook, is_ours


def merged(path: Path, settings: Json, wanted: Mapping[str, Json], defaults: Json) -> Json:
    """Settings with Stet's handler for each event, in the place of any that it put there before. Raises BadSettings."""
    result = {**defaults, **without(path, settings)}
    hooks = dict(result.get("hooks") or {})
    for event, handler in wanted.items():
        hooks[event] = [*hooks.get(event, []), handler]
    return {**result, "hooks": hooks}


def without(path: Path, settings: Json) -> Json:
    """Settings without Stet's handlers; an event that is empty then goes too. Raises BadSettings."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(listed, list) for listed in hooks.values()):
        raise BadSettings(path=path, problem="'hooks' is no object of lists")
    kept = {}
    for event, listed in hooks.items():
        left = [handler for handler in listed if not _is_ours(handler)]
        if left or not listed:
            kept[event] = left
    if "hooks" not in settings:
        return dict(settings)
    return {**settings, "hooks": kept}


def put_in(path: Path, wanted: Mapping[str, Json], title: str, defaults: Json) -> Done:
    """Merge the handlers into a settings file. Raises BadSettings, StorageError."""
    if not files.write(path, merged(path, files.read(path), wanted, defaults)):
        return Done((), (f"{path} has the hooks already.",))
    return Done((path,), (f"{title} asks Stet before and after every tool ({path}).",))


def taken_out(path: Path, defaults: Json) -> Done:
    """Take Stet's handlers out; a file that held nothing else goes too."""
    before = files.read(path)
    after = without(path, before)
    if after == before:
        return Done((), (f"{path} has no hooks of Stet.",))
    if after == {**defaults, "hooks": {}}:
        files.remove_if_empty(path, {})
    else:
        files.write(path, after)
    return Done((path,), (f"Stet's hooks are out of {path}.",))


def found(path: Path) -> Iterator[Hook]:
    """Stet's handlers in a settings file."""
    hooks = files.read(path).get("hooks")
    for event, listed in hooks.items() if isinstance(hooks, dict) else ():
        for handler in listed if isinstance(listed, list) else ():
            if _is_ours(handler):
                yield Hook(path, str(event), str(handler.get("command") or handler.get("bash")))


def _is_ours(handler: Any) -> bool:
    return isinstance(handler, dict) and is_ours(handler.get("command") or handler.get("bash"))
