"""What `stet lint` found, as lines for people, JSON for programs and SARIF for code hosts. Pure."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from latches.style.hit import Silenced, StyleHit

RULES = {
    "ceiling": "A word is used more often in one document than its ceiling allows.",
    "density": "A word is used more often in 1,000 words than its rate allows.",
    "banned": "A phrase that may not stand in prose.",
    "apart": "Two terms stand nearer to each other than they may.",
    "off-without-reason": "A `stet: off` comment that gives no reason and so has no effect.",
    "off-unused": "A `stet: off` comment that silences nothing.",
    "off-unclosed": "A `stet: off` comment that is not closed and so hides all that follows.",
    "off-beside-text": "A `stet:` comment at the beginning of a line of text, which is HTML then and is not checked.",
    "unreadable": "A file that is no Markdown in UTF-8 and so cannot be checked.",
}
"""Every rule that lint reports, with what it means."""


class Place(NamedTuple):
    """Line and column from 1, columns in characters; the end is just after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class Linted(NamedTuple):
    """A file and what was found in it. `problem` is why it could not be read."""

    path: str
    text: str
    hits: Sequence[StyleHit]
    silenced: Sequence[Silenced] = ()
    problem: str = ""

    @property
    def clean(self) -> bool:
        """True when the file was read and nothing was found."""
        return not self.hits and not self.problem


class Lines:
    """Where the lines of a text begin: `\\n`, `\\r\\n` and `\\r` end one."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = 0
        for line in text.splitlines(keepends=True):
            at += len(line)
            if line.endswith(("\n", "\r")):
                self._starts.append(at)

    def place(self, start: int, end: int) -> Place:
        """The place of `text[start:end]`."""
        line, column = self._at(start)
        end_line, end_column = self._at(end)
        return Place(line, column, end_line, end_column)

    def _at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def as_lines(files: Sequence[Linted]) -> list[str]:
    """A table for each file with findings, and a sentence that sums up."""
    out: list[str] = []
    for file in files:
        if file.clean:
            continue
        rows = [("1:1", "unreadable", file.problem)] if file.problem else []
        lines = Lines(file.text)
        for hit in file.hits:
            place = lines.place(hit.start, hit.end)
            rows.append((f"{place.line}:{place.column}", hit.rule, hit.message))
        wide = max(len(row[0]) for row in rows)
        broad = max(len(row[1]) for row in rows)
        out += [file.path, *(f"  {at:>{wide}}  {rule:<{broad}}  {message}" for at, rule, message in rows), ""]
    out.append(summary(files))
    return out


def summary(files: Sequence[Linted]) -> str:
    """One sentence about all files."""
    count = sum(len(file.hits) + bool(file.problem) for file in files)
    dirty = sum(not file.clean for file in files)
    off = sum(len(file.silenced) for file in files)
    checked = f"{len(files)} file" + ("s" if len(files) != 1 else "")
    also = f"; {off} silenced by comments" if off else ""
    if not count:
        return f"No findings in {checked}{also}."
    return f"{count} finding{'s' if count != 1 else ''} in {dirty} of {checked}{also}."


def to_json(files: Sequence[Linted]) -> dict[str, object]:
    """Findings as one JSON object. `start` and `end` are character offsets, a byte order mark not counted."""
    findings: list[dict[str, object]] = []
    silenced: list[dict[str, object]] = []
    for file in files:
        if file.problem:
            findings.append({"path": file.path, "line": 1, "column": 1, "rule": "unreadable", "message": file.problem})
        if not file.hits and not file.silenced:
            continue
        lines = Lines(file.text)
        for hit in file.hits:
            place = lines.place(hit.start, hit.end)
            findings.append(
                {
                    "path": file.path,
                    **place._asdict(),
                    **hit._asdict(),
                    "alternatives": list(hit.alternatives),
                }
            )
        for use in file.silenced:
            place = lines.place(use.start, use.end)
            silenced.append({"path": file.path, **place._asdict(), **use._asdict()})
    return {"files": len(files), "findings": findings, "silenced": silenced}


def as_sarif(files: Sequence[Linted], version: str, root: str = "") -> dict[str, object]:
    """A SARIF 2.1.0 log, as GitHub and GitLab read it to annotate changes. Silenced uses are suppressed.

    Paths under `root`, the folder that the command ran in, are named from there: a code host knows no other.
    """
    files = [file._replace(path=_below(file.path, root)) for file in files]
    names = list(RULES)
    results: list[dict[str, object]] = []
    for file in files:
        if file.problem:
            results.append(_result(file, names, "unreadable", file.problem, Place(1, 1, 1, 1), ""))
        if not file.hits and not file.silenced:
            continue
        lines = Lines(file.text)
        seen: dict[str, int] = {}
        for hit in file.hits:
            place = lines.place(hit.start, hit.end)
            results.append(_result(file, names, hit.rule, hit.message, place, _print(file, hit, seen)))
        for use in file.silenced:
            message = f'"{use.term}" is silenced here.'
            place = lines.place(use.start, use.end)
            result = _result(file, names, use.rule, message, place, _print(file, use, seen))
            result["suppressions"] = [{"kind": "inSource", "justification": use.reason}]
            results.append(result)
    rules = [{"id": name, "shortDescription": {"text": about}} for name, about in RULES.items()]
    driver = {"name": "stet", "semanticVersion": version, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _below(path: str, root: str) -> str:
    path = path.replace("\\", "/")
    prefix = root.replace("\\", "/").rstrip("/") + "/"
    return path.removeprefix(prefix) if root else path


def _result(
    file: Linted, names: list[str], rule: str, message: str, place: Place, fingerprint: str
) -> dict[str, object]:
    out: dict[str, object] = {
        "ruleId": rule,
        "ruleIndex": names.index(rule),
        "level": "error" if rule == "unreadable" else "warning",
        "message": {"text": message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(file.path)},
                    "region": {
                        "startLine": place.line,
                        "startColumn": place.column,
                        "endLine": place.end_line,
                        "endColumn": place.end_column,
                    },
                }
            }
        ],
    }
    if fingerprint:
        out["partialFingerprints"] = {"stetLine/v1": fingerprint}
    return out


def _print(file: Linted, hit: StyleHit | Silenced, seen: dict[str, int]) -> str:
    """A hash that stays when lines move: rule, term and the text of the line, and its turn among equals."""
    start = file.text.rfind("\n", 0, hit.start) + 1
    end = file.text.find("\n", hit.start)
    line = file.text[start : end if end >= 0 else len(file.text)].strip()
    key = f"{hit.rule}\0{hit.term}\0{line}"
    seen[key] = seen.get(key, 0) + 1
    return hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
