"""The short way through noisy text: plain tags, citation marks and LaTeX wrappers in one split.

It takes out only what the careful way (html, citations, latex) takes out alike, and says None where anything
needs the careful way. What it leaves is looked at again, carefully, by the next pass.
"""

from __future__ import annotations

import re

from firewall.context.limits import MAX_DEPTH
from firewall.context.spans import gone
from firewall.context.tags import simple_tag
from firewall.verdict import Finding

_NOISE = re.compile(
    r"(<[^<>]*>"
    r"|\[(?:cite|source|Source|Cite):[^\[\]\n]{1,400}+\](?![(:\[])"
    r"|\^\[\d{1,6}\](?!\()"
    r"|\\(?:text|mathrm|mathbf)\{[^{}\\$\n]{0,200}+\})"
)
_CITATION = "A citation mark of a retrieval tool was removed."
_LATEX = "A LaTeX wrapper was removed; its words stay."


def find(text: str) -> list[Finding] | None:
    """What goes out of `text`, which has no code and no math, in order; None if that needs a closer look."""
    pieces = _NOISE.split(text)
    if len(pieces) < 3:
        return None
    out: list[Finding] = []
    opened: dict[str, int] = {}
    seen: dict[str, tuple[str, int, str]] = {}
    angles = text.count("<")
    at = len(pieces[0])
    before = pieces[0]
    for index in range(1, len(pieces), 2):
        piece = pieces[index]
        end = at + len(piece)
        first = piece[0]
        if first == "<":
            known = seen.get(piece)
            if known is None:
                known = simple_tag(piece)
                if known is None:
                    return None
                seen[piece] = known
            name, step, message = known
            if step:
                count = opened.get(name, 0) + step
                if count < 0:
                    return None
                opened[name] = count
            angles -= 1
            out.append(gone(at, end, "html-tag", message))
        elif first == "\\":
            inside = piece.index("{") + 1
            out.append(gone(at, at + inside, "latex", _LATEX))
            out.append(gone(end - 1, end, "latex", _LATEX))
            if "<" in piece or "[" in piece:
                return None
        else:
            if "<" in piece:
                return None
            blank = 1 if before and before[-1] in " \t" else 0
            out.append(gone(at - blank, end, "citation", _CITATION))
        before = pieces[index + 1]
        at = end + len(before)
    if angles or any(opened.values()) or len(out) > 2 * MAX_DEPTH:
        return None
    return out
