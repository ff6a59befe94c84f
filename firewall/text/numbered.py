"""Lines that a tool numbered, told from lines that an author numbered. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from firewall.text.pattern import Pattern

NUMBERED = Pattern(r"^[ \t]*(?:L|line )?(\d{1,6})(?:[ \t]*([|│→:])|(\t)|[ \t]*(-)(?=\S))[ \t]?(.*)$")
KNOWN = 3
"""Lines in a row whose rest stood in the text before."""
RUN = 10
"""Lines in a row that count up by one, where the text before does not know them."""
SHARE = 0.9
"""How much of the whole text is then numbered, blank lines left out, unless those are numbered as well."""


def first_numbered(
    lines: Sequence[str], stood: Collection[str], whole: Sequence[str], is_shown: Callable[[int], bool]
) -> int | None:
    """The place in `lines` of the first of a run that a tool numbered: `KNOWN` lines whose rest is in `stood`, or `RUN`
    lines where all of the text `whole` is numbered, or its blank lines are. Numbers with `:` or `-` alone are
    anybody's: a timetable, a chronology, pages; and a tool sets no space before an arrow. `is_shown` says that the line
    at a place stands in a listing."""
    run = known = blank = columns = first = previous = 0
    shown = alone = False
    share = -1.0
    for at, line in enumerate(lines):
        match = NUMBERED.match(line)
        if match and line.strip() not in stood:
            number, rest = int(match.group(1)), match.group(5).strip()
            if run and number != previous + 1:
                run = 0
            if not run:
                known = blank = columns = 0
                first, shown, alone = at, False, True
            run += 1
            previous = number
            known += rest in stood and bool(rest)
            blank += not rest
            mark = match.group(2) or match.group(3) or match.group(4)
            columns += mark in rest
            tool = mark not in ":-" and line.lstrip()[0].isdigit() and (mark != "→" or line[match.end(1)] == mark)
            alone = alone and tool
            if known >= KNOWN:
                return first
            if run >= RUN and alone and not shown and columns * 2 < run and not line.rstrip().endswith("|"):
                share = _share(whole) if share < 0 else share
                if (blank and blank * 2 < run) or share >= SHARE:
                    shown = is_shown(at)
                    if not shown:
                        return first
        elif line.strip():
            run = 0
    return None


def _share(lines: Sequence[str]) -> float:
    text = [line for line in lines if line.strip()]
    return sum(1 for line in text if NUMBERED.match(line)) / max(1, len(text))
