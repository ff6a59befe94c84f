"""The short way through noisy text: plain tags, citation marks and LaTeX wrappers in one split.

It takes out only what the careful way (html, citations, latex) takes out alike, and says None where anything
needs the careful way. What it leaves is looked at again, carefully, by the next pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate, repeat
from operator import itemgetter

from firewall.context.citations import CARET
from firewall.context.code import OPAQUE
from firewall.context.elements import PLACEHOLDERS
from firewall.context.limits import MAX_DEPTH
from firewall.context.spans import NOTHING, gone
from firewall.context.tags import BREAKS, mentions_break, simple_tag
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome

_NOISE = re.compile(
    rf"(<[A-Za-z/!?][^<>{OPAQUE}]*>"
    rf"|\[(?:cite|source|Source|Cite):[^\[\]\n{OPAQUE}]{{1,400}}+\](?![(:]|\[(?!cite|source|oaicite))"
    rf"|{CARET}"
    rf"|\\(?:text|mathrm|mathbf)\{{[^{{}}\\$\n{OPAQUE}]{{0,200}}+\}})"
)
_OPENS = re.compile(r"<[A-Za-z/!?]")
_COMMENT = re.compile(r"<!--(?:[^->]|-[^->])*-->")

_Kind = tuple[str, int, str, str]
"""Name, step in depth, rule and message of something that goes."""
_CITATION: _Kind = ("", 0, "citation", "A citation mark of a retrieval tool was removed.")
_LATEX: _Kind = ("", 0, "latex", "A LaTeX wrapper was removed; its words stay.")
_COMMENTED: _Kind = ("", 0, "html-comment", "An HTML comment was removed.")
_RULE, _SAYS = itemgetter(2), itemgetter(3)
_BLANKS = frozenset(" \t")


GAP = "\0"


class Short(NamedTuple):
    """The short way out: `findings`, and in order the spans that they take out, each from one of `starts` to its end.

    `stays` is what is left of the text, with a GAP wherever something went.
    """

    findings: list[Finding]
    starts: list[int]
    ends: list[int]
    stays: str


def find(masked: str) -> Short | None:
    """What goes out of `masked`, a text without math whose code is masked; None if that needs care.

    Noisy text has a mark every few words, so what is done for each one is done by built-in functions.
    """
    pieces = _NOISE.split(masked)
    marks = pieces[1::2]
    if not marks or len(marks) > MAX_DEPTH or GAP in masked:
        return None
    places = list(accumulate(map(len, pieces)))
    starts, ends = places[:-1:2], places[1::2]
    kept = pieces[::2]
    last: dict[str, int] = {}  # where each tag stands last
    kinds: dict[str, _Kind] = {}
    closers: list[int] = []
    others = 0
    for index, mark in enumerate(marks):
        if mark[0] == "<":
            last[mark] = index
            continue
        others += 1
        before = kept[index]
        if mark[0] == "\\":  # its braces go, its words stay
            if "[" in mark:
                return None
            kinds[mark] = _LATEX
            inside = mark.index("{") + 1
            closers.append(ends[index])
            ends[index] = starts[index] + inside
            kept[index] = f"{before}{GAP}{mark[inside:-1]}"
        else:
            kinds[mark] = _CITATION
            if before[-1:] in _BLANKS:
                starts[index] -= 1
                kept[index] = before[:-1]
    tags = len(marks) - others
    if tags != masked.count("<") and tags != len(_OPENS.findall(masked, 0, places[-2])):
        return None  # a bracket that may open something, before the end
    if last and not _all_simple(last, kinds, pieces):
        return None
    kind_of = list(map(kinds.__getitem__, marks))
    rows = zip(map(_RULE, kind_of), repeat(Outcome.REDACT), map(_SAYS, kind_of), repeat(NOTHING), starts, ends)
    out = list(map(tuple.__new__, repeat(Finding), rows))
    if closers:
        out += [gone(end - 1, end, "latex", _LATEX[3]) for end in closers]
        starts += [end - 1 for end in closers]
        starts.sort()
        ends += closers
        ends.sort()
    return Short(out, starts, ends, GAP.join(kept))


def _all_simple(last: Mapping[str, int], kinds: dict[str, _Kind], pieces: list[str]) -> bool:
    """Need none of the tags a second look? `last` says which mark is the last of each; `kinds` gets what they are."""
    opened: dict[str, int] = {}
    closed: dict[str, int] = {}
    for mark, index in last.items():
        kind = _short(mark) if len(mark) < 100 else _tag(mark)
        if kind is None:
            return False
        kinds[mark] = kind
        name, step, _, _ = kind
        if step > 0:
            opened[name] = max(index, opened.get(name, -1))
        elif step < 0:
            closed[name] = max(index, closed.get(name, -1))
        elif name in BREAKS and _spoken_of(mark, pieces):
            return False
    for name, index in opened.items():
        behind = closed.get(name, -1)
        if index > behind and _doubtful(name, pieces, behind + 1, kinds):
            return False
    return True


def _spoken_of(mark: str, pieces: list[str]) -> bool:
    """May the break `mark` be one that prose speaks of, as in "the <br> tag"?"""
    marks = range(1, len(pieces), 2)
    return any(mentions_break(pieces[at - 1][-1:], pieces[at + 1][:1]) for at in marks if pieces[at] == mark)


def _doubtful(name: str, pieces: list[str], behind: int, kinds: Mapping[str, _Kind]) -> bool:
    """Could a tag `name` from mark `behind` on, which nothing closes, be a generic, a comparison or a placeholder?"""
    if name in PLACEHOLDERS:
        return True
    marks = range(2 * behind + 1, len(pieces), 2)
    return any(_glued(pieces, at) for at in marks if kinds[pieces[at]][0] == name)


@lru_cache(maxsize=1024)
def _short(mark: str) -> _Kind | None:
    return _tag(mark)


def _tag(mark: str) -> _Kind | None:
    if _COMMENT.fullmatch(mark):
        return _COMMENTED
    tag = simple_tag(mark)
    return (tag[0], tag[1], "html-tag", tag[2]) if tag else None


def _glued(pieces: list[str], index: int) -> bool:
    """Does the tag stand close to words, so that it may be none?"""
    before, after = pieces[index - 1], pieces[index + 1]
    if not before and index > 1:
        before = pieces[index - 2]
    return before[-1:] not in ("", "\n", ">") or after[:1] in ("", " ")
