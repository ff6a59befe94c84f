"""What all books of this user wrote, from the records of their runs, and which notes of a book are of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firewall.policy.lanes import Lane
from firewall.verdict import Finding, Outcome
from firewall.writes import known
from firewall.writes.paths import MOST_POLICY, POLICY_FILE, project_id
from firewall.writes.project import state_home
from pipeline.errors import RunStateBroken
from pipeline.home import Home, home_of
from pipeline.kept import load_record
from pipeline.shelf import Row, peek
from pipeline.sources import Note, Sources
from pipeline.taint import Carried, Written, carried, written_by

RULE = "lane-taint"
UNKNOWN = "(not known)"
"""The lane of what a run wrote whose plan is lost: no lane can read it."""


def traced(folder: Path, sources: Sources, reader: str, lanes: Mapping[str, Lane]) -> Sources:
    """`sources` with the lanes that each note was written from, whatever book.toml says of it.

    A note of which `reader` may not read a lane is left out, with a finding that blocks, unless a person cleared its
    very bytes in [lanes.NAME] of the policy. Raises RunStateBroken where a book's record cannot be read: what it wrote
    is then not known.
    """
    own = lanes[reader].reads
    readable = [reader] if own is None else own
    shelves = _Shelves()
    asked = [note for note in sources.notes if note.sha256 not in lanes[reader].cleared]
    found = carried([(note.text, note.lane, note.sha256) for note in asked], shelves.all())
    notes: list[Note] = []
    findings = list(sources.findings)
    by_path = {note.path: shown for note, shown in zip(asked, found, strict=True)}
    for note in sources.notes:
        some = by_path.get(note.path, [])
        if note in asked:
            some = [*some, *shelves.at(folder / note.path)]
        also = sorted({lane for one in some for lane in one.lanes} - {note.lane})
        closed = [lane for lane in also if lane not in readable]
        if closed:
            first = next(one for one in some if closed[0] in one.lanes)
            findings.append(_refused(note, reader, closed, first))
        else:
            notes.append(note._replace(also=tuple(also)))
    return Sources(tuple(notes), tuple(findings))


def _refused(note: Note, reader: str, closed: list[str], first: Carried) -> Finding:
    named = " and ".join(map(repr, closed))
    what = f"line {first.line} is text that" if first.line else "it is a file that"
    section = f" (section {first.title!r})" if first.title else ""
    message = (
        f"{note.path} was left out: {what} the book {first.book!r}{section} wrote, from lane {named}, which lane "
        f"{reader!r} may not read, whatever book.toml calls it. Take the file out of the sources, or let "
        f"[lanes.{reader}] read {named}. Where a person has read it and it may be of lane {note.lane!r}: "
        f'cleared = ["{note.sha256}"] in [lanes.{reader}] of stet.toml, and `stet accept stet.toml`.'
    )
    evidence = {
        "source": note.path,
        "lane": note.lane,
        "lanes": closed,
        "reader": reader,
        "book": first.book,
        "section": first.title,
        "line": first.line,
        "sha256": note.sha256,
    }
    return Finding(RULE, Outcome.BLOCK, message, evidence)


class _Book(NamedTuple):
    """The sections that a book wrote, each with its file, and the files that it made as a whole."""

    sections: list[tuple[str, Written]]
    files: frozenset[str]


class _Shelves:
    """The records of all books, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, _Book] = {}

    def all(self) -> list[Written]:
        """Every section that any book wrote."""
        return [section for home in _homes() for _, section in self._of(home).sections]

    def at(self, path: Path) -> list[Carried]:
        """Whose file stands at `path`, where a run wrote it there, whatever stands in it now."""
        path = path.resolve()
        out = []
        for root in path.parents:
            try:
                with (root / POLICY_FILE).open("rb") as file:
                    project = project_id(file.read(MOST_POLICY))
            except OSError:
                continue
            for folder in path.parents:
                if not project or not folder.is_relative_to(root):
                    break
                home = home_of(state_home() / project, root, folder)
                name = path.relative_to(folder).as_posix()
                there = self._of(home)
                out += [
                    Carried(section.lanes, section.book, section.title, 0)
                    for file, section in there.sections
                    if file == name or name in there.files
                ]
        return out

    def _of(self, home: Home) -> _Book:
        if home.folder not in self._read:
            rows, files = peek(home.sections)
            old = _plan_of(home) if any("origin" not in row.record for row in rows) else {}
            self._read[home.folder] = _Book([(row.file, _written(row, old)) for row in rows], files)
        return self._read[home.folder]


def _homes() -> Iterator[Home]:
    """Where the records of all books are, of every project that this user ever opened."""
    states = {Path(one.state) for one in known.everything()}
    if state_home().is_dir():
        states.update(state_home().iterdir())
    for state in sorted(states):
        if (state / "books").is_dir():
            for folder in sorted((state / "books").iterdir()):
                yield Home(folder, state / "pipeline.sqlite", folder.name)


def _written(row: Row, old: Mapping[str, Any]) -> Written:
    text = str(row.record.get("text", ""))
    if "origin" in row.record:
        return written_by(row.record["origin"], row.title, text)
    return Written(
        old.get("title", "?"), row.title, text, tuple(old.get("lanes", (UNKNOWN,))), notes=old.get("notes", frozenset())
    )


def _plan_of(home: Home) -> dict[str, Any]:
    """Title and lanes of a book that an earlier version ran, which recorded no section's own: all it could read."""
    try:
        plan = load_record(home.plan)
    except RunStateBroken:
        plan = None
    if plan is None:
        return {}
    lane = plan["spec"]["lane"]
    reads = (plan["lanes"].get(lane) or {}).get("reads")
    readable = {lane} if reads is None else set(reads)
    return {
        "title": plan["spec"]["title"],
        "lanes": sorted({lane} | {name for name, _ in plan["notes"].values() if name in readable}),
        "notes": frozenset((name, sha) for name, sha in plan["notes"].values()),
    }
