"""What a text takes over from the element around it: its size, colour and place, and whether it is seen by these.

These properties are inherited, and a child may set them again: `font-size:0` on a cell, as mails have it against gaps,
hides nothing that says its own size. What hides a whole element with all it holds is in `hidden`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from firewall.context.colours import WHITE, Colour, alike, colour, transparent
from firewall.context.elements import FOREIGN
from firewall.context.geometry import FLAT, beyond, far, number, pixels, size_of_font
from firewall.values import NamedTuple

_TINY = 1.0  # pixels; a letter of one pixel is not read
_PILED = -12  # pixels; letters so close stand on one another
_USUAL = 16.0  # pixels that a letter has where nothing is said


class Letters(NamedTuple):
    """How text is written: `ink` and `fill` are None where nobody knows, or nobody said.

    `fill` goes before `ink` where `filled`. `paper` is the ground, None where a picture or a class that no style sheet
    of the page speaks of may give one. `drawn` holds what SVG says of the paint.
    """

    seen: bool = True
    size: float = _USUAL
    ink: Colour | None = None
    clear: bool = False
    filled: bool = False
    fill: Colour | None = None
    fill_clear: bool = False
    indented: bool = False
    piled: bool = False
    paper: Colour | None = WHITE
    drawn: tuple[tuple[str, str], ...] = ()


PLAIN = Letters()
OWN = frozenset(("button", "input", "select", "textarea", "mark"))
"""Elements that a browser gives letters of their own; a link has its own colour."""
_WRITERS = frozenset(
    "color -webkit-text-fill-color visibility font-size font text-indent letter-spacing background background-color "
    "background-image background-clip -webkit-background-clip fill fill-opacity stroke stroke-opacity".split()
)
_ATTRIBUTES = frozenset(("color", "text", "bgcolor", "background", "size"))
_SIZES = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0, "initial": 16.0,
}  # fmt: skip
_RELATIVE = re.compile(r"(\d+\.?\d*|\.\d+)(em|%|ex|ch)$")
_SHARES = {"em": 1.0, "%": 0.01, "ex": 0.5, "ch": 0.5}
_SAME = frozenset(("inherit", "unset", "currentcolor", "revert", "revert-layer"))
_PAINTS = ("fill", "fill-opacity", "stroke", "stroke-opacity")


def written(name: str, style: Mapping[str, str], given: Mapping[str, str], around: Letters) -> Letters:
    """The letters of an element `name`, whose style is `style` and attributes `given`, within `around`.

    `name` is in lower case. Which class it has is the caller's business.
    """
    get = style.get
    outer = around
    if name in OWN:
        outer = Letters(seen=outer.seen, paper=WHITE if name == "mark" else outer.paper)
    elif name == "a" and "href" in given:
        outer = outer._replace(ink=None, clear=False)
    if outer is around and _WRITERS.isdisjoint(style) and _ATTRIBUTES.isdisjoint(given):
        return outer
    ink, clear = _inked(get("color") or given.get("color" if name != "body" else "text", ""), outer.ink, outer.clear)
    filled, fill, fill_clear = outer.filled, outer.fill, outer.fill_clear
    own_fill = get("-webkit-text-fill-color", "")
    if own_fill:
        filled = own_fill not in ("currentcolor", "initial")
        fill, fill_clear = _inked(own_fill, fill, fill_clear)
    letters = Letters(
        seen=_seen(get("visibility", ""), seen=outer.seen),
        size=_size(name, style, given, outer.size),
        ink=ink,
        clear=clear,
        filled=filled,
        fill=fill,
        fill_clear=fill_clear,
        indented=_indented(get("text-indent", "inherit"), indented=outer.indented),
        piled=_piled(get("letter-spacing", "inherit"), piled=outer.piled),
        paper=outer.paper,
        drawn=outer.drawn,
    )
    if any(key in style for key in _PAINTS):
        letters = letters._replace(
            drawn=tuple({**dict(outer.drawn), **{k: style[k] for k in _PAINTS if get(k)}}.items())
        )
    return _on_paper(letters, style, given)


def _on_paper(letters: Letters, style: Mapping[str, str], given: Mapping[str, str]) -> Letters:
    """`letters` on the ground that the element has of its own, if it has one."""
    clipped = style.get("background-clip") or style.get("-webkit-background-clip") or style.get("background", "")
    if re.search(r"(?:^|\s)text(?:\s|$)", clipped):  # the ground is what the letters are painted with
        return letters._replace(ink=None, clear=False, filled=False)
    own = ground(style, letters.ink) or colour(given.get("bgcolor", ""))
    if own:
        return letters._replace(paper=own)
    if "url(" in style.get("background-image", "") + style.get("background", "") or given.get("background"):
        return letters._replace(paper=None)
    return letters


def unseen(letters: Letters, name: str) -> str:
    """By what text is not seen that an element `name` writes so, or an empty text."""
    if not letters.seen:
        return "visibility:hidden"
    if letters.size <= _TINY:
        return "font-size:0"
    if letters.indented:
        return "text-indent off screen"
    if letters.piled:
        return "letter-spacing"
    ink, clear = (letters.fill, letters.fill_clear) if letters.filled else (letters.ink, letters.clear)
    if name in FOREIGN:
        paint = dict(letters.drawn)
        if (
            paint.get("stroke", "none") not in ("none", "transparent")
            and number(paint.get("stroke-opacity", "1")) > FLAT
        ):
            return ""
        if number(paint.get("fill-opacity", "1")) <= FLAT:
            return "fill-opacity:0"
        fill = paint.get("fill", "")
        if fill in ("none", "transparent"):
            return "fill:none"
        if fill:
            ink, clear = colour(fill), transparent(fill)
    if clear:
        return "color:transparent"
    if ink and letters.paper and alike(ink, letters.paper):
        return "text in the colour of its ground"
    return ""


def pale(letters: Letters) -> bool:
    """Are the letters in the colour of a page's usual ground, on one that nobody knows?"""
    return letters.paper is None and letters.ink is not None and not letters.filled and alike(letters.ink, WHITE)


def _inked(value: str, ink: Colour | None, clear: bool) -> tuple[Colour | None, bool]:
    value = value.strip().lower()
    if not value or value in _SAME:
        return ink, clear
    if transparent(value):
        return None, True
    return colour(value), False


def _seen(value: str, *, seen: bool) -> bool:
    if value in ("hidden", "collapse"):
        return False
    return True if value in ("visible", "initial") else seen


def _size(name: str, style: Mapping[str, str], given: Mapping[str, str], outer: float) -> float:
    size = style.get("font-size") or size_of_font(style.get("font", ""))
    if not size:
        return _USUAL if (name == "font" and "size" in given) or style.get("font") else outer
    if size in _SIZES:
        return _SIZES[size]
    share = _RELATIVE.match(size)
    if share:
        return float(share[1]) * _SHARES[share[2]] * outer
    return outer if size in _SAME else pixels(size, outer)


def _indented(value: str, *, indented: bool) -> bool:
    return indented if value in _SAME else far(value) or beyond(value)


def _piled(value: str, *, piled: bool) -> bool:
    return piled if value in _SAME else pixels(value, 0.0) <= _PILED


_IMAGE = re.compile(r"(?:url|image|image-set|[a-z-]*gradient)\((?:[^()]|\([^()]{0,80}\)){0,400}\)")
_GRADIENT = re.compile(r"gradient\((?:[^()]|\([^()]{0,80}\)){0,400}\)")
_SHADE = re.compile(r"#[0-9a-f]{3,8}|[a-z-]+\([^()]{1,60}\)|[a-z]{3,20}")
_SHADES = 16
"""Colours of a gradient that are looked at: text is read on it if it is on their mean."""
_NO_SIZE = re.compile(r"/\s*0(?:px|%)?(?![\d.])")


def ground(style: Mapping[str, str], ink: Colour | None = None) -> Colour | None:
    """The colour that an element's background has, if it has one that covers; `ink` is that of its letters."""
    image = style.get("background-image", "") or style.get("background", "")
    empty = _NO_SIZE.search(image) or re.match(r"0(?:px|%)?(?:[\s,]|$)", style.get("background-size", ""))
    shades = None if empty else _GRADIENT.search(image)
    plain = style.get("background-color", "")
    if shades:
        colours = [
            found
            for one in _SHADE.findall(shades.group()[len("gradient") :])[:_SHADES]
            if not transparent(one) and (found := colour(one))
        ]
        if colours:
            red, green, blue = (sum(part) // len(colours) for part in zip(*colours, strict=True))
            return red, green, blue
    if plain:
        return _covering(plain, ink)
    rest = _IMAGE.sub(" ", style.get("background", ""))
    for token in re.findall(r"[^\s(]+(?:\((?:[^()]|\([^()]{0,80}\)){0,80}\))?", rest):
        found = _covering(token, ink)
        if found:
            return found
    return None


def _covering(value: str, ink: Colour | None) -> Colour | None:
    if value == "currentcolor":
        return ink
    return None if transparent(value) else colour(value)
