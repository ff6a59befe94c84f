"""Which HTML elements a reader does not see, by their attributes and the page's own style sheets.

Named after the ways that hidden text has been found in the wild: `display:none`, `visibility`, opacity 0,
sizes of zero, off-screen positions, clips, text in the colour of its ground, `hidden`, `aria-hidden`. A
closed `<details>` is visible: a reader opens it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape

from firewall.context.css import Sheet, declarations, important, resolved
from firewall.context.elements import FOREIGN, UNSEEN
from firewall.values import NamedTuple

_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)")
_OFF_SCREEN = 400  # pixels; nothing honest stands further outside the page
_WIDE = 5000  # pixels to the right; no screen is so wide
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


def look(name: str, attrs: Sequence[tuple[str, str]], ground: Colour, sheet: Sheet) -> Look:
    """How the element `name` with `attrs` shows on `ground`."""
    given = {key.lower(): unescape(value) for key, value in reversed(attrs)}
    style, strong = sheet.style(name, given)
    if name in FOREIGN or name == "svg":  # SVG takes these as attributes too
        style = {**{key: given[key].strip().lower() for key in SVG_STYLED if key in given}, **style}
    inline = given.get("style", "")
    style = resolved({**style, **declarations(inline), **strong, **important(inline)}, sheet.custom)
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
    if size and _pixels(size, 16.0) * (0.04 if "%" in size else 1.0) <= _TINY:  # a hundredth of the usual 16
        return "font-size:0"
    cut = get("overflow", get("overflow-x", get("overflow-y", ""))).startswith(("hidden", "clip"))
    if cut and any(_pixels(get(key, ""), 100.0) <= _TINY for key in _SIZES):
        return "size 0 with overflow:hidden"
    if cut and get("text-indent", "").endswith("%") and _number(get("text-indent", "")) >= 1:
        return "text-indent off screen"
    if _pixels(get("text-indent", ""), 0.0) <= -_OFF_SCREEN:
        return "text-indent off screen"
    sides = (get(side, "") for side in ("left", "top", "right", "bottom"))
    if get("position", "") in ("absolute", "fixed", "relative") and any(_far(side) for side in sides):
        return "position off screen"
    placed = get("position", "") in ("absolute", "fixed")
    beyond = any(_pixels(get(side, ""), 0.0) >= _WIDE for side in ("left", "right"))
    if placed and (beyond or any(map(_far, get("inset", "").split()))):
        return "position off screen"
    margins = (get(side, "") for side in ("margin-left", "margin-top", "margin-right"))
    if any(map(_far, (*margins, *get("margin", "").split()))):
        return "margin off screen"
    moved = get("transform", "") + " " + get("translate", "")
    if any(_far(part) for part in re.findall(r"-?[\d.]+[a-z%]*", moved) if "-" in part):
        return "transform off screen"
    if re.search(r"scale[xy]?\(\s*0?\.?0*\s*[,)]|matrix\(\s*0?\.?0*\s*,|rotate[xy]\(\s*-?(?:90|270)deg", moved):
        return "scale(0)"
    if min(_number(get("zoom", "1")), _number(get("scale", "1"))) <= 0.05:
        return "scale(0)"
    clip = get("clip", "").replace(" ", "")
    if re.match(r"rect\((?:[01](?:px)?,?){4}\)", clip):
        return "clip"
    path = get("clip-path", "").strip()
    if re.match(r"circle\(\s*0|ellipse\(\s*0|polygon\(\s*0(?:px|%)?\s*0", path) or _inset(path):
        return "clip-path"
    return ""


_SIZES = (
    "max-height", "max-width", "height", "width", "block-size", "inline-size", "max-block-size", "max-inline-size",
    "line-height",
)  # fmt: skip


def _inset(path: str) -> bool:
    """Does `inset()` leave nothing, its sides as percentages of the box?"""
    match = re.match(r"inset\(([^)]{0,80})", path)
    sides = match.group(1).split(" round")[0].split() if match else []
    sides = (
        [(sides * 4)[i] for i in ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(sides) - 1]]
        if (0 < len(sides) < 5)
        else []
    )
    shares = [_number(side) if side.endswith("%") else 0.0 for side in sides]
    return bool(shares) and (shares[0] + shares[2] >= 1 or shares[1] + shares[3] >= 1)


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
        if value == "transparent" or _transparent(value):
            return "color:transparent"
        ink = _colour(value)
        if ink and sum(abs(a - b) for a, b in zip(ink, paper, strict=True)) < _ALIKE:
            return "text in the colour of its ground"
    return ""


def _transparent(value: str) -> bool:
    """Has a colour a fourth part, how much it covers, of next to nothing? As hexadecimal digits too."""
    match = re.match(r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(([^)]{1,80})\)$", value)
    if match:
        parts = re.split(r"\s*[,/]\s*|\s+", match.group(1).strip())
        return len(parts) == 4 and _number(parts[3]) <= 0.05
    match = re.match(r"#(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))$", value)
    return match is not None and int((match.group(1) or "") * 2 or match.group(2), 16) <= 12


def _faint(style: Mapping[str, str], classes: Sequence[str]) -> str:
    if 0.05 < _number(style.get("opacity", "1")) < 0.6:
        return f"opacity:{style['opacity']}"
    for name in ("hidden", "d-none", "invisible", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"):
        if name in classes:
            return f"class {name}"
    return ""


def _far(value: str) -> bool:
    return value.startswith("-") and _pixels(value, 0.0) <= -_OFF_SCREEN


def _pixels(value: str, default: float) -> float:
    value = value.strip()
    if value.startswith(("calc(", "min(")):  # of sums and products the first part alone, which is what hides
        return min((_pixels(part, default) for part in value[value.index("(") + 1 : -1].split(",")), default=default)
    match = _LENGTH.match(value)
    if not match:
        return default
    return float(match.group(1)) * _TO_PIXELS.get(match.group(2), 16.0)


def _shorthand_size(font: str) -> str:
    for part in font.split():
        if (_LENGTH.match(part) and not part.isdigit()) or part.startswith("0"):
            return part.split("/")[0]
    return ""


def _number(value: str) -> float:
    match = _LENGTH.match(value.strip().removeprefix("calc("))
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
    match = match or re.match(r"(?:lab|lch|oklab|oklch)\(\s*([\d.]+)", value)
    if match:
        light = float(match.group(1)) * (100.0 if value.startswith("ok") and float(match.group(1)) <= 1 else 1.0)
        return (WHITE if light == 100.0 else (0, 0, 0)) if light in (0.0, 100.0) else None
    match = re.match(r"hwb\(\s*[\d.]+(?:deg)?\s+([\d.]+)%?\s+([\d.]+)", value)
    if match:
        white, black = float(match.group(1)) >= 100, float(match.group(2)) >= 100
        return WHITE if white and not black else (0, 0, 0) if black and not white else None
    return _NAMED.get(value.split()[0] if value else "")
