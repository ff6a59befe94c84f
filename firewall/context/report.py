"""Judging text for `stet clean`: one text, or every file of a folder. Nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firewall.context.clean import clean
from firewall.context.lanes import violations
from firewall.context.screen import DEFAULT, screen_of
from firewall.policy.lanes import Lane
from firewall.policy.protect import TEXT_EXTENSIONS
from firewall.verdict import Finding, Outcome

SUFFIXES = frozenset("." + name for name in (*TEXT_EXTENSIONS, "html", "htm", "xml", "json", "csv", "log", "org"))
"""What a folder's report reads; other files are named as skipped."""
_SKIPPED_FOLDERS = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__"))


class Judged(NamedTuple):
    """What became of one text. `text` is empty when it may not be used."""

    source: str
    raw: str
    text: str
    outcome: Outcome
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> bool:
        """True when the text may not be used."""
        return self.outcome >= Outcome.HOLD

    def to_json(self, *, with_text: bool) -> dict[str, object]:
        """The JSON that the command prints."""
        out: dict[str, object] = {"outcome": self.outcome.label, "source": self.source}
        if with_text:
            out["text"] = self.text
        out["findings"] = [{**f.to_json(), "line": self.raw.count("\n", 0, max(f.start, 0)) + 1} for f in self.findings]
        return out


def judge_text(raw: str, source: str, lane: Lane | None = None, name: str = "") -> Judged:
    """Clean `raw` and check it for lane `name`, whose rules are `lane`, as a source of that lane's own."""
    result = clean(raw, screen_of(lane) if lane else DEFAULT)
    findings = list(result.findings)
    if lane is not None:
        for hit in violations(result, lane):
            evidence = {"term": hit.term, "lane": name}
            message = f"The term {hit.term!r} is banned in lane {name!r}."
            findings.append(Finding("lane-violation", Outcome.BLOCK, message, evidence, hit.start, hit.end))
        findings.sort(key=lambda f: f.start)
    outcome = max((f.outcome for f in findings), default=Outcome.ALLOW)
    text = "" if outcome >= Outcome.HOLD else result.text
    return Judged(source, raw, text, outcome, tuple(findings))


def folder(root: Path, lane: Lane | None = None, name: str = "") -> Iterator[Judged | tuple[str, str]]:
    """Every text file below `root` in order of path, judged; or (path, reason) for one that was not read."""
    for path in sorted(root.rglob("*")):
        if any(part in _SKIPPED_FOLDERS for part in path.relative_to(root).parts) or not path.is_file():
            continue
        if path.suffix.lower() not in SUFFIXES:
            yield str(path), "not a kind of text file that is read"
            continue
        try:
            raw = path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            yield str(path), error.strerror or str(error)
            continue
        yield judge_text(raw, str(path), lane, name)


def totals(judged: list[Judged]) -> dict[str, int]:
    """How often each rule found something, most often first."""
    return dict(Counter(f.rule for one in judged for f in one.findings).most_common())
