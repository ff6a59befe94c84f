"""The micro-pass on a protected file: all edits go to the write proxy as one proposal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firewall.errors import EXIT_LATCHED, EXIT_OK, EXIT_REFUSED, NotFound
from firewall.writes import disk, paths
from firewall.writes.proxy import WriteProxy, WriteResult
from latches.documents import style_beside
from latches.style.idle import idle
from pipeline.micropass.elsewhere import links_here
from pipeline.micropass.errors import NotMarkdown, NotUtf8
from pipeline.micropass.loop import CALLS, Polished, polish
from pipeline.micropass.record import Recorder
from pipeline.models.base import Model

ENDINGS = (".md", ".markdown", ".mdx", ".txt")
_BOM = "\ufeff"


class Repair(NamedTuple):
    """What came of a file.

    `polished` is None where the file was not read because it is latched or its path is refused; then, and
    whenever edits were proposed, `written` is what the write firewall said. `attempts` are the results of
    counting the violations that were given up, in order.
    """

    path: str
    polished: Polished | None
    written: WriteResult | None
    attempts: tuple[WriteResult, ...]

    @property
    def tripped(self) -> bool:
        """Is the file latched now?"""
        return any(r.tripped for r in (self.written, *self.attempts) if r is not None)

    @property
    def exit_status(self) -> int:
        """0 clean now, 1 refused or something left to mend, 4 latched."""
        if self.tripped:
            return EXIT_LATCHED
        refused = self.written is not None and not self.written.verdict.allowed
        left = self.polished is not None and bool(self.polished.findings)
        return EXIT_REFUSED if refused or left else EXIT_OK


def repair(
    proxy: WriteProxy,
    path: Path,
    editor: Model,
    *,
    recorder: Recorder | None = None,
    limit: int = CALLS,
    dry_run: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> Repair:
    """Take the style violations out of the file at `path`: those that `stet lint` finds there.

    With `dry_run` the edits are judged, and nothing is written or counted. `watch` is that of `polish`.
    Raises NotFound, NotMarkdown, NotUtf8, NoStyle, StyleConfigError, what `polish` raises, and what the proxy raises.
    """
    target = paths.resolve(path, proxy.root, proxy.state)
    if target.problem:
        return Repair(str(path), None, proxy.check(path, b""), ())
    if target.real.suffix.lower() not in ENDINGS:
        raise NotMarkdown(path=target.relative, endings=", ".join(ENDINGS))
    reading = disk.read(target.real, proxy.limits.max_bytes)
    if reading.data is None:
        raise NotFound(what="file", name=str(path), fix="Name an existing Markdown file.")
    standing = proxy.check(path, reading.data)
    if standing.tripped:  # refused unread: no model is asked about a latched file
        return Repair(target.relative, None, standing, ())
    style = style_beside(target.real, proxy.root.resolve(), proxy.policy.style)
    polished = polish(
        _text(reading.data, target.relative).removeprefix(_BOM),
        style,
        editor,
        recorder=recorder,
        limit=limit,
        watch=watch,
        elsewhere=lambda: links_here(proxy.root.resolve(), target.real),
    )
    polished = polished._replace(notes=(*idle(style), *polished.notes))
    written = None
    if polished.edits:
        mark = _BOM if reading.data.startswith(_BOM.encode()) else ""
        submit = proxy.check if dry_run else proxy.write
        written = submit(path, (mark + polished.text).encode(), base=reading.sha256)
    attempts = () if dry_run else tuple(proxy.attempt(path, finding) for finding in polished.given_up)
    return Repair(target.relative, polished, written, attempts)


def _text(data: bytes, path: str) -> str:
    if b"\0" in data:  # a rule refuses every text with NUL, and that would count against one who did not bring it
        raise NotUtf8(path=path, byte="0x00", offset=data.index(0))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotUtf8(path=path, byte=f"0x{data[error.start]:02x}", offset=error.start) from None
