"""Does an event concern a guarded folder? Asked where hooks run for sessions that may have nothing to do with it, and
where the folder is not where the hooks say.

Hooks in the user's own settings run in every session, once for each project. Those of other projects keep silent, so
that a session there neither waits nor puts a person's work here under judgement. What counts as concerned: a session in
the folder, above it or with an open turn in it, and a call that names the folder or a file in it.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from firewall.agents import events
from firewall.agents.events import Answer, Event, ToolCall
from firewall.errors import StateBroken, StetError
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


PROJECT_VARIABLES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "CURSOR_PROJECT_DIR")
"""In which folder the session was started: what a runtime tells its hooks, wherever a shell of it has gone since."""

MOST_WORDS = 2_000
"""Words of a command that are looked at; a longer one is taken to be of concern."""

_BETWEEN = re.compile(r"[\s'\"`;&|<>()=:,{}\[\]]+")
_PATH_KINDS = (events.WRITE, events.EDIT, events.APPEND, events.NOTEBOOK, events.DELETE, events.MOVE, events.READ)


class FolderMoved(StateBroken):
    """The folder that the installed hooks name is gone."""

    code = "folder-moved"
    template = "The hooks were installed for {root}, and {moved}."
    next_step = "A person runs `stet install {runtime}` in the folder where it is now; until then nothing is written."


def concerns(event: Event, root: str, state: str, environment: Mapping[str, str], *, every_session: bool) -> bool:
    """Is this event one that the hooks of `root` answer? With `every_session` they are in the user's own settings, else
    in the folder's own and always asked.

    Raises FolderMoved where the folder is not there any more and the session may be in it.
    """
    starts = folders(event, environment)
    if not Path(root).is_dir():
        new = next((place for start in starts if (place := _moved_to(root, start))), "")
        if every_session and not new and not any(_is_inside(start, root) for start in starts):
            return False
        moved = f"that folder is {new} now" if new else "there is no such folder any more"
        runtime = f"{event.runtime} --user" if every_session else event.runtime
        raise FolderMoved(root=root, moved=moved, runtime=runtime)
    if not every_session:
        return True
    real = os.path.realpath(root)
    if any(_is_near(start, real) for start in starts):
        return True
    base = starts[0] if starts else real
    calls = (event.call, *event.calls)
    return (
        any(_is_inside(_below(base, name), real) for name in event.mentions)
        or any(_names(call, base, real) for call in calls if call is not None)
        or _has_turn(event.session, root, state)
    )


def away(event: Event, root: str, state: str, environment: Mapping[str, str]) -> list[str]:
    """Where the session is, if that has nothing to do with `root`, though its settings, which are no user's own, name
    that folder: settings that were committed and cloned. [] for a session of the folder's, wherever it is now."""
    starts = folders(event, environment)
    real = os.path.realpath(root)
    if any(_is_near(start, real) for start in starts) or _has_turn(event.session, root, state):
        return []
    return starts


def of_another(event: Event, answer: Answer, named: str, here: str) -> Answer:
    """The answer, with word for the person that the hooks here were installed for another folder."""
    if event.kind not in (events.START, events.PROMPT):
        return answer
    said = (
        f"Stet's hooks in the settings of {here} name {named}, where they were installed. They guard this folder as it"
        f" is, and nobody keeps them here: a person runs `stet install {event.runtime}` in it."
    )
    return answer._replace(notice=f"{answer.notice}\n{said}".strip())


def folders(event: Event, environment: Mapping[str, str]) -> list[str]:
    """Where the session is, and where it was started."""
    found = [event.cwd, *(environment.get(name, "") for name in PROJECT_VARIABLES)]
    if not event.cwd:
        with contextlib.suppress(OSError):  # it was removed
            found[0] = str(Path.cwd())
    return [place for place in found if Path(place).is_absolute()]


def _moved_to(root: str, start: str) -> str:
    """The folder at or above `start` that stood at `root` when it was last guarded, '' where there is none."""
    from firewall.writes import known

    try:
        noted = known.get(Path(root))
    except StetError:
        return ""
    if noted is None:
        return ""
    for place in (Path(start), *Path(start).parents):
        if str(place) != root and known.among([noted], place) is not None:
            return str(place)
    return ""


def _below(base: str, path: str) -> str:
    """The real path of what a session in `base` calls `path`."""
    return os.path.realpath(Path(base) / os.path.expanduser(path))  # noqa: PTH111 - never fails


def _is_inside(real: str, root: str) -> bool:
    return real == root or real.startswith(root.rstrip("/") + "/")


def _is_near(path: str, root: str) -> bool:
    """In the folder, or above it."""
    real = os.path.realpath(path)
    return _is_inside(real, root) or _is_inside(root, real)


def _names(call: ToolCall, base: str, root: str) -> bool:
    """Does a call name the folder, or something in it?"""
    base = _below(base, call.workdir)
    if call.kind == events.NOTHING:
        return False
    if call.kind in _PATH_KINDS:
        return any(_is_inside(_below(base, path), root) for path in (call.path, call.target) if path)
    if call.kind == events.PATCH:
        heads = (line.partition(": ")[2].strip() for line in call.patch.splitlines() if line.startswith("***"))
        return _is_near(base, root) or any(_is_inside(_below(base, path), root) for path in heads if path)
    text = "\n".join([call.command, call.workdir, *_strings(call.given)])
    if Path(root).name.casefold() in text.casefold():
        return True
    words = _BETWEEN.split(os.path.expandvars(text))
    if len(words) > MOST_WORDS:
        return True
    paths = (word for word in words if "/" in word or word.startswith(("~", "..")))
    return any(_is_near(_below(base, word), root) for word in paths)


def _strings(value: Any) -> Iterator[str]:
    """All texts in a tool's arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _has_turn(session: str, root: str, state: str) -> bool:
    """Has the session a turn open in the folder? A record that cannot be read says no: what is done in the folder
    is refused by its own events, and one broken project does not stop the work in all others."""
    path = Path(state)
    if not session or not (path / "ledger.db").is_file():
        return False
    from firewall.writes.ledger import Ledger

    try:
        ledger = Ledger(path, Path(root), expected=True)
        try:
            rows = ledger.query(
                "SELECT 1 FROM turns WHERE root=? AND session=? AND closed_at IS NULL LIMIT 1",
                (ledger.root_id, session),
            )
        finally:
            ledger.close()
    except StetError:
        return False
    return bool(rows)


def found(start: Path) -> tuple[str, str] | None:
    """The folders of the project that `start` is in; None outside of any."""
    from firewall.errors import NoProject
    from firewall.writes import known, project

    try:
        root = project.find_root(start)
    except NoProject:
        return None
    noted = known.get(root)
    if noted is not None:
        return str(root), noted.state
    return str(root), str(project.load(root).state)
