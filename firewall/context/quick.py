"""The short way through noisy text: plain tags, citation marks and LaTeX wrappers in one split.

It takes out only what the careful way (html, citations, latex) takes out alike, and says None where anything
needs the careful way. What it leaves is looked at again, carefully, by the next pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate, count, repeat
from operator import itemgetter

from firewall.context.citations import CARET
from firewall.context.code import OPAQUE
from firewall.context.elements import PLACEHOLDERS
from firewall.context.limits import MAX_DEPTH
from firewall.context.spans import NOTHING, gone
from firewall.context.tags import BREAKS, mentions_break, simple_tag
from firewall.verdict import Finding, Outcome

_NOISE = re.compile(
    rf"(<[A-Za-z/!?][^<>{OPAQUE}]*>"
    rf"|\[(?:cite|source|Source|Cite):[^\[\]\n{OPAQUE}]{{1,400}}+\](?![(:]|\[(?!cite|source|oaicite))"
    rf"|{CARET}"
    rf"|\\(?:text|mathrm|mathbf)\{{[^{{}}\\$\n{OPAQUE}]{{0,200}}+\}})"
)
_OPENS = re.compile(r"<[A-Za-z/!?]")
_COMMENT = re.compile(r"<!--(?:[^->]|-[^->])*-->")

_Kind = tuple[str | None, int, str, str]
"""Name (None for what is no tag), step in depth, rule and message of something that goes."""
_CITATION: _Kind = (None, 0, "citation", "A citation mark of a retrieval tool was removed.")
_LATEX: _Kind = (None, 0, "latex", "A LaTeX wrapper was removed; its words stay.")
_UNSURE = "?"
"""The name of a kind that is none: the mark needs care."""
_DOUBT: _Kind = (_UNSURE, 0, "", "")
_COMMENTED: _Kind = ("", 0, "html-comment", "An HTML comment was removed.")
_RULE, _SAYS = itemgetter(2), itemgetter(3)
_BLANKS = frozenset(" \t")


GAP = "\0"


_Spans = tuple[list[int], list[int]]


class Short:
    """The short way out. `stays` is what is left of the text, with a GAP wherever something went, `count` how much did.

    Where that stood and what is said of it is made when somebody asks, which for most noise nobody does.
    """

    __slots__ = ("_kinds", "_others", "_pieces", "_spans", "count", "stays")

    def __init__(self, pieces: list[str], kinds: list[_Kind], others: list[int], stays: str, count: int) -> None:
        self._pieces = pieces  # of the text, each second one a mark
        self._kinds = kinds  # of the marks
        self._others = others  # marks that are no tags
        self._spans: tuple[_Spans, _Spans, list[int]] | None = None
        self.stays = stays
        self.count = count

    def _made(self) -> tuple[_Spans, _Spans, list[int]]:
        """Where each mark begins and ends, the spans that go, in order, and where the braces of wrappers close."""
        if self._spans is None:
            places = list(accumulate(map(len, self._pieces)))
            starts, ends = places[:-1:2], places[1::2]
            closers: list[int] = []
            for index in self._others:
                if self._kinds[index] is _LATEX:  # its braces go, its words stay
                    closers.append(ends[index])
                    ends[index] = starts[index] + self._pieces[2 * index + 1].index("{") + 1
                elif self._pieces[2 * index][-1:] in _BLANKS:
                    starts[index] -= 1
            gone = (sorted([*starts, *[end - 1 for end in closers]]), sorted([*ends, *closers])) if closers else None
            self._spans = (starts, ends), gone or (starts, ends), closers
        return self._spans

    def spans(self) -> _Spans:
        """Where what goes begins, in order, and where it ends."""
        return self._made()[1]

    def findings(self) -> list[Finding]:
        """What is said of each mark; the closing braces of wrappers come last."""
        kinds, redact = self._kinds, repeat(Outcome.REDACT)
        (starts, ends), _, closers = self._made()
        rows = zip(map(_RULE, kinds), redact, map(_SAYS, kinds), repeat(NOTHING), starts, ends)
        out = list(map(tuple.__new__, repeat(Finding), rows))
        return out + [gone(end - 1, end, "latex", _LATEX[3]) for end in closers]


def find(masked: str) -> Short | None:
    """What goes out of `masked`, a text without math whose code is masked; None if that needs care.

    Noisy text has a mark every few words, so what is done for each one is done by built-in functions.
    """
    pieces = _NOISE.split(masked)
    marks = pieces[1::2]
    if not marks or len(marks) > MAX_DEPTH or GAP in masked:
        return None
    kinds = list(map(_KINDS.__getitem__, marks))
    if not _all_simple(dict(zip(marks, count())), pieces):
        return None
    others = [index for index, kind in enumerate(kinds) if kind[0] is None]
    tags = len(marks) - len(others)
    if tags != masked.count("<") and (
        "<!--" in pieces[-1] or tags != len(_OPENS.findall(masked, 0, len(masked) - len(pieces[-1])))
    ):
        return None  # a bracket that may open something, before the end; or a comment that nothing closes
    kept = pieces[::2]
    much = len(marks)
    for index in others:
        if kinds[index] is _LATEX:
            mark = marks[index]
            kept[index] += GAP + mark[mark.index("{") + 1 : -1]
            much += 1
        elif kept[index][-1:] in _BLANKS:
            kept[index] = kept[index][:-1]
    return Short(pieces, kinds, others, GAP.join(kept), much)


_RUN = re.compile(rf"\n[ \t\r{GAP}]*\n((?:[ \t\r{GAP}]*\n)+)")


def blank_runs(gapped: str) -> tuple[list[int], list[int]]:
    """Where runs of blank lines go beyond the first, in `gapped` without its GAPs: those with a GAP in them or beside.

    As clean.py has it for a text that was cut in any way; here the gaps say where that was.
    """
    starts: list[int] = []
    ends: list[int] = []
    at = before = 0  # GAPs up to a place
    for run in _RUN.finditer(gapped):
        start, end = run.span()
        if GAP in gapped[max(start - 1, 0) : end + 1]:
            second = run.start(1)
            before += gapped.count(GAP, at, second)
            starts.append(second - before)
            before += gapped.count(GAP, second, end)
            ends.append(end - before)
            at = end
    return starts, ends


def _all_simple(last: Mapping[str, int], pieces: list[str]) -> bool:
    """Need none of the marks a second look? `last` says where each one stands last."""
    opened: dict[str, int] = {}
    closed: dict[str, int] = {}
    for mark, index in last.items():
        name, step, _, _ = _KINDS[mark]
        if name is None:
            continue
        if step > 0:
            opened[name] = max(index, opened.get(name, -1))
        elif step < 0:
            closed[name] = max(index, closed.get(name, -1))
        elif name == _UNSURE or (name in BREAKS and _spoken_of(mark, pieces)):
            return False
    for name, index in opened.items():
        behind = closed.get(name, -1)
        if index > behind and _doubtful(name, pieces, behind + 1):
            return False
    return True


def _spoken_of(mark: str, pieces: list[str]) -> bool:
    """May the break `mark` be one that prose speaks of, as in "the <br> tag"?"""
    marks = range(1, len(pieces), 2)
    return any(mentions_break(pieces[at - 1][-1:], pieces[at + 1][:1]) for at in marks if pieces[at] == mark)


def _doubtful(name: str, pieces: list[str], behind: int) -> bool:
    """Could a tag `name` from mark `behind` on, which nothing closes, be a generic, a comparison or a placeholder?"""
    if name in PLACEHOLDERS:
        return True
    marks = range(2 * behind + 1, len(pieces), 2)
    return any(_glued(pieces, at) for at in marks if _KINDS[pieces[at]][0] == name)


class _Kinds(dict[str, _Kind]):
    """What each mark is. The same few tags stand all over a page, so what short ones are is remembered."""

    def __missing__(self, mark: str) -> _Kind:
        kind = _kind(mark)
        if len(mark) < _LONG:
            if len(self) >= _MANY:
                self.clear()
            self[mark] = kind
        return kind


_LONG, _MANY = 100, 4096
_KINDS = _Kinds()


def _kind(mark: str) -> _Kind:
    if mark[0] == "\\":
        return _DOUBT if "[" in mark else _LATEX
    if mark[0] != "<":
        return _CITATION
    if _COMMENT.fullmatch(mark):
        return _COMMENTED
    tag = simple_tag(mark)
    return (tag[0], tag[1], "html-tag", tag[2]) if tag else _DOUBT


def _glued(pieces: list[str], index: int) -> bool:
    """Does the tag stand close to words, so that it may be none?"""
    before, after = pieces[index - 1], pieces[index + 1]
    if not before and index > 1:
        before = pieces[index - 2]
    return before[-1:] not in ("", "\n", ">") or after[:1] in ("", " ")
