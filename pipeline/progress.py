"""What is seen while a book is written, on standard error: a bar at a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from latches.blueprint import SectionPlan


class Progress(Protocol):
    """Told of each section as it comes and goes."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def say(self, line: str) -> None:
        """Tell something before the work begins."""

    def begin(self, total: int, done: int) -> None:
        """`total` sections, of which `done` stand already."""

    def section(self, plan: SectionPlan) -> None:
        """Work on a section begins."""

    def end(self, plan: SectionPlan, status: str, words: int) -> None:
        """A section is settled."""


class Silent:
    """Nothing is shown."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def say(self, line: str) -> None:
        """Nothing."""

    def begin(self, total: int, done: int) -> None:
        """Nothing."""

    def section(self, plan: SectionPlan) -> None:
        """Nothing."""

    def end(self, plan: SectionPlan, status: str, words: int) -> None:
        """Nothing."""


class Lines(Silent):
    """One line a section, for logs."""

    def __init__(self) -> None:
        self._total = 0
        self._done = 0

    def say(self, line: str) -> None:
        """A line of its own."""
        _say(f"lacking: {line}")

    def begin(self, total: int, done: int) -> None:
        """Say how much there is to do."""
        self._total, self._done = total, done
        if 0 < done < total:
            _say(f"{done} of {total} sections stand already")

    def end(self, plan: SectionPlan, status: str, words: int) -> None:
        """Say how a section ended."""
        self._done += 1
        _say(f"[{self._done}/{self._total}] {status}: {plan.chapter_title} / {plan.title} ({words} words)")


class Bar(Silent):
    """A bar with the section in work."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as RichProgress

        self._bar: RichProgress = RichProgress(
            SpinnerColumn(),
            MofNCompleteColumn(),
            BarColumn(bar_width=24),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def say(self, line: str) -> None:
        """A line above the bar."""
        self._bar.console.print(f"lacking: {line}", markup=False, highlight=False)

    def begin(self, total: int, done: int) -> None:
        """Draw the bar."""
        self._task = self._bar.add_task("", total=total, completed=done)

    def section(self, plan: SectionPlan) -> None:
        """Show what is in work."""
        if self._task is not None:
            self._bar.update(self._task, description=f"{plan.title} ({plan.shape.replace('_', ' ')})")

    def end(self, plan: SectionPlan, status: str, words: int) -> None:  # noqa: ARG002 - the protocol's
        """Move the bar, and leave a line where a section is not in the book."""
        if self._task is not None:
            self._bar.advance(self._task)
        if status != "written":
            self._bar.console.print(f"{status}: {plan.chapter_title} / {plan.title}", markup=False, highlight=False)


def for_terminal(quiet: bool) -> Progress:
    """What suits where standard error goes."""
    if quiet:
        return Silent()
    return Bar() if sys.stderr.isatty() else Lines()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - progress is for people
