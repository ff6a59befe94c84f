"""What rules share: the form of a rule, and building example facts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from firewall.values import NamedTuple
from firewall.verdict import Finding
from firewall.writes.facts import Counts, Facts, sha256
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures


class Rule(NamedTuple):
    """A named check. `lifted` is true when a structural proposal lifts it, `article` when the article's preset
    keeps it, `lossy` when it also guards files that are not judged as prose."""

    name: str
    lifted: bool
    article: bool
    lossy: bool
    check: Callable[[Facts, Measures], list[Finding]]


class Example(NamedTuple):
    """Facts with what the rule must say: `fires` is true where it must find something."""

    about: str
    facts: Facts
    fires: bool


def example(
    about: str,
    old: str | bytes | None,
    new: str | bytes | None,
    fires: bool,
    *,
    mark: str | bytes | None = None,
    high: str | bytes | None = None,
    baseline: str | bytes | None = None,
    path: str = "chapter.md",
    base: str | None = None,
    seen: str | None = None,
    stop_reason: str | None = None,
    path_problem: str = "",
    declared: str | None = None,
    elsewhere: Mapping[tuple[str, ...], int] | None = None,
    shown_elsewhere: Mapping[tuple[str, ...], int] | None = None,
    counts: Counts = Counts(),  # noqa: B008 - immutable
    limits: Limits = Limits(),  # noqa: B008 - immutable
    step_back: bool = False,
    loss_only: bool = False,
) -> Example:
    """An example from two texts; the mark is the old text unless given, and what is elsewhere is shown there."""
    disk = encode(old)
    return Example(
        about,
        Facts(
            path=path,
            disk=disk,
            proposed=encode(new),
            mark=disk if mark is None else encode(mark),
            disk_sha=sha256(disk),
            limits=limits,
            high=encode(high),
            baseline=encode(baseline),
            path_problem=path_problem,
            base=base,
            seen=seen,
            stop_reason=stop_reason,
            declared=encode(declared),
            step_back=step_back,
            loss_only=loss_only,
            counts=counts,
            elsewhere=elsewhere or {},
            shown_elsewhere=(elsewhere or {}) if shown_elsewhere is None else shown_elsewhere,
        ),
        fires,
    )


def encode(text: str | bytes | None) -> bytes | None:
    """Text as UTF-8; bytes and None as they are."""
    return text.encode() if isinstance(text, str) else text


@functools.cache
def lorem(words: int, first: int = 0) -> str:
    """A text of exactly `words` different words in paragraphs of forty, for examples."""
    out = []
    for i in range(first, first + words):
        gap = "\n\n" if i % 40 == 39 else "\n" if i % 10 == 9 else " "
        out.append(f"word{i}{gap}")
    return "".join(out).strip() + "\n"
