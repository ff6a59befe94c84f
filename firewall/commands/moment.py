"""A moment as people name it on a command line."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta
from typing import Any

import click

FORMATS = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S")
_SPAN = re.compile(r"(\d{1,6}) ?(minute|min|hour|day|week|m|h|d|w)s?(?: ago)?")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Moment(click.ParamType[datetime]):
    """A date, a date and a time, `today`, `yesterday` (their first minute), or how long ago: `3 hours`, `2d`."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The moment, in local time, with its zone."""
        try:
            found = value if isinstance(value, datetime) else _read(str(value))
            if found is not None:
                return found.astimezone()
        except (OverflowError, ValueError, OSError):  # before the year 1, say
            pass
        said = f"{value!r} is no moment; give 2026-11-30, '2026-11-30 14:00', today, yesterday or '3 hours'."
        raise click.BadParameter(said, ctx, param)


def _read(value: str) -> datetime | None:
    """The moment, None where these words name none. Raises OverflowError."""
    said = " ".join(value.casefold().split())
    now = datetime.now().astimezone()
    if said in ("today", "yesterday"):
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
        return midnight - timedelta(days=said == "yesterday")
    span = _SPAN.fullmatch(said)
    if span:
        return now - timedelta(**{_UNITS[span[2][0]]: int(span[1])})
    for form in FORMATS:
        with contextlib.suppress(ValueError):
            return datetime.strptime(value, form)  # noqa: DTZ007 - local time
    return None
