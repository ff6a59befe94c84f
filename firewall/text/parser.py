"""The parser's events of a Markdown text, with front matter only where the text begins. Pure.

pulldown-cmark takes `---`, lines and `---` for a metadata block wherever a block may begin. To whatever publishes the
text they are a rule, a paragraph and a heading there, and prose that a reader sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

import pyromark

from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_FRONT = Pattern(
    r"(?m)\A(?:---[ \t]*\r?\n(?![ \t]*\r?$|(?:---|\.\.\.)[ ]*\r?$)(?s:(.*?))^(?:---|\.\.\.)[ ]*\r?(?:\n|\Z)"
    r"|\+\+\+[ \t]*\r?\n(?![ \t]*\r?$|\+\+\+[ ]*\r?$)(?s:(.*?))^\+\+\+[ ]*\r?(?:\n|\Z))"
)
"""Front matter as pulldown-cmark reads it: a line of three signs, no blank line, and a line of the same or of dots."""


def front_end(text: str) -> int:
    """The length of the front matter that `text` begins with, its closing line included; 0 where it has none."""
    found = _FRONT.match(text) if text[:3] in ("---", "+++") else None
    return found.end() if found else 0


def events(text: str, options: pyromark.Options, *, spans: bool = True) -> Iterable[tuple[Any, Any]]:
    """The events of `text` (no lone surrogates), each with its span in UTF-8 bytes, or None without `spans`.

    `options` are those of the body; metadata blocks need not be among them. Linear time.
    """
    found = _FRONT.match(text) if text[:3] in ("---", "+++") else None
    if found is None:
        return _body(text, options, spans)
    size = len(found.group().encode())
    style = {"MetadataBlock": "YamlStyle" if text[0] == "-" else "PlusesStyle"}
    number = 1 if text[0] == "-" else 2
    start, end = (len(text[:place].encode()) for place in found.span(number))
    front: list[tuple[Any, Any]] = [
        ({"Start": style}, {"start": 0, "end": size}),
        ({"Text": found.group(number).replace("\r\n", "\n")}, {"start": start, "end": end}),
        ({"End": style}, {"start": 0, "end": size}),
    ]
    return chain(front, _body("\n" * size + text[found.end() :], options, spans))


def without_front(text: str) -> str:
    """`text` with a line end for each byte of its front matter, so that all behind it stands where it stood."""
    end = front_end(text)
    return "\n" * len(text[:end].encode()) + text[end:] if end else text


def _body(text: str, options: pyromark.Options, spans: bool) -> Iterable[tuple[Any, Any]]:
    if spans:
        return pyromark.events_with_range(text, options=options)
    return zip(pyromark.events(text, options=options), repeat(None))
