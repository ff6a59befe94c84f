"""What an agent's runtime tells, and what it is answered, in one form for every runtime.

An adapter (one file a runtime) turns the runtime's JSON into an Event and an Answer into what that runtime needs,
and nothing more. What happens in between knows no runtime. Lean imports only: the hook pays for each.
"""

from __future__ import annotations

from collections.abc import Mapping

from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, Final


# Kinds of events.
START: Final = "start"  # a session begins
PROMPT: Final = "prompt"  # a person asked for something: the turn opens
BEFORE: Final = "before"  # a tool is about to run
AFTER: Final = "after"  # a tool has run
FAILED: Final = "failed"  # a tool has run and failed, or was interrupted
BATCH: Final = "batch"  # all calls of one answer of the model are done, refused ones and failed ones among them
STOP: Final = "stop"  # the agent is done; the turn closes unless background tasks are left
SUBSTOP: Final = "substop"  # a subagent is done
CONFIG: Final = "config"  # the runtime's own settings changed
END: Final = "end"  # the session ends
OTHER: Final = "other"  # an event that nobody here knows: answered with nothing

# Kinds of tool calls.
WRITE: Final = "write"  # the whole file: path, content
EDIT: Final = "edit"  # replacements: path, edits
APPEND: Final = "append"  # text at the end: path, content
NOTEBOOK: Final = "notebook"  # one cell: path, cell
PATCH: Final = "patch"  # an apply_patch envelope: patch
DELETE: Final = "delete"  # path
MOVE: Final = "move"  # path, target
READ: Final = "read"  # path, seen
SHELL: Final = "shell"  # command, workdir; anything may happen to the disk
NOTHING: Final = "nothing"  # reaches no file, or only through tools that are events of their own
UNKNOWN: Final = "unknown"  # a tool that nobody here knows: treated as a shell


class Edit(NamedTuple):
    """One replacement; unless `everywhere`, `old` must stand in the file exactly once.

    `with_line_end`: the runtime takes the line end behind `old` away as well where `new` is empty.
    """

    old: str
    new: str
    everywhere: bool = False
    with_line_end: bool = False


class Cell(NamedTuple):
    """What to do with one notebook cell: mode `replace`, `insert` or `delete`; kind `code`, `markdown` or ''."""

    id: str
    source: str
    kind: str = ""
    mode: str = "replace"


class Seen(NamedTuple):
    """Lines that a read showed: the first, how many, and how many the file has. Lines count from 1.

    A `total` below 0 says that the runtime does not tell it: the file's own lines are counted.
    """

    first: int
    lines: int
    total: int


class ToolCall(NamedTuple):
    """One call of a tool. Paths are as the runtime gave them; relative ones belong to `workdir`, else to `cwd`."""

    id: str
    name: str
    kind: str
    path: str = ""
    content: str | None = None
    edits: tuple[Edit, ...] = ()
    cell: Cell | None = None
    patch: str = ""
    target: str = ""
    command: str = ""
    workdir: str = ""
    seen: Seen | None = None
    failed: str = ""
    """What the runtime said of a call that failed before or while it ran."""
    given: Mapping[str, Any] = {}
    """The tool's own arguments, for tools that only the policy's table knows."""


class Event(NamedTuple):
    """One thing that a runtime told.

    `person` says that somebody sits at the runtime and its mode lets them answer a question. `background` says
    that tasks run on after a stop. `calls` are those of a batch; `file` is the settings file that changed.
    `mentions` are files that the person's prompt put before the agent. `problem` is set where the input was not
    understood: then what is asked is refused, in those words.
    """

    runtime: str
    kind: str
    session: str = ""
    agent: str = ""
    cwd: str = ""
    mode: str = ""
    person: bool = False
    call: ToolCall | None = None
    calls: tuple[ToolCall, ...] = ()
    background: bool = False
    file: str = ""
    mentions: tuple[str, ...] = ()
    problem: str = ""


class Answer(NamedTuple):
    """What a runtime is answered.

    `decision` is '' (an allowed call is silent; a `reason` beside it is told to the model where that can be done),
    'deny' (before), 'ask' (before; the person is asked with `reason`), or 'block' (after: the model is told
    `reason`). `notice` is for the person; `stop` ends the agent's run, in addition to the decision.
    """

    decision: str = ""
    reason: str = ""
    notice: str = ""
    stop: bool = False


class Reply(NamedTuple):
    """What a hook's process says to its runtime: standard output, standard error, exit status.

    An adapter is a module with `read(data: bytes, environment) -> Event`, which never raises, and
    `reply(event, answer) -> Reply`.
    """

    out: str = ""
    err: str = ""
    status: int = 0
