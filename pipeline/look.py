"""Looking at a book without touching it: its plan, what its sections are written from, how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firewall.errors import EXIT_OK, EXIT_REFUSED, PolicyError
from firewall.policy import Policy, parse_policy
from firewall.writes.paths import POLICY_FILE
from firewall.writes.project import find_root, state_home
from pipeline.answered import answered
from pipeline.book import load_book
from pipeline.home import Home, home_of
from pipeline.kept import load_record
from pipeline.material import Shortfall
from pipeline.models.choose import names
from pipeline.plan import Models, Plan, make_plan
from pipeline.record import kept_plan, what_differs
from pipeline.report import Report
from pipeline.shelf import Shelf, standing_in
from pipeline.summary import report_of


class Look(NamedTuple):
    """A book as it would be run now.

    `locked` is true when a run has begun, and then `plan` has that run's blueprint as long as book.toml is
    the same. `changes` are what differs from what the run began with, and `shortfalls` what the notes of a
    section lack for its shape and length.
    """

    plan: Plan
    locked: bool
    changes: tuple[str, ...]
    shortfalls: tuple[Shortfall, ...] = ()

    @property
    def exit_status(self) -> int:
        """1 where a source is of a lane that the book may not read, so that a run does not begin; else 0."""
        return EXIT_REFUSED if self.plan.tainted else EXIT_OK


def look_at(folder: Path, model: str | None = None) -> Look:
    """The plan of the book in `folder`. Nothing is written, not even a state folder."""
    spec = load_book(folder)
    root = find_root(folder)
    policy = _policy(root)
    home = home_of(state_home() / policy.project.id, root, folder)
    kept = load_record(home.plan)
    models = Models(*names(model, spec.models.draft, spec.models.edit))
    plan = make_plan(folder, spec, policy, models, kept=kept, standing=_standing(home, kept))
    changes = () if kept is None else tuple(what_differs(kept, plan.record))
    return Look(plan, kept is not None, changes, plan.shortfalls(models.draft))


def _standing(home: Home, kept: Mapping[str, Any] | None) -> frozenset[tuple[str, str]]:
    """Sections that a replan would leave as they are."""
    if kept is None or not (home.sections).exists():
        return frozenset()
    with Shelf(home.sections) as shelf:
        return standing_in(kept, shelf)


class Status(NamedTuple):
    """How far a book is. `report` is None when no run has begun."""

    report: Report | None
    changes: tuple[str, ...]


def status_of(folder: Path) -> Status:
    """How far the book in `folder` is, from its record alone; nothing is written."""
    spec = load_book(folder)
    root = find_root(folder)
    policy = _policy(root)
    home = home_of(state_home() / policy.project.id, root, folder)
    kept = load_record(home.plan)
    if kept is None:
        return Status(None, ())
    now = make_plan(folder, spec, policy, Models(**kept["models"]), kept=kept)
    plan = kept_plan(spec, kept)._replace(findings=now.findings)
    with Shelf(home.sections) as shelf:
        rows = {section.ident: shelf.get(section.ident) for section in plan.sections}
    rows.update(answered(rows, state_home() / policy.project.id))
    report = report_of(plan, rows, folder, looking=True)
    return Status(report._replace(total_usd=_spent(home)), tuple(what_differs(kept, now.record)))


def _policy(root: Path) -> Policy:
    """stet.toml as it stands. Raises PolicyError."""
    data = (root / POLICY_FILE).read_bytes()
    try:
        return parse_policy(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PolicyError(path=POLICY_FILE, line=line, problem="not UTF-8", fix="Save it as UTF-8.") from None


def _spent(home: Home) -> float:
    from pipeline.budget import Budget

    return Budget(home.money, home.key).spent_usd()
