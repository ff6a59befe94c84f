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
from firewall.context.colours import WHITE, Colour, transparent
from firewall.context.css import Sheet, declarations, important, merged, resolved
from firewall.context.elements import FOREIGN, UNSEEN
from firewall.context.geometry import FLAT, beyond, clipped, far, flat, moved_off, number, pixels, turned_away
from firewall.context.lettering import Letters, pale, unseen, written
from firewall.context.tree import Place
from firewall.values import NamedTuple

__all__ = ["SVG_STYLED", "WHITE", "Look", "look"]
_TINY = 1.0  # pixels of a box in which nothing is read


class Look(NamedTuple):
    """How an element shows: `hidden` says by what it is not seen, `faint` what a person should decide on.

    `whole` says that what it holds is hidden with it, whatever that says of itself; else it is the letters alone, of
    which `letters` say how its children take them over.
    """

    hidden: str
    faint: str
    whole: bool
    letters: Letters


def look(
    name: str,
    attrs: Sequence[tuple[str, str]],
    outer: Letters | Colour,
    sheet: Sheet,
    place: Place | None = None,
) -> Look:
    """How the element `name` with `attrs`, which stands at `place` among its siblings, shows.

    `outer` are the letters of the element around it, or the ground it stands on.
    """
    around = outer if isinstance(outer, Letters) else Letters(paper=outer)
    given = {key.lower(): unescape(value) for key, value in reversed(attrs)}
    style, strong = sheet.style(name, given, place)
    style = dict(style)
    if name in FOREIGN or name == "svg":  # SVG takes these as attributes too
        style = {**{key: given[key].strip().lower() for key in SVG_STYLED if key in given}, **style}
    inline = given.get("style", "")
    if inline:
        merged(style, declarations(inline))
    if sheet.frames:
        style = animated(resolved(style, sheet.custom), sheet.frames)
    if strong or "!" in inline:
        style = merged(merged(style, strong), important(inline))
    style = resolved(style, sheet.custom)
    letters = written(name, style, given, around)
    how = _by_kind(name, given) or ("" if _HIDERS.isdisjoint(style) else _hiding(style, name))
    if name == "svg" and any(given.get(side, "").strip() in _NOTHING for side in ("width", "height")):
        how = how or "size 0"
    if not how and name in FOREIGN and any(far(given.get(key, "").strip()) for key in ("x", "y", "dx", "dy")):
        how = "position off screen"
    if how:
        return Look(how, "", True, letters)
    how = unseen(letters, name)
    faint = "" if how else _faint(style, given.get("class", "").lower().split())
    return Look(how, faint or (_PALE if not how and pale(letters) else ""), False, letters)


_NOTHING = ("0", "0px", "0%")
_PALE = "text in the colour of the page's usual ground, on one that is not known"


def _by_kind(name: str, given: Mapping[str, str]) -> str:
    """How an element is not seen for what it is or for an attribute, or an empty text."""
    if name in UNSEEN and not (name == "dialog" and "open" in given):
        return "never shown" if name != "dialog" else "not open"
    if "popover" in given:
        return "popover"
    if "hidden" in given:
        return "hidden"
    return "aria-hidden" if given.get("aria-hidden", "").strip().lower() == "true" else ""


_HIDERS = frozenset(
    "display visibility content-visibility mso-hide opacity filter overflow overflow-x overflow-y position left right "
    "top bottom inset margin margin-left margin-right margin-top transform translate scale rotate zoom "
    "backface-visibility -webkit-backface-visibility clip clip-path mask mask-image mask-size -webkit-mask "
    "-webkit-mask-image -webkit-mask-size".split()
)
_ROWS = frozenset(("tr", "tbody", "thead", "tfoot", "col", "colgroup"))


def _hiding(style: Mapping[str, str], name: str) -> str:
    """The declaration that hides an element with all it holds, or an empty text."""
    get = style.get
    if get("display", "").startswith("none"):
        return "display:none"
    if get("visibility", "") == "collapse" and name in _ROWS:
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
    cut = get("overflow", get("overflow-x", get("overflow-y", ""))).startswith(_CUTS)
    if cut and any(pixels(get(key, ""), 100.0) <= _TINY and not _padded(style, key) for key in _SIZES):
        return "size 0 with overflow:hidden"
    indent = get("text-indent", "")
    if cut and indent.endswith("%") and number(indent) >= 1:
        return "text-indent off screen"
    sides = (get(side, "") for side in ("left", "top", "right", "bottom"))
    if get("position", "") in ("absolute", "fixed", "relative") and any(far(side) for side in sides):
        return "position off screen"
    if get("position", "") == "fixed" and (_past(get("top", "")) or _past(get("left", ""))):
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
    if turned_away(style):
        return "backface-visibility:hidden"
    clip = get("clip", "").replace(" ", "")
    if re.match(r"rect\((?:[01](?:px)?,?){4}\)", clip) and get("position", "") in ("absolute", "fixed"):
        return "clip"
    if clipped(get("clip-path", "")):
        return "clip-path"
    if _masked(get("mask-image") or get("-webkit-mask-image") or get("mask") or get("-webkit-mask", "")):
        return "mask"
    size = get("mask-size") or get("-webkit-mask-size", "")
    if size and all(part in _NOTHING for part in size.split()):
        return "mask"
    return ""


def _past(value: str) -> bool:
    """Does what stands there on a screen that does not move stand beyond its edge?"""
    return re.fullmatch(r"(?:\d{3,}|\d{3,}\.\d*)(?:v[wh]|%)", value) is not None


def _padded(style: Mapping[str, str], side: str) -> bool:
    """Has the box room beside its `side` of nothing, in which what it holds is seen all the same?"""
    parts = style.get("padding", "").split()
    down = side in ("height", "max-height", "block-size", "max-block-size")
    if not down and side == "line-height":
        return False
    named = [style.get(f"padding-{one}", "") for one in (("top", "bottom") if down else ("left", "right"))]
    short = (parts[::2] if down else parts[1::2] or parts[:1]) if parts else []
    return any(pixels(one, 0.0) > _ROOM for one in (*named, *short))


_ROOM = 16.0  # pixels in which a line can stand


_CUTS = ("hidden", "clip", "auto", "scroll")
_SIZES = (
    "max-height", "max-width", "height", "width", "block-size", "inline-size", "max-block-size", "max-inline-size",
    "line-height",
)  # fmt: skip


SVG_STYLED = frozenset("opacity fill fill-opacity stroke stroke-opacity display visibility font-size transform".split())
"""Properties that SVG takes as attributes, by which text can be hidden."""


def _masked(value: str) -> bool:
    """Is a mask one gradient of nothing but transparent colours?"""
    image = re.match(r"(?:linear|radial|conic)-gradient\((.{1,400})\)$", value.strip())
    stops = re.split(r",(?![^()]*\))", image[1]) if image else []
    colours = [
        stop.strip()
        for stop in stops
        if not re.match(r"\s*(?:to |at |circle|ellipse|from |-?[\d.]+(?:deg|turn|rad))", stop)
    ]
    return bool(colours) and all(one.startswith("transparent") or transparent(one.split()[0]) for one in colours)


def _faint(style: Mapping[str, str], classes: Sequence[str]) -> str:
    if 0.05 < number(style.get("opacity", "1")) < 0.6:
        return f"opacity:{style['opacity']}"
    for name in ("hidden", "d-none", "invisible", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"):
        if name in classes:
            return f"class {name}"
    return ""
