"""Style sheets and `style` attributes in the parts that CSS Syntax 3 makes of them.

A bracket, a brace or a quote that is open keeps what follows together: `display:none;x:(;display:block` shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from firewall.context.css_values import is_valid
from firewall.values import NamedTuple

Declaration = tuple[str, str, bool]
"""Property, value and whether it is important."""

_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_STRUCTURE = frozenset("{}()[];:\"'\\!,/")
_ESCAPED = "\ufffd"  # for an escaped sign of structure, which is part of a name
_IMPORTANT = re.compile(r"\s*!\s*important\s*$")
_SIGN = re.compile(r"""[{}()\[\];]|url\(\s*(?=[^\s"'])[^)"'(]*\)?|"[^"\n]*["\n]?|'[^'\n]*['\n]?""")
_NEST = re.compile(r"""[{}()\[\]"']""")
_CLOSER = {"(": ")", "[": "]", "{": "}"}


def plain_css(css: str) -> str:
    """`css` in lower case, without comments and escapes."""

    def resolve(match: re.Match[str]) -> str:
        if match.group(1):
            number = int(match.group(1), 16)
            char = chr(number) if 0 < number < 0x110000 else _ESCAPED
        else:
            char = match.group(2)
        return _ESCAPED if char in _STRUCTURE else char

    if "<!--" in css or "-->" in css:  # marks that hid a sheet from browsers of the last century
        css = css.replace("<!--", " ").replace("-->", " ")
    parts = css.split("/*")
    css = parts[0] + "".join(part.partition("*/")[2] for part in parts[1:])
    return (_ESCAPE.sub(resolve, css) if "\\" in css else css).lower()


def listed(style: str) -> Iterator[Declaration]:
    """The declarations of `style`, of which comments and escapes are gone, that a browser takes."""
    for part in _parts(style) if _NEST.search(style) else style.split(";"):
        key, colon, value = part.partition(":")
        if not colon:
            continue
        key = key.strip()
        plain = _IMPORTANT.sub("", value)
        strong = len(plain) < len(value)
        plain = plain.strip()
        if is_valid(key, plain):
            yield key, plain, strong


def _parts(style: str) -> Iterator[str]:
    """`style` at the semicolons that stand in no bracket and no quotation."""
    waiting: list[str] = []
    start = 0
    for match in _SIGN.finditer(style):
        sign = match.group()
        if waiting:
            if sign == waiting[-1]:
                waiting.pop()
            elif sign in _CLOSER:
                waiting.append(_CLOSER[sign])
        elif sign in _CLOSER:
            waiting.append(_CLOSER[sign])
        elif sign == ";":
            yield style[start : match.start()]
            start = match.end()
    yield style[start:]


class Block(NamedTuple):
    """Declarations of a sheet, what stands before their brace, and before that of the block around them, if any.

    `applies`: every at-rule around it holds. `layered`: it is in a cascade layer, and gives way to what is in none.
    """

    around: str
    prelude: str
    declarations: str
    applies: bool
    layered: bool


def blocks(css: str, holds: Callable[[str], bool]) -> Iterator[Block]:
    """The blocks of a sheet that has no comments and escapes, in order; a nested rule parts the one around it.

    A nested selector gets the one around it before it, as CSS Nesting says. `holds` judges what begins a block.
    """
    opened: list[tuple[str, bool, bool]] = [("", True, False)]
    own: list[str] = []  # declarations of the innermost block
    waiting: list[str] = []  # closers of the brackets that are open within a prelude or a value
    start = 0

    def taken() -> Block:
        prelude, applies, layered = opened[-1]
        whole = Block(opened[-2][0], prelude, ";".join(own), applies, layered)
        own.clear()
        return whole

    for match in _SIGN.finditer(css):
        sign = match.group()
        if sign not in _ALL:
            continue
        if waiting:
            if sign == waiting[-1]:
                waiting.pop()
            elif sign in _CLOSER:
                waiting.append(_CLOSER[sign])
        elif sign in "([":
            waiting.append(_CLOSER[sign])
        elif sign == ";":
            own.append(css[start : match.start()])
            start = match.end()
        elif sign == "{":
            if len(opened) > 1 and own:
                yield taken()
            own.clear()
            prelude = css[start : match.start()].strip()
            outer, applies, layered = opened[-1]
            nested = _nested(outer, prelude)
            opened.append((nested, applies and holds(prelude), layered or prelude.startswith("@layer")))
            start = match.end()
        elif sign == "}" and len(opened) > 1:
            own.append(css[start : match.start()])
            yield taken()
            opened.pop()
            start = match.end()
    own.append(css[start:])
    if len(opened) > 1:
        yield taken()


_ALL = frozenset("{}()[];")
_LONGEST = 1000
"""Characters of a selector that nested ones are joined to."""


def _nested(outer: str, inner: str) -> str:
    """The selector that `inner` is within the rule of `outer`; an at-rule within a rule is for that rule's selector."""
    if not outer or outer[0] == "@" or len(outer) + len(inner) > _LONGEST:
        return inner
    if inner[:1] == "@":
        return outer if inner.startswith(_GROUPS) else inner
    whole = f":is({outer})" if "," in outer else outer
    return ",".join(
        one.replace("&", whole) if "&" in one else f"{whole} {one.strip()}" for one in re.split(r",(?![^()]*\))", inner)
    )


_GROUPS = ("@media", "@supports", "@layer", "@container", "@scope")
