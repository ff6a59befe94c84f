"""From a book's rows to its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from firewall.policy.style import Style
from firewall.text.markdown import parse
from firewall.verdict import Finding
from latches.rhythm import rhythm
from pipeline.chapter import find_section
from pipeline.contents import stands
from pipeline.plan import Plan
from pipeline.report import Report, SectionLine, tally
from pipeline.shelf import Row, Shelf

_TOLD = ("gate", "attempt", "rule", "outcome", "message")
"""What is said of a finding; its evidence stays in the record."""


def report_of(plan: Plan, rows: Mapping[str, Row | None], folder: Path, *, looking: bool = False) -> Report:
    """The book as its rows say, without what only a run knows. `looking` compares them with the disk as well."""
    lines: list[SectionLine] = []
    findings = [{"gate": "context", "rule": f.rule} for f in plan.findings]
    notes: dict[str, None] = dict.fromkeys([*plan.blueprint.relaxed, *(f.message for f in plan.tainted)])
    for section in plan.sections:
        row = rows[section.ident]
        p = section.plan
        line = SectionLine(p.number, p.chapter_title, p.title, p.shape, "waiting", section.file, 0, p.target_words)
        if row is not None:
            record = row.record
            findings += record["findings"]
            notes.update(dict.fromkeys(record["notes"]))
            line = line._replace(
                status=row.status,
                words=record["words"],
                attempts=record["attempts"],
                micropasses=record["micropasses"],
                cost_usd=record["cost_usd"],
                lanes=tuple(record.get("origin", {}).get("lanes", ())),
                index_version=record.get("origin", {}).get("index_version", ""),
                findings=tuple({key: f[key] for key in _TOLD if key in f} for f in record["findings"]),
            )
            if looking and row.status in ("written", "kept") and not stands(folder, section):
                line = line._replace(status="missing", words=0)
        if line.status not in ("written", "kept", "missing"):
            line = line._replace(older=stands(folder, section))
        lines.append(line)
    notes.update(dict.fromkeys([*(f.message for f in metronomes(plan, folder)), *out_of_order(plan, folder)]))
    return Report(
        book=plan.spec.title,
        out=str(folder / plan.spec.out),
        sections=tuple(lines),
        findings=tally(findings),
        notes=tuple(notes),
        index_version=str(plan.record.get("index_version", "")),
    )


def metronomes(plan: Plan, folder: Path) -> list[Finding]:
    """Where a chapter as it stands on disk breaks the limits of rhythm, whoever wrote what in it."""
    style = Style.model_validate(plan.record["style"])
    out = []
    for file, text in _chapters(plan, folder):
        out += [f._replace(message=f"{file}: {f.message}") for f in rhythm(parse(text), style)]
    return out


def _chapters(plan: Plan, folder: Path) -> Iterator[tuple[str, str]]:
    """The chapters' files and their texts, those left out that are not there or are no text."""
    for file in dict.fromkeys(section.file for section in plan.sections):
        try:
            yield file, (folder / file).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue


def out_of_order(plan: Plan, folder: Path) -> list[str]:
    """Where the sections of a chapter stand in another order than the plan has: a person's to move, as any text that
    stands is."""
    notes = []
    for file, text in _chapters(plan, folder):
        titles = [section.plan.title for section in plan.sections if section.file == file]
        there = [(place[0], title) for title in titles if (place := find_section(text, title)) is not None]
        for (before, first), (behind, second) in pairwise(there):
            if before > behind:
                notes.append(f"In {file}, {first!r} stands behind {second!r}; the book has it before. Move it by hand.")
    return notes


def leftovers(plan: Plan, shelf: Shelf, folder: Path) -> list[str]:
    """What Stet wrote once and the plan no longer has, where it still stands: a person's to take out."""
    files = {section.file for section in plan.sections}
    places = {(section.file, section.plan.title) for section in plan.sections}
    notes: dict[str, None] = {}
    for file, title in shelf.places():
        if (file, title) in places:
            continue
        try:
            text = (folder / file).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if file not in files:
            notes[f"{file} is no part of the book any more; it was left as it is."] = None
        elif find_section(text, title) is not None:
            notes[f"{title!r} still stands in {file} and is no part of the book any more."] = None
    return list(notes)
