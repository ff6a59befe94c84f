"""Linting many files: one scanner for each style that lies beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from firewall.policy.style import Style
from latches.documents import Styles, decode, documents, has_rules, read
from latches.errors import NoStyle
from latches.report import Linted
from latches.style import Scanner
from latches.style.idle import idle


def lint(
    paths: Sequence[Path], config: Path | None, stdin: bytes = b"", tell: Callable[[str], None] | None = None
) -> list[Linted]:
    """What was found in each file, in order. `-` among the paths is `stdin`, styled like the current folder.

    `tell` is called with what each style says that has no effect.
    Raises NotFound, NoDocuments, NoStyle, PolicyError and StyleConfigError.
    """
    styles = Styles(config)
    scanners: dict[int, Scanner] = {}
    out: list[Linted] = []
    for path in _expanded(paths):
        piped = path == Path("-")
        scanner = _scanner(styles.of(path), path, scanners, tell)
        text, problem = decode(stdin) if piped else read(path)
        if problem:
            out.append(Linted(str(path), "", (), (), problem))
            continue
        scan = scanner.scan_both(text)
        kept = text if scan.hits or scan.silenced else ""  # thousands of clean files are not held in memory
        out.append(Linted(str(path), kept, scan.hits, scan.silenced))
    return out


def _expanded(paths: Sequence[Path]) -> list[Path]:
    piped = [path for path in paths if path == Path("-")]
    return [*piped[:1], *documents(path for path in paths if path != Path("-"))]


def _scanner(style: Style, path: Path, scanners: dict[int, Scanner], tell: Callable[[str], None] | None) -> Scanner:
    """The scanner of a style object; `Styles` gives each folder's documents the same one."""
    if id(style) not in scanners:
        if not has_rules(style):
            raise NoStyle(path=path)
        scanners[id(style)] = Scanner(style)
        if tell:
            for note in idle(style):
                tell(note)
    return scanners[id(style)]
