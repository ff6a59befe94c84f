"""Links that resolve inside the book. What lies on the web is nobody's promise and is not looked at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

from firewall.text.markdown import Document, prose_blocks
from firewall.verdict import Finding, Outcome
from latches.checks.anchors import names
from latches.checks.html import tags
from latches.elements.base import line_of

_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_DANGLING = re.compile(
    r"(?<![\w\])}])\[(?P<text>[^\[\]]{1,80})\]\[(?P<label>[^\[\]]{0,80})\]|\[\^(?P<note>[\w-]{1,40})\]"
)
_LINKING = (
    {"a": ("href",), "area": ("href",), "link": ("href",), "object": ("data",), "video": ("src", "poster")}
    | dict.fromkeys(("img", "source"), ("src", "srcset"))
    | dict.fromkeys(("audio", "embed", "iframe", "script", "track"), ("src",))
)
"""The attributes that name a file, by the HTML element."""
_LINES = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?")
"""An anchor that names lines of a file, as code hosts make them."""
_RANGE = re.compile(r"\^?(?=.*(?:\w-\w|\\|^[^\w\s]))(?:[A-Za-z0-9]-[A-Za-z0-9]|\\.|[\^._+*?$%&@#/,-])+\w?")
"""What stands in brackets in a pattern: `[a-z]`, `[\\w.-]`."""
_FEW = 3
"""Letters up to which `[^abc]` after a space is a pattern, where the document has no notes. Our own number."""
_FILLED = re.compile(r"[{}]|<%")
"""Templates and expressions, which something else fills in."""
_LIKE = 0.6
"""How much two names share, from 0 to 1, for one to be a slip of the other."""


class Shelf(NamedTuple):
    """The files of a book, as a check sees them.

    `anchors` has the anchors of each Markdown file that is linked to, by its path from the book's folder with
    `/` between folders; `files` are the paths of its files, or as many of them as links name and lie beside
    those. `path` is the document's own.
    """

    path: str
    anchors: Mapping[str, frozenset[str]]
    files: frozenset[str]


def links(doc: Document, shelf: Shelf | None = None) -> list[Finding]:
    """A finding for each link that leads nowhere.

    Without a `shelf` only anchors inside the document are looked at, and references that have no
    definition and so show as text.
    """
    own = names(doc)
    noted = next(doc.find("footnote_definition"), None) is not None
    out = []
    for dest, start, end, image in destinations(doc):
        why = _fault(unquote(dest), own, shelf, image=image)
        if why:
            out.append(_finding(doc, start, end, f"the link to {dest[:80]!r} {why}", dest))
    for block in prose_blocks(doc):
        for match in _DANGLING.finditer(block.text):
            if _of_a_pattern(match, noted) or _of_a_list(match):
                continue
            what = f"[^{match['note']}]" if match["note"] else f"[{match['label'] or match['text']}]"
            start = block.start + match.start()
            why = f"the reference {what} has no definition, so it shows as text. Add `{what}: …`"
            out.append(_finding(doc, start, block.start + match.end(), why, what))
    return out


def targets(doc: Document, path: str) -> frozenset[str]:
    """The paths inside the book that the links of the document at `path` name."""
    out = set()
    for dest, _, _, _ in destinations(doc):
        target = unquote(dest).partition("#")[0].partition("?")[0]
        resolved = resolve(path, target) if target else None
        if resolved is not None:
            out.add(resolved)
    return frozenset(out)


class Destination(NamedTuple):
    """Where a link or picture at `source[start:end]` leads, as it is written."""

    dest: str
    start: int
    end: int
    image: bool


def destinations(doc: Document) -> list[Destination]:
    """Where the links and pictures of a document lead, in Markdown and HTML, less what lies on the web."""
    out = []
    for node in doc.find("link", "image"):
        dest = str(node.attrs["dest"])
        if node.attrs["type"] not in ("Autolink", "Email") and not _SCHEME.match(dest):
            out.append(Destination(dest, node.start, node.end, node.kind == "image"))
    for tag in tags(doc):
        for name in _LINKING.get(tag.name, ()):
            value = (tag.attrs.get(name) or "").strip()
            for dest in _candidates(value) if name == "srcset" else (value,):
                if dest and not _SCHEME.match(dest) and not _FILLED.search(dest):
                    out.append(Destination(dest, tag.start, tag.end, tag.name not in ("a", "area")))
    return sorted(out, key=lambda found: found.start)


def _candidates(srcset: str) -> list[str]:
    """The addresses of a `srcset`: each stands before its width or density, and a comma follows those (HTML)."""
    return [part.split()[0].rstrip(",") for part in re.split(r",\s+|(?<=[wx]),", srcset) if part.strip()]


def _of_a_list(match: re.Match[str]) -> bool:
    """Sources by number, `[1][2]`, the options of a command, `[opt][--flag]`, or spoken of, as in "[a][b]"?"""
    text, label = match["text"] or "", match["label"] or ""
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    if before and before in "\"'“‘" and after and after in "\"'”’":
        return True
    return (text.isdecimal() and label.isdecimal()) or label.startswith("-")


def _of_a_pattern(match: re.Match[str], noted: bool) -> bool:
    """Are these brackets those of a regular expression in prose? `noted`: has the document notes of its own?"""
    if match["note"] is None:
        return any(_RANGE.fullmatch(part) is not None for part in (match["text"], match["label"]))
    note = match["note"]
    if not any(c.isalnum() for c in note) or _RANGE.fullmatch(note):
        return True
    before = match.string[match.start() - 1 : match.start()]
    return len(note) <= _FEW and note.isalpha() and not before.strip() and not noted


def _fault(dest: str, own: frozenset[str], shelf: Shelf | None, *, image: bool) -> str:
    """What is wrong with a link inside the book, or an empty text."""
    if not dest:
        return "leads nowhere. Give it a target"
    target, _, anchor = dest.partition("#")
    target = target.partition("?")[0]
    anchor = anchor.removeprefix("user-content-")  # what GitHub puts before each of its own
    if not target:
        if anchor in own or anchor.lower() in ("", "top"):  # both are the top of the page (HTML)
            return ""
        return f"leads to no heading here. {_nearest(anchor, own)}"
    if shelf is None or target.startswith("@"):  # `@site/` and the like are names of the site's own
        return ""
    path = resolve(shelf.path, target)
    if path is None:
        return "leads out of the book. Put the file inside it, or link to its address on the web"
    folder = path.rstrip("/") + "/" if path else ""  # `/` is the book's own folder
    known = path in shelf.files or (not image and any(f.startswith(folder) for f in shelf.files))
    if not known and not image:
        path = next((made for made in _made_of(path) if made in shelf.files), path)
        known = path in shelf.files
    if not known:
        return f"leads to no file of the book. {_nearest(path, shelf.files)}"
    there = shelf.anchors.get(path)
    if anchor and there is not None and anchor not in there and not _LINES.fullmatch(anchor):
        return f"leads to no heading of {path}. {_nearest(anchor, there)}"
    return ""


def _made_of(path: str) -> list[str]:
    """The Markdown that a site would make the page at `path` of: `b`, `b/` and `b.html` are built from `b.md`."""
    bare = re.sub(r"(?:\.html?|/)$", "", path)
    if "." in bare.rpartition("/")[2]:
        return []
    return [f"{bare}{ending}" for ending in (".md", ".mdx", ".markdown", "/index.md", "/README.md")]


def resolve(document: str, target: str) -> str | None:
    """The path of `target`, as `document` names it, from the book's folder; None when it lies outside."""
    parts = [] if target.startswith("/") else document.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _nearest(name: str, known: frozenset[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, sorted(known), n=5, cutoff=_LIKE)
    mine = _stem(name)  # an ending and a folder that two names share make no likeness
    near = [other for other in close if difflib.SequenceMatcher(None, mine, _stem(other)).ratio() >= _LIKE]
    return f"Did you mean {near[0]!r}?" if near else "Name one that is there, or take the link out."


def _stem(name: str) -> str:
    """A path's last name without its ending, in one case."""
    last = name.rpartition("/")[2].casefold()
    return last.rpartition(".")[0] or last


def _finding(doc: Document, start: int, end: int, what: str, dest: str) -> Finding:
    line = line_of(doc.source, start)
    text = f"Line {line}: {what}"
    evidence: dict[str, object] = {"line": line, "target": dest}
    return Finding("links", Outcome.HOLD, text if text.endswith(("?", ".")) else text + ".", evidence, start, end)
