"""What `calc()` and its kin come to, in numbers or pixels."""

from __future__ import annotations

import re
from collections.abc import Callable

TO_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0,
             "cm": 37.8, "mm": 3.78, "in": 96.0, "vw": 10.0, "vh": 8.0, "%": 4.0}  # fmt: skip
"""How many pixels a unit has on a usual page; another unit counts as a letter's width."""
_TOKEN = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:e-?\d{1,3})?)([a-z%]*)|(min|max|clamp|calc|)\(|([-+*/(),]))")
_MOST = 64
"""Numbers of a calculation that is done; nothing honest has more."""


def calculated(value: str, percent: float = TO_PIXELS["%"]) -> float | None:
    """`value` in pixels, with `percent` for one of a hundred, or None where it is no calculation that is known."""
    tokens: list[str | float] = []
    at = 0
    while at < len(value):
        match = _TOKEN.match(value, at)
        if match is None or len(tokens) > _MOST:
            return None
        at = match.end()
        if match[1]:
            tokens.append(float(match[1]) * (percent if match[2] == "%" else TO_PIXELS.get(match[2], 16.0)))
        elif match[4]:
            tokens.append(match[4])
        else:
            tokens.append(match[3] + "(")
    try:
        found, rest = _sum(tokens, 0)
    except (ArithmeticError, IndexError, TypeError, ValueError, KeyError):
        return None
    return found if rest >= len(tokens) else None


def _sum(tokens: list[str | float], at: int) -> tuple[float, int]:
    total, at = _product(tokens, at)
    while at < len(tokens) and tokens[at] in ("+", "-"):
        more, behind = _product(tokens, at + 1)
        total = total + more if tokens[at] == "+" else total - more
        at = behind
    return total, at


def _product(tokens: list[str | float], at: int) -> tuple[float, int]:
    total, at = _value(tokens, at)
    while at < len(tokens) and tokens[at] in ("*", "/"):
        more, behind = _value(tokens, at + 1)
        total = total * more if tokens[at] == "*" else total / more
        at = behind
    return total, at


def _value(tokens: list[str | float], at: int) -> tuple[float, int]:
    sign = tokens[at]
    if isinstance(sign, float):
        return sign, at + 1
    if sign == "-":
        found, at = _value(tokens, at + 1)
        return -found, at
    choose = _CHOICES[sign]
    parts = []
    while True:
        found, at = _sum(tokens, at + 1)
        parts.append(found)
        if at >= len(tokens) or tokens[at] != ",":
            break
    return choose(parts), at + 1  # what is open at the end, CSS closes


# Between its least and its most `clamp()` never passes the most.
_CHOICES: dict[str, Callable[[list[float]], float]] = {
    "(": lambda parts: parts[0],
    "calc(": lambda parts: parts[0],
    "min(": min,
    "max(": max,
    "clamp(": lambda parts: max(parts[0], min(parts[1:], default=parts[0])),
}
