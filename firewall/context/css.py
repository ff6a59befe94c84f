"""Style sheets as far as they can hide an element: declarations, custom properties, and which rules it meets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from firewall.context.animation import places_of
from firewall.context.css_rules import blocks, listed, plain_css
from firewall.context.limits import MAX_STYLES, TooMuch
from firewall.context.media import USUAL, Screening, holds
from firewall.context.selectors import FIRST_LINE, alternatives, around, is_list, is_place, last, meets
from firewall.context.tree import Place, stands

_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")


def declarations(style: str) -> dict[str, str]:
    """Property and value of each declaration that a browser takes, lower case, escapes and comments resolved.

    It is kept: nobody may change it. `!important` ones win. A shorthand undoes what it stands for, and the sides of
    the text's direction have the names of those of the page.
    """
    return _read(style) if len(style) < _SHORTEST else _read.__wrapped__(style)


_SHORTEST = 300
"""Characters of a style up to which what it says is kept: a page writes few styles, and those often."""


@lru_cache(maxsize=1024)
def _read(style: str) -> dict[str, str]:
    out: dict[str, str] = {}
    strong: dict[str, str] = {}
    for key, value, loud in listed(plain_css(style)):
        put(strong if loud else out, key, value)
    return merged(out, strong)


def important(style: str) -> dict[str, str]:
    """The declarations of `style` that say `!important`."""
    strong: dict[str, str] = {}
    if "!" in style:
        for key, value, loud in listed(plain_css(style)):
            if loud:
                put(strong, key, value)
    return strong


def merged(out: dict[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """`out` with `more` put over it. It changes `out`."""
    if _SHORT.isdisjoint(more):
        out.update(more)
    else:
        for key, value in more.items():
            put(out, key, value)
    return out


def put(out: dict[str, str], key: str, value: str) -> None:
    """Put one declaration over those before it."""
    if key in _SHORT:
        if key == "all":
            for old in [one for one in out if one[:2] != "--"]:
                del out[old]
            return
        sides = _SIDES.get(key)
        if sides is not None:
            values = value.split() if "(" not in value else [value]
            for at, side in enumerate(sides):
                out[side] = values[min(at, len(values) - 1)] if values else ""
            return
        for old in [one for one in out if one.startswith(key + "-") or one in _UNDONE.get(key, ())]:
            del out[old]
    out.pop(key, None)  # so that the order says which came later
    out[_PLAIN.get(key, key)] = value


_PLAIN = {
    f"{one}-{logical}": f"{prefix}{side}"
    for one, prefix in (("inset", ""), ("margin", "margin-"), ("padding", "padding-"))
    for logical, side in (("inline-start", "left"), ("inline-end", "right"), ("block-start", "top"),
                          ("block-end", "bottom"))
}  # fmt: skip
_SIDES = {
    f"{one}-{axis}": tuple(f"{prefix}{side}" for side in sides)
    for one, prefix in (("inset", ""), ("margin", "margin-"), ("padding", "padding-"))
    for axis, sides in (("inline", ("left", "right")), ("block", ("top", "bottom")))
}
_UNDONE = {"inset": ("left", "right", "top", "bottom"), "mask": ("-webkit-mask-image", "-webkit-mask")}
_SHORT = frozenset(("all", "background", "font", "inset", "margin", "mask", "padding", *_SIDES, *_PLAIN))


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


_ASKED = re.compile(r"\[\s*([\w:-]+)")


class Sheet:
    """The rules of a page's `<style>` elements, those of `@media` where it holds for `screening`.

    `attributes` are the names that selectors ask for; `by_name` says that some rule asks for no class and no id;
    `custom` holds the custom properties, wherever they were set. `around`, if somebody says so, counts the names,
    classes and ids of the elements that are open: a rule such as `.nav .x` is met only where all of them are. `frames`
    are the key frames of animations; `named` the classes and ids that rules ask for; `placed` says that some rule asks
    where an element stands among its siblings, be it one around the element that the rule is for.
    """

    def __init__(self, css: str | Sequence[str] = "", screening: Screening = USUAL) -> None:
        self.rules: list[tuple[str, frozenset[str], dict[str, str]]] = []
        self.attributes: set[str] = set()
        self.custom: dict[str, str] = {}
        self.frames: dict[str, dict[float, dict[str, str]]] = {}
        self.placed = False
        self._outer: set[str] = set()
        self.around: Mapping[str, int] | None = None
        self._strong: dict[int, dict[str, str]] = {}
        self._within: dict[int, tuple[str, ...]] = {}
        self._by_key: dict[str, list[int]] = {}
        self._found: dict[tuple[object, ...], list[int]] = {}
        self._done: dict[tuple[object, ...], tuple[dict[str, str], dict[str, str], int]] = {}
        self._work = 0
        self._layered: set[int] = set()
        self.named: set[str] = set()
        for source in (css,) if isinstance(css, str) else css:
            self._take(source, screening)
        self.placed = self.placed or bool(self._outer)
        self._weights = [self._weight(index) for index in range(len(self.rules))]
        self.by_name = any(all(name[0] not in ".#" for name in names) for _, names, _ in self.rules)

    def _take(self, css: str, screening: Screening) -> None:
        """Take over the rules of one sheet."""
        for outer, selectors, body, applies, layered in blocks(plain_css(css), lambda one: holds(one, screening)):
            style = declarations(body) if applies and selectors else {}
            if not style:
                continue
            if "keyframes" in outer:
                frames = self.frames.setdefault(outer.split()[-1].strip("\"'"), {})
                for share in places_of(selectors):
                    frames.setdefault(share, {}).update(style)
                continue
            if selectors[0] == "@" or not is_list(selectors):
                continue
            self.custom.update((key, value) for key, value in style.items() if key.startswith("--"))
            strong = important(body)
            for selector in alternatives(selectors):
                compound = last(selector)
                if compound is None:
                    continue
                tag, wanted = compound
                given = style
                if FIRST_LINE in wanted:
                    given = {key: value for key, value in style.items() if not key.startswith("background")}
                self.placed = self.placed or any(name[0] == ":" for name in wanted)
                within = around(selector)
                if within:
                    self._within[len(self.rules)] = within
                    self._outer.update(filter(is_place, within))
                if strong:
                    self._strong[len(self.rules)] = strong
                key = min((name for name in wanted if name[0] in ".#"), default=tag or "*")
                self._by_key.setdefault(key, []).append(len(self.rules))
                if layered:
                    self._layered.add(len(self.rules))
                self.named.update(name for name in (*wanted, *within) if name[0] in ".#")
                self.attributes.update(name[1:-1].partition("\0")[0] for name in wanted if name[0] == "[")
                self.attributes.update(found for name in wanted if name[0] == ":" for found in _ASKED.findall(name))
                self.rules.append((tag, wanted, given))

    def style(
        self, name: str, attrs: Mapping[str, str], place: Place | None = None
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The declarations that the sheet gives an element, and those of them that are important. Raises TooMuch."""
        if not self.rules:
            return {}, {}
        own = (attrs.get(key, "\0") for key in self.attributes)
        asked = (name, attrs.get("class", ""), attrs.get("id", ""), place if self.placed else None, *own)
        self._work += len(asked)
        if asked not in self._found:
            if len(self._found) > _KEPT:
                self._found.clear()
            self._found[asked] = self._met(name, attrs, place)
        found, open_now = self._found[asked], self.around
        met = found
        if open_now is not None and self._within:
            met = [i for i in found if all(map(open_now.get, self._within.get(i, ())))]
            self._count(len(found) // 8)
        key = (asked, len(met)) if met is found or len(met) == len(found) else (asked, tuple(met))
        if key not in self._done:
            if len(self._done) > _KEPT:
                self._done.clear()
            merged = self._merged(met)
            self._done[key] = (*merged, sum(len(value) for style in merged for value in style.values()) // 500)
        out, strong, long = self._done[key]
        self._count((len(out) + len(strong)) // 8 + long)  # who asks goes over them, which is quick
        return out, strong

    def stand(self, place: Place) -> tuple[str, ...]:
        """How the rules for what is inside an element want it to stand, as far as `place` does. Raises TooMuch."""
        self._count(len(self._outer))
        return tuple(asked for asked in self._outer if stands(asked, place) is not False)

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MAX_STYLES:
            raise TooMuch("styles", f"Style sheets ask for more than {MAX_STYLES} comparisons.", MAX_STYLES)

    def _met(self, name: str, attrs: Mapping[str, str], place: Place | None) -> list[int]:
        """The rules that an element meets by itself, the weightiest last."""
        own = {"." + c for c in attrs.get("class", "").lower().split()}
        if "id" in attrs:
            own.add("#" + attrs["id"].lower())
        met = [i for key in (*own, name, "*") for i in self._by_key.get(key, ())]
        self._count(len(met) * (3 if self.placed else 1))
        met = [i for i in met if meets(name, own, attrs, place, self.rules[i][:2])]
        return sorted(met, key=self._weights.__getitem__)

    def _merged(self, met: Sequence[int]) -> tuple[dict[str, str], dict[str, str]]:
        out: dict[str, str] = {}
        strong: dict[str, str] = {}
        self._count(sum(len(self.rules[index][2]) for index in met) // 8)
        for index in met:
            merged(out, self.rules[index][2])
            if index in self._strong:
                merged(strong, self._strong[index])
        return out, strong

    def _weight(self, index: int) -> tuple[bool, int, int, bool, int]:
        """What a rule counts against others: not in a layer, ids, classes and attributes, the name, its place."""
        tag, names, _ = self.rules[index]
        ids = sum(name[0] == "#" for name in names)
        return index not in self._layered, ids, len(names) - ids, bool(tag), index
