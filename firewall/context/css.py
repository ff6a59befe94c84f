"""Style sheets as far as they can hide an element: declarations, custom properties, and the last part of selectors.

Of a selector the last compound counts, with classes, ids, attributes, `:not()` of one compound, `:is()` and `:where()`.
Rules with other pseudo-classes are left out, since whether `li:first-child` is met hangs on the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firewall.context.limits import MAX_STYLES, TooMuch
from firewall.context.media import USUAL, Screening, holds

_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_IMPORTANT = re.compile(r"\s*!\s*important\s*$")
_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
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


def declarations(style: str) -> dict[str, str]:
    """Property and value of each declaration, lower case, escapes and comments resolved; `!important` ones win."""
    out: dict[str, str] = {}
    strong: dict[str, str] = {}
    for part in plain_css(style).split(";"):
        key, colon, value = part.partition(":")
        if colon:
            plain = _IMPORTANT.sub("", value)
            (strong if len(plain) < len(value) else out)[key.strip()] = plain.strip()
    return {**out, **strong}


def important(style: str) -> dict[str, str]:
    """The declarations of `style` that say `!important`."""
    if "!" not in style:
        return {}
    parts = plain_css(style).split(";")
    return declarations(";".join(part for part in parts if _IMPORTANT.search(part)))


def plain_css(css: str) -> str:
    """`css` in lower case, without comments and escapes."""

    def resolve(match: re.Match[str]) -> str:
        if match.group(1):
            number = int(match.group(1), 16)
            return chr(number) if 0 < number < 0x110000 else "\ufffd"
        return match.group(2)

    parts = css.split("/*")
    css = parts[0] + "".join(part.partition("*/")[2] for part in parts[1:])
    return _ESCAPE.sub(resolve, css).lower()


def resolved(style: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """`style` with its own custom properties in the place of `var()`, else `others`, else what is behind the comma."""
    out = dict(style)

    def value_of(match: re.Match[str]) -> str:
        value = style.get(match[1]) or others.get(match[1]) or (match[2] or "").strip()
        return value if len(value) <= _LONGEST else ""

    for key, value in style.items():
        for _ in range(4):  # a property may be made of others
            if "var(" not in value or len(value) > _LONGEST or key.startswith("--"):
                break
            value = _VAR.sub(value_of, value)
        out[key] = value
    return out


_KEPT = 256
"""Elements whose style is kept, since most of a page are like others."""
_LONGEST = 200
"""Characters of a value that may hide something; properties made of properties grow without end."""


class Sheet:
    """The rules of a page's `<style>` elements, those of `@media` where it holds for `screening`.

    `attributes` are the names that selectors ask for; `by_name` says that some rule asks for no class and no id;
    `custom` holds the custom properties, wherever they were set.
    """

    def __init__(self, css: str = "", screening: Screening = USUAL) -> None:
        self.rules: list[tuple[str, frozenset[str], dict[str, str]]] = []
        self.attributes: set[str] = set()
        self.custom: dict[str, str] = {}
        self._strong: dict[int, dict[str, str]] = {}
        self._by_key: dict[str, list[int]] = {}
        self._done: dict[tuple[str, ...], tuple[dict[str, str], dict[str, str]]] = {}
        self._work = 0
        opened: list[tuple[str, bool]] = []  # what stands before each brace that is open, and whether it holds
        for chunk in plain_css(css).split("}"):
            *preludes, body = chunk.split("{")
            for prelude in preludes:
                before = prelude.rpartition(";")[2].strip()
                opened.append((before, (not opened or opened[-1][1]) and holds(before, screening)))
            selectors, applies = opened.pop() if opened else ("", False)
            style = declarations(body) if applies and selectors else {}
            if not style:
                continue
            self.custom.update((key, value) for key, value in style.items() if key.startswith("--"))
            strong = important(body)
            for selector in _alternatives(selectors):
                compound = _last(selector)
                if compound is None:
                    continue
                tag, wanted = compound
                if strong:
                    self._strong[len(self.rules)] = strong
                key = min((name for name in wanted if name[0] in ".#"), default=tag or "*")
                self._by_key.setdefault(key, []).append(len(self.rules))
                self.attributes.update(name[1:-1].partition("\0")[0] for name in wanted if name[0] == "[")
                self.attributes.update(found for name in wanted if name[0] == ":" for found in _ASKED.findall(name))
                self.rules.append((tag, wanted, style))
        self._weights = [self._weight(index) for index in range(len(self.rules))]
        self.by_name = any(all(name[0] not in ".#" for name in names) for _, names, _ in self.rules)

    def style(self, name: str, attrs: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """The declarations that the sheet gives an element, and those of them that are important. Raises TooMuch."""
        if not self.rules:
            return {}, {}
        asked = (name, attrs.get("class", ""), attrs.get("id", ""), *(attrs.get(key, "\0") for key in self.attributes))
        self._work += len(asked)
        if asked not in self._done:
            if len(self._done) > _KEPT:
                self._done.clear()
            self._done[asked] = self._style(name, attrs)
        out, strong = self._done[asked]
        self._count((len(out) + len(strong)) // 8)  # who asks goes over them, which is quick
        return out, strong

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MAX_STYLES:
            raise TooMuch("styles", f"Style sheets ask for more than {MAX_STYLES} comparisons.", MAX_STYLES)

    def _style(self, name: str, attrs: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        own = {"." + c for c in attrs.get("class", "").lower().split()}
        if "id" in attrs:
            own.add("#" + attrs["id"].lower())
        met = [i for key in (*own, name, "*") for i in self._by_key.get(key, ())]
        self._count(len(met))
        met = [i for i in met if _meets(name, own, attrs, self.rules[i][0], self.rules[i][1])]
        out: dict[str, str] = {}
        strong: dict[str, str] = {}
        self._count(sum(len(self.rules[index][2]) for index in met) // 8)
        for index in sorted(met, key=self._weights.__getitem__):
            out.update(self.rules[index][2])
            strong.update(self._strong.get(index, {}))
        return out, strong

    def _weight(self, index: int) -> tuple[int, int, int, int]:
        """What a rule counts against others: ids, then classes and attributes, then the name, then its place."""
        tag, names, _ = self.rules[index]
        ids = sum(name[0] == "#" for name in names)
        return ids, len(names) - ids, bool(tag), index


_ASKED = re.compile(r"\[\s*([\w:-]+)")


def _alternatives(selectors: str) -> Iterator[str]:
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


def _last(selector: str) -> Compound | None:
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


def _meets(name: str, own: set[str], attrs: Mapping[str, str], tag: str, wanted: frozenset[str]) -> bool:
    if tag not in ("", name):
        return False
    for one in wanted:
        if one[0] in ".#":
            met = one in own
        elif one[0] == "[":
            met = _has(attrs, *one[1:-1].split("\0"))
        else:
            inner = _compound(one[5:-1])
            met = inner is not None and not _meets(name, own, attrs, *inner)
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
