"""Keys and numbers as a reader would copy them: references decoded, escapes and emphasis resolved, forms made plain.

Typographic blanks and hyphens, full-width letters and the digits of any script count as the plain ones. Only what
has a form or check digits is looked for here, so a reading that joins too much finds nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from firewall.context import gate
from firewall.context.spans import Taken
from firewall.context.views import PLAIN, View, edits_of, in_order

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(?<=\w)[*`~]{1,3}|[*`~]{1,3}(?=\w)")
_UNDERLINE = re.compile(r"(?<![^\W_])(?<!;)_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?![^\W_]|[&\\])")
_SIGNS = "&\\_*`~"
_OUTSIDE = frozenset("*`~_")
"""Emphasis that may begin or end right behind a key, which then is whole as it stands."""


class _Plainly(dict[int, str | None]):
    """The table of the reading for `str.translate`, one character for one."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = char
        if code > 0x7F:
            form = unicodedata.normalize("NFKC", char)
            if char.isspace():
                plain = "\n" if char in "\x85\u2028\u2029" else " "
            elif unicodedata.category(char) == "Pd" or char == "\u2212":
                plain = "-"
            elif char.isdecimal():
                plain = str(unicodedata.decimal(char))
            elif len(form) == 1 and form.isascii():
                plain = form
        self[code] = plain
        return plain


_PLAINLY = _Plainly()


@lru_cache(maxsize=4)
def reading(text: str) -> View | None:
    """How `text` reads, or None where it reads as it stands."""
    if text.isascii() and not any(map(text.__contains__, _SIGNS)):
        return None
    edits = edits_of(text, words=False)
    if "\\" in text:
        edits += [(m.start(), m.end(), m.group(1)) for m in _ESCAPE.finditer(text)]
    if any(map(text.__contains__, "*`~")):
        edits += [(m.start(), m.end(), "") for m in _EMPHASIS.finditer(text)]
    if "_" in text:
        edits += [(m.start(), m.end(), " " * (m.end() - m.start())) for m in _UNDERLINE.finditer(text)]
    if not edits and text.isascii():
        return None
    view = View(text, _PLAINLY, in_order(edits))
    return None if view.text == text else view


_SPELLED = re.compile(
    r"\\(?:(?P<blank>[nrtfv])(?=\w)|(?:u00|x)(?P<code>[2-7][0-9A-Fa-f]))|%(?:25){0,3}(?P<octet>[2-7][0-9A-Fa-f]|0[9AaDd])"
)
_MARGIN = re.compile(
    r"(?m)^[ \t]{0,20}(?:(?:[>#*;|\"',]|--(?!-))[ \t]{0,4}){1,8}"
    r"|[ \t]*[|\"',]{1,2}[ \t]*$|\\n[\"',]{1,2}$"
)


@lru_cache(maxsize=4)
def spelled_out(text: str) -> View | None:
    """`text` with the escapes of strings and addresses as what they stand for, and a key without its lines' margins.

    The sign of a quotation, a comment or a table stands before each line of a key that is quoted; RFC 7468 has none
    of them in a key. None where nothing is spelled so.
    """
    edits = []
    if "\\" in text or "%" in text:
        for match in _SPELLED.finditer(text):
            code = match["code"] or match["octet"]
            edits.append((*match.span(), chr(int(code, 16)) if code else "\n"))
    if "PRIVATE KEY-----" in text:
        low, high = text.index("-----BEGIN") if "-----BEGIN" in text else 0, text.rindex("PRIVATE KEY")
        low = text.rfind("\n", 0, low) + 1
        edits += [(m.start(), m.end(), "") for m in _MARGIN.finditer(text, low, high) if m.end() > m.start()]
    if any(map(text.__contains__, _WRAPS)):
        edits += [(*m.span(1), "") for m in _WRAPPED.finditer(text)]
    edits = in_order(edits)
    return View(text, PLAIN, edits) if edits else None


_WRAPS = ("ghp_", "gho_", "ghu_", "ghs_")
_WRAPPED = re.compile(r"gh[pous]_[A-Za-z0-9]{2,35}([-\\]?\r?\n[ \t>]{0,12})(?=[A-Za-z0-9]{4})")
"""A key that is broken over two lines before it is long enough to be one."""


def loud(text: str, special: frozenset[str]) -> bool:
    """Is there anything in how `text` reads, but not as it stands, that the quick look stops at?"""
    if "&" not in special and not any(
        c > "\x7f" and c.isalnum() and (_PLAINLY[ord(c)] or c).isascii() for c in special
    ):
        return False
    view = reading(text)
    return view is not None and gate.loud(view.text)


_Found = TypeVar("_Found")


def found(
    text: str,
    find: Callable[[str], Iterable[_Found]],
    span: Callable[[_Found], tuple[int, int]],
    seams: Sequence[Sequence[int]] = (),
) -> list[tuple[_Found, int, int]]:
    """What `find` finds in `text` as it stands and as it reads, with its place; of two that overlap, the longer.

    Each of `seams` are offsets where something was taken out of the text: it is read with a blank there as well.
    """
    out = [(one, *span(one)) for one in find(text)]
    known = {(start, end) for _, start, end in out}
    whole = {start for _, start, end in out if text[end : end + 1] in _OUTSIDE}
    more = []
    for view in (reading(text), spelled_out(text)):
        if view is not None:
            hits = [(one, *view.place(*span(one))) for one in find(view.text)]
            more += [hit for hit in hits if hit[1:] not in known and hit[1] not in whole]
    for places in seams:
        apart = View(text, PLAIN, [(at, at, " ") for at in places])
        hits = found(apart.text, find, span)
        more += [(one, *apart.place(start, end)) for one, start, end in hits]
    if not more:
        return out
    out += more
    taken = Taken()
    kept = []
    for one, start, end in sorted(out, key=lambda hit: hit[1] - hit[2]):
        if not taken.overlaps(start, end):
            taken.add(start, end)
            kept.append((one, start, end))
    kept.sort(key=lambda hit: hit[1])
    return kept
