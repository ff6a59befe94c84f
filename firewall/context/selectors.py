"""Selectors of style sheets: the last compound, and what must be open around the element.

Classes, ids, attributes, `:not()` of one compound, `:is()` and `:where()` count. Rules with other pseudo-classes are
left out, since whether `li:first-child` is met hangs on the tree; what stands beside an element nobody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firewall.context.elements import KNOWN

_PART = re.compile(
    r"(?P<tag>\*|[a-z][\w-]*)|(?P<name>[.#][\w-]+)"
    r"|\[\s*(?P<attr>[\w:-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s]+)\s*[is]?\s*)?\]"
    r"|:not\((?P<no>[^()]*)\)"
)
_EITHER = re.compile(r":(?:is|where|matches|-webkit-any)\(([^()]*)\)")
_MOST, _LONG = 64, 4000
"""Alternatives of a list of selectors, and characters of it; nothing honest has more where it says `:is()`."""

Compound = tuple[str, frozenset[str]]
"""The tag's name or an empty text, and what the element must have: `.class`, `#id`, `[attribute]`, `:not(…)`."""


def alternatives(selectors: str) -> Iterator[str]:
    """Each selector of a list, with `:is()` and `:where()` multiplied out."""
    waiting = [selectors]
    for _ in range(_MOST if len(selectors) < _LONG else 0):
        either = _EITHER.search(waiting[-1])
        if not either:
            break
        before, behind = waiting[-1][: either.start()], waiting[-1][either.end() :]
        waiting[-1:] = [f"{before}{one.strip()}{behind}" for one in either.group(1).split(",")][:_MOST]
        if len(waiting) > _MOST:
            break
        waiting.sort(key=lambda one: _EITHER.search(one) is not None)
    for one in waiting:
        start = depth = 0
        for place in _SIGNS.finditer(one):
            if place.group() == ",":
                if depth <= 0:
                    yield one[start : place.start()]
                    start = place.end()
            else:
                depth += 1 if place.group() in "([" else -1
        yield one[start:]


_SIGNS = re.compile(r"[,()\[\]]")


_COMBINED = re.compile(r"\s*[>+~]\s*|\s+")
_IMPLIED = frozenset("html body tbody head".split())  # a browser makes these where a page leaves them out


def around(selector: str) -> tuple[str, ...]:
    """The names, classes and ids that `selector` wants around the element; what is beside it nobody asks."""
    text = selector.strip()
    if len(text) > _LONG or any(sign in text for sign in "([:&+~"):
        return ()
    names: set[str] = set()
    for compound in map(_compound, _COMBINED.split(text)[:-1]):
        if compound is None:
            return ()
        tag, wanted = compound
        names |= wanted | ({tag} if tag in KNOWN and tag not in _IMPLIED else set())
    return tuple(sorted(names))


def last(selector: str) -> Compound | None:
    """The last compound of `selector`, or None where it asks for what only the tree or the reader's doing decides."""
    text = selector.strip()
    depth = at = 0
    for place, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif depth == 0 and (char in ">+~" or char.isspace()):
            at = place + 1
    return _compound(text[at:].removeprefix("&"))


def _compound(text: str) -> Compound | None:
    tag = ""
    names: set[str] = set()
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or (part["tag"] and at):
            return None
        at = part.end()
        if part["tag"]:
            tag = "" if part["tag"] == "*" else part["tag"]
        elif part["name"]:
            names.add(part["name"])
        elif part["attr"]:
            value = (part["value"] or "").strip("\"'")
            names.add(f"[{part['attr']}\0{part['op'] or ''}\0{value}]")
        elif _compound(part["no"].strip()) is None:
            return None
        else:
            names.add(f":not({part['no'].strip()})")
    return (tag, frozenset(names)) if text else None


def meets(name: str, own: set[str], attrs: Mapping[str, str], tag: str, wanted: frozenset[str]) -> bool:
    if tag not in ("", name):
        return False
    for one in wanted:
        if one[0] in ".#":
            met = one in own
        elif one[0] == "[":
            met = _has(attrs, *one[1:-1].split("\0"))
        else:
            inner = _compound(one[5:-1])
            met = inner is not None and not meets(name, own, attrs, *inner)
        if not met:
            return False
    return True


def _has(attrs: Mapping[str, str], key: str, op: str, value: str) -> bool:
    """Does an element have an attribute as `[key op "value"]` asks?"""
    if key not in attrs:
        return False
    given = attrs[key].lower()
    if op == "~=":
        return value in given.split()
    if op == "|=":
        return given == value or given.startswith(value + "-")
    if op in ("^=", "$=", "*="):
        found = {"^=": given.startswith, "$=": given.endswith, "*=": given.__contains__}[op]
        return bool(value) and bool(found(value))
    return not op or given == value
