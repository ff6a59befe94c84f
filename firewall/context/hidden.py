"""Which HTML elements a reader does not see, by their attributes and the page's own style sheets.

Named after the ways that hidden text has been found in the wild: `display:none`, `visibility`, opacity 0,
sizes of zero, off-screen positions, clips, text in the colour of its ground, `hidden`, `aria-hidden`. A
closed `<details>` is visible: a reader opens it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape

from firewall.context.elements import FOREIGN, UNSEEN
from firewall.context.limits import MAX_STYLES, TooMuch
from firewall.values import NamedTuple

_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_IMPORTANT = re.compile(r"!\s*important")
_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)")
_LAST = re.compile(r"^(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)$")
_OFF_SCREEN = 400  # pixels; nothing honest stands further outside the page
_TINY = 1.0  # pixels; a letter of one pixel is not read
_TO_PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0,
              "cm": 37.8, "mm": 3.78, "in": 96.0, "vw": 10.0, "vh": 8.0, "%": 4.0}  # fmt: skip
_NAMED = {
    "white": (255, 255, 255), "black": (0, 0, 0), "red": (255, 0, 0), "lime": (0, 255, 0), "green": (0, 128, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "gray": (128, 128, 128), "grey": (128, 128, 128),
    "silver": (192, 192, 192), "navy": (0, 0, 128), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255), "floralwhite": (255, 250, 240),
    "mintcream": (245, 255, 250), "azure": (240, 255, 255), "aliceblue": (240, 248, 255),
    "honeydew": (240, 255, 240), "seashell": (255, 245, 238), "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211), "gainsboro": (220, 220, 220), "orange": (255, 165, 0),
    "purple": (128, 0, 128), "maroon": (128, 0, 0), "teal": (0, 128, 128), "aqua": (0, 255, 255),
    "cyan": (0, 255, 255), "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "olive": (128, 128, 0),
}  # fmt: skip
_ALIKE = 24  # summed distance of two colours' channels below which one is not read on the other

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)


class Look(NamedTuple):
    """How an element shows: `hidden` says by what it is not seen, `faint` what a person should decide on.

    `ground` is the background that its children stand on.
    """

    hidden: str
    faint: str
    ground: Colour


class Sheet:
    """The rules of a page's `<style>` elements, by the last part of their selectors; of `@media` ones too."""

    def __init__(self, css: str = "") -> None:
        self.rules: list[tuple[str, frozenset[str], dict[str, str]]] = []
        self._by_key: dict[str, list[int]] = {}
        self._work = 0
        for chunk in _plain_css(css).split("}"):
            selectors, _, body = chunk.rpartition("{")
            style = declarations(body)
            for selector in selectors[selectors.rfind("{") + 1 :].split(",") if style else ():
                last = re.split(r"[\s>+~;]+", selector.strip())[-1]
                parts = _LAST.match(last)
                if parts and last:
                    names = frozenset(re.findall(r"[.#][\w-]+", parts.group(2)))
                    self._by_key.setdefault(min(names, default=last), []).append(len(self.rules))
                    self.rules.append(("" if last[0] == "*" else parts.group(1) or "", names, style))
        self.by_name = any(not names for _, names, _ in self.rules)

    def style(self, name: str, attrs: Mapping[str, str]) -> dict[str, str]:
        """The declarations that the sheet gives an element, later rules last. Raises TooMuch."""
        if not self.rules:
            return {}
        names = {"." + c for c in attrs.get("class", "").lower().split()}
        if "id" in attrs:
            names.add("#" + attrs["id"].lower())
        met = sorted(i for key in (*names, name, "*") for i in self._by_key.get(key, ()))
        self._work += len(met)
        if self._work > MAX_STYLES:
            raise TooMuch("styles", f"Style sheets ask for more than {MAX_STYLES} comparisons.", MAX_STYLES)
        out: dict[str, str] = {}
        for index in met:
            tag, wanted, style = self.rules[index]
            if tag in ("", name) and wanted <= names:
                out.update(style)
        return out


def look(name: str, attrs: Sequence[tuple[str, str]], ground: Colour, sheet: Sheet) -> Look:
    """How the element `name` with `attrs` shows on `ground`."""
    given = {key.lower(): unescape(value) for key, value in reversed(attrs)}
    style = sheet.style(name, given)
    if name in FOREIGN or name == "svg":  # SVG takes these as attributes too
        style = {**{key: given[key].strip().lower() for key in SVG_STYLED if key in given}, **style}
    style.update(declarations(given.get("style", "")))
    own = _colour(style.get("background-color") or style.get("background", "")) or _colour(given.get("bgcolor", ""))
    paper = own or ground
    if name == "details":
        return Look("", "", paper)
    if name in UNSEEN and not (name == "dialog" and "open" in given):
        return Look("never shown" if name != "dialog" else "not open", "", paper)
    if "popover" in given:
        return Look("popover", "", paper)
    if "hidden" in given:
        return Look("hidden", "", paper)
    if given.get("aria-hidden", "").strip().lower() == "true":
        return Look("aria-hidden", "", paper)
    how = _hiding(style)
    if not how and name in FOREIGN:
        how = _unpainted(style, given)
    if not how:
        ink = style.get("fill", "") if name in FOREIGN else ""
        how = _unreadable(ink or style.get("color") or given.get("color", ""), style, paper)
    classes = given.get("class", "").lower().split()
    faint = "" if how else _faint(style, classes)
    return Look(how, faint, paper)


def declarations(style: str) -> dict[str, str]:
    """Property and value of each declaration, lower case, escapes and comments resolved."""
    out = {}
    for part in _plain_css(style).split(";"):
        key, colon, value = part.partition(":")
        if colon:
            out[key.strip()] = _IMPORTANT.sub("", value).strip()
    return out


def _plain_css(css: str) -> str:
    def resolve(match: re.Match[str]) -> str:
        if match.group(1):
            number = int(match.group(1), 16)
            return chr(number) if 0 < number < 0x110000 else "\ufffd"
        return match.group(2)

    parts = css.split("/*")
    css = parts[0] + "".join(part.partition("*/")[2] for part in parts[1:])
    return _ESCAPE.sub(resolve, css).lower()


def _hiding(style: Mapping[str, str]) -> str:
    """The declaration that hides, or an empty text."""
    get = style.get
    if get("display", "").startswith("none"):
        return "display:none"
    if get("visibility", "") in ("hidden", "collapse"):
        return "visibility:hidden"
    if get("content-visibility", "") == "hidden":
        return "content-visibility:hidden"
    if get("mso-hide", "") == "all":
        return "mso-hide:all"
    opacity = _number(get("opacity", "1"))
    if opacity <= 0.05:
        return "opacity:0"
    for opaque in re.findall(r"opacity\(([^)]{0,20})\)", get("filter", "")):
        if _number(opaque) <= 0.05:
            return "filter:opacity(0)"
    size = get("font-size") or _shorthand_size(get("font", ""))
    if size and _pixels(size, 16.0) <= _TINY:
        return "font-size:0"
    if any(_pixels(get(key, ""), 100.0) <= _TINY for key in ("max-height", "max-width", "height", "width")) and (
        get("overflow", get("overflow-x", get("overflow-y", ""))).startswith(("hidden", "clip"))
    ):
        return "size 0 with overflow:hidden"
    if _pixels(get("text-indent", ""), 0.0) <= -_OFF_SCREEN:
        return "text-indent off screen"
    sides = (get(side, "") for side in ("left", "top", "right", "bottom"))
    if get("position", "") in ("absolute", "fixed", "relative") and any(_far(side) for side in sides):
        return "position off screen"
    if any(_far(get(side, "")) for side in ("margin-left", "margin-top", "margin-right")):
        return "margin off screen"
    moved = get("transform", "") + " " + get("translate", "")
    if any(_far(part) for part in re.findall(r"-?[\d.]+[a-z%]*", moved) if "-" in part):
        return "transform off screen"
    if re.search(r"scale[xy]?\(\s*0?\.?0*\s*[,)]", moved) or _number(get("zoom", "1")) == 0:
        return "scale(0)"
    clip = get("clip", "").replace(" ", "")
    if re.match(r"rect\((?:[01](?:px)?,?){4}\)", clip):
        return "clip"
    path = get("clip-path", "").replace(" ", "")
    if re.match(r"(?:inset\((?:50|[6-9]\d|100)%|circle\(0|ellipse\(0|polygon\(0(?:px|%)?0)", path):
        return "clip-path"
    return ""


SVG_STYLED = frozenset("opacity fill fill-opacity stroke stroke-opacity display visibility font-size transform".split())
"""Properties that SVG takes as attributes, by which text can be hidden."""


def _unpainted(style: Mapping[str, str], given: Mapping[str, str]) -> str:
    """How SVG text is not painted, or an empty text."""
    if any(_far(given.get(key, "").strip()) for key in ("x", "y", "dx", "dy")):
        return "position off screen"
    if style.get("stroke", "none") not in ("none", "transparent") and _number(style.get("stroke-opacity", "1")) > 0.05:
        return ""
    if _number(style.get("fill-opacity", "1")) <= 0.05:
        return "fill-opacity:0"
    fill = style.get("fill", "")
    return "fill:none" if fill in ("none", "transparent") else ""


def _unreadable(colour: str, style: Mapping[str, str], paper: Colour) -> str:
    fill = style.get("-webkit-text-fill-color", "")
    for value in (colour, fill):
        value = value.strip().lower()
        if value == "transparent" or re.match(r"(?:rgba|hsla?)\([^)]*[,/]\s*0?\.?0+%?\s*\)$", value):
            return "color:transparent"
        ink = _colour(value)
        if ink and sum(abs(a - b) for a, b in zip(ink, paper, strict=True)) < _ALIKE:
            return "text in the colour of its ground"
    return ""


def _faint(style: Mapping[str, str], classes: Sequence[str]) -> str:
    if 0.05 < _number(style.get("opacity", "1")) < 0.6:
        return f"opacity:{style['opacity']}"
    for name in ("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"):
        if name in classes:
            return f"class {name}"
    return ""


def _far(value: str) -> bool:
    return value.startswith("-") and _pixels(value, 0.0) <= -_OFF_SCREEN


def _pixels(value: str, default: float) -> float:
    match = _LENGTH.match(value.strip())
    if not match:
        return default
    return float(match.group(1)) * _TO_PIXELS.get(match.group(2), 16.0)


def _shorthand_size(font: str) -> str:
    for part in font.split():
        if (_LENGTH.match(part) and not part.isdigit()) or part.startswith("0"):
            return part.split("/")[0]
    return ""


def _number(value: str) -> float:
    match = _LENGTH.match(value.strip())
    if not match:
        return 1.0
    return float(match.group(1)) / (100.0 if match.group(2) == "%" else 1.0)


def _colour(value: str) -> Colour | None:
    value = value.strip().lower()
    if value.startswith("#"):
        digits = re.match(r"#([0-9a-f]{3,8})", value)
        if not digits:
            return None
        hexes = digits.group(1)
        if len(hexes) in (3, 4):
            hexes = "".join(c * 2 for c in hexes)
        if len(hexes) not in (6, 8):
            return None
        return int(hexes[0:2], 16), int(hexes[2:4], 16), int(hexes[4:6], 16)
    match = re.match(r"rgba?\(([^)]{1,60})\)", value)
    if match:
        parts = re.findall(r"([\d.]+)(%?)", match.group(1))[:3]
        if len(parts) == 3:
            red, green, blue = (min(255, round(float(n) * (2.55 if p else 1))) for n, p in parts)
            return red, green, blue
        return None
    match = re.match(r"hsla?\([^,]*,?\s*[\d.]+%?[,\s]+([\d.]+)%", value)
    if match and float(match.group(1)) in (0.0, 100.0):
        level = round(float(match.group(1)) * 2.55)
        return level, level, level
    return _NAMED.get(value.split()[0] if value else "")
