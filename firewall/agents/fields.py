"""What adapters share: reading JSON that a runtime sent, without trusting its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firewall import jsons
from firewall.agents import events
from firewall.agents.events import Answer, Event, Seen
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias


Json: TypeAlias = "dict[str, Any]"


class Wrong(ValueError):
    """The input is not of the form that the runtime documents; the message says where."""


def event(data: bytes, runtime: str, kinds: Mapping[str, str], key: str, build: Callable[[Json, str], Event]) -> Event:
    """The event that `build` makes of the JSON object and its kind. Never raises.

    `key` holds the event's name, `kinds` says what kind that is. What is not understood has a `problem`, and its kind
    where that could be told, so that what was asked before a tool runs is refused.
    """
    kind = events.OTHER
    try:
        value = jsons.loads(data.decode("utf-8"))
        if not isinstance(value, dict):
            raise Wrong(f"it is {type(value).__name__}, not an object")
        kind = kinds.get(text(value, key), events.OTHER)
        return build(value, kind)
    except (Wrong, ValueError, RecursionError) as error:
        return Event(runtime, kind, problem=f"the hook's input was not understood ({error})")


def common(runtime: str, kind: str, value: Mapping[str, Any]) -> Event:
    """An event with what Claude Code and those that speak like it tell of each. Raises Wrong."""
    return Event(
        runtime,
        kind,
        session=text(value, "session_id", default=""),
        agent=text(value, "agent_id", default=""),
        cwd=text(value, "cwd", default=""),
        mode=text(value, "permission_mode", default=""),
    )


def text(value: Mapping[str, Any], *keys: str, default: str | None = None) -> str:
    """The first of the keys that is there. Raises Wrong where none is, or it holds no text."""
    for key in keys:
        if key in value:
            found = value[key]
            if not isinstance(found, str):
                raise Wrong(f"{key!r} is {type(found).__name__}, not a text")
            return found
    if default is None:
        raise Wrong(f"{keys[0]!r} is missing")
    return default


def flag(value: Mapping[str, Any], *keys: str) -> bool:
    """The first of the keys that is there, which must be true or false; false where none is. Raises Wrong."""
    for key in keys:
        if value.get(key) is not None:
            if not isinstance(value[key], bool):
                raise Wrong(f"{key!r} is neither true nor false")
            return bool(value[key])
    return False


def table(value: Mapping[str, Any], *keys: str, default: Json | None = None) -> Json:
    """The first of the keys that is there, which must be an object. Raises Wrong."""
    for key in keys:
        if value.get(key) is not None:
            if not isinstance(value[key], dict):
                raise Wrong(f"{key!r} is no object")
            return dict(value[key])
    if default is None:
        raise Wrong(f"{keys[0]!r} is missing")
    return default


def tables(value: Mapping[str, Any], key: str) -> list[Json]:
    """A list of objects. Raises Wrong."""
    found = value.get(key)
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Wrong(f"{key!r} is no list of objects")
    return found


MOST = 9_500
"""Characters of a text in an answer; Claude Code cuts at 10,000."""


def cut(words: str) -> str:
    """No more of a text than runtimes take."""
    return words if len(words) <= MOST else words[: MOST - 1] + "…"


GO_ON = "Go on with other work."
STOPPED = "The run ends here; a person decides how it goes on."


def reason(answer: Answer, *, stopped: bool = False) -> str:
    """The words for the model, never none: some runtimes let a call pass whose refusal has no reason.

    Where the run is to end they say whether it does: `stopped` is what this runtime makes of the answer.
    """
    words = answer.reason.strip() or "Stet refused it."
    if not answer.stop:
        return cut(words)
    end = f"\n{STOPPED if stopped else GO_ON}"
    return (words if len(words) + len(end) <= MOST else f"{words[: MOST - len(end) - 1]}…") + end


def dumped(value: Json) -> str:
    """Compact JSON in one line of ASCII, whatever letters are in it; '' for nothing."""
    return jsons.dumps(value, compact=True) if value else ""


MOST_LINES = 2_000
"""What the read tools of Gemini CLI, Qwen Code, opencode and others show at most unless asked for a part."""


def seen(given: Mapping[str, Any], *, first: str = "offset", lines: str = "limit", base: int = 0) -> Seen:
    """Lines that a read tool was asked for; `base` is the number of a file's first line. Raises Wrong."""
    numbers = []
    for key, default in ((first, base), (lines, MOST_LINES)):
        value = given.get(key)
        value = default if value is None else value
        if isinstance(value, float) and value.is_integer():  # infinity is none, and ends no hook
            value = int(value)
        if type(value) is not int or value < 0:
            raise Wrong(f"{key!r} is no number of lines")
        numbers.append(value)
    return Seen(max(1, numbers[0] - base + 1), numbers[1], -1)
