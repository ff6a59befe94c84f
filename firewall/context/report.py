"""Judging text for `stet clean`: one text, or every file of a folder. Nothing is written."""

from __future__ import annotations

import errno
import os
import re
import stat
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from firewall.context.clean import clean
from firewall.context.lanes import violations
from firewall.context.limits import MAX_BYTES
from firewall.context.screen import DEFAULT, screen_of
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.verdict import Finding, Outcome

if TYPE_CHECKING:
    from firewall.policy.lanes import Lane


@lru_cache(maxsize=1)
def _suffixes() -> frozenset[str]:
    """What a folder's report reads; other files are named as skipped. The policy takes long to import."""
    from firewall.policy.protect import TEXT_EXTENSIONS

    return frozenset("." + name for name in (*TEXT_EXTENSIONS, "html", "htm", "xml", "json", "csv", "log", "org"))


_SKIPPED_FOLDERS = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__"))


class Judged(NamedTuple):
    """What became of one text. `text` is empty when it may not be used."""

    source: str
    raw: str
    text: str
    outcome: Outcome
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> bool:
        """True when the text may not be used."""
        return self.outcome >= Outcome.HOLD

    def lines(self) -> list[int]:
        """The line, from 1, of each finding."""
        ends = [m.start() for m in re.finditer("\n", self.raw)]
        return [bisect_left(ends, max(f.start, 0)) + 1 for f in self.findings]

    def to_json(self, *, with_text: bool) -> dict[str, object]:
        """The JSON that the command prints."""
        out: dict[str, object] = {"outcome": self.outcome.label, "source": self.source}
        if with_text:
            out["text"] = self.text
        pairs = zip(self.findings, self.lines(), strict=True)
        out["findings"] = [{**f.to_json(), "line": line} for f, line in pairs]
        return out


def judge_text(raw: str, source: str, lane: Lane | None = None, name: str = "") -> Judged:
    """Clean `raw` and check it for lane `name`, whose rules are `lane`, as a source of that lane's own."""
    result = clean(raw, screen_of(lane) if lane else DEFAULT)
    findings = list(result.findings)
    if lane is not None:
        for hit in violations(result, lane, raw):
            evidence = {"term": hit.term, "lane": name}
            message = f"The term {hit.term!r} is banned in lane {name!r}."
            findings.append(Finding("lane-violation", Outcome.BLOCK, message, evidence, hit.start, hit.end))
        findings.sort(key=lambda f: f.start)
    outcome = max((f.outcome for f in findings), default=Outcome.ALLOW)
    text = "" if outcome >= Outcome.HOLD else result.text
    return Judged(source, raw, text, outcome, tuple(findings))


def judge_bytes(data: bytes, source: str, lane: Lane | None = None, name: str = "") -> Judged:
    """As `judge_text`, for bytes. What is no UTF-8 is refused: to guess an encoding could lose letters unseen."""
    try:
        raw = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = (
            f"It is no UTF-8 text: byte {error.start}, line {line}, is 0x{data[error.start]:02x}. "
            "Convert it first, as with `iconv -t utf-8`."
        )
        evidence = {"byte": error.start, "line": line}
        return Judged(source, "", "", Outcome.BLOCK, (Finding("not-utf-8", Outcome.BLOCK, message, evidence, 0, 0),))
    return judge_text(raw, source, lane, name)


def read_bytes(path: Path) -> bytes:
    """What `path` holds, up to one byte more than a text may have: an endless file never fills the memory.

    Raises OSError, also for a named pipe, which would wait for ever; a shell's `<(…)` does not.
    """
    if not stat.S_ISREG(path.stat().st_mode) and path.parent.parts[:2] not in (("/", "dev"), ("/", "proc")):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def folder(root: Path, lane: Lane | None = None, name: str = "") -> Iterator[Judged | tuple[str, str]]:
    """Every text file below `root` in order of path, judged; or (path, reason) for what was not read.

    A link out of the folder is not followed: what it leads to is not of this folder.
    """
    inside = root.resolve()
    found: list[tuple[Path, str]] = []

    def unlisted(error: OSError) -> None:
        found.append((Path(error.filename), error.strerror or str(error)))

    for at, folders, files in os.walk(root, onerror=unlisted):
        here = Path(at)
        found += [(here / one, _SKIPPED) for one in folders if one in _SKIPPED_FOLDERS]
        folders[:] = [one for one in folders if one not in _SKIPPED_FOLDERS]
        found += [
            (here / one, "a link to a folder, which is not followed") for one in folders if (here / one).is_symlink()
        ]
        found += [(here / one, _unread(here / one, inside)) for one in files]
    for path, reason in sorted(found):
        if reason:
            yield str(path), reason
            continue
        try:
            data = read_bytes(path)
        except OSError as error:
            yield str(path), error.strerror or str(error)
            continue
        yield judge_bytes(data, str(path), lane, name)


_SKIPPED = "a folder that holds tools and no sources"


def _unread(path: Path, inside: Path) -> str:
    """Why `path`, which is no folder, is not read, or an empty text."""
    if path.is_symlink():
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "a link that leads nowhere"
        if not target.is_relative_to(inside):
            return "a link out of the folder, which is not followed"
    if not path.is_file():
        return "neither a file nor a folder"
    return "" if path.suffix.lower() in _suffixes() else "not a kind of text file that is read"


def totals(judged: list[Judged]) -> dict[str, int]:
    """How often each rule found something, most often first."""
    return dict(Counter(f.rule for one in judged for f in one.findings).most_common())
