"""Style sheets as far as they can hide an element: declarations, custom properties, and which rules it meets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firewall.context.animation import places_of
from firewall.context.limits import MAX_STYLES, TooMuch
from firewall.context.media import USUAL, Screening, holds
from firewall.context.selectors import FIRST_LINE, alternatives, around, is_place, last, meets
from firewall.context.tree import Place, stands

_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_IMPORTANT = re.compile(r"\s*!\s*important\s*$")
_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")


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


_ASKED = re.compile(r"\[\s*([\w:-]+)")


class Sheet:
    """The rules of a page's `<style>` elements, those of `@media` where it holds for `screening`.

    `attributes` are the names that selectors ask for; `by_name` says that some rule asks for no class and no id;
    `custom` holds the custom properties, wherever they were set. `around`, if somebody says so, counts the names,
    classes and ids of the elements that are open: a rule such as `.nav .x` is met only where all of them are. `frames`
    are the key frames of animations; `placed` says that some rule asks where an element stands among its siblings, be
    it one around the element that the rule is for.
    """

    def __init__(self, css: str = "", screening: Screening = USUAL) -> None:
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
            if opened and "keyframes" in opened[-1][0]:
                frames = self.frames.setdefault(opened[-1][0].split()[-1].strip("\"'"), {})
                for share in places_of(selectors):
                    frames.setdefault(share, {}).update(style)
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
                self.attributes.update(name[1:-1].partition("\0")[0] for name in wanted if name[0] == "[")
                self.attributes.update(found for name in wanted if name[0] == ":" for found in _ASKED.findall(name))
                self.rules.append((tag, wanted, given))
        self.placed = self.placed or bool(self._outer)
        self._weights = [self._weight(index) for index in range(len(self.rules))]
        self.by_name = any(all(name[0] not in ".#" for name in names) for _, names, _ in self.rules)

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
            out.update(self.rules[index][2])
            strong.update(self._strong.get(index, {}))
        return out, strong

    def _weight(self, index: int) -> tuple[int, int, int, int]:
        """What a rule counts against others: ids, then classes and attributes, then the name, then its place."""
        tag, names, _ = self.rules[index]
        ids = sum(name[0] == "#" for name in names)
        return ids, len(names) - ids, bool(tag), index
