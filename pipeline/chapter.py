"""Where a section stands in its chapter's file, and the bytes of the chapter with the section put in. Pure.

A chapter is one Markdown file: `# Chapter`, then a `## Section` for each section in the book's order. What a
person wrote elsewhere in the file is carried through byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from firewall.text.markdown import Node, parse

_END = "end-of-section-7f1c"
"""A heading's text that no section has; it shows whether a body ends where it ends."""


_SILENCER = re.compile(r"<!--\s*stet:", re.IGNORECASE)


class Change(NamedTuple):
    """A chapter's new bytes, and the byte range of the old ones that they replace.

    `span` is None where there was no file. `same` is true when nothing would change.
    """

    content: bytes
    span: tuple[int, int] | None
    same: bool


def file_name(number: int, title: str) -> str:
    """`03-letters-of-the-title.md`: letters and digits of any script, folded, 60 characters at most."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    slug = re.sub(r"[\W_]+", "-", folded).strip("-")[:60].strip("-")
    return f"{number:02d}-{slug or 'chapter'}.md"


def section_text(title: str, body: str) -> str:
    """A section as it stands in the file: its heading, a blank line, its body, one line end."""
    return f"## {title}\n\n{body.strip()}\n"


def body_fault(body: str) -> str:
    """Why `body` cannot be a section's body, in a sentence that says what would pass; empty when it can."""
    if not body.strip():
        return "The section is empty. Write its text."
    doc = parse(f"{body.strip()}\n\n## {_END}\n")
    last = doc.blocks[-1]
    if last.kind != "heading" or last.plain().strip() != _END:
        return "A fence, a comment or an HTML block is left open at the end. Close it."
    for block in doc.blocks[:-1]:
        if block.kind == "heading" and block.attrs["level"] <= 2:
            what = doc.text(block).strip().splitlines()[0][:80]
            return f"{what!r} is a heading of level {block.attrs['level']}. Use ### and deeper only."
        if block.kind == "code_block" and not block.attrs["closed"]:
            return "A code fence is left open. Close it."
    if any(_SILENCER.search(doc.text(node)) for node in doc.find("html_block", "inline_html")):
        return "A `stet:` comment silences the style for a person who says why. Leave it out."
    return ""


def without_own_heading(title: str, body: str) -> tuple[str, bool]:
    """`body` less a first line that is the section's own heading, and whether there was one."""
    text = body.lstrip("\n")
    blocks = parse(text).blocks
    if blocks and blocks[0].kind == "heading" and blocks[0].plain().strip().casefold() == title.casefold():
        return text[blocks[0].end :].lstrip("\n"), True
    return body, False


def own_footnotes(body: str, number: int, rest: str) -> str:
    """`body` with its footnotes called `s3-1`, `s3-2` … after section `number`, in the order they appear.

    Footnotes are one list for a whole file, and two sections that both have a `[^1]` would cite each other's
    sources. Where `rest`, the chapter without the section, has such names already, a letter is added.
    """
    doc = parse(body)
    spans: list[tuple[int, int, str]] = []
    for node in doc.find("footnote_reference", "footnote_definition"):
        label = str(node.attrs["label"])
        start = body.find(f"[^{label}]", node.start, node.end)
        if start >= 0:
            spans.append((start, start + len(label) + 3, label.casefold()))
    taken = {str(node.attrs["label"]).casefold() for node in parse(rest).find("footnote_definition")}
    prefix = next(
        p
        for p in (f"s{number}{letter}" for letter in ("", *map(chr, range(98, 123)), "-x"))
        if p.endswith("-x") or not any(label.startswith(f"{p}-") for label in taken)
    )
    names: dict[str, str] = {}
    parts, at = [], 0
    for start, end, label in sorted(spans):
        name = names.setdefault(label, f"{prefix}-{len(names) + 1}")
        parts += [body[at:start], f"[^{name}]"]
        at = end
    return "".join([*parts, body[at:]])


def without_section(text: str, title: str) -> str:
    """A chapter less one of its sections."""
    there = find_section(text, title)
    return text if there is None else text[: there[0]] + text[there[1] :]


def find_section(text: str, title: str) -> tuple[int, int] | None:
    """Character offsets of the section `title`, from its heading to the next of its level or above."""
    found: Node | None = None
    for heading in _headings(text):
        if found is not None:
            return found.start, heading.start
        if heading.attrs["level"] == 2 and _shown(heading) == _as_shown(title):
            found = heading
    return (found.start, len(text)) if found else None


def put(old: bytes | None, chapter: str, titles: Sequence[str], title: str, body: str) -> Change:
    """The chapter with the section `title` put in its place.

    Where its heading is in the file, what stands under it is replaced; else it goes in before the first
    later section of `titles`, the chapter's sections in order, or at the end. `old` must be UTF-8.
    """
    section = section_text(title, body)
    if old is None or not old.strip():
        content = f"# {chapter}\n\n{section}".encode()
        return Change(content, None if old is None else (0, len(old)), content == old)
    text = old.decode("utf-8")
    newline = "\r\n" if "\r\n" in text and "\n" not in text.replace("\r\n", "") else "\n"
    there = find_section(text, title)
    if there is not None:
        start, end = there
        piece = section + ("\n" if end < len(text) else "")
        if text[start:end].replace("\r\n", "\n").strip() == section.strip():
            return Change(old, _bytes(text, start, end), True)
    else:
        start = end = _place(text, titles, title)
        gap = "" if not start or text[:start].endswith(newline * 2) else "\n"
        if start and not text[:start].endswith("\n"):
            gap = "\n\n"
        piece = gap + section + ("\n" if end < len(text) else "")
    piece = piece.replace("\n", newline)
    content = (text[:start] + piece + text[end:]).encode()
    return Change(content, _bytes(text, start, end), content == old)


def _place(text: str, titles: Sequence[str], title: str) -> int:
    """Where a section that is not in the file goes in."""
    later = {_as_shown(t) for t in list(titles)[list(titles).index(title) + 1 :]}
    for heading in _headings(text):
        if heading.attrs["level"] == 2 and _shown(heading) in later:
            return heading.start
    return len(text)


def _headings(text: str) -> list[Node]:
    """Headings of level 1 and 2 that stand on their own, in order."""
    return [b for b in parse(text).blocks if b.kind == "heading" and b.attrs["level"] <= 2]


def _shown(heading: Node) -> str:
    return " ".join(heading.plain().split()).casefold()


def _as_shown(title: str) -> str:
    """A title as a heading shows it, its own markup gone."""
    blocks = parse(f"## {title}\n").blocks
    return _shown(blocks[0]) if blocks and blocks[0].kind == "heading" else title.casefold()


def _bytes(text: str, start: int, end: int) -> tuple[int, int]:
    first = len(text[:start].encode())
    return first, first + len(text[start:end].encode())
