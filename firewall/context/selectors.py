"""Selectors of style sheets: the last compound, and what must be open around the element.

Classes, ids, attributes, `:not()`, `:is()`, `:where()` and the place among siblings count. What hangs on the
reader's doing, such as `:hover`, is not so when a page opens. What cannot be decided here (`:has()`, `:lang()`, what
stands beside an element) counts as met: text that may be hidden is not let through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from firewall.context.elements import KNOWN
from firewall.context.tree import Place, stands

_NESTED = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_PART = re.compile(
    r"(?:\*?\|)?(?P<tag>\*|[a-z][\w-]*)|(?P<name>[.#][\w-]+)"
    r"|\[\s*(?P<attr>[\w:-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s]+)\s*[is]?\s*)?\]"
    rf"|::?(?P<pseudo>[a-z-]+)(?:\((?P<given>{_NESTED})\))?"
)
_EITHER = re.compile(rf":(?:is|where|matches|-webkit-any)\(({_NESTED})\)")
_MOST, _LONG = 64, 4000
"""Alternatives of a list of selectors, and characters of it; nothing honest has more where it says `:is()`."""

# Not so on a page that has just been opened.
_DOINGS = frozenset(
    "active autofill current focus focus-visible focus-within fullscreen future hover modal past picture-in-picture "
    "playing popover-open seeking stalled target target-current target-within user-invalid user-valid visited".split()
)
# Never of a text's own element: what is no element, has no text or is within another tree.
_NEVER = _DOINGS | frozenset(
    "after backdrop before cue empty file-selector-button first-letter host marker placeholder selection".split()
)
_ALWAYS = frozenset(("defined", "read-only", "scope", "dir", "optional"))
_ATTRIBUTES = {
    "checked": "checked", "default": "checked", "disabled": "disabled", "required": "required", "open": "open",
    "link": "href", "any-link": "href", "read-write": "contenteditable",
}  # fmt: skip
_PLACES = {
    "first-child": ("child", "1"), "last-child": ("last_child", "1"), "first-of-type": ("of_type", "1"),
    "last-of-type": ("last_of_type", "1"), "nth-child": ("child", ""), "nth-last-child": ("last_child", ""),
    "nth-of-type": ("of_type", ""), "nth-last-of-type": ("last_of_type", ""),
}  # fmt: skip
_BOTH = {"only-child": ("first-child", "last-child"), "only-of-type": ("first-of-type", "last-of-type")}
_UNDECIDED = frozenset(
    "has lang nth-col nth-last-col is where matches -webkit-any not enabled valid invalid in-range out-of-range "
    "indeterminate placeholder-shown blank muted paused".split()
)
_KNOWN = frozenset(
    _DOINGS | _NEVER | _ALWAYS | _UNDECIDED | _ATTRIBUTES.keys() | _PLACES.keys() | _BOTH.keys()
    | set(
        "root first-line first-letter host-context part slotted highlight state cue-region details-content "
        "view-transition view-transition-group view-transition-image-pair view-transition-new view-transition-old "
        "spelling-error grammar-error target-text search-text scroll-marker scroll-marker-group scroll-button column "
        "picker picker-icon checkmark checked default volume-locked buffering local-link active-view-transition "
        "active-view-transition-type autofill open closed popover-open heading has-slotted interest-source".split()
    )
)  # fmt: skip
OPEN = ":?"
"""In a compound: something was asked for that cannot be decided."""
FIRST_LINE = ":first-line"
"""In a compound: it is of the element's first line."""

Compound = tuple[str, frozenset[str]]
"""The tag's name or an empty text, and what it must have: `.class`, `#id`, `[attribute]`, `:not(…)`, a place."""


def alternatives(selectors: str) -> Iterator[str]:
    """Each selector of a list, with `:is()` and `:where()` multiplied out; none that only the reader's doing meets."""
    waiting = [selectors]
    for _ in range(_MOST if len(selectors) < _LONG else 0):
        either = _EITHER.search(waiting[-1])
        if not either:
            break
        before, behind = waiting[-1][: either.start()], waiting[-1][either.end() :]
        waiting[-1:] = [f"{before}{one.strip()}{behind}" for one in _listed(either.group(1))][:_MOST]
        if len(waiting) > _MOST:
            break
        waiting.sort(key=lambda one: _EITHER.search(one) is not None)
    for one in waiting:
        yield from (selector for selector in _listed(one) if not _impossible(selector))


def is_list(selectors: str) -> bool:
    """Is `selectors` a list that a browser reads? One member that it does not know drops the whole rule.

    What has the name of another maker's browser is known to some, and counts.
    """
    if len(selectors) > _LONG:
        return True
    for selector in _listed(selectors):
        text = _PARENTHESES.sub("()", selector.strip())
        if not text or text[-1] in ">+~" or _STRANGE.search(_QUOTED.sub("", text)):
            return False
        if any(not (name in _KNOWN or name[0] == "-") for name in _PSEUDO.findall(_QUOTED.sub("", text))):
            return False
    return True


_QUOTED = re.compile(r"\[[^\]]*\]?|\"[^\"]*\"?|'[^']*'?")
_STRANGE = re.compile(r"[!$%@/;?<={}`]|[.#](?![\w\u0080-\U0010ffff-])|(?<![\w-])\d|:(?![:\w-])|:::|[.#]\d|\([^)]*$")


def _listed(selectors: str) -> Iterator[str]:
    start = depth = 0
    for place in _SIGNS.finditer(selectors):
        if place.group() == ",":
            if depth <= 0:
                yield selectors[start : place.start()]
                start = place.end()
        else:
            depth += 1 if place.group() in "([" else -1
    yield selectors[start:]


_SIGNS = re.compile(r"[,()\[\]]")
_PARENTHESES = re.compile(rf"\({_NESTED}\)")
_PSEUDO = re.compile(r":([a-z-]+)")


def _impossible(selector: str) -> bool:
    """Does any part of `selector`, also what stands around the element, ask for what the reader does?"""
    return ":" in selector and not _DOINGS.isdisjoint(_PSEUDO.findall(_PARENTHESES.sub("", selector)))


_IMPLIED = frozenset("html body tbody head".split())  # a browser makes these where a page leaves them out


def around(selector: str) -> tuple[str, ...]:
    """The names, classes, ids and places that `selector` wants around the element; what is beside it nobody asks."""
    text = selector.strip()
    if len(text) > _LONG:
        return ()
    names: set[str] = set()
    for text_of, combinator in _compounds(text)[:-1]:
        found = _compound(text_of) if combinator not in ("+", "~") else None
        if found is not None:
            tag, wanted = found
            names |= {name for name in wanted if name[0] in ".#" or is_place(name)}
            names |= {tag} if tag in KNOWN and tag not in _IMPLIED else set()
    return tuple(sorted(names))


def is_place(asked: str) -> bool:
    """Is it, in a compound, where the element must stand among its siblings?"""
    return asked[0] == ":" and asked not in (OPEN, FIRST_LINE) and not asked.startswith(":not(")


def last(selector: str) -> Compound | None:
    """The last compound of `selector`, or None where it is none that an element can meet."""
    return _compound(_compounds(selector.strip())[-1][0].removeprefix("&"))


def _compounds(selector: str) -> list[tuple[str, str]]:
    """The compounds of `selector`, each with the sign behind it: a blank, `>`, `+`, `~`; nothing behind the last."""
    out: list[tuple[str, str]] = []
    depth = start = 0
    for match in _BETWEEN.finditer(selector):
        sign = match.group()
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif depth <= 0:
            out.append((selector[start : match.start()], sign.strip() or " "))
            start = match.end()
    return [*out, (selector[start:], "")]


_BETWEEN = re.compile(r"[()\[\]]|\s*[>+~]\s*|\s+")


def _compound(text: str) -> Compound | None:
    return _parsed(text) if len(text) < _KEPT else _parsed.__wrapped__(text)


_KEPT = 200
"""Characters of a compound up to which what it asks is kept."""


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Compound | None:
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
        else:
            asked = _pseudo(part["pseudo"], part["given"])
            if asked is None:
                return None
            names.update(asked)
    if ":root" in names:
        if tag not in ("", "html"):
            return None
        tag = "html"
        names.remove(":root")
    return (tag, frozenset(names)) if text else None


def _pseudo(name: str, given: str | None) -> list[str] | None:
    """What a pseudo-class asks of an element; None where it is never so, or no browser knows it."""
    if name in _ALWAYS:
        return []
    if name in ("root", "first-line"):
        return [f":{name}"]
    if name in _ATTRIBUTES:
        return [f"[{_ATTRIBUTES[name]}\0\0]"]
    if name in _PLACES:
        kind, formula = _PLACES[name]
        return [f":{kind}({formula or given or ''})"]
    if name in _BOTH:
        return [f":{_PLACES[one][0]}(1)" for one in _BOTH[name]]
    if name == "not" and given is not None:
        return [f":not({one.strip()})" for one in _listed(given)]
    return [OPEN] if name in _UNDECIDED else None


def meets(name: str, own: set[str], attrs: Mapping[str, str], place: Place | None, compound: Compound) -> bool:
    """Does the element `name`, with classes and id `own`, meet a compound? No `place`: it may stand anywhere."""
    tag, wanted = compound
    if tag not in ("", name):
        return False
    for one in wanted:
        if one[0] in ".#":
            met = one in own
        elif one[0] == "[":
            met = _has(attrs, *one[1:-1].split("\0"))
        elif one.startswith(":not("):
            text = one[5:-1]
            inner = None if _impossible(text) or len(_compounds(text)) > 1 else _compound(text)
            met = inner is None or OPEN in inner[1] or not meets(name, own, attrs, place, inner)
        else:
            met = place is None or not is_place(one) or stands(one, place) is not False
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
