"""What all books of this user wrote, from the records of their runs, and which notes of a book are of it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firewall.policy.lanes import Lane
from firewall.verdict import Finding, Outcome
from firewall.writes import known
from firewall.writes.database import peek_paths
from firewall.writes.paths import MOST_POLICY, POLICY_FILE, project_id
from firewall.writes.project import state_home
from pipeline.budget import books
from pipeline.db import is_begun
from pipeline.errors import RecordGone, RunStateBroken
from pipeline.home import Home, home_of
from pipeline.kept import load_record
from pipeline.shelf import Row, peek
from pipeline.sources import Note, Sources
from pipeline.taint import Carried, Written, carried, written_by
from pipeline.wordings import READING

RULE = "lane-taint"
UNKNOWN = "(not known)"
"""The lane of what a run wrote whose plan is lost: no lane can read it."""


def traced(folder: Path, sources: Sources, reader: str, lanes: Mapping[str, Lane]) -> Sources:
    """`sources` with the lanes that each note was written from, whatever book.toml says of it.

    A note of which `reader` may not read a lane is left out, with a finding that blocks, unless a person cleared its
    very bytes in [lanes.NAME] of the policy. What a note held that an earlier plan vetted is no section's: it stood
    there before. Raises RunStateBroken where a book's record cannot be read, RecordGone where it, or that of a project
    which is known, is gone: what was written is then not known.
    """
    own = lanes[reader].reads
    readable = [reader] if own is None else own
    shelves = _Shelves()
    asked = [note for note in sources.notes if note.sha256 not in lanes[reader].cleared]
    vetted = shelves.vetted()
    before = frozenset(number for number, note in enumerate(asked) if (note.lane, note.sha256) in vetted)
    found = carried([(note.text, note.lane, note.sha256) for note in asked], shelves.all(), before)
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
            findings.append(_refused(note, reader, [*readable, *closed], closed, first))
        else:
            notes.append(note._replace(also=tuple(also)))
    return Sources(tuple(notes), tuple(findings))


def vetting(sources: Sources, reader: Lane) -> dict[str, Any]:
    """What is kept of notes that are of no lane but their own, by what is known now, and that no person cleared."""
    some = {(note.lane, note.sha256) for note in sources.notes if not note.also and note.sha256 not in reader.cleared}
    return {"reading": READING, "notes": sorted(map(list, some))}


def _refused(note: Note, reader: str, reads: list[str], closed: list[str], first: Carried) -> Finding:
    named = " and ".join(map(repr, closed))
    what = f"line {first.line} is text that" if first.line else "it is a file that"
    section = f" (section {first.title!r})" if first.title else ""
    message = (
        f"{note.path} may not be used: {what} the book {first.book!r}{section} wrote, from lane {named}, which lane "
        f"{reader!r} may not read, whatever book.toml calls it. Take the file out of the sources; or let the lane "
        f"read it: reads = {json.dumps(reads)} in [lanes.{reader}] of stet.toml; or, where a person has read it and it "
        f'may be of lane {note.lane!r}: cleared = ["{note.sha256}"] there. Either counts once a person has run '
        "`stet accept stet.toml`."
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
        self._homes = list(_homes())

    def all(self) -> list[Written]:
        """Every section that any book wrote."""
        return [section for home in self._homes for _, section in self._of(home).sections]

    def vetted(self) -> frozenset[tuple[str, str]]:
        """Lane and SHA-256 of all notes that `vetting` kept in a plan."""
        out: set[tuple[str, str]] = set()
        for home in self._homes:
            some = (_kept(home) or {}).get("vetted", {})
            if some.get("reading") == READING:
                out.update((str(lane), str(sha)) for lane, sha in some["notes"])
        return frozenset(out)

    def at(self, path: Path) -> list[Carried]:
        """Whose file stands at `path`, where a run wrote it there, whatever stands in it now."""
        return [one for name in (path.resolve(), *_other_names(path)) for one in self._at(name)]

    def _at(self, path: Path) -> list[Carried]:
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
                out += _not_recorded(home, name, there)
        return out

    def _of(self, home: Home) -> _Book:
        if home.folder not in self._read:
            if home.plan.exists() and not is_begun(home.sections):
                raise gone(home.sections, home.money)
            rows, files = peek(home.sections)
            old = _plan_of(home) if any("origin" not in row.record for row in rows) else {}
            self._read[home.folder] = _Book([(row.file, _written(row, old)) for row in rows], files)
        return self._read[home.folder]


def _not_recorded(home: Home, name: str, there: _Book) -> list[Carried]:
    """What a run may have written to `name`, a file in its book's output, and died before it told of it. Raises
    RunStateBroken where the book's plan cannot be read."""
    plan = load_record(home.plan)  # one that cannot be read may have named any output
    if (
        plan is None
        or not name.startswith(f"{plan['spec']['out']}/")
        or any(file == name for file, _ in there.sections)
    ):
        return []
    old = _plan_of(home)
    return [Carried(tuple(old["lanes"]), str(old["title"]), "", 0)] if _CHAPTER.match(name.rpartition("/")[2]) else []


_CHAPTER = re.compile(r"\d+-")


def _other_names(path: Path) -> Iterator[Path]:
    """The other names of a file, by hard links, among those that are known of."""
    try:
        info = path.stat()
    except OSError:
        return
    if info.st_nlink < 2:
        return
    for one in known.everything():
        for name in peek_paths(Path(one.state)) or ():
            other = Path(one.root, name)
            with contextlib.suppress(OSError):
                there = other.stat()
                if (there.st_dev, there.st_ino) == (info.st_dev, info.st_ino):
                    yield other.resolve()


def _homes() -> Iterator[Home]:
    """Where the records of all books are, of every project that this user ever opened. Raises RecordGone."""
    states = set()
    for one in known.everything():
        states.add(Path(one.state))
        if not Path(one.state).is_dir():
            note = known.head_file(Path(one.root)).with_suffix(".json")
            raise RecordGone(
                detail=f"{one.state}, the state folder of {one.root}, was there and is gone",
                fix=f"as a person, run `stet init --adopt` in {one.root}; where that folder is no more, remove {note}",
            )
    if state_home().is_dir():
        states.update(state_home().iterdir())
    for state in sorted(states):
        money = state / "pipeline.sqlite"
        for book in books(money):
            if not is_begun(state / "books" / book / "sections.sqlite"):
                raise gone(state / "books" / book / "sections.sqlite", money)
        if (state / "books").is_dir():
            for folder in sorted((state / "books").iterdir()):
                yield Home(folder, money, folder.name)


def gone(path: Path, money: Path) -> RecordGone:
    """The error for a record of sections that was at `path`."""
    return RecordGone(
        detail=f"{path}, the record of a run, was there and is gone",
        fix=f"run that book again with --replan; where it is no more, as a person, move {path.parent} and {money} away",
    )


def _written(row: Row, old: Mapping[str, Any]) -> Written:
    text = str(row.record.get("text", ""))
    if "origin" in row.record:
        return written_by(row.record["origin"], row.title, text)
    return Written(
        old.get("title", "?"), row.title, text, tuple(old.get("lanes", (UNKNOWN,))), notes=old.get("notes", frozenset())
    )


def _plan_of(home: Home) -> dict[str, Any]:
    """Title and lanes of a book that an earlier version ran, which recorded no section's own: all it could read."""
    plan = _kept(home)
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


def _kept(home: Home) -> dict[str, Any] | None:
    try:
        return load_record(home.plan)
    except RunStateBroken:
        return None
