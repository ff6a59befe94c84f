"""The apply_patch envelope: what a patch makes of files. Pure.

The form: `*** Begin Patch`, then for each file `*** Add File: PATH` with `+` lines, `*** Delete File: PATH`, or
`*** Update File: PATH` with an optional `*** Move to: PATH` and hunks. A hunk begins with `@@`, which may name a
line to go to first; its lines begin with a blank (kept), `-` (taken away) or `+` (added). Old lines are sought from
where the last hunk ended: as they are, then without blanks at their ends, then without blanks around them, then with
typographic signs as plain ones. A changed file ends with a line end, as the programs that apply patches have it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firewall.values import NamedTuple

ADD, DELETE, UPDATE = "add", "delete", "update"


class BadPatch(ValueError):
    """The patch is none, or does not fit the file; the message says why."""


class Hunk(NamedTuple):
    """Old lines and the new ones in their place. `after` are lines to go to first; `at_end` says that it is the
    file's last."""

    after: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    at_end: bool = False


class FilePatch(NamedTuple):
    """What a patch does to one file: `add` (content), `delete`, or `update` (hunks, and `move_to`, '' for none)."""

    does: str
    path: str
    content: str = ""
    move_to: str = ""
    hunks: tuple[Hunk, ...] = ()


def parse(text: str) -> list[FilePatch]:
    """The files of a patch. What stands around the envelope (a shell's heredoc) is left out. Raises BadPatch."""
    lines = text.replace("\r\n", "\n").split("\n")
    begin = next((i for i, line in enumerate(lines) if line.strip() == "*** Begin Patch"), -1)
    if begin < 0:
        raise BadPatch("it has no line '*** Begin Patch'")
    end = next((i for i in range(len(lines) - 1, begin, -1) if lines[i].strip() == "*** End Patch"), -1)
    if end < 0:
        raise BadPatch("it has no line '*** End Patch'")
    out: list[FilePatch] = []
    at = begin + 1
    while at < end:
        line = lines[at].rstrip()
        if not line.strip():
            at += 1
            continue
        stop = next((i for i in range(at + 1, end) if _is_file(lines[i])), end)
        body = lines[at + 1 : stop]
        if line.startswith("*** Add File: "):
            out.append(_added(line.removeprefix("*** Add File: ").strip(), body))
        elif line.startswith("*** Delete File: "):
            out.append(FilePatch(DELETE, line.removeprefix("*** Delete File: ").strip()))
        elif line.startswith("*** Update File: "):
            out.append(_updated(line.removeprefix("*** Update File: ").strip(), body))
        else:
            raise BadPatch(f"{line!r} is no file header")
        at = stop
    if not out:
        raise BadPatch("it names no file")
    return out


def _is_file(line: str) -> bool:
    return line.startswith(("*** Add File: ", "*** Delete File: ", "*** Update File: "))


def _added(path: str, body: Sequence[str]) -> FilePatch:
    lines = list(body)
    while lines and not lines[-1].strip():
        lines.pop()
    if any(not line.startswith("+") for line in lines):
        raise BadPatch(f"a line of the new file {path} does not begin with '+'")
    return FilePatch(ADD, path, "".join(line[1:] + "\n" for line in lines))


def _updated(path: str, body: Sequence[str]) -> FilePatch:
    lines = list(body)
    move = ""
    if lines and lines[0].startswith("*** Move to: "):
        move = lines.pop(0).removeprefix("*** Move to: ").strip()
    hunks: list[Hunk] = []
    after: list[str] = []
    old: list[str] = []
    new: list[str] = []
    open_hunk = False

    def close(at_end: bool = False) -> None:
        nonlocal open_hunk
        if old or new:
            hunks.append(Hunk(tuple(after), tuple(old), tuple(new), at_end))
            after.clear()
            old.clear()
            new.clear()
        open_hunk = False

    for line in lines:
        if line.startswith("@@"):
            if open_hunk:
                close()
            name = line[2:].strip().removesuffix("@@").strip()
            if name:
                after.append(name)
        elif line.strip() == "*** End of File":
            close(at_end=True)
        elif line.startswith(("+", "-", " ")) or not line:
            open_hunk = True
            if not line.startswith("+"):
                old.append(line[1:])
            if not line.startswith("-"):
                new.append(line[1:])
        else:
            raise BadPatch(f"a line of the change to {path} begins with neither ' ', '-' nor '+': {line[:60]!r}")
    while old and new and not old[-1] and not new[-1] and lines and not lines[-1]:
        old.pop()  # blank lines before the next header belong to nobody
        new.pop()
        lines.pop()
    close()
    if not hunks and not move:
        raise BadPatch(f"the change to {path} changes nothing")
    return FilePatch(UPDATE, path, "", move, tuple(hunks))


def apply(change: FilePatch, text: str) -> str:
    """What an update makes of a text. Raises BadPatch where its old lines are not there."""
    if not change.hunks:
        return text
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    out: list[str] = []
    at = 0
    for hunk in change.hunks:
        start = at
        for name in hunk.after:
            found = _seek(lines, (name,), start, False)
            if found < 0:
                raise BadPatch(f"{change.path}: the line {name[:80]!r} is not in it")
            start = found + 1
        if hunk.old:
            found = _seek(lines, hunk.old, start, hunk.at_end)
            if found < 0 and not hunk.old[-1]:  # a blank line too many at the end
                found = _seek(lines, hunk.old[:-1], start, hunk.at_end)
                hunk = hunk._replace(old=hunk.old[:-1], new=hunk.new[: len(hunk.new) - (hunk.new[-1:] == ("",))])
            if found < 0:
                raise BadPatch(f"{change.path}: its lines {hunk.old[0][:80]!r} … are not in it")
        else:
            found = len(lines) if not hunk.after else start
        out += lines[at:found]
        out += hunk.new
        at = found + len(hunk.old)
    out += lines[at:]
    return "".join(line + "\n" for line in out)


_SIGNS = {"-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "'": "\u2018\u2019\u201a\u201b"}
_SIGNS |= {'"': "\u201c\u201d\u201e\u201f", " ": "\u00a0\u2002\u2003\u2009\u202f\u3000"}
_PLAIN = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})
_WAYS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    str.rstrip,
    str.strip,
    lambda line: line.strip().translate(_PLAIN),
)


def _seek(lines: Sequence[str], wanted: Sequence[str], start: int, at_end: bool) -> int:
    """Where `wanted` stands at or after `start`, by the strictest way that finds it; -1."""
    last = len(lines) - len(wanted)
    places: list[int] = [*([last] if at_end and last >= start else []), *range(start, last + 1)]
    for way in _WAYS:
        need = [way(line) for line in wanted]
        for place in places:
            if all(way(lines[place + i]) == need[i] for i in range(len(need))):
                return place
    return -1
