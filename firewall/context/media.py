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
    """Is what a block holds in force that begins with `prelude`, in lower case? Every selector says yes."""
    if not prelude.startswith("@"):
        return True
    name = prelude[1:].split(maxsplit=1)[0].partition("(")[0] if prelude[1:].split() else ""
    if name == "media":
        return in_force(prelude.removeprefix("@media"), screening)
    if name == "supports":
        return _supports(prelude.removeprefix("@supports").strip())
    return name in _GROUPS or name.endswith("keyframes")


def in_force(media: str, screening: Screening) -> bool:
    """Does a list of media queries, in lower case, hold?"""
    return any(_query(query.strip(), screening) for query in media.split(","))


_GROUPS = frozenset(("layer", "container", "scope"))
_TEST = re.compile(
    r"\(\s*(-?-?[a-z][\w-]*)\s*:\s*((?:[^()]|\([^()]*\))*)\)|(?:selector|font-tech|font-format)\([^()]*\)"
)
_INNER = re.compile(r"\(\s*((?:not\s+)?[01](?:\s+(?:and|or)\s+(?:not\s+)?[01])*)\s*\)")


def _supports(condition: str) -> bool:
    """What a condition of `@supports` comes to; one that cannot be read holds."""
    from firewall.context.css_values import supported

    if len(condition) > _LONG:
        return True
    text = _TEST.sub(lambda m: "1" if not m[1] or supported(m[1], m[2].strip()) else "0", condition)
    for _ in range(_DEEP):
        shorter = _INNER.sub(lambda m: str(int(_truth(m[1]))), text)
        if shorter == text:
            break
        text = shorter
    return _truth(text)


_LONG, _DEEP = 2000, 20


def _truth(text: str) -> bool:
    """`0`, `1`, `not`, `and`, `or` without brackets."""
    words = text.split()
    if not set(words) <= {"0", "1", "not", "and", "or"}:
        return True
    return any(
        all((word == "1") != (at > 0 and part[at - 1] == "not") for at, word in enumerate(part) if word in "01")
        for part in _split(words, "or")
    )


def _split(words: list[str], sign: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == sign:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


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
