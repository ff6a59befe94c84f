"""The short way through noisy text: plain tags, citation marks and LaTeX wrappers in one split.

It takes out only what the careful way (html, citations, latex) takes out alike, and says None where anything
needs the careful way. What it leaves is looked at again, carefully, by the next pass.
"""

from __future__ import annotations

import re

from firewall.context.elements import PLACEHOLDERS
from firewall.context.limits import MAX_DEPTH
from firewall.context.spans import NOTHING
from firewall.context.tags import simple_tag
from firewall.text.markdown import OPAQUE
from firewall.verdict import Finding, Outcome

_NOISE = re.compile(
    rf"(<[^<>{OPAQUE}]*>"
    rf"|\[(?:cite|source|Source|Cite):[^\[\]\n{OPAQUE}]{{1,400}}+\](?![(:]|\[(?!cite|source|oaicite))"
    r"|\^\[\d{1,6}\](?!\()"
    rf"|\\(?:text|mathrm|mathbf)\{{[^{{}}\\$\n{OPAQUE}]{{0,200}}+\}})"
)
_COMMENT = re.compile(r"<!--(?:[^->]|-[^->])*-->")
_CITATION = "A citation mark of a retrieval tool was removed."
_LATEX = "A LaTeX wrapper was removed; its words stay."


def find(masked: str) -> list[Finding] | None:
    """What goes out of `masked`, a text without math whose code is masked, in order; None if that needs care."""
    pieces = _NOISE.split(masked)
    if len(pieces) < 3:
        return None
    out: list[Finding] = []
    new, redact, nothing = tuple.__new__, Outcome.REDACT, NOTHING  # thousands of times, so no call between
    unclosed: dict[str, list[int]] = {}
    seen: dict[str, tuple[str, int, str, str]] = {}
    angles = masked.count("<")
    depth = 0
    before = pieces[0]
    at = len(before)
    for index in range(1, len(pieces), 2):
        piece = pieces[index]
        end = at + len(piece)
        first = piece[0]
        if first == "<":
            known = seen.get(piece) or _known(piece)
            if known is None:
                return None
            seen[piece] = known
            name, step, rule, message = known
            depth += step
            if step > 0:
                unclosed.setdefault(name, []).append(index)
                if depth > MAX_DEPTH:
                    return None
            elif step < 0 and name in unclosed:
                unclosed[name].clear()
            angles -= 1
            out.append(new(Finding, (rule, redact, message, nothing, at, end)))
        elif first == "\\":
            if "<" in piece or "[" in piece:
                return None
            inside = piece.index("{") + 1
            out.append(new(Finding, ("latex", redact, _LATEX, nothing, at, at + inside)))
            out.append(new(Finding, ("latex", redact, _LATEX, nothing, end - 1, end)))
        else:
            if "<" in piece:
                return None
            blank = 1 if before and before[-1] in " \t" else 0
            out.append(new(Finding, ("citation", redact, _CITATION, nothing, at - blank, end)))
        before = pieces[index + 1]
        at = end + len(before)
    if angles:
        return None
    for name, indexes in unclosed.items():
        if indexes and name in PLACEHOLDERS:
            return None
        if any(_in_doubt(pieces, index) for index in indexes):
            return None
    return out


def _known(piece: str) -> tuple[str, int, str, str] | None:
    """Name, step in depth, rule and message of a tag or comment that needs no second look."""
    if _COMMENT.fullmatch(piece):
        return "", 0, "html-comment", "An HTML comment was removed."
    tag = simple_tag(piece)
    return (tag[0], tag[1], "html-tag", tag[2]) if tag else None


def _in_doubt(pieces: list[str], index: int) -> bool:
    """Could the tag, which nothing closes, be a generic, a comparison or a placeholder?"""
    before, after = pieces[index - 1], pieces[index + 1]
    if not before and index > 1:
        before = pieces[index - 2]
    return before[-1:] not in ("", "\n", ">") or after[:1] in ("", " ")
