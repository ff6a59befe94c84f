"""Numbers on the command line. `nan` is in every range as far as comparing goes, so it is refused, and `inf` too."""

from __future__ import annotations

import math
from typing import Any

import click


class Number(click.FloatRange):
    """A number between the limits, both finite."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or click's usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number to reckon with.", param, ctx)
        return number
