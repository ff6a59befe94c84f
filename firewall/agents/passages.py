"""Parts of a text: lines to show, a passage to replace."""

from __future__ import annotations

from firewall.errors import UsageError
from firewall.values import NamedTuple

MOST_SHOWN = 60_000
"""Characters that one read shows; the reply says how to read on."""


class NoSuchLines(UsageError):
    """Lines behind a file's end."""

    code = "no-such-lines"
    template = "{path} has {total} lines; lines from {first} on were asked for."
    next_step = "Give a first_line between 1 and {total}."


def lines_of(path: str, text: str, first: int, count: int) -> tuple[str, int, int, bool]:
    """The lines asked for, as far as they may be shown; the number of the last, of all; was the last one cut?"""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    if len(lines) > 1 and not lines[-1]:
        del lines[-1]
    if not 1 <= first <= len(lines):
        raise NoSuchLines(path=path, total=len(lines), first=first)
    size, shown, cut = 0, "", False
    last = first - 1
    for line in lines[first - 1 : first - 1 + count if count > 0 else None]:
        size += len(line)
        if size > MOST_SHOWN and shown:
            break
        shown += line[:MOST_SHOWN]
        cut = size > MOST_SHOWN
        last += 1
    return shown, last, len(lines), cut


class Replaced(NamedTuple):
    """A text with a passage replaced: the bytes (None where it could not be), the passage as it stands in the file,
    what is wrong with it, and how many times it stands there."""

    content: bytes | None
    anchor: bytes
    problem: str
    times: int


def replace_once(data: bytes, old: str, new: str) -> Replaced:
    """Replace the one place where `old` stands. In a file with CRLF line ends its line ends count as those."""
    anchor, fresh = encoded(old), encoded(new)
    if b"\r\n" in data and b"\r\n" not in anchor and data.count(b"\r\n") == data.count(b"\n"):
        anchor, fresh = anchor.replace(b"\n", b"\r\n"), fresh.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    count = data.count(anchor) if anchor else 0
    if count == 1:
        return Replaced(data.replace(anchor, fresh, 1), anchor, "", 1)
    if not anchor:
        problem = "is empty; give the passage to replace"
    elif count:
        problem = f"stands in it {count} times; give more of what is around it, so that it stands there once"
    else:
        problem = f"is not in the file{_nearest(data, anchor)}; copy it from read_file, exactly"
    return Replaced(None, anchor, problem, count)


def _nearest(data: bytes, anchor: bytes) -> str:
    """Where the first line of an anchor that is not in the file does stand, for a model to look again."""
    first = next((line.strip() for line in anchor.splitlines() if line.strip()), b"")
    at = data.find(first) if first else -1
    if at < 0:
        return ""
    line = data.count(b"\n", 0, at) + 1
    return f" (its first line stands in line {line}, and what follows there differs)"


def encoded(text: str) -> bytes:
    """The bytes of a text from JSON; a lone surrogate becomes bytes that the rule about bytes refuses."""
    return text.encode("utf-8", "surrogatepass")
