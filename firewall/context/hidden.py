"""Which HTML elements a reader does not see, by their attributes and the page's own style sheets.

Named after the ways that hidden text has been found in the wild: `display:none`, `visibility`, opacity 0,
sizes of zero, off-screen positions, clips, text in the colour of its ground, `hidden`, `aria-hidden`. A
closed `<details>` is visible: a reader opens it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape

from firewall.context.animation import animated
from firewall.context.css import Sheet, declarations, important, resolved
from firewall.context.elements import FOREIGN, UNSEEN
from firewall.context.geometry import FLAT, beyond, clipped, far, flat, moved_off, number, pixels, size_of_font
from firewall.context.tree import Place
from firewall.values import NamedTuple

_TINY = 1.0  # pixels; a letter of one pixel is not read
_PILED = -12  # pixels; letters so close stand on one another
_NAMED = {
    "canvas": (255, 255, 255), "window": (255, 255, 255), "field": (255, 255, 255), "canvastext": (0, 0, 0),
    "windowtext": (0, 0, 0), "fieldtext": (0, 0, 0), "buttontext": (0, 0, 0),
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


def look(name: str, attrs: Sequence[tuple[str, str]], ground: Colour, sheet: Sheet, place: Place | None = None) -> Look:
    """How the element `name` with `attrs`, which stands at `place` among its siblings, shows on `ground`."""
    given = {key.lower(): unescape(value) for key, value in reversed(attrs)}
    style, strong = sheet.style(name, given, place)
    if name in FOREIGN or name == "svg":  # SVG takes these as attributes too
        style = {**{key: given[key].strip().lower() for key in SVG_STYLED if key in given}, **style}
    inline = given.get("style", "")
    style = {**style, **declarations(inline)}
    if sheet.frames:
        style = animated(resolved(style, sheet.custom), sheet.frames)
    style = resolved({**style, **strong, **important(inline)}, sheet.custom)
    own = _ground(style) or _colour(given.get("bgcolor", ""))
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
    if name == "svg" and any(given.get(side, "").strip() in _NOTHING for side in ("width", "height")):
        how = "size 0"
    if not how and name in FOREIGN:
        how = _unpainted(style, given)
    if not how:
        ink = style.get("fill", "") if name in FOREIGN else ""
        how = _unreadable(
            ink or style.get("color") or given.get("color" if name != "body" else "text", ""), style, paper
        )
    classes = given.get("class", "").lower().split()
    faint = "" if how else _faint(style, classes)
    return Look(how, faint, paper)


_NOTHING = ("0", "0px", "0%")


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
    opacity = number(get("opacity", "1"))
    if opacity <= FLAT:
        return "opacity:0"
    for opaque in re.findall(r"opacity\(([^)]{0,20})\)", get("filter", "")):
        if number(opaque) <= FLAT:
            return "filter:opacity(0)"
    size = get("font-size") or size_of_font(get("font", ""))
    if size and pixels(size, 16.0) * (0.04 if "%" in size else 1.0) <= _TINY:  # a hundredth of the usual 16
        return "font-size:0"
    cut = get("overflow", get("overflow-x", get("overflow-y", ""))).startswith(_CUTS)
    if cut and any(pixels(get(key, ""), 100.0) <= _TINY for key in _SIZES):
        return "size 0 with overflow:hidden"
    indent = get("text-indent", "")
    if far(indent) or beyond(indent) or (cut and indent.endswith("%") and number(indent) >= 1):
        return "text-indent off screen"
    if pixels(get("letter-spacing", ""), 0.0) <= _PILED:
        return "letter-spacing"
    sides = (get(side, "") for side in ("left", "top", "right", "bottom"))
    if get("position", "") in ("absolute", "fixed", "relative") and any(far(side) for side in sides):
        return "position off screen"
    placed = get("position", "") in ("absolute", "fixed")
    if placed and (any(beyond(get(side, "")) for side in ("left", "right")) or any(map(far, get("inset", "").split()))):
        return "position off screen"
    margins = (get(side, "") for side in ("margin-left", "margin-top", "margin-right"))
    if any(map(far, (*margins, *get("margin", "").split()))):
        return "margin off screen"
    if beyond(get("margin-left", "")):
        return "margin off screen"
    if moved_off(style):
        return "transform off screen"
    if flat(style):
        return "scale(0)"
    clip = get("clip", "").replace(" ", "")
    if re.match(r"rect\((?:[01](?:px)?,?){4}\)", clip):
        return "clip"
    if clipped(get("clip-path", "")):
        return "clip-path"
    if _masked(get("mask-image") or get("-webkit-mask-image") or get("mask") or get("-webkit-mask", "")):
        return "mask"
    return ""


_CUTS = ("hidden", "clip", "auto", "scroll")
_SIZES = (
    "max-height", "max-width", "height", "width", "block-size", "inline-size", "max-block-size", "max-inline-size",
    "line-height",
)  # fmt: skip


SVG_STYLED = frozenset("opacity fill fill-opacity stroke stroke-opacity display visibility font-size transform".split())
"""Properties that SVG takes as attributes, by which text can be hidden."""


def _unpainted(style: Mapping[str, str], given: Mapping[str, str]) -> str:
    """How SVG text is not painted, or an empty text."""
    if any(far(given.get(key, "").strip()) for key in ("x", "y", "dx", "dy")):
        return "position off screen"
    if style.get("stroke", "none") not in ("none", "transparent") and number(style.get("stroke-opacity", "1")) > 0.05:
        return ""
    if number(style.get("fill-opacity", "1")) <= FLAT:
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


_IMAGE = re.compile(r"(?:url|image|image-set|[a-z-]*gradient)\((?:[^()]|\([^()]{0,80}\)){0,400}\)")


_GRADIENT = re.compile(r"gradient\((?:[^()]|\([^()]{0,80}\)){0,400}\)")
_SHADE = re.compile(r"#[0-9a-f]{3,8}|[a-z-]+\([^()]{1,60}\)|[a-z]{3,20}")
_SHADES = 16
"""Colours of a gradient that are looked at: text is read on it if it is on their mean."""


def _ground(style: Mapping[str, str]) -> Colour | None:
    """The colour that the element's background has, if it has one."""
    plain = style.get("background-color", "")
    if plain:
        return _colour(plain)
    shades = _GRADIENT.search(style.get("background-image", "") or style.get("background", ""))
    if shades:
        colours = [
            found for found in map(_colour, _SHADE.findall(shades.group()[len("gradient") :])[:_SHADES]) if found
        ]
        if colours:
            red, green, blue = (sum(part) // len(colours) for part in zip(*colours, strict=True))
            return red, green, blue
    rest = _IMAGE.sub(" ", style.get("background", ""))
    for token in re.findall(r"[^\s(]+(?:\([^()]{0,80}\))?", rest):
        colour = _colour(token)
        if colour:
            return colour
    return None


def _masked(value: str) -> bool:
    """Is a mask one gradient of nothing but transparent colours?"""
    image = re.match(r"(?:linear|radial|conic)-gradient\((.{1,400})\)$", value.strip())
    stops = re.split(r",(?![^()]*\))", image[1]) if image else []
    colours = [
        stop.strip()
        for stop in stops
        if not re.match(r"\s*(?:to |at |circle|ellipse|from |-?[\d.]+(?:deg|turn|rad))", stop)
    ]
    return bool(colours) and all(one.startswith("transparent") or _transparent(one.split()[0]) for one in colours)


def _transparent(value: str) -> bool:
    """Has a colour a fourth part, how much it covers, of next to nothing? As hexadecimal digits too."""
    match = re.match(r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(([^)]{1,80})\)$", value)
    if match:
        parts = re.split(r"\s*[,/]\s*|\s+", match.group(1).strip())
        return len(parts) == 4 and number(parts[3]) <= FLAT
    match = re.match(r"#(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))$", value)
    return match is not None and int((match.group(1) or "") * 2 or match.group(2), 16) <= 12


def _faint(style: Mapping[str, str], classes: Sequence[str]) -> str:
    if 0.05 < number(style.get("opacity", "1")) < 0.6:
        return f"opacity:{style['opacity']}"
    for name in ("hidden", "d-none", "invisible", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"):
        if name in classes:
            return f"class {name}"
    return ""


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
    match = re.match(r"color\(\s*[\w-]+\s+([^/)]{1,80})", value)
    if match:
        shares = [min(max(number(part), 0.0), 1.0) for part in match.group(1).split()]
        return (round(shares[0] * 255), round(shares[1] * 255), round(shares[2] * 255)) if len(shares) == 3 else None
    match = re.match(r"color-mix\(in [\w -]+,(.{1,200})\)$", value)
    if match:
        return _mixed(re.split(r",(?![^()]*\))", match.group(1)))
    match = re.match(r"hwb\(\s*[\d.]+(?:deg)?\s+([\d.]+)%?\s+([\d.]+)", value)
    if match:
        white, black = float(match.group(1)) >= 100, float(match.group(2)) >= 100
        return WHITE if white and not black else (0, 0, 0) if black and not white else None
    return _NAMED.get(value.split()[0] if value else "")


def _mixed(parts: Sequence[str]) -> Colour | None:
    """Two colours mixed: only where both are alike is it sure what comes out, whatever the shares."""
    found = [_colour(re.sub(r"\s[\d.]+%\s*$", "", part)) for part in parts]
    return found[0] if len(found) == 2 and found[0] == found[1] else None
