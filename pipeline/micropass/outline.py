"""The Markdown structure around and inside one sentence: an edit that moves any of it shows. Pure."""

from __future__ import annotations

from itertools import zip_longest

from firewall.text.markdown import Document, Node

_OPAQUE = frozenset(("code", "inline_math", "display_math", "inline_html", "image", "footnote_reference"))
_DETAILS = (
    "level",
    "dest",
    "title",
    "type",
    "fenced",
    "info",
    "closed",
    "ordered",
    "first",
    "callout",
    "columns",
)


def drift(before: Document, after: Document, start: int, end: int, new_end: int) -> str:
    """What an edit of `before.source[start:end]`, now `after.source[start:new_end]`, did to the structure.

    Empty when every block is still there, in order, in its place or moved by the difference in length alone,
    and in the block of the sentence every inline too, with every code span, formula, image and link target
    as it was. Otherwise a phrase that names the first difference. Other blocks are not walked: what is in
    them hangs on their own text, and on definitions of links that no sentence can become unnoticed.
    """
    ours: list[Node] = []
    theirs: list[Node] = []
    for old, new in zip_longest(before.blocks, after.blocks):
        if old is None or new is None:
            return f"{_name(old or new)} is {'new' if old is None else 'gone'}"
        inside = old.start <= start < old.end
        ours += _nodes(old) if inside else [old]
        theirs += _nodes(new) if inside else [new]
    shift = new_end - end
    for old, new in zip(ours, theirs, strict=False):
        if old.kind != new.kind:
            return f"{_name(old)} became {_name(new)}"
        if any(old.attrs.get(key) != new.attrs.get(key) for key in _DETAILS if key in old.attrs):
            return f"{_name(old)} changed"
        if not start <= old.start < end and new.start != _moved(old.start, start, end, shift):
            return f"{_name(old)} moved"
        if not start < old.end <= end and new.end != _moved(old.end, start, end, shift):
            return f"{_name(old)} ends elsewhere"
        if old.kind in _OPAQUE and before.text(old) != after.text(new):
            return f"{_name(old)} changed"
    if len(ours) > len(theirs):
        return f"{_name(ours[len(theirs)])} is gone"
    if len(theirs) > len(ours):
        return f"{_name(theirs[len(ours)])} is new"
    return ""


def _nodes(block: Node) -> list[Node]:
    return [n for n in block.walk() if n.kind != "text"]


def _moved(offset: int, start: int, end: int, shift: int) -> int:
    return offset if offset <= start else offset + shift if offset >= end else -1


def _name(node: Node) -> str:
    return "a " + node.kind.replace("_", " ")
