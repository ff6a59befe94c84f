"""Links of other files to the headings of one that is being edited. Reads the disk, writes nothing."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from firewall.text.markdown import parse
from latches.checks.links import destinations, resolve
from latches.documents import documents, read

_READ_AS = (".md", ".markdown", ".mdx", ".html", ".htm")
"""Endings under which a page may be linked to; what publishes it may take others, or none."""
_FOLDERS = ("index", "_index", "readme")
"""Names, in small letters, of the page that a link to its folder leads to."""


def links_here(root: Path, file: Path) -> dict[str, str]:
    """The anchors of `file` that links in the other Markdown files below `root` lead to, with one such file each.

    Both paths are absolute; the files are named from `root`. Raises UnreadableFolder.
    """
    out: dict[str, str] = {}
    inside = file.relative_to(root)
    pages = {_page(inside.as_posix())}
    folder = file.stem.lower() in _FOLDERS
    if folder:
        pages.add(_page(inside.parent.as_posix().removeprefix(".")))
    stem = "" if folder else file.stem  # a link to the folder need not name the file, nor the folder: `../#top`
    for other in documents([root]):
        if other.resolve() == file:
            continue
        text = read(other).text
        if "#" not in text or (stem not in text and stem not in unquote(text)):
            continue
        name = other.relative_to(root).as_posix()
        for link in destinations(parse(text)):
            path, _, anchor = unquote(link.dest).partition("#")
            resolved = resolve(name, path.partition("?")[0]) if path and anchor else None
            if resolved is not None and _page(resolved) in pages:
                out.setdefault(anchor.lower(), name)
    return out


def _page(path: str) -> str:
    """The path without its ending, by which pages are told from one another."""
    path = path.rstrip("/")
    return next((path.removesuffix(ending) for ending in _READ_AS if path.lower().endswith(ending)), path)
