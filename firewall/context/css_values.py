"""Which declarations a browser takes: one that is invalid is dropped, and does not undo the one before it.

Only what can hide a text is judged; every other property counts as valid. Value definitions of the CSS modules (Display
3, Color 4, Fonts 4, Box Sizing 4, Transforms 2, Masking 1, Overflow 3), without what only says how something looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from firewall.context.colours import is_colour

_WIDE = frozenset("inherit initial unset revert revert-layer".split())
_LENGTH = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?(?:px|pt|pc|in|cm|mm|q|r?em|r?ex|r?ch|r?cap|r?ic|r?lh|%"
    r"|[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max))|[+-]?0*\.?0+(?:e[+-]?\d{1,3})?"
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?%?")
_CALLED = re.compile(r"-?[a-z][a-z0-9-]*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\)?)*\)?)*\)?)*\)?")
_MATH = ("calc(", "min(", "max(", "clamp(", "-webkit-calc(", "round(", "abs(", "sign(", "mod(", "rem(", "calc-size(",
         "fit-content(", "anchor(", "anchor-size(")  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _of(words: str, most: int = 1) -> Callable[[str], bool]:
    """Up to `most` of `words`."""
    known = _words(words)

    def check(value: str) -> bool:
        given = value.split()
        return 0 < len(given) <= most and known.issuperset(given)

    return check


def _length(value: str) -> bool:
    return _LENGTH.fullmatch(value) is not None or value.startswith(_MATH)


def _lengths(words: str = "", most: int = 1) -> Callable[[str], bool]:
    """Up to `most` lengths, or any of `words`."""
    known = _words(words)

    def check(value: str) -> bool:
        given = _tokens(value)
        return 0 < len(given) <= most and all(one in known or _length(one) for one in given)

    return check


def _numbers(words: str = "", most: int = 1) -> Callable[[str], bool]:
    known = _words(words)

    def check(value: str) -> bool:
        given = _tokens(value)
        return 0 < len(given) <= most and all(
            one in known or _NUMBER.fullmatch(one) is not None or one.startswith(_MATH) for one in given
        )

    return check


def _calls(names: str, words: str = "none") -> Callable[[str], bool]:
    """`words`, or a list of functions `names`."""
    known, alone = _words(names), _words(words)

    def check(value: str) -> bool:
        given = _tokens(value)
        return bool(given) and (
            (len(given) == 1 and given[0] in alone)
            or all(one in alone or ("(" in one and one.partition("(")[0] in known) for one in given)
        )

    return check


def _tokens(value: str) -> list[str]:
    """The words and functions of `value`, at its blanks and commas."""
    out: list[str] = []
    at = 0
    for call in _CALLED.finditer(value) if "(" in value else ():
        out += value[at : call.start()].replace(",", " ").split()
        out.append(call.group())
        at = call.end()
    return [*out, *value[at:].replace(",", " ").split()]


_IMAGES = _words(
    "url src image image-set -webkit-image-set cross-fade element paint linear-gradient radial-gradient conic-gradient "
    "repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient -webkit-linear-gradient "
    "-webkit-radial-gradient -webkit-gradient -webkit-repeating-linear-gradient -moz-linear-gradient"
)
_LAID = _words(
    "none / left right top bottom center repeat repeat-x repeat-y no-repeat space round fixed local scroll auto cover "
    "contain border-box padding-box content-box text border-area fill-box stroke-box view-box no-clip add subtract "
    "intersect exclude alpha luminance match-source"
)


def _layers(*, coloured: bool) -> Callable[[str], bool]:
    """Images, where they stand and, for a background, a colour."""

    def check(value: str) -> bool:
        given = _tokens(value.replace("/", " / ")) if "(" not in value else _tokens(value)
        return bool(given) and all(
            one in _LAID
            or one.partition("(")[0] in _IMAGES
            or all(_length(part) or part in _LAID for part in one.split("/"))
            or (coloured and is_colour(one))
            for one in given
        )

    return check


_SIZE_WORDS = "xx-small x-small small medium large x-large xx-large xxx-large smaller larger math"
_FONT_SIZE = re.compile(r"^(.+?)(?:/.*)?$")


def _font(value: str) -> bool:
    """A size, and behind it a family; or the name of a font of the system."""
    given = _tokens(value)
    if len(given) == 1:
        return given[0] in _words("caption icon menu message-box small-caption status-bar")
    sizes = _words(_SIZE_WORDS)
    return any(one.split("/")[0] in sizes or _length(one.split("/")[0]) for one in given[:-1])


_BOX = "auto none min-content max-content fit-content stretch -webkit-fill-available -moz-available contain normal"
_SIDES = _lengths("auto", 1)
_DISPLAY = _of(
    "block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell "
    "table-row-group table-header-group table-footer-group table-column table-column-group table-caption none contents "
    "list-item "
    "flow flow-root ruby ruby-base ruby-text ruby-base-container ruby-text-container run-in math -webkit-box "
    "-webkit-inline-box -webkit-flex -webkit-inline-flex grid-lanes inline-grid-lanes",
    3,
)
_CHECKS: dict[str, Callable[[str], bool]] = {
    "display": _DISPLAY,
    "visibility": _of("visible hidden collapse"),
    "content-visibility": _of("visible hidden auto"),
    "mso-hide": _of("all none"),
    "position": _of("static relative absolute fixed sticky -webkit-sticky"),
    "backface-visibility": _of("visible hidden"),
    "opacity": _numbers(),
    "fill-opacity": _numbers(),
    "stroke-opacity": _numbers(),
    "zoom": _numbers("normal reset"),
    "scale": _numbers("none", 3),
    "font-size": _lengths(_SIZE_WORDS),
    "font": _font,
    "text-indent": _lengths("hanging each-line", 3),
    "letter-spacing": _lengths("normal"),
    "line-height": lambda value: value == "normal" or _length(value) or _NUMBER.fullmatch(value) is not None,
    "color": is_colour,
    "-webkit-text-fill-color": is_colour,
    "background-color": is_colour,
    "fill": lambda value: is_colour(value) or value in ("none", "context-fill", "context-stroke") or "url(" in value,
    "stroke": lambda value: is_colour(value) or value in ("none", "context-fill", "context-stroke") or "url(" in value,
    "background": _layers(coloured=True),
    "background-image": _layers(coloured=False),
    "mask": _layers(coloured=False),
    "mask-image": _layers(coloured=False),
    "filter": _calls("blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia url"),
    "transform": _calls(
        "matrix matrix3d perspective rotate rotate3d rotatex rotatey rotatez scale scale3d scalex scaley scalez skew "
        "skewx skewy translate translate3d translatex translatey translatez"
    ),
    "clip": _calls("rect", "auto"),
    "clip-path": _calls(
        "inset circle ellipse polygon path shape rect xywh url",
        "none border-box padding-box content-box margin-box fill-box stroke-box view-box",
    ),
    "translate": _lengths("none", 3),
    "overflow": _of("visible hidden clip scroll auto overlay -moz-hidden-unscrollable", 2),
    **dict.fromkeys(("overflow-x", "overflow-y"), _of("visible hidden clip scroll auto overlay")),
    **dict.fromkeys("width height max-width max-height block-size inline-size max-block-size max-inline-size".split(),
                    _lengths(_BOX)),
    **dict.fromkeys("left right top bottom margin-left margin-right margin-top margin-bottom".split(), _SIDES),
    **dict.fromkeys(("inset", "margin"), _lengths("auto", 4)),
    **dict.fromkeys(("mask-size", "background-size"), _lengths("auto cover contain", 16)),
}  # fmt: skip
_CHECKS["-webkit-mask"] = _CHECKS["mask"]
_CHECKS["-webkit-mask-image"] = _CHECKS["mask-image"]
_OPEN = ("var(", "env(", "attr(", "if(", "random(", "--")  # what these come to is only known later


def is_valid(key: str, value: str) -> bool:
    """Does a browser take the declaration of `key` as `value`, both in lower case and without `!important`?"""
    if not value:
        return key.startswith("--")
    check = _CHECKS.get(key)
    if check is None or value in _WIDE or any(map(value.__contains__, _OPEN)):
        return True
    return len(value) > _LONG or check(value)


_LONG = 1000
"""Characters of a value that is looked at."""

_FIRST = _words(
    "accent align alignment all anchor animation appearance aspect backdrop backface background baseline block border "
    "bottom box break caption caret clear clip color column columns contain container content corner counter cursor "
    "direction display dominant empty field fill filter flex float flood font forced gap glyph grid hanging height "
    "hyphenate hyphens image initial inline inset interpolate isolation justify left letter lighting line list margin "
    "marker mask math max min mix object offset opacity order orphans outline overflow overlay overscroll padding page "
    "paint perspective place pointer position print quotes r rx ry resize right rotate row ruby scale scroll scrollbar "
    "shape speak stop stroke tab table text timeline top touch transform transition translate unicode user vector "
    "vertical view visibility white widows width will word writing x y z zoom d cx cy"
)


def supported(key: str, value: str) -> bool:
    """Does a browser of today know the declaration, as `@supports` asks?"""
    name = key.removeprefix("-webkit-")
    if key.startswith("--"):
        return True
    return name.split("-")[0] in _FIRST and is_valid(key, value)
