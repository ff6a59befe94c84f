"""Every error a user can meet: a stable code, one clear sentence, a next step, an exit status.

Refusals are not errors: they are verdicts. An error says that a judgement could not be made, and
then nothing is written.
"""

from __future__ import annotations

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import ClassVar


EXIT_OK = 0
EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_LATCHED = 4
EXIT_INTERRUPTED = 130


class StetError(Exception):
    """Base of all errors shown to users.

    Subclasses set `code` (stable, kebab-case), `template` (one sentence, `str.format` fields),
    `next_step` (what to do now, same fields) and `exit_status`.
    """

    code: ClassVar[str] = "stet-error"
    template: ClassVar[str] = "{detail}"
    next_step: ClassVar[str] = ""
    exit_status: ClassVar[int] = EXIT_REFUSED

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        self.message = self.template.format(**fields)
        self.hint = self.next_step.format(**fields)
        super().__init__(self.message)

    def to_json(self) -> dict[str, object]:
        """The error as the JSON object that commands print with `--json`."""
        return {"outcome": "error", "code": self.code, "message": self.message, "next": self.hint}


class UsageError(StetError):
    """The command's words are off."""

    code = "usage"
    exit_status = EXIT_USAGE


class NoProject(UsageError):
    """No stet.toml in the folder or above it."""

    code = "no-project"
    template = "No stet.toml in {start} or any folder above it."
    next_step = "Run `stet init` in the folder whose files you want guarded."


class ProjectExists(UsageError):
    """init where a project is already."""

    code = "project-exists"
    template = "{path} exists already, and was left as it is."
    next_step = (
        "Edit it. For the defaults back, take your own lines out of it, but never the `id`, and run"
        " `stet accept stet.toml`; `stet doctor` says whether the folder is guarded."
    )


class PolicyError(UsageError):
    """stet.toml cannot be used. Fields: path, line, problem, fix."""

    code = "bad-policy"
    template = "{path}, line {line}: {problem}."
    next_step = "{fix}"


class BadContent(UsageError):
    """The content given for a proposal cannot be read."""

    code = "bad-content"
    template = "The content could not be read: {detail}."
    next_step = "Give it on standard input or with --content FILE."


class NameNotUtf8(UsageError):
    """A word of the command line that is no text."""

    code = "name-not-utf8"
    template = "A name that was given is not UTF-8, so nothing can be known under it."
    next_step = "Rename the file, or give the name in UTF-8."


class NotFound(UsageError):
    """A named thing does not exist."""

    code = "not-found"
    template = "There is no {what} {name!r} here."
    next_step = "{fix}"


class NeedsPerson(StetError):
    """An operator command without a person behind it."""

    code = "needs-person"
    template = "`stet {command}` changes what Stet enforces, so it needs a person: {detail}."
    next_step = "A person runs `stet {command}` at a terminal of their own, outside any agent."


class StateBroken(StetError):
    """The state folder is missing, elsewhere, unreadable or damaged: nothing may be written."""

    code = "state-broken"
    template = "Stet's record of this project cannot be used: {detail}."
    next_step = "{fix}"


class StorageError(StetError):
    """The operating system refused an operation of the commit path; the artifact is as it was."""

    code = "storage"
    template = "Could not {action} {path}: {reason}. It is as it was."
    next_step = "See that there is space and that you may use {path} and the folders above it, then try again."


class Busy(StetError):
    """Another process holds the artifact's lock for longer than the time-out."""

    code = "busy"
    template = "{path} is being written by another process; waited {seconds} s."
    next_step = "Try again."
