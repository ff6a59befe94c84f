"""Where the parts of a text stand, by line: what an editor touched, and which lines are code. Pure."""

from __future__ import annotations

from collections.abc import Collection

from firewall.text.formats import is_markdown, parts
from firewall.text.markdown import OPTIONS
from firewall.text.parser import events
from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_KINDS = ("Heading", "CodeBlock", "Table", "MetadataBlock", "FootnoteDefinition")
_DEFINES = Pattern(r"[ ]{0,3}\[[^\]]+\]:")
_IMAGE = Pattern(r"!\[|<img\b")


def touched_parts(path: str, text: str, gone: Collection[int]) -> str:
    """The source of every part of `text` that has one of the lines `gone` (counted from 0), a blank line between.

    Parts are headings, blocks of code, tables, front matter and definitions, each whole, and lines with an image; of
    other formats than Markdown, blocks of code with the lines around them, and the lines.
    """
    lines = text.split("\n")
    if not is_markdown(path):
        runs = _runs(_with_code(path, text, gone))
        return "\n\n".join("\n".join(lines[first : last + 1]) for first, last in runs)
    from bisect import bisect_left

    gone_lines = sorted(gone)
    out: list[str] = []
    for first, last in _spans(text, _KINDS):
        at = bisect_left(gone_lines, first)
        if at < len(gone_lines) and gone_lines[at] <= last:
            out.append("\n".join(lines[first : last + 1]))
    out += [lines[n] for n in gone_lines if _IMAGE.search(lines[n]) or _DEFINES.match(lines[n])]
    return "\n\n".join(out)


def _with_code(path: str, text: str, gone: Collection[int]) -> set[int]:
    """The lines `gone`, and of each block of code that they touch all lines, with those that open and close it."""
    touched = set(gone)
    out = set(gone)
    most = text.count("\n")
    for first, last in _runs(code_lines(path, text)):
        whole = range(max(0, first - 1), min(most, last + 1) + 1)
        if not touched.isdisjoint(whole):
            out.update(whole)
    return out


def _runs(numbers: Collection[int]) -> list[tuple[int, int]]:
    """The first and last number of each run of numbers that follow one another."""
    out: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if out and out[-1][1] == number - 1:
            out[-1] = (out[-1][0], number)
        else:
            out.append((number, number))
    return out


def code_lines(path: str, text: str) -> frozenset[int]:
    """The numbers of the lines (from 0) that stand in a block of code."""
    found = parts(path, text)
    if found is not None:
        return found.code_lines
    return frozenset(n for first, last in _spans(text, ("CodeBlock",)) for n in range(first, last + 1))


def _spans(text: str, kinds: tuple[str, ...]) -> list[tuple[int, int]]:
    """First and last line of each part of a Markdown text of these kinds, in order; none inside another."""
    from bisect import bisect_right

    source = text.encode("utf-8", "replace")
    starts = [0]
    for number, byte in enumerate(source):
        if byte == 10:
            starts.append(number + 1)
    found: list[tuple[int, int]] = []
    event: Any
    for event, span in events(source.decode(), OPTIONS):
        if not isinstance(event, dict) or "Start" not in event:
            continue
        value = event["Start"]
        kind = value if isinstance(value, str) else next(iter(value))
        if kind not in kinds:
            continue
        first = bisect_right(starts, span["start"]) - 1
        last = bisect_right(starts, max(span["start"], span["end"] - 1)) - 1
        if not found or first > found[-1][1]:
            found.append((first, last))
    return found
