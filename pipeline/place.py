"""Putting a finished section into its chapter, through the write proxy and nothing else."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firewall.text.amounts import amount
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from firewall.writes import cases
from firewall.writes.proxy import WriteProxy, WriteResult
from pipeline.chapter import find_section, own_footnotes, put, section_text, without_own_heading, without_section
from pipeline.errors import FileUnread
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
    the write and its row, nothing is written. A refusal is recorded, and tried again by the next run. What a person
    was asked about an earlier text of the section is answered with that: one alert a section.
    """
    placed = _placed(proxy, shelf, folder, section, titles, record)
    if placed.row.status in ("written", "staged", "kept"):
        _close_older(proxy, shelf, placed.row)
    return placed


def _placed(
    proxy: WriteProxy, shelf: Shelf, folder: Path, section: Section, titles: Sequence[str], record: dict[str, Any]
) -> Placed:
    plan = section.plan
    path = folder / section.file
    body = str(record["text"])
    old = bytes_at(path)
    try:
        text = "" if old is None else old.decode("utf-8")
    except UnicodeDecodeError:
        finding = Finding("chapter-bytes", Outcome.HOLD, f"{section.file} is not UTF-8. Save it as UTF-8.")
        return Placed(_row(shelf, section, "refused", record, (finding,), None), None)
    body = own_footnotes(body, plan.number, without_section(text, plan.title))
    record = {**record, "text": body}
    change = put(old, plan.chapter_title, titles, plan.title, body)
    if not record["fit"]:
        if asked := _asked(proxy, shelf, section, body, "staged"):
            return Placed(_row(shelf, section, "staged", {**record, "alert": asked}, (), None), None)
        findings = tuple(_finding(f) for f in _against(record))
        reason = _what_helps(section, folder, text, int(record["attempts"]))
        result = proxy.stage(path, change.content, findings, reason)
        status = "staged" if result.alert is not None else "refused"
        return Placed(_row(shelf, section, status, record, result.verdict.findings, result), result)
    if change.same:
        return Placed(_row(shelf, section, "written", record, (), None), None)
    if _by_hand(shelf, section, text):
        if asked := _asked(proxy, shelf, section, body, "kept"):
            return Placed(_row(shelf, section, "kept", {**record, "alert": asked}, (), None), None)
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


def _what_helps(section: Section, folder: Path, text: str, attempts: int) -> str:
    """Why a section is put before a person, and what they can do about it; `text` is its chapter as it stands."""
    plan = section.plan
    held = sum(count_words(passage.text) for passage in section.passages)
    there = find_section(text, plan.title)
    standing = count_words(without_own_heading(plan.title, text[slice(*there)])[0]) if there else 0
    place = f" and put it in place of the {amount(standing, 'word')} that stand there now" if standing else ""
    why = section.starved or (
        f"its notes hold {amount(held, 'word')}: add to them, or set another `words` or `shape` for it in book.toml."
    )
    return (
        f"section {plan.number}, {plan.title!r}, met its shape in none of its {amount(attempts, 'draft')}: {why} Then "
        f"run `stet run {folder} --replan`. To approve is to take the text as it is{place}"
    )


def _asked(proxy: WriteProxy, shelf: Shelf, section: Section, body: str, status: str) -> str:
    """The alert in which a person is asked about this very text of the section already, or ''."""
    sha = _sha(section_text(section.plan.title, body))
    for row in shelf.others(section.file, section.plan.title, section.ident):
        alert = str(row.record.get("alert") or "")
        if row.status == status and row.sha256 == sha and cases.state_of(proxy.ledger, alert) in cases.PENDING:
            return alert
    return ""


def _close_older(proxy: WriteProxy, shelf: Shelf, now: Row) -> None:
    """Answer what is still asked about earlier texts of a section: to approve one would undo the later text."""
    alerts = {str(row.record.get("alert") or "") for row in shelf.others(now.file, now.title, now.ident)}
    for alert in sorted(alerts - {"", str(now.record.get("alert") or "")}):
        if cases.state_of(proxy.ledger, alert) in cases.PENDING:
            with proxy.ledger.transaction():
                cases.move(proxy.ledger, alert, cases.PENDING, "answered", time.time(), "a later run of the book")


def must_move(folder: Path, section: Section, row: Row, shelf: Shelf) -> bool:
    """Is a written section's whole chapter gone from the disk, or called otherwise by now, or does another text that a
    run wrote stand in its place, as where the book was set back to what it was?

    What a person cut out of a chapter stays out, and so does what a person made of it.
    """
    if row.status != "written":
        return False
    path = folder / section.file
    if row.file != section.file or not path.exists():
        return True
    try:
        text = (bytes_at(path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        return False
    standing = _standing(section, text)
    return standing not in ("", row.sha256) and standing in shelf.ours(section.file, section.plan.title)


def _standing(section: Section, text: str) -> str:
    """The hash of what stands in the section's place in a chapter; '' where nothing does."""
    there = find_section(text, section.plan.title)
    return "" if there is None else _sha(text[slice(*there)].replace("\r\n", "\n"))


def _by_hand(shelf: Shelf, section: Section, text: str) -> bool:
    """Does something stand in the section's place that Stet never put there?"""
    standing = _standing(section, text)
    return standing != "" and standing not in shelf.ours(section.file, section.plan.title)


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


def bytes_at(path: Path) -> bytes | None:
    """What stands in a file of the book, None where there is none. Raises FileUnread for what cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileUnread(action="read", path=path, reason=error.strerror or str(error)) from None
