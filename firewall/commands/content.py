"""Where a proposal's bytes come from: standard input, a file, an edit, or a delete."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from firewall.errors import BadContent, UsageError
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome
from firewall.writes import disk, paths
from firewall.writes.proxy import WriteProxy

Command = TypeVar("Command", bound=Callable[..., Any])


class ConflictingOptions(UsageError):
    """Two options that exclude each other."""

    code = "conflicting-options"
    template = "Only one of --content, --delete and --edit can be given."
    next_step = "`stet write --help` shows them."


class NothingToDelete(UsageError):
    """A delete of what is not there, and was not there when Stet last looked."""

    code = "nothing-to-delete"
    template = "There is no {path} to delete."
    next_step = "See that the name is right; the folder is that of the command."


_OPTIONS = (
    click.option(
        "--content",
        type=click.Path(path_type=Path, readable=False),
        help="File with the new content; - is standard input.",
    ),
    click.option("--delete", is_flag=True, help="Propose to delete the file."),
    click.option(
        "--edit",
        nargs=2,
        type=click.Path(path_type=Path, readable=False),
        metavar="OLD_FILE NEW_FILE",
        help="Replace OLD_FILE's text, which must stand in PATH exactly once, by NEW_FILE's.",
    ),
    click.option("--base", metavar="SHA256", help="Hash of the content you worked from; refused if it changed."),
    click.option("--stop-reason", metavar="R", help="Why the model stopped, in its API's own word."),
    click.option("--session", default="", metavar="S", help="A name for who is asking, for the record."),
)


def proposal_options(command: Command) -> Command:
    """Give a command the options that `proposed` reads, and those that go with any proposal, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Proposed(NamedTuple):
    """The bytes proposed (None: delete), the base they were made from, and why an edit failed, if it did."""

    data: bytes | None
    base: str | None
    failed: Finding | None = None
    declared: bytes | None = None


def proposed(
    proxy: WriteProxy,
    path: Path,
    content: Path | None,
    delete: bool,
    edit: tuple[Path, Path] | None,
    base: str | None,
) -> Proposed:
    """Read what the command line proposes. Raises BadContent, NothingToDelete or ConflictingOptions."""
    if sum((content is not None, delete, edit is not None)) > 1:
        raise ConflictingOptions
    most = proxy.limits.max_bytes
    if delete:
        target = paths.resolve(path, proxy.root, proxy.state)
        known = proxy.ledger.artifact(target.relative)
        if not target.problem and not target.real.exists() and not (known and known.disk):
            raise NothingToDelete(path=path)
        return Proposed(None, base)
    if edit is not None:
        return _edited(proxy, path, _file(edit[0], most), _file(edit[1], most), base)
    if content is not None and str(content) != "-":
        return Proposed(_file(content, most), base)
    if sys.stdin is None or sys.stdin.closed:
        raise BadContent(detail="there is no standard input")
    if sys.stdin.isatty():
        raise BadContent(detail="standard input is a terminal")
    try:
        # One byte over the limit is enough to be refused, and an endless input never fills the memory.
        return Proposed(sys.stdin.buffer.read(proxy.limits.max_bytes + 1), base)
    except OSError as error:
        raise BadContent(detail=error.strerror or str(error)) from None


def _file(path: Path, limit: int) -> bytes:
    """The file's bytes, one over the limit at most. A named pipe would wait for ever; a shell's `<(…)` does not."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) and path.parent.parts[:2] not in (("/", "dev"), ("/", "proc")):
            raise BadContent(detail=f"{path}: it is not a regular file")
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise BadContent(detail=f"{path}: {error.strerror or error}") from None


def _edited(proxy: WriteProxy, path: Path, old: bytes, new: bytes, base: str | None) -> Proposed:
    """The file with `old` replaced by `new`; `old` must stand in it exactly once."""
    target = paths.resolve(path, proxy.root, proxy.state)
    if target.problem:
        return Proposed(new, base)  # the path rule refuses it
    reading = disk.read(target.real, proxy.limits.max_bytes)
    data = reading.data or b""
    if b"\r\n" in data and b"\r\n" not in old and data.count(b"\r\n") == data.count(b"\n"):
        old, new = old.replace(b"\n", b"\r\n"), new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")  # as tools show it
    count = data.count(old) if old else 0
    if count != 1:
        what = "is empty" if not old else "is not in the file" if not count else f"stands in it {count} times"
        message = f"{target.relative}: the text to replace {what}. Give one that stands there exactly once."
        return Proposed(None, base, Finding("edit-anchor", Outcome.BLOCK, message, {"count": count}))
    return Proposed(data.replace(old, new, 1), base if base is not None else reading.sha256, None, old)
