"""Disagreement that a replaced word leaves behind, for the cases that can be decided. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from pipeline.inflect.article import article
from pipeline.inflect.clause import fronted
from pipeline.inflect.closed import BE_HAVE_DO, DETERMINERS, PLURAL_ONLY, PRONOUNS, SINGULAR_ONLY, TO_SINGULAR_VERB
from pipeline.inflect.counting import counted
from pipeline.inflect.finite import clash_of_verbs
from pipeline.inflect.lexicon import third_person
from pipeline.inflect.nouns import number
from pipeline.inflect.phrase import look_left
from pipeline.inflect.tokens import Token, tokens

_SINGULAR = (SINGULAR_ONLY - {"either", "neither"}) | {"this", "much"}
_ALONE = frozenset("this each another one".split())
"""Determiners that may stand without a noun."""


def clash(before: str, after: str, alternatives: tuple[str, ...], numbers: Mapping[str, str]) -> str:
    """The first sure disagreement in the masked prose `after` that `before` did not have, or empty."""
    old = tokens(before)
    known = {(a.low, b.low) for a, b in pairwise(old)}
    new = tokens(after)
    for one, two in pairwise(new):
        if (one.low, two.low) in known or one.low not in ("a", "an") or two.kind == "punct":
            continue
        right = article(two.text) if two.kind != "opaque" else None
        if right is not None and right != one.low:
            return f"{one.text!r} before {two.text!r} should be {right!r}"
    for alternative in alternatives:
        wanted = [t.low for t in tokens(alternative)]
        for first in range(len(new) - len(wanted) + 1):
            if wanted and [t.low for t in new[first : first + len(wanted)]] == wanted:
                last = first + len(wanted) - 1
                reason = around(new, first, last, _number(alternative, numbers)) or counted(new, first, last)
                if reason:
                    return reason
    return clash_of_verbs(old, new, alternatives)


def _number(alternative: str, numbers: Mapping[str, str]) -> str | None:
    said = numbers.get(alternative)
    return {"singular": "sg", "plural": "pl"}[said] if said else number(alternative)


def around(toks: list[Token], first: int, last: int, which: str | None) -> str:
    """What disagrees with the noun `toks[first..last]`, whose number is `which`."""
    name = " ".join(t.text for t in toks[first : last + 1])
    before = toks[first - 1] if first else None
    after = toks[last + 1] if last + 1 < len(toks) else None
    if which == "pl" and before is not None and before.low in _SINGULAR and not _heads_on(after):
        if before.low in _ALONE and after is not None and (after.low in DETERMINERS or after.low in PRONOUNS):
            return ""  # "This uses the pump": a verb, and what stands before it is its subject
        return f"{before.text!r} does not go with the plural {name!r}"
    if which == "sg" and before is not None and before.low in PLURAL_ONLY and _ends(after):
        return f"{before.text!r} does not go with the singular {name!r}"
    left = look_left(toks, first)
    if after is None or left.role != "subject" or fronted(toks, left, last + 1):
        return ""
    if which == "pl" and (after.low in BE_HAVE_DO or third_person(after.low) == "verb"):
        return f"{after.text!r} does not agree with the plural {name!r}"
    alone = not any(t.low in ("and", "or", "nor", ",") for t in toks[:first])
    if which == "sg" and alone and after.low in TO_SINGULAR_VERB and after.low not in ("were", "weren't", "have", "do"):
        return f"{after.text!r} does not agree with the singular {name!r}"
    return ""


def _heads_on(after: Token | None) -> bool:
    """May the word after a noun be the head that its determiner belongs to?"""
    return after is not None and after.kind in ("word", "opaque", "number") and not _ends(after)


def _ends(after: Token | None) -> bool:
    """Does the noun phrase end before `after`?"""
    return (
        after is None
        or after.kind == "punct"
        or after.low in BE_HAVE_DO
        or after.low in TO_SINGULAR_VERB
        or after.low in DETERMINERS
        or third_person(after.low) == "verb"
    )
