"""Colours as CSS writes them, with what they cover of their ground."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Sequence

from firewall.context.geometry import FLAT, number

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (0, 0, 0)

# CSS Color 4, section 6.1, and the system colours that a page of black on white has.
_HEXES = (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 "
    "black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 "
    "chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff "
    "darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 "
    "darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 "
    "darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f "
    "darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 "
    "dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc "
    "ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 "
    "honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa "
    "lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff "
    "lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 "
    "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 "
    "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 "
    "mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 "
    "mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 "
    "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 "
    "oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa "
    "palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f "
    "pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f "
    "royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d "
    "silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f "
    "steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 "
    "white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 "
    "canvas ffffff window ffffff field ffffff canvastext 000000 windowtext 000000 fieldtext 000000 buttontext 000000"
).split()
_NAMED: dict[str, Colour] = {
    name: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for name, code in zip(_HEXES[::2], _HEXES[1::2], strict=True)
}
_SYSTEM = frozenset(
    "accentcolor accentcolortext activetext buttonborder buttonface graytext highlight highlighttext linktext mark "
    "marktext selecteditem selecteditemtext visitedtext activeborder activecaption appworkspace background "
    "buttonhighlight buttonshadow captiontext inactiveborder inactivecaption inactivecaptiontext infobackground "
    "infotext menu menutext scrollbar threeddarkshadow threedface threedhighlight threedlightshadow threedshadow "
    "windowframe -webkit-link -webkit-activelink -internal-light-dark".split()
)
_HEX = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})")
_FUNCTION = re.compile(
    r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|color-contrast|device-cmyk)"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))+\)"
)
_ALIKE = 32  # summed distance of two colours' channels below which one is not read on the other: #f5f5f5 on white is 30


def alike(ink: Colour, paper: Colour) -> bool:
    """Is `ink` not read on `paper`?"""
    return sum(abs(a - b) for a, b in zip(ink, paper, strict=True)) < _ALIKE


def is_colour(value: str) -> bool:
    """Does CSS take `value`, in lower case, for a colour?"""
    if value in _NAMED or value in _SYSTEM or value in ("transparent", "currentcolor"):
        return True
    return bool(_HEX.fullmatch(value) or (len(value) < _LONG and _FUNCTION.fullmatch(value)))


_LONG = 400


def transparent(value: str) -> bool:
    """Does a colour, in lower case, cover next to nothing?"""
    if value == "transparent":
        return True
    match = re.match(r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((.{1,120})\)$", value)
    if match:
        whole, slash, share = match.group(1).rpartition("/")
        if slash:
            return number(share.strip()) <= FLAT
        parts = re.split(r"\s*,\s*", whole or match.group(1).strip())
        return len(parts) == 4 and number(parts[3]) <= FLAT
    if value.startswith("color-mix("):
        shares = _shares(value)
        return bool(shares) and sum(share for one, share in shares if not transparent(one)) <= FLAT
    if value.startswith("light-dark("):
        return transparent(_listed(value)[0])
    match = re.match(r"#(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))$", value)
    return match is not None and int((match.group(1) or "") * 2 or match.group(2), 16) <= 12


def colour(value: str) -> Colour | None:
    """The channels of a colour from 0 to 255, or None where it is none or hard to tell."""
    value = value.strip().lower()
    if value.startswith("#"):
        match = _HEX.match(value)
        if not match or (len(value) > len(match.group()) and value[len(match.group())].isalnum()):
            return None
        hexes = match.group()[1:]
        if len(hexes) < 6:
            hexes = "".join(c * 2 for c in hexes)
        return int(hexes[0:2], 16), int(hexes[2:4], 16), int(hexes[4:6], 16)
    match = re.match(r"rgba?\(([^)]{1,60})\)", value)
    if match:
        parts = re.findall(r"([\d.]+)(%?)", match.group(1))[:3]
        if len(parts) == 3 and all(n.count(".") < 2 and n != "." for n, _ in parts):
            red, green, blue = (min(255, round(float(n) * (2.55 if p else 1))) for n, p in parts)
            return red, green, blue
        return None
    match = re.match(r"hsla?\(\s*(-?[\d.]{1,9})(?:deg)?[,\s]+([\d.]{1,9})%?[,\s]+([\d.]{1,9})%?", value)
    if match:
        turn, full, light = (number(part) for part in match.groups())
        red_, green_, blue_ = colorsys.hls_to_rgb(turn / 360 % 1, min(light / 100, 1), min(full / 100, 1))
        return round(red_ * 255), round(green_ * 255), round(blue_ * 255)
    match = re.match(r"(?:lab|lch|oklab|oklch)\(\s*([\d.]{1,9})", value)
    if match:
        light = number(match.group(1)) * (100.0 if value.startswith("ok") and number(match.group(1)) <= 1 else 1.0)
        return (WHITE if light == 100.0 else _BLACK) if light in (0.0, 100.0) else None
    match = re.match(r"color\(\s*[\w-]+\s+([^/)]{1,80})", value)
    if match:
        shares = [min(max(number(part), 0.0), 1.0) for part in match.group(1).split()]
        return (round(shares[0] * 255), round(shares[1] * 255), round(shares[2] * 255)) if len(shares) == 3 else None
    if value.startswith("color-mix("):
        return _mixed(value)
    if value.startswith("light-dark("):
        return colour(_listed(value)[0])
    match = re.match(r"hwb\(\s*[\d.]+(?:deg)?\s+([\d.]{1,9})%?\s+([\d.]{1,9})", value)
    if match:
        white, black = number(match.group(1)) >= 100, number(match.group(2)) >= 100
        return WHITE if white and not black else _BLACK if black and not white else None
    return _NAMED.get(value.split()[0] if value else "")


def _listed(value: str) -> list[str]:
    """What stands in the brackets of a function, by its commas."""
    inside = value[:_LONG].partition("(")[2].removesuffix(")")
    return [part.strip() for part in re.split(r",(?![^()]*\))", inside)]


_SHARE = re.compile(r"\s*([\d.]{1,9})%\s*")


def _shares(value: str) -> list[tuple[str, float]]:
    """The colours that `color-mix()` mixes, each with its share of one."""
    parts = _listed(value)[1:]
    if len(parts) != 2:
        return []
    said = [_SHARE.search(part) for part in parts]
    first = number(said[0][1]) / 100 if said[0] else 1 - number(said[1][1]) / 100 if said[1] else 0.5
    second = number(said[1][1]) / 100 if said[1] else 1 - first
    whole = first + second
    names = [_SHARE.sub("", part).strip() for part in parts]
    return [(names[0], first / whole), (names[1], second / whole)] if whole > 0 else []


def _mixed(value: str) -> Colour | None:
    """Two colours mixed: only where both are alike, or one has all the share, is it sure what comes out."""
    shares = [(colour(one), share) for one, share in _shares(value) if share > FLAT]
    found: Sequence[Colour | None] = [one for one, _ in shares]
    return found[0] if found and all(one == found[0] for one in found) else None
