"""What a run or a look at a book has to say, as a value; as JSON and as the closing table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from firewall.errors import EXIT_LATCHED, EXIT_OK, EXIT_REFUSED

if TYPE_CHECKING:
    from rich.console import RenderableType

GATES = ("context", "model", "latch", "style", "micropass", "write")


class SectionLine(NamedTuple):
    """A section and how it stands.

    `status` is written, kept (a person's text stands instead of ours), staged (a person is asked), rejected (a
    person said no), refused, failed (its model gave no answer), missing (written once, and not on the disk now)
    or waiting. `new` is true when this run brought it there, `older` when the text that was to be written does not
    stand and another one of the section does. `lanes` are those it was written from, out of the index of
    `index_version`; empty before it is written, and where an earlier version of Stet wrote it. `findings` are what its
    gates found on the way, those that let it pass among them, each as JSON with gate, attempt, rule, outcome, message.
    """

    number: int
    chapter: str
    title: str
    shape: str
    status: str
    file: str
    words: int = 0
    target_words: int = 0
    attempts: int = 0
    micropasses: int = 0
    cost_usd: float | None = 0.0
    new: bool = False
    older: bool = False
    lanes: tuple[str, ...] = ()
    index_version: str = ""
    findings: tuple[Mapping[str, Any], ...] = ()


class Report(NamedTuple):
    """The book after a run. `findings` counts by gate and rule; costs are US dollars.

    `cost_usd` is what this run spent, `total_usd` what the book has cost over all its runs; reservations of
    calls that were killed are in it. `alerts` are ids raised now. `problems` are errors that did not stop
    the run, `stopped` the one that did. `latched` is true when a chapter is latched. `index_version` is that of the
    notes as the plan has them.
    """

    book: str
    out: str
    sections: tuple[SectionLine, ...]
    findings: Mapping[str, Mapping[str, int]]
    notes: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    cost_usd: float = 0.0
    total_usd: float = 0.0
    problems: tuple[Mapping[str, object], ...] = ()
    stopped: Mapping[str, object] | None = None
    latched: bool = False
    index_version: str = ""

    def count(self, *statuses: str) -> int:
        """Sections with one of the statuses."""
        return sum(section.status in statuses for section in self.sections)

    @property
    def standing(self) -> str:
        """How many sections stand, and where an older text still does."""
        older = sum(section.older for section in self.sections)
        more = f" ({older} more in an older text)" if older else ""
        return f"{self.count('written', 'kept')} of {len(self.sections)} sections{more}"

    @property
    def words(self) -> int:
        """Words of the sections that are in the book."""
        return sum(s.words for s in self.sections if s.status in ("written", "kept"))

    @property
    def shapes(self) -> dict[str, int]:
        """How often each shape is in the book, by name."""
        return dict(sorted(Counter(s.shape for s in self.sections if s.status == "written").items()))

    @property
    def micropasses(self) -> int:
        """Sentences rewritten in the sections that are in the book."""
        return sum(s.micropasses for s in self.sections if s.status == "written")

    @property
    def idle(self) -> bool:
        """Had the run nothing to do?"""
        return not any(s.new or s.status in ("waiting", "failed", "refused", "missing") for s in self.sections)

    @property
    def exit_status(self) -> int:
        """0 when every section stands, 4 when a chapter is latched, else 1."""
        if self.latched:
            return EXIT_LATCHED
        whole = self.count("written", "kept") == len(self.sections)
        return EXIT_OK if whole and self.stopped is None else EXIT_REFUSED

    def to_json(self) -> dict[str, Any]:
        """The stable JSON of `stet run --json` and `stet status --json`."""
        return {
            "book": self.book,
            "out": self.out,
            "index_version": self.index_version,
            "nothing_to_do": self.idle,
            "sections": {
                "all": len(self.sections),
                "written": self.count("written"),
                "new": sum(s.new and s.status == "written" for s in self.sections),
                "kept": self.count("kept"),
                "staged": self.count("staged"),
                "rejected": self.count("rejected"),
                "refused": self.count("refused"),
                "missing": self.count("missing"),
                "failed": self.count("failed"),
                "waiting": self.count("waiting"),
            },
            "words": self.words,
            "shapes": self.shapes,
            "findings": {gate: dict(rules) for gate, rules in self.findings.items()},
            "micropasses": self.micropasses,
            "cost_usd": round(self.cost_usd, 9),
            "total_usd": round(self.total_usd, 9),
            "alerts": list(self.alerts),
            "notes": list(self.notes),
            "problems": [dict(problem) for problem in self.problems],
            "stopped": None if self.stopped is None else dict(self.stopped),
            "list": [{**s._asdict(), "findings": [dict(f) for f in s.findings]} for s in self.sections],
        }


def tally(findings: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Findings as JSON objects with a `gate`, counted by gate and rule; every gate is there."""
    out: dict[str, Counter[str]] = {gate: Counter() for gate in GATES}
    for finding in findings:
        out.setdefault(str(finding["gate"]), Counter())[str(finding["rule"])] += 1
    return {gate: dict(sorted(rules.items())) for gate, rules in out.items()}


def headline(report: Report) -> str:
    """One sentence on how the book stands."""
    total = len(report.sections)
    standing = report.count("written", "kept")
    if report.idle and standing == total:
        return f"Nothing to do: all {total} sections of {report.book} stand in {report.out}."
    if report.idle:
        held, refused = report.count("staged"), report.count("rejected")
        waits = [f"{held} wait{'s' * (held == 1)} for a person (`stet alerts`)"] if held else []
        waits += [f"{refused} {'was' if refused == 1 else 'were'} turned down"] if refused else []
        return (
            f"Nothing to do: {report.standing} of {report.book} stand, and {' and '.join(waits)}. "
            "To have them tried anew, mend the notes or the book and run with --replan."
        )
    new = sum(s.new for s in report.sections if s.status == "written")
    return f"{report.book}: {report.standing} stand in {report.out}, {new} of them from this run."


def table(report: Report) -> RenderableType:
    """The closing table."""
    from rich.table import Table

    grid = Table(title=None, show_header=False, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    others = ("kept", "staged", "rejected", "refused", "missing", "failed", "waiting")
    other = [f"{report.count(s)} {s}" for s in others if report.count(s)]
    written = f"{report.count('written')} of {len(report.sections)}"
    grid.add_row("sections written", ", ".join([written, *other]))
    grid.add_row("words", f"{report.words:,}")
    grid.add_row("shapes", _counts(report.shapes))
    for gate, rules in report.findings.items():
        told = (f"{rule} {count}{_where(report.sections, gate, rule)}" for rule, count in rules.items())
        grid.add_row(f"findings: {gate}", ", ".join(told) or "none")
    if report.index_version:
        grid.add_row("written from", origin(report))
    grid.add_row("micro-passes made", str(report.micropasses))
    grid.add_row("cost", f"${report.cost_usd:.4f} now, ${report.total_usd:.4f} in all")
    grid.add_row("alerts", ", ".join(report.alerts) or "none")
    for note in report.notes:
        grid.add_row("note", note)
    return grid


_NAMED = 5
"""Sections that are named for a finding."""


def _where(sections: Sequence[SectionLine], gate: str, rule: str) -> str:
    """The numbers of the sections that have such a finding; '' where it is of no section."""
    some = [s.number for s in sections if any((f["gate"], f["rule"]) == (gate, rule) for f in s.findings)]
    more = ", …" if len(some) > _NAMED else ""
    return f" (section{'s' * (len(some) > 1)} {', '.join(map(str, some[:_NAMED]))}{more})" if some else ""


def origin(report: Report) -> str:
    """The lanes of what was written, and the index of the notes."""
    lanes = sorted({lane for section in report.sections for lane in section.lanes})
    return f"lane {', '.join(lanes) or 'not recorded'}; index {report.index_version[:12]}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
