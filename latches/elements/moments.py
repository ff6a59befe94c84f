# ruff: noqa: E501 (examples stand one a line)
"""Points in time at the beginning of a text, as far as they can be put in order."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAYS = "mon tue wed thu fri sat sun".split()
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ZONE = r"(?:\s?(?:UTC|GMT|Z|CES?T|[ECMP][SD]T|BST|[+-]\d\d:?\d\d|local time|h))?"
_CLOCK = rf"(?P<hour>[01]?\d|2[0-4])[:.h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?(?:\s?(?P<half>[ap])\.?m\.?)?{_ZONE}"
_LEAD = re.compile(
    r"^[\s\[(*_~≈]*(?:(?:at|by|around|about|on|from|before|until|shortly (?:after|before)|just (?:after|before)|"
    r"after|in|since|circa|approx\.?|near)\s+)?[\s\[(*_~≈]*",
    re.IGNORECASE,
)
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_UNIT = r"(?P<unit>s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)\b"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("iso", rf"(?P<year>(?:19|20)\d\d)(?P<by>[-/])(?P<mon>0[1-9]|1[0-2])(?P=by)(?P<day>[0-3]\d)(?:[T ,]+(?:at )?{_CLOCK})?"),
        ("either", rf"(?P<one>[0-3]?\d)(?P<by>[/.])(?P<two>[0-3]?\d)(?P=by)(?P<year>(?:19|20)\d\d)\b(?:,?\s(?:at )?{_CLOCK})?"),
        ("date", rf"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s(?P<year>(?:19|20)\d\d))?(?:,?\s(?:at )?{_CLOCK})?\b"),
        ("date", rf"{_MONTH}\s(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?:,?\s(?P<year>(?:19|20)\d\d))?(?:,?\s(?:at )?{_CLOCK})?"),
        ("date", rf"{_MONTH},?\s(?P<year>(?:19|20)\d\d)\b"),
        ("clock", rf"{_CLOCK}(?!\d|[.:]\d)"),
        ("clock", r"(?P<hour>1[0-2]|0?[1-9])\s?(?P<half>[ap])\.?m\b\.?"),
        ("offset", r"T\s?(?P<sign>[+\u2212-])\s?(?P<hour>\d\d?):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"),
        ("offset", rf"T?\s?(?P<sign>[+\u2212-])\s?(?P<count>\d+(?:\.\d+)?)\s?(?:{_UNIT})?"),
        ("later", rf"(?P<count>\d+(?:\.\d+)?)\s{_UNIT}\s(?:later|after(?:wards)?|in)\b"),
        ("counted", r"(?P<what>second|minute|hour|day|night|week|month|quarter|year|sprint|phase|shift|round)\s(?P<count>\d+)\b"),
        ("counted", r"(?P<what>Q)(?P<count>[1-4])\s(?P<year>(?:19|20)\d\d)\b"),
        ("weekday", r"(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|r|rs)?\b\.?(?:\s(?:at )?" + _CLOCK + ")?"),
        ("year", r"(?P<year>(?:19|20)\d\d)\b(?!-)"),
    )
)  # fmt: skip
_DAY_WORDS = frozenset(("sun", "sat", "wed"))
_SET_OFF = re.compile(r"\s*[^\w\s]|\s+\d|\s*$")
"""What parts a short name of a day from the words after it."""
_COUNTED = re.compile(r"\s+(?!(?:is|was|has|this|its|his)\b)[a-z]+s\b")
"""A plural behind a number: it is counted, so the number is no year."""
_MIDNIGHT = 8 * 3600
"""A clock that goes back by this many seconds or more, with no date given, has passed midnight."""


class Moment(NamedTuple):
    """A point in time: comparable values by what they are counted in, and where its text ends.

    `sure` is false for what may be none: "2000 rows", "Sat down".
    """

    kind: str
    date: tuple[int, int, int] | None
    seconds: float | None
    end: int
    sure: bool = True


def moment(text: str) -> Moment | None:
    """The point in time that `text` begins with, or None."""
    lead = _LEAD.match(text)
    starts = {0, lead.end()} if lead else {0}
    for start in sorted(starts, reverse=True):
        for kind, pattern in _PATTERNS:
            found = pattern.match(text, start)
            if found:
                return _moment(kind, found)
    return None


def _moment(kind: str, found: re.Match[str]) -> Moment | None:
    part = found.groupdict()
    end = found.end()
    if kind in ("iso", "date"):
        month = int(part["mon"]) if part.get("mon") else _MONTHS.index(part["month"][:3].lower()) + 1
        day = int(part["day"]) if part.get("day") else 0
        if not _in_month(int(part.get("year") or 0), month, day):
            return None
        return Moment("date", (int(part.get("year") or 0), month, day), _clock(part), end)
    if kind == "either":
        return _either(int(part["year"]), int(part["one"]), int(part["two"]), _clock(part), end)
    if kind == "clock":
        return Moment("clock", None, _clock(part), end)
    if kind == "offset":
        seconds = _clock(part) if part.get("minute") else float(part["count"]) * _seconds(part.get("unit") or "m")
        return Moment("offset", None, (seconds or 0) * (1 if part["sign"] == "+" else -1), end)
    if kind == "later":
        return Moment("later", None, None, end)
    if kind == "counted":
        count = float(part["count"]) + 4 * int(part.get("year") or 0)
        return Moment(part["what"].lower(), None, count, end)
    if kind == "weekday":
        sure = found.group().lower() not in _DAY_WORDS or _SET_OFF.match(found.string, end) is not None
        return Moment("weekday", None, float(_DAYS.index(part["weekday"].lower())), end, sure)
    return Moment("date", (int(part["year"]), 0, 0), None, end, _COUNTED.match(found.string, end) is None)


def _in_month(year: int, month: int, day: int) -> bool:
    """Has the month such a day? Day 0 is none given; in a year that is not given, February has 29."""
    leap = not year or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return day <= (29 if leap else 28) if month == 2 else day <= (30 if month in (4, 6, 9, 11) else 31)


def _either(year: int, one: int, two: int, seconds: float | None, end: int) -> Moment | None:
    """A date with the month first or the day: told where one is above 12, else only its year is sure."""
    can = [(m, d) for m, d in ((one, two), (two, one)) if 1 <= m <= 12 and d and _in_month(year, m, d)]
    if not can:
        return None
    month, day = can[0] if len(set(can)) == 1 else (0, 0)
    return Moment("date", (year, month, day), seconds if month else None, end)


def _seconds(unit: str) -> int:
    return _UNIT_SECONDS[unit[0].lower()]


def _clock(part: dict[str, str | None]) -> float | None:
    """Seconds after midnight, or None where no clock time is given."""
    hour = part.get("hour")
    if hour is None:
        return None
    hours = int(hour)
    if part.get("half"):
        hours = hours % 12 + (12 if str(part["half"]).lower() == "p" else 0)
    return hours * 3600 + int(part.get("minute") or 0) * 60 + int(part.get("second") or 0)


def goes_back(before: Moment, after: Moment) -> bool:
    """Is `after` earlier than `before`? What cannot be compared does not go back."""
    if before.date and after.date:
        one, two = list(before.date), list(after.date)
        for index in range(3):  # an unknown year, month or day is taken to be the other's
            if not one[index] or not two[index]:
                one[index] = two[index] = 0
        if one != two:
            return two < one
        return before.seconds is not None and after.seconds is not None and after.seconds < before.seconds
    if before.seconds is None or after.seconds is None:
        return False
    clocks = {"clock", "date"}
    if before.kind in clocks and after.kind in clocks:
        return after.seconds < before.seconds and before.seconds - after.seconds < _MIDNIGHT
    return before.kind == after.kind and before.kind != "weekday" and after.seconds < before.seconds
