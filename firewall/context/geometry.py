"""Lengths, transforms and clips of CSS, as far as they leave nothing of an element to see."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import pairwise

from firewall.context.calculated import TO_PIXELS, calculated

_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d{1,3})?)\s*([a-z%]*)")
_TO_DEGREES = {"": 1.0, "deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_CALL = re.compile(r"([a-z0-9]+)\(([^()]{0,200})\)")
FLAT = 0.05
"""Part of its size at which a letter is no longer read."""
_OFF_SCREEN = 400  # pixels to the left or up; nothing honest stands further outside the page
_WIDE = 5000  # pixels to the right; no screen is so wide


def pixels(value: str, default: float) -> float:
    """A length in pixels, or `default`."""
    value = value.strip()
    match = _LENGTH.match(value)
    if not match:
        found = calculated(value) if value.startswith(_SUMS) else None
        return default if found is None else found
    return float(match.group(1)) * TO_PIXELS.get(match.group(2), 16.0)


_SUMS = ("calc(", "min(", "max(", "clamp(", "-webkit-calc(")


def number(value: str) -> float:
    """A number or share, or 1."""
    value = value.strip()
    match = _LENGTH.match(value)
    if not match:
        found = calculated(value, 0.01) if value.startswith(_SUMS) else None
        return 1.0 if found is None else found
    return float(match.group(1)) / (100.0 if match.group(2) == "%" else 1.0)


def size_of_font(font: str) -> str:
    """The size in the shorthand `font`, or an empty text."""
    for part in font.split():
        if (_LENGTH.match(part) and not part.isdigit()) or part.startswith("0"):
            return part.split("/")[0]
    return ""


def far(value: str) -> bool:
    """Is it a length that far to the left or up that nothing is seen?"""
    return value.startswith(_MINUS) and pixels(value, 0.0) <= -_OFF_SCREEN


_MINUS = ("-", *_SUMS)


def beyond(value: str) -> bool:
    """Is it a length that far to the right?"""
    return pixels(value, 0.0) >= _WIDE


def moved_off(style: Mapping[str, str]) -> bool:
    """Does a transform move the element off the screen?"""
    sideways = style.get("translate", "").split()[:1]
    others = style.get("translate", "").split()[1:2]
    for name, given in _CALL.findall(style.get("transform", "")):
        values = [part.strip() for part in given.split(",")]
        if name in ("translate", "translate3d"):
            sideways.append(values[0])
            others += values[1:2]
        elif name == "translatex":
            sideways.append(values[0])
        elif name == "translatey":
            others.append(values[0])
        elif name == "matrix" and len(values) == 6:
            sideways.append(values[4])
            others.append(values[5])
    return any(far(value) or beyond(value) for value in sideways) or any(map(far, others))


def flat(style: Mapping[str, str]) -> bool:
    """Do transforms and zoom leave next to nothing of the width or the height?"""
    wide = high = number(style.get("zoom", "1"))
    scale = style.get("scale", "").split()
    if scale and scale[0] != "none":
        wide, high = wide * number(scale[0]), high * number(scale[min(1, len(scale) - 1)])
    *axis, angle = style.get("rotate", "").split() or [""]
    if axis and (axis in (["x"], ["y"]) or (len(axis) == 3 and number(axis[2]) == 0)):
        wide *= _cosine(angle)
    for name, given in _CALL.findall(style.get("transform", "")):
        across, up = _part(name, [part.strip() for part in given.split(",")])
        wide, high = wide * across, high * up
    return min(abs(wide), abs(high)) <= FLAT


def _part(name: str, values: list[str]) -> tuple[float, float]:
    """What one function of a transform leaves of width and height."""
    if name in ("scale", "scale3d"):
        return number(values[0]), number(values[min(1, len(values) - 1)])
    if name == "scalex":
        return number(values[0]), 1.0
    if name == "scaley":
        return 1.0, number(values[0])
    if name in ("rotatex", "rotatey"):
        return _cosine(values[0]), 1.0
    if name == "rotate3d" and len(values) == 4 and number(values[2]) == 0:
        return _cosine(values[3]), 1.0
    cells = [number(value) for value in values]
    if name == "matrix3d" and len(cells) == 16:
        name, cells = "matrix", [cells[0], cells[1], cells[4], cells[5], 0.0, 0.0]
    if name == "matrix" and len(cells) == 6:
        a, b, c, d = cells[:4]
        area = abs(a * d - b * c)
        return (math.hypot(a, b), math.hypot(c, d)) if area > 1e-3 else (0.0, 0.0)
    return 1.0, 1.0


def turned_away(style: Mapping[str, str]) -> bool:
    """Do transforms show the back of an element whose back is not seen?"""
    if (style.get("backface-visibility") or style.get("-webkit-backface-visibility")) != "hidden":
        return False
    front = 1.0
    for name, given in _CALL.findall(style.get("transform", "")):
        if name in ("rotatex", "rotatey"):
            front *= _cosine(given)
        elif name == "rotate3d" and number(given.split(",")[2] if given.count(",") == 3 else "1") == 0:
            front *= _cosine(given.split(",")[3])
    *axis, angle = style.get("rotate", "").split() or [""]
    return front * (_cosine(angle) if axis in (["x"], ["y"]) else 1.0) < 0


def _cosine(angle: str) -> float:
    match = _LENGTH.match(angle.strip())
    return math.cos(math.radians(float(match.group(1)) * _TO_DEGREES.get(match.group(2), 1.0))) if match else 1.0


def clipped(path: str) -> bool:
    """Does a `clip-path` leave no area?"""
    name, _, inside = path.strip().partition("(")
    inside = inside.rpartition(")")[0]
    if name == "inset":
        return _inset(inside)
    if name in ("circle", "ellipse"):
        radii = inside.split(" at ")[0].split()[: 2 if name == "ellipse" else 1]
        return any(_LENGTH.match(radius) is not None and abs(pixels(radius, 1.0)) < 0.5 for radius in radii)
    if name == "polygon":
        return _no_area([point.split() for point in inside.split(",") if point.strip() not in ("nonzero", "evenodd")])
    if name == "path":
        return not re.search(r"[lhvcsqta]", inside.removeprefix("evenodd")) or not re.search(r"[1-9]", inside)
    if name == "xywh":
        return any(_LENGTH.match(side) is not None and pixels(side, 1.0) < 0.5 for side in inside.split()[2:4])
    return False


def _no_area(points: list[list[str]]) -> bool:
    """Is the area within `points`, whose units are as one, next to nothing?"""
    places = []
    for point in points:
        if len(point) != 2 or not all(_LENGTH.fullmatch(value) for value in point):
            return False
        places.append((number(point[0].rstrip("%")), number(point[1].rstrip("%"))))
    return abs(sum(a * d - c * b for (a, b), (c, d) in pairwise([*places, *places[:1]]))) / 2 < 1


def _inset(inside: str) -> bool:
    """Does `inset()` leave nothing, its sides as percentages of the box?"""
    sides = inside.split(" round")[0].split()
    if not 0 < len(sides) < 5:
        return False
    sides = [(sides * 4)[i] for i in ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(sides) - 1]]
    shares = [number(side) if side.endswith("%") else 0.0 for side in sides]
    return shares[0] + shares[2] >= 1 or shares[1] + shares[3] >= 1
