"""One guarded file in a Python program: read it, change the text, and it is judged when the block ends.

    from firewall import guard

    with guard("chapter.md") as draft:
        draft.text = improve(draft.text)

A refusal raises Refused, which carries the WriteResult; an exception inside the block writes nothing. The version that
was read is the base: where somebody else changed the file meanwhile, that is a refusal.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from firewall.errors import EXIT_REFUSED, StetError, UsageError
from firewall.text.amounts import amount
from firewall.writes import disk, paths
from firewall.writes.proxy import WriteProxy, WriteResult


class Refused(StetError):
    """A proposal that was refused or held. `result` says what was measured, and under which id it waits, if it does."""

    code = "refused"
    template = "{path} is as it was: {findings}"
    next_step = "{fix}"
    exit_status = EXIT_REFUSED

    def __init__(self, result: WriteResult) -> None:
        self.result = result
        findings = " ".join(f.message for f in result.verdict.findings)
        if result.tripped:
            fix = f"The file is latched; a person runs `stet reset {result.path}`."
        elif result.held:
            fix = f"A person may want it: `stet show {result.held}`."
        else:
            fix = f"{amount(result.attempts_left, 'attempt')} left before the file is latched."
        super().__init__(path=result.path, findings=findings, fix=fix)


class AnchorNotFound(UsageError):
    """An edit in the draft whose text does not stand there once."""

    code = "anchor-not-found"
    template = "The text to replace {what} in the draft of {path}."
    next_step = "Give a passage that stands there exactly once."


class NotAText(UsageError):
    """Something else than a text in the draft."""

    code = "draft-not-text"
    template = "The draft of {path} is of the type {kind}, so nothing was written."
    next_step = "Give `draft.text` a str."


class NotUtf8(UsageError):
    """A file that cannot be had as text."""

    code = "draft-not-utf8"
    template = "{path} is not UTF-8 (byte {offset}), so it cannot be edited as text."
    next_step = "Convert it first, as a person."


class Draft:
    """The text of one guarded file, to be changed in a `with` block. Line ends are the file's own.

    `text` is the whole text ('' for a new file), `path` the file, `exists` whether it was there. `result` is what
    came of it, once the block has ended; None where nothing was changed.
    """

    def __init__(self, path: Path | str, *, session: str = "", stop_reason: str | None = None) -> None:
        self.path = Path(path)
        self.text = ""
        self.exists = False
        self.result: WriteResult | None = None
        self._session = session
        self._stop_reason = stop_reason
        self._before = ""
        self._base = ""
        self._place = self.path

    def __enter__(self) -> Self:
        self.result = None
        self._place = self.path.absolute()  # the block may change the working folder
        with self._open() as proxy:
            target = paths.resolve(self._place, proxy.root, proxy.state)
            reading = disk.MISSING if target.problem else disk.read(target.real, proxy.limits.max_bytes)
        try:
            self.text = self._before = (reading.data or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotUtf8(path=self.path, offset=error.start) from None
        self.exists = reading.data is not None
        self._base = reading.sha256
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None or (self.text == self._before and self.exists):
            return
        if not isinstance(self.text, str):
            raise NotAText(path=self.path, kind=type(self.text).__name__)
        content = self.text.encode("utf-8", "surrogatepass")
        with self._open() as proxy:
            self.result = proxy.write(self._place, content, base=self._base, stop_reason=self._stop_reason)
        if not self.result.verdict.allowed:
            raise Refused(self.result)

    def _open(self) -> WriteProxy:
        """The project, for one look or one write: a block may last for hours, and end in another thread."""
        folder = self._place
        while not folder.is_dir():
            folder = folder.parent
        return WriteProxy.open(folder, session=self._session, source="python")

    def read(self) -> str:
        """The text as it stands in the draft."""
        return self.text

    def write(self, text: str) -> None:
        """Make it the whole text."""
        self.text = text

    def edit(self, old: str, new: str) -> None:
        """Replace a passage that stands in the draft exactly once. Raises AnchorNotFound."""
        count = self.text.count(old) if old else 0
        if count != 1:
            what = (
                "is empty, so it can stand nowhere" if not old else "is not" if not count else f"stands {count} times"
            )
            raise AnchorNotFound(what=what, path=self.path)
        self.text = self.text.replace(old, new, 1)


def guard(path: Path | str, *, session: str = "", stop_reason: str | None = None) -> Draft:
    """A draft of the guarded file at `path`, for a `with` block that commits through the write proxy when it ends.

    `stop_reason` is why the model that wrote the text stopped, in its API's own word: an answer that was cut off is
    refused. Raises NoProject, StateBroken, StorageError, NotUtf8 on entry, and Refused or
    NotAText on leaving. The folder in which the block begins is that of a relative path; it may end in another thread.
    """
    return Draft(path, session=session, stop_reason=stop_reason)
