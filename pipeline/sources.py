"""The notes a book is written from: found, read, and cut into passages at block borders.

What comes out is raw text with the lane that book.toml gives its file. It reaches a prompt only through
`firewall.context.make_passage`; see pipeline/retrieval.py.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from firewall.context.clean import clean
from firewall.context.screen import Screen
from firewall.context.shown import seams
from firewall.text.markdown import Document, Node, parse
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from pipeline.book import BookSpec
from pipeline.errors import SourceError

LARGEST_NOTE = 8_000_000
"""Bytes; a note beyond is no note."""
CHUNK_WORDS = 160
"""Words at which a passage is full; a single block, such as a fence or a table, is never cut."""


class Note(NamedTuple):
    """One source file. `path` is below the book's folder, in POSIX form; `sha256` is of its bytes.

    `also` are the lanes that it was written from besides its own (pipeline/origins.py).
    """

    path: str
    lane: str
    text: str
    sha256: str
    also: tuple[str, ...] = ()


class Chunk(NamedTuple):
    """A stretch of a note that begins and ends at block borders.

    `source` is the note's path and the line (from 1) where it begins; `trail` are the headings above it. `seams` are
    the offsets in `text` where a tag that parts words was removed from between two letters, `also` the note's.
    """

    source: str
    lane: str
    trail: str
    text: str
    seams: tuple[int, ...] = ()
    also: tuple[str, ...] = ()


class Sources(NamedTuple):
    """All notes of a book that can be read, in order of path, and what was wrong with the others."""

    notes: tuple[Note, ...]
    findings: tuple[Finding, ...]


def read_sources(folder: Path, spec: BookSpec) -> Sources:
    """The notes that `spec` names below `folder`.

    A note that cannot be used is a finding and left out. Raises SourceError where a glob matches nothing,
    and where two entries claim one file for different lanes: then no lane is right.
    """
    lanes: dict[str, str] = {}
    root = folder.resolve()
    out = PurePosixPath(spec.out)
    for entry in spec.sources:
        for pattern in entry.files:
            found = [
                path
                for path in _glob(folder, pattern)
                if path.is_file() and not _apart(PurePosixPath(path.relative_to(folder).as_posix()), out)
            ]
            if not found:
                raise SourceError(
                    path=folder / "book.toml",
                    problem=f"the source pattern {pattern!r} matches no file",
                    fix="Fix the pattern, or take it out.",
                )
            for path in found:
                name = path.relative_to(folder).as_posix()
                if lanes.setdefault(name, entry.lane) != entry.lane:
                    raise SourceError(
                        path=folder / "book.toml",
                        problem=f"{name} is claimed by the lanes {lanes[name]!r} and {entry.lane!r}",
                        fix="Give every file one lane.",
                    )
    _one_lane_each(folder, lanes)
    notes: list[Note] = []
    findings: list[Finding] = []
    for name in sorted(lanes):
        note = _read(folder / name, name, lanes[name], root)
        if isinstance(note, Note):
            notes.append(note)
        else:
            findings.append(note)
    return Sources(tuple(notes), tuple(findings))


def _one_lane_each(folder: Path, lanes: dict[str, str]) -> None:
    """Raises SourceError where one file has two names of different lanes, by a symlink or a hard link."""
    first: dict[tuple[int, int], str] = {}
    for name in sorted(lanes):
        try:
            info = (folder / name).stat()
        except OSError:
            continue  # `_read` says what is wrong with it
        other = first.setdefault((info.st_dev, info.st_ino), name)
        if lanes[other] != lanes[name]:
            raise SourceError(
                path=folder / "book.toml",
                problem=f"{other} and {name} are one file, in the lanes {lanes[other]!r} and {lanes[name]!r}",
                fix="Take the link away, or give both names one lane.",
            )


def _glob(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except (ValueError, NotImplementedError) as error:
        raise SourceError(
            path=folder / "book.toml",
            problem=f"the source pattern {pattern!r} cannot be used ({error})",
            fix="`*` stands for part of a name, `**` alone for any depth of folders.",
        ) from None


def _apart(path: PurePosixPath, out: PurePosixPath) -> bool:
    """Is this none of the book's sources: its own output, or a hidden file?"""
    return path.is_relative_to(out) or any(part.startswith(".") for part in path.parts)


def _read(path: Path, name: str, lane: str, root: Path) -> Note | Finding:
    def unusable(rule: str, message: str) -> Finding:
        return Finding(rule, Outcome.BLOCK, f"{name} was left out: {message}", {"source": name, "lane": lane})

    if not path.resolve().is_relative_to(root):
        return unusable("source-outside", "it is a link to a file outside the book's folder.")
    try:
        if path.stat().st_size > LARGEST_NOTE:
            return unusable("source-size", f"{path.stat().st_size} bytes; {LARGEST_NOTE} is the limit.")
        data = path.read_bytes()
    except OSError as error:
        return unusable("source-unreadable", f"{error.strerror or error}.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return unusable(
            "source-bytes", f"byte 0x{data[error.start]:02x} in line {line} is not UTF-8. Save it as UTF-8."
        )
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return unusable("source-bytes", f"line {line} holds a NUL, so it is no text.")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return Note(name, lane, text, hashlib.sha256(data).hexdigest())


def clean_chunks(note: Note, screen: Screen) -> tuple[list[Chunk], tuple[Finding, ...]]:
    """The passages of a note after the context firewall cleaned it whole, and what it found.

    Whole first, because what hides text can begin in one passage and end in another. A note that may not be used as a
    whole gives no passages: cut up, it could read otherwise. Each passage is judged again, with its lane, when it is
    put into a prompt. `screen` is that of the lane that reads.
    """
    cleaned = clean(note.text, screen)
    findings = [
        f._replace(evidence={**f.evidence, "source": note.path})
        for f in cleaned.findings
        if f.outcome >= Outcome.REDACT
    ]
    refused = [f for f in findings if f.outcome >= Outcome.HOLD]
    if refused:
        worst = max(refused, key=lambda f: f.outcome)
        line = note.text.count("\n", 0, max(worst.start, 0)) + 1
        message = f"{note.path} was left out: what the context firewall found in line {line} forbids its use."
        evidence = {"source": note.path, "lane": note.lane, "rule": worst.rule, "line": line}
        return [], (*findings, Finding("source-refused", worst.outcome, message, evidence))
    chunks = []
    glued = seams(note.text, cleaned.findings)
    for piece in pieces(cleaned.text):
        line = note.text.count("\n", 0, cleaned.kept.raw(piece.start, piece.start + 1)[0]) + 1
        stretch = cleaned.text[piece.start : piece.end]
        text = stretch.strip("\n")
        low = piece.start + len(stretch) - len(stretch.lstrip("\n"))
        inside = tuple(at - low for at in glued if low < at < low + len(text))
        chunks.append(Chunk(f"{note.path}:{line}", note.lane, piece.trail, text, inside, note.also))
    return chunks, tuple(findings)


class Piece(NamedTuple):
    """`text[start:end]` of a note, with the headings it stands under, outermost first."""

    start: int
    end: int
    trail: str


def pieces(text: str) -> list[Piece]:
    """Where to cut `text` into stretches of about CHUNK_WORDS words.

    A heading begins a stretch, no block is cut, and a block that leads into the next one stays with it.
    Front matter is no source, and neither is a heading with nothing below it.
    """
    doc = parse(text)
    out: list[Piece] = []
    trail: list[tuple[int, str]] = []
    blocks: list[Node] = []
    size = 0
    for block in (*doc.blocks, None):
        words = count_words(doc.text(block)) if block else 0
        full = size + words > CHUNK_WORDS and bool(blocks) and not _introduces(doc, blocks[-1])
        if block is None or block.kind in ("heading", "metadata") or full:
            if any(b.kind not in ("heading", "rule") for b in blocks):
                out.append(Piece(blocks[0].start, blocks[-1].end, " > ".join(title for _, title in trail)))
            blocks, size = [], 0
        if block is None or block.kind == "metadata":
            continue
        if block.kind == "heading":
            level = int(block.attrs["level"])
            trail = [*(t for t in trail if t[0] < level), (level, block.plain().strip())]
        blocks.append(block)
        size += words
    return out


def _introduces(doc: Document, block: Node) -> bool:
    """Does `block` lead into the next one: a heading, or a paragraph that ends in a colon?"""
    if block.kind == "heading":
        return True
    return block.kind == "paragraph" and doc.text(block).rstrip().endswith((":", "："))
