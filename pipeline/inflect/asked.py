"""Did the words around a replaced noun change as its number asks for, and no more? Pure."""

from __future__ import annotations

from pipeline.inflect.closed import DETERMINERS
from pipeline.inflect.nouns import number
from pipeline.inflect.phrase import look_left
from pipeline.inflect.pluralize import pluralized
from pipeline.inflect.singularize import singularized
from pipeline.inflect.tokens import Token

_ARTICLES = frozenset(("a", "an"))
_RELATIVES = frozenset("what which who that whatever whose".split())
"""Words behind which a verb may agree with the noun or with another: "they are what saves us", or "save"."""
_NAMES = {"sg": "singular", "pl": "plural"}
Span = tuple[int, int]


def unasked(old: list[Token], span: Span, new: list[Token], at: Span, which: str | None) -> str:
    """What changed that the noun `new[at]`, of the number `which`, does not ask for; or did not, though it does.

    It stands for the noun `old[span]`. Empty also where that cannot be told.
    """
    first, last = span
    target = " ".join(t.low for t in old[first : last + 1])
    ours, given = number(target), " ".join(t.low for t in new[at[0] : at[1] + 1])
    if ours not in ("sg", "pl") or which not in ("sg", "pl"):
        return ""
    if any(text.split(" ")[0] in DETERMINERS for text in (target, given)):
        return ""
    pairs = _aligned(old, span, new, at)
    if ours == which:
        edits: dict[int, str] | None = {}
    else:
        left = look_left(old, first)
        gone = len(pairs) < len(old) - (last - first + 1)
        kept = left.determiner < 0 or old[left.determiner].low not in _ARTICLES or not gone
        change = (pluralized if which == "pl" else singularized)(old, first, last)
        edits = {start: text.lower() for start, _, text in change.edits} if change and change.number == which else None
        edits = edits if kept else None
    if edits is None:
        return ""
    relative = False
    for mine, theirs in pairs:
        relative = relative or (mine.start > old[last].start and mine.low in _RELATIVES)
        if mine.low == theirs.low or mine.low in _ARTICLES:
            made = edits.get(mine.start, "")
            if made and mine.low in ("this", "these"):
                return f"{theirs.text!r} does not go with the {_NAMES[which]} {given!r}"
            if made and mine.low not in DETERMINERS and made.isalpha() and mine.low.isalpha():
                return f"{theirs.text!r} does not agree with the {_NAMES[which]} {given!r}"
        elif mine.start not in edits and not (edits and relative):
            return f"{mine.text!r} must stay as it is, not {theirs.text!r}"
    return ""


def _aligned(old: list[Token], span: Span, new: list[Token], at: Span) -> list[tuple[Token, Token]]:
    """The words on both sides of the noun by pairs, without articles where one came or went; none if they differ."""
    out: list[tuple[Token, Token]] = []
    for mine, theirs in ((old[: span[0]], new[: at[0]]), (old[span[1] + 1 :], new[at[1] + 1 :])):
        if len(mine) != len(theirs):
            mine, theirs = _bare(mine), _bare(theirs)
        if len(mine) != len(theirs):
            return []
        out += zip(mine, theirs, strict=True)
    return out


def _bare(toks: list[Token]) -> list[Token]:
    return [t for t in toks if t.low not in _ARTICLES and t.text != ","]
