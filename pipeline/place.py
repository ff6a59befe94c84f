"""Putting a finished section into its chapter, through the write proxy and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firewall.verdict import Finding, Outcome
from firewall.writes.proxy import WriteProxy, WriteResult
from pipeline.chapter import find_section, own_footnotes, put, section_text, without_section
from pipeline.plan import Section
from pipeline.shelf import Row, Shelf


class Placed(NamedTuple):
    """A row, and what the proxy said where it was asked."""

    row: Row
    result: WriteResult | None


def place(
    proxy: WriteProxy,
    shelf: Shelf,
    folder: Path,
    section: Section,
    titles: Sequence[str],
    record: dict[str, Any],
) -> Placed:
    """Settle one section: write it, stage it when it is not fit, leave it where a person's edit stands.

    `titles` are the chapter's sections in order. Where the section stands already, as after a kill between
    the write and its row, nothing is written. A refusal is recorded, and tried again by the next run.
    """
    plan = section.plan
    path = folder / section.file
    body = str(record["text"])
    old = _read(path)
    try:
        text = "" if old is None else old.decode("utf-8")
    except UnicodeDecodeError:
        finding = Finding("chapter-bytes", Outcome.HOLD, f"{section.file} is not UTF-8. Save it as UTF-8.")
        return Placed(_row(shelf, section, "refused", record, (finding,), None), None)
    body = own_footnotes(body, plan.number, without_section(text, plan.title))
    record = {**record, "text": body}
    change = put(old, plan.chapter_title, titles, plan.title, body)
    if not record["fit"]:
        findings = tuple(_finding(f) for f in _against(record))
        reason = f"section {plan.number}, {plan.title!r}, met its shape in none of {record['attempts']} attempts"
        result = proxy.stage(path, change.content, findings, reason)
        status = "staged" if result.alert is not None else "refused"
        return Placed(_row(shelf, section, status, record, result.verdict.findings, result), result)
    if change.same:
        return Placed(_row(shelf, section, "written", record, (), None), None)
    if _by_hand(shelf, section, text):
        finding = Finding(
            "edited-by-hand",
            Outcome.HOLD,
            f"{plan.title!r} in {section.file} is not as Stet wrote it: a person's edit stands, and the new "
            "text was put aside.",
        )
        result = proxy.stage(path, change.content, (finding,), "a person's edit stands in its place")
        return Placed(_row(shelf, section, "kept", record, (finding,), result), result)
    result = proxy.write(
        path,
        change.content,
        base=None if old is None else hashlib.sha256(old).hexdigest(),
        stop_reason="end_turn",
        structural=change.span,
    )
    status = "written" if result.committed else "refused"
    return Placed(_row(shelf, section, status, record, result.verdict.findings, result), result)


def must_move(folder: Path, section: Section, row: Row) -> bool:
    """Is a written section's whole chapter gone from the disk, or called otherwise by now?

    What a person cut out of a chapter stays out.
    """
    return row.status == "written" and (row.file != section.file or not (folder / row.file).exists())


def _by_hand(shelf: Shelf, section: Section, text: str) -> bool:
    """Does something stand in the section's place that Stet never put there?"""
    there = find_section(text, section.plan.title)
    if there is None:
        return False
    standing = _sha(text[slice(*there)].replace("\r\n", "\n"))
    return standing not in shelf.ours(section.file, section.plan.title)


def _row(
    shelf: Shelf,
    section: Section,
    status: str,
    record: dict[str, Any],
    findings: tuple[Finding, ...],
    result: WriteResult | None,
) -> Row:
    """Write the row down. The write gate's findings take the place of those of an earlier try."""
    found = [f for f in record["findings"] if f["gate"] != "write"]
    found += [{"gate": "write", "attempt": 0, **f.to_json()} for f in findings if f.rule not in _told(record)]
    alert = result.alert.id if result is not None and result.alert is not None else record.get("alert")
    sha = _sha(section_text(section.plan.title, str(record["text"])))
    row = Row(
        section.ident,
        status,
        section.file,
        section.plan.title,
        sha,
        {**record, "findings": found, "alert": alert},
    )
    shelf.put(row)
    return row


def _told(record: dict[str, Any]) -> set[str]:
    """Rules that other gates have told of: a staged section's findings are theirs, not the write gate's."""
    return {f["rule"] for f in record["findings"] if f["gate"] != "write"}


def _against(record: dict[str, Any]) -> list[dict[str, Any]]:
    """What stands against an unfit section: what the last attempt was refused for."""
    last = max((f["attempt"] for f in record["findings"]), default=0)
    return [f for f in record["findings"] if f["attempt"] == last and f["outcome"] in ("hold", "block")]


def _finding(raw: dict[str, Any]) -> Finding:
    return Finding(raw["rule"], Outcome.parse(raw["outcome"]), raw["message"], raw["evidence"])


def _sha(text: str) -> str:
    return hashlib.sha256(text.strip().encode()).hexdigest()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
