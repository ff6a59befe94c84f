"""What a line stands in: a comment, brackets, dots, emphasis, a code span, rules of dashes. Pure.

`<!-- ... existing text ... -->`, `*[existing text]*` and `# … existing text` all say "existing text"; what is around it
says how sure one may be that it is a remark about the text and not the text.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern
from firewall.values import NamedTuple

_ENDS = Pattern(r"(?s)^(?:\d{1,4}[.)]\s)?([\W_]*)(.*?)([\W_]*)$")
_DOTS = Pattern(r"\.{2,}|…|⋯|。{2,}")
_BRACKETS = tuple(zip("[({<【（［〔《「『〈‹", "])}>】）］〕》」』〉›", strict=True))
_BLOCKS = (("<!--", "-->"), ("/*", "*/"), ("(*", "*)"), ("'''", "'''"), ('"""', '"""'), ("{#", "#}"), ("{%", "%}"))
_SAME = "*_~=-@#✂"
_RULES = (("—", "—"), ("–", "–"), ("―", "―"), ("─", "─"), (">>", "<<"), ("<<", ">>"))
_LINE = ("//", "--", ";", "%", "..", "#", "'", "!", "::", '.\\"')
_NAMED = ("rem ", "dnl ")
"""Marks of a line comment; those of BASIC and of m4 are words."""


class Frame(NamedTuple):
    """A line without what is around it. `dots`: an ellipsis stands at one end. `closed`: brackets or a block comment
    hold all of it. `marked`: emphasis, a code span or rules do. `comment`: the mark of a line comment stands before it,
    or ''; `#` is one, and a heading's mark too."""

    core: str
    dots: bool
    closed: bool
    marked: bool
    comment: str


def frame(short: str) -> Frame:
    """The frame of a line that is squeezed (`firewall.text.squeeze`)."""
    match = _ENDS.match(short)
    assert match is not None, "the pattern matches everything"
    lead, core, tail = match.group(1), match.group(2), match.group(3)
    if not lead and core[:4].lower() in _NAMED:
        inner = frame(core[4:].lstrip() + tail)
        return inner._replace(comment=core[:3].lower())
    if not core:
        return Frame("", _DOTS.search(lead) is not None, False, False, _comment(lead))
    dots = _DOTS.search(lead.removeprefix("..") if lead.startswith(".. ") else lead) or _DOTS.search(tail)
    closed = any(o in lead and c in tail and _holds(core, o, c) for o, c in _BRACKETS)
    closed = closed or any(o in lead and c in tail for o, c in _BLOCKS)
    marked = any(mark in lead and mark in tail and mark not in core for mark in "*_`~")
    marked = marked or any(mark * 2 in lead and mark * 2 in tail for mark in _SAME)
    marked = marked or any(left in lead and right in tail for left, right in _RULES)
    return Frame(core, dots is not None, closed, marked, _comment(lead))


def _holds(core: str, opener: str, closer: str) -> bool:
    """Is the bracket that stands before `core` not closed within it?"""
    depth = 0
    for char in core:
        depth += (char == opener) - (char == closer)
        if depth < 0:
            return False
    return True


def _comment(lead: str) -> str:
    lead = lead.lstrip(" \t>")
    return next((mark for mark in _LINE if lead.startswith(mark)), "")
