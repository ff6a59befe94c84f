"""Documents on disk: which files a command means, their text, and the style that lies beside them.

The one module of this package that reads the disk. Nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from firewall.errors import NotFound
from firewall.policy import parse_policy
from firewall.policy.style import Style
from firewall.policy.toml_model import read_toml
from latches.errors import NoDocuments, NoStyle, StyleConfigError, UnreadableFolder

ENDINGS = (".md", ".markdown", ".mdx")
"""Endings of the files that a folder stands for."""
STYLE_FILE = "stet-style.toml"
POLICY_FILE = "stet.toml"
_OTHER = {
    **dict.fromkeys((".rst", ".rest"), "reStructuredText"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "AsciiDoc"),
    **dict.fromkeys((".html", ".htm"), "HTML"),
    ".tex": "TeX",
    ".typ": "Typst",
    ".org": "Org",
    ".ipynb": "a notebook",
}
"""Endings of what is no Markdown: read as if it were, its code would be prose and its prose code."""
_GIVEN = ("/dev/stdin", "/dev/fd/", "/proc/")
"""How pipes are called that the shell gives a command."""
_SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages"))


class Text(NamedTuple):
    """The text of a file without a byte order mark, or why it cannot be read as text."""

    text: str
    problem: str = ""


def documents(paths: Iterable[Path]) -> list[Path]:
    """The files that `paths` mean: a file is itself, a folder is the Markdown in it, in order of name.

    Left out of folders: hidden ones, node_modules, virtual environments, links to folders. A path that is
    named twice counts once. Raises NotFound, NoDocuments and UnreadableFolder.
    """
    out: dict[Path, None] = {}
    for path in paths:
        if not _is_there(path):
            raise _not_found(path)
        found = list(_walk(path)) if path.is_dir() else [path]
        if not found:
            raise NoDocuments(path=path)
        out.update(dict.fromkeys(found))
    return list(out)


def missing(paths: Iterable[Path]) -> list[NotFound]:
    """What is to be said of each path that names nothing; `-` is standard input."""
    return [_not_found(path) for path in paths if path != Path("-") and not _is_there(path)]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False


def _not_found(path: Path) -> NotFound:
    return NotFound(what="file or folder", name=str(path), fix="Check the name.")


def _walk(folder: Path) -> Iterator[Path]:
    """Markdown files under a folder: its own first, then those of its folders, each in order of name."""
    todo = [folder]
    while todo:
        inside = todo.pop()
        try:
            here = sorted(inside.iterdir())
        except OSError as error:
            raise UnreadableFolder(path=inside, reason=error.strerror) from None
        yield from (path for path in here if path.name.lower().endswith(ENDINGS) and path.is_file())
        todo.extend(path for path in reversed(here) if _entered(path))


def _entered(path: Path) -> bool:
    """Is this a folder that is looked into?"""
    if path.name.startswith(".") or path.name in _SKIPPED or path.is_symlink() or not path.is_dir():
        return False
    return not (path / "pyvenv.cfg").exists()


def read(path: Path) -> Text:
    """The text of a file that may be Markdown."""
    other = _OTHER.get(path.suffix.lower())
    if other:
        return Text(
            "", f"This is {other}, and only Markdown is read. Convert it first, or pipe what is prose in it to -."
        )
    try:
        if path.is_fifo() and not str(path).startswith(_GIVEN):  # it would be waited for without an end
            return Text("", "It is a pipe, no file. Give - to read standard input.")
        return decode(path.read_bytes())
    except OSError as error:
        return Text("", f"The file cannot be read: {error.strerror}.")


def decode(data: bytes) -> Text:
    """Bytes as text: strict UTF-8, since a document that is misread cannot be judged."""
    if b"\0" in data:
        where = f"byte {data.index(0)} is 0x00"
        return Text("", f"The file holds NUL ({where}), so it is no text in UTF-8. Save it as UTF-8.")
    try:
        return Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = f"byte {error.start} is 0x{data[error.start]:02x}"
        return Text("", f"The file is not UTF-8 ({where}), so it cannot be checked. Save it as UTF-8.")


class Styles:
    """The style for each document: that of `given`, or of the nearest style file beside or above it."""

    def __init__(self, given: Path | None = None) -> None:
        self._given = load_style(given) if given else None
        self._by_folder: dict[Path, Style | None] = {}

    def of(self, path: Path) -> Style:
        """Raises NoStyle where none is set, PolicyError and StyleConfigError for one that is wrong."""
        style = self._given or self._nearest(path.absolute().parent)
        if style is None:
            raise NoStyle(path=path)
        return style

    def _nearest(self, folder: Path) -> Style | None:
        if folder not in self._by_folder:
            self._by_folder[folder] = self._look(folder)
        return self._by_folder[folder]

    def _look(self, folder: Path) -> Style | None:
        for name in (STYLE_FILE, POLICY_FILE):
            if (folder / name).is_file():
                return load_style(folder / name)
        return self._nearest(folder.parent) if folder.parent != folder else None


def style_beside(path: Path, root: Path, policy: Style) -> Style:
    """The style for a document of the project at `root`: of a stet-style.toml beside or above it, else the policy's.

    Both paths are absolute. Raises StyleConfigError for a file that is wrong, NoStyle where nothing is set.
    """
    folders = [folder for folder in path.parents if folder == root or folder.is_relative_to(root)]
    found = next((folder / STYLE_FILE for folder in folders if (folder / STYLE_FILE).is_file()), None)
    style = load_style(found) if found else policy
    if not has_rules(style):
        raise NoStyle(path=path.relative_to(root))
    return style


def load_style(path: Path) -> Style:
    """The [style] of a stet.toml, or a file of any other name that has its keys at the top."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        where = error.object.count(b"\n", 0, error.start) + 1
        raise StyleConfigError(path=path, line=where, problem="not UTF-8", fix="Save it as UTF-8.") from None
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise StyleConfigError(path=path, line=1, problem=problem, fix="Check the name.") from None
    if path.name == POLICY_FILE:
        return parse_policy(text, str(path)).style

    def refuse(line: int, problem: str, fix: str) -> StyleConfigError:
        return StyleConfigError(path=path, line=line, problem=problem, fix=fix)

    header = re.search(r"(?m)^[ \t]*\[[ \t]*style[ \t]*\]", text)
    if header:
        line = text.count("\n", 0, header.start()) + 1
        raise refuse(line, "the keys of this file stand at its top, under no [style]", "Take the [style] line out.")
    return read_toml(text, Style, refuse, where_to_look="`stet init` in an empty folder shows every [style] key.")


def has_rules(style: Style) -> bool:
    """Does the style ask for anything that the scanner looks for?"""
    return bool(style.ceilings or style.per_thousand or style.banned or style.apart)
