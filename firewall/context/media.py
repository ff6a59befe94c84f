"""Which `@media` rules hold on a reader's screen: text that some screen shows is text that a reader sees."""

from __future__ import annotations

import re

from firewall.context.geometry import pixels
from firewall.values import NamedTuple


class Screening(NamedTuple):
    """A way to see a page: `width` in pixels; `likes` says whether it has what else is asked for, such as dark."""

    width: int
    likes: bool


USUAL = Screening(1280, likes=True)
OTHERS = (Screening(360, likes=False), Screening(800, likes=True), Screening(2000, likes=False))
"""Telephone, tablet, large screen. What is hidden on all of these is hidden."""

_FEATURE = re.compile(r"\(([^()]{1,200})\)")
_WIDTH = re.compile(r"(min-|max-|)(?:device-)?width\s*:\s*(.+)")
_LEFT = re.compile(r"([^<>=]+?)\s*(<=?|>=?|=)\s*width\b")
_RIGHT = re.compile(r"\bwidth\s*(<=?|>=?|=)\s*([^<>=]+)")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_SHOWN = frozenset(("", "all", "screen"))


def holds(prelude: str, screening: Screening) -> bool:
    """Does the at-rule that begins with `prelude`, in lower case, hold? Only `@media` may say no."""
    if not prelude.startswith("@media"):
        return True
    return any(_query(query.strip(), screening) for query in prelude.removeprefix("@media").split(","))


def _query(query: str, screening: Screening) -> bool:
    features = _FEATURE.findall(query)
    words = [word for word in _FEATURE.sub(" ", query).split() if word not in ("and", "or", "only")]
    negated = "not" in words
    kinds = [word for word in words if word != "not"]
    met = all(kind in _SHOWN for kind in kinds) and all(_feature(one.strip(), screening) for one in features)
    return met != negated


def _feature(feature: str, screening: Screening) -> bool:
    plain = _WIDTH.fullmatch(feature)
    if plain:
        sign = {"min-": ">=", "max-": "<=", "": "="}[plain[1]]
        return _compares(screening.width, sign, plain[2])
    left, right = _LEFT.match(feature), _RIGHT.search(feature)
    if left or right:
        first = left is None or _compares(screening.width, _FLIPPED[left[2]], left[1])
        return first and (right is None or _compares(screening.width, right[1], right[2]))
    return screening.likes


def _compares(width: int, sign: str, value: str) -> bool:
    length = pixels(value, float(width))
    if sign == "=":
        return width == length
    return length <= width if sign[0] == ">" else width <= length
