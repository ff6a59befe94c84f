"""One book, end to end: what is left to do, the work of each section, its place on disk, the report.

Order matters here and follows from two promises: a finished section is never written or paid for twice, and
a changed book touches nothing until it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from firewall.errors import StetError
from firewall.text.amounts import amount
from firewall.writes import cases
from firewall.writes.proxy import WriteProxy, WriteResult
from pipeline.answered import settle
from pipeline.book import BookSpec, load_book
from pipeline.breaker import Breaker
from pipeline.budget import Budget, books
from pipeline.calls import GuardedModel
from pipeline.chapter import without_section
from pipeline.contents import write_contents
from pipeline.db import is_begun
from pipeline.errors import BookChanged, BreakerOpen, BudgetExceeded, ModelError, NoPrice, NothingToWrite, SourceTainted
from pipeline.home import Home, alone, home_of
from pipeline.kept import keep_record, load_record
from pipeline.material import all_sentences
from pipeline.models.base import Model
from pipeline.models.choose import OFFLINE, make, names
from pipeline.origins import gone
from pipeline.place import must_move, place
from pipeline.plan import Models, Plan, Section, make_plan
from pipeline.progress import Progress, Silent
from pipeline.record import what_differs
from pipeline.report import Report
from pipeline.shelf import Row, Shelf, standing_in
from pipeline.summary import leftovers, report_of
from pipeline.taint import origin_of

FINAL = ("written", "kept", "staged", "rejected")
"""What a second run leaves alone."""


class Options(NamedTuple):
    """How a book is to be run. `model` None takes the models of book.toml."""

    model: str | None = None
    base_url: str | None = None
    budget_usd: float | None = None
    replan: bool = False


def run_book(
    folder: Path,
    options: Options = Options(),  # noqa: B008 - an immutable value
    progress: Progress | None = None,
    make_model: Callable[[str, str | None], Model] = make,
) -> Report:
    """Write the book in `folder`, or what is left of it.

    Raises what keeps a run from beginning: NoBook, BookError, SourceError, PlanRefused, BookChanged, RunBusy,
    NoProject and the other errors of a project. What stops it on the way is in the report.
    """
    spec = load_book(folder)
    with ExitStack() as stack:
        proxy = stack.enter_context(WriteProxy.open(folder, source="pipeline"))
        home = home_of(proxy.state, proxy.root, folder)
        home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        stack.enter_context(alone(home, folder))
        if not (options.replan or is_begun(home.sections)) and (home.plan.exists() or home.key in books(home.money)):
            raise gone(home.sections, home.money)  # a new one would forget what this book wrote
        shelf = stack.enter_context(Shelf(home.sections))
        plan = _settled_plan(folder, spec, proxy, home, shelf, options)
        settle(shelf, [s.ident for s in plan.sections], proxy.state)
        run = _Run(folder, plan, proxy, shelf, home, options, make_model)
        stack.callback(run.close)
        with progress or Silent() as shown:
            for line in run.lacking:
                shown.say(line)
            run.go(shown)
        return run.report()


def _settled_plan(folder: Path, spec: BookSpec, proxy: WriteProxy, home: Home, shelf: Shelf, options: Options) -> Plan:
    """The plan to work from. Raises BookChanged where it is not the kept one, unless told to replan."""
    models = Models(*names(options.model, spec.models.draft, spec.models.edit))
    kept = load_record(home.plan)
    if kept is None:
        plan = _untainted(make_plan(folder, spec, proxy.policy, models))
        _something_to_write(plan, folder)
        keep_record(home.plan, plan.record)
        return plan
    plan = _untainted(make_plan(folder, spec, proxy.policy, models, kept=kept, standing=standing_in(kept, shelf)))
    changed = what_differs(kept, plan.record)
    if not options.replan:
        if changed:
            raise BookChanged(book=folder, what="; ".join(changed), changes=changed)
        return plan.as_kept(kept)
    settle(shelf, [ident for ident, _ in kept["sections"]], proxy.state)
    plan = plan.tried_anew(lambda ident: _is(shelf.get(ident), "staged", "rejected"))
    keep_record(home.plan, plan.record)
    return plan


_TOLD = 3
"""Refused notes, or things that notes lack, that an error tells of one by one; `stet plan` lists all."""


def _untainted(plan: Plan) -> Plan:
    """The plan, where no note was written from a lane that the book's may not read. Raises SourceTainted."""
    if plan.tainted:
        lines = [finding.message for finding in plan.tainted[:_TOLD]]
        more = len(plan.tainted) - len(lines)
        lines += (
            [f"So {'were' if more > 1 else 'was'} {amount(more, 'file')} more; `stet plan` lists all."] if more else []
        )
        raise SourceTainted(what=" ".join(lines))
    return plan


def _something_to_write(plan: Plan, folder: Path) -> None:
    """Raises NothingToWrite where the offline writer would stage every section: a book of mere alerts."""
    if plan.record["models"]["draft"] != OFFLINE:
        return
    short = plan.shortfalls(OFFLINE)
    if all(s.lacks or s.short for s in short):
        starved = all(s.starved for s in short)
        fix = "mend the notes or the book" if starved else "add to the notes, or write with a model"
        raise NothingToWrite(book=folder, what=" ".join(all_sentences(short)[:_TOLD]), fix=fix)


def _is(row: Row | None, *statuses: str) -> bool:
    return row is not None and row.status in statuses


class _Run:
    """A run in progress."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        proxy: WriteProxy,
        shelf: Shelf,
        home: Home,
        options: Options,
        make_model: Callable[[str, str | None], Model],
    ) -> None:
        self.folder, self.plan, self.proxy, self.shelf, self.home = folder, plan, proxy, shelf, home
        self.budget = Budget(home.money, home.key, options.budget_usd)
        self._options, self._make_model = options, make_model
        self._models: dict[str, GuardedModel] = {}
        self.new: set[str] = set()
        self.failed: set[str] = set()
        self.alerts: list[str] = []
        self.problems: list[dict[str, object]] = []
        self.stopped: StetError | None = None
        self.latched = False
        left = {s.plan.number for s in plan.sections if not _is(shelf.get(s.ident), *FINAL)}
        short = plan.shortfalls(plan.record["models"]["draft"]) if left else ()
        self.lacking = all_sentences([s for s in short if s.number in left])

    def go(self, progress: Progress) -> None:
        """Do what is left, section by section, then the contents."""
        rows = {s.ident: self.shelf.get(s.ident) for s in self.plan.sections}
        gone = [s for s in self.plan.sections if (row := rows[s.ident]) and must_move(self.folder, s, row, self.shelf)]
        left = [s for s in self.plan.sections if not _is(rows[s.ident], *FINAL)]
        progress.begin(len(self.plan.sections), len(self.plan.sections) - len(left) - len(gone))
        # what was written once is put back from its record: it costs nothing and asks no model
        for section in gone:
            row = rows[section.ident]
            assert row is not None
            self._settle(section, row.record, progress)
        if left:
            self._work_off(left, progress)
        self.problems += write_contents(self.proxy, self.shelf, self.folder, self.plan)

    def _work_off(self, left: Sequence[Section], progress: Progress) -> None:
        from pipeline.durable import Durable
        from pipeline.section import Work, write_section

        spec, style = self.plan.spec, self.proxy.policy.style
        writer = self._model(self.plan.record["models"]["draft"])
        editor = self._model(self.plan.record["models"]["edit"])

        def work_of(section: Section) -> Callable[[Any], dict[str, Any]]:
            def elsewhere() -> str:
                return _without(self.folder / section.file, section.plan.title)

            return lambda step: write_section(Work(section.task(spec), writer, editor, style, elsewhere), step)

        work = {section.ident: work_of(section) for section in left}
        with Durable(self.home.folder / "work.sqlite", work) as durable:
            for section in left:
                progress.section(section.plan)
                try:
                    record = durable.run(section.ident)
                except ModelError as error:
                    self.failed.add(section.ident)
                    self.problems.append({**error.to_json(), "section": section.plan.number})
                    progress.end(section.plan, "failed", 0)
                    continue
                except (BreakerOpen, BudgetExceeded, NoPrice) as error:
                    self.stopped = error
                    return
                self._settle(section, record, progress)

    def _settle(self, section: Section, record: dict[str, Any], progress: Progress) -> None:
        if "origin" not in record:
            spec, index = self.plan.spec, str(self.plan.record["index_version"])
            origin = origin_of(str(record["text"]), section.passages, book=spec.title, lane=spec.lane, index=index)
            record = {**record, "origin": origin}
        placed = place(self.proxy, self.shelf, self.folder, section, self._titles(section), record)
        self.new.add(section.ident)
        if placed.result is not None:
            self.latched = self.latched or placed.result.tripped
            if placed.result.alert is not None:
                self.alerts.append(placed.result.alert.id)
            if placed.row.status == "refused":
                self._explain(section, placed.result)
        progress.end(section.plan, placed.row.status, int(record["words"]))

    def _explain(self, section: Section, result: WriteResult) -> None:
        """Why a section was refused, and what opens its chapter again."""
        for finding in result.verdict.findings[:3]:
            message = f"section {section.plan.number}, {section.plan.title!r}: {finding.message}"
            self.problems.append({"code": finding.rule, "message": message, "section": section.plan.number})
        if result.tripped:
            message = f"{section.file} is latched: `stet alerts` says why, and `stet reset {section.file}` opens it."
            problem = {"code": "latched", "message": message, "section": section.plan.number}
            if not any(known["message"] == message for known in self.problems):
                self.problems.append(problem)

    def _open_alerts(self) -> tuple[str, ...]:
        """Alerts about the book's chapters that wait for a person: those of this run, and older ones."""
        files = {s.file for s in self.plan.sections}
        prefix = self.folder.resolve().relative_to(self.proxy.root).as_posix()
        names = {file if prefix == "." else f"{prefix}/{file}" for file in files}
        waiting = [c.id for c in cases.every(self.proxy.ledger, ("trip", "staged"), cases.PENDING) if c.path in names]
        return tuple(dict.fromkeys([*self.alerts, *waiting]))

    def _titles(self, section: Section) -> list[str]:
        return [s.plan.title for s in self.plan.sections if s.plan.chapter == section.plan.chapter]

    def _model(self, name: str) -> GuardedModel:
        if name not in self._models:
            model = self._make_model(name, self._options.base_url)
            self._models[name] = GuardedModel(model, Breaker(self.home.money, name), self.budget)
        return self._models[name]

    def close(self) -> None:
        """Give back what the models hold open."""
        for model in self._models.values():
            model.close()

    def report(self) -> Report:
        """Everything, as it stands now."""
        rows = {s.ident: self.shelf.get(s.ident) for s in self.plan.sections}
        report = report_of(self.plan, rows, self.folder)
        lines = tuple(
            line._replace(
                new=section.ident in self.new,
                status="failed" if section.ident in self.failed else line.status,
            )
            for line, section in zip(report.sections, self.plan.sections, strict=True)
        )
        return report._replace(
            sections=lines,
            notes=(*report.notes, *leftovers(self.plan, self.shelf, self.folder)),
            alerts=self._open_alerts(),
            cost_usd=sum(model.spent_usd for model in self._models.values()),
            total_usd=self.budget.spent_usd(),
            problems=tuple(self.problems),
            stopped=None if self.stopped is None else self.stopped.to_json(),
            latched=self.latched,
        )


def _without(path: Path, title: str) -> str:
    """A chapter's text less one section; empty where it cannot be read, which the write gate will tell of."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return without_section(text, title)
