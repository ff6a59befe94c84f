"""Words that say how many, and the number of what stands around them. Pure."""

from __future__ import annotations

from pipeline.inflect.closed import BE_HAVE_DO, CLAUSE_OPENERS, DETERMINERS, PLURAL_ONLY, PREPOSITIONS, SINGULAR_ONLY
from pipeline.inflect.lexicon import third_person
from pipeline.inflect.nouns import number
from pipeline.inflect.phrase import look_left
from pipeline.inflect.tokens import Token, tokens

_SINGULAR = (SINGULAR_ONLY - {"either", "neither"}) | {"this", "much"}
_ONE = SINGULAR_ONLY - {"a", "an", "one"}


def count_kept(toks: list[Token], first: int, last: int, word: str) -> bool:
    """May `word` stand here, where it says how many and the words around agree with another number?

    "A plethora of pumps is" has a singular noun, "many pumps are" a plural one: which words then change with it is told
    by no table, so only what fits as it stands passes.
    """
    new = tokens(word)
    head, old = new[-1].low if new else "", toks[last].low
    if head in _ONE:
        return old in _ONE
    if head not in PLURAL_ONLY:
        return True
    if counted([*toks[:first], *new, *toks[last + 1 :]], first, first + len(new) - 1):
        return False
    if old in PLURAL_ONLY:
        return True
    alone = first == 0 or toks[first - 1].low not in DETERMINERS
    return alone and not any(t.low in BE_HAVE_DO or third_person(t.low) == "verb" for t in toks)


def counted(toks: list[Token], first: int, last: int) -> str:
    """What disagrees with `toks[first..last]` where that says how many: "a many pumps", "many pumps is"; or empty."""
    if toks[last].low in _ONE:
        after = toks[last + 1].low if last + 1 < len(toks) else ""
        which = number(after) if after else None
        return f"{toks[last].text!r} does not go with the plural {after!r}" if which == "pl" else ""
    if toks[last].low not in PLURAL_ONLY:
        return ""
    name = " ".join(t.text for t in toks[first : last + 1])
    if first and toks[first - 1].low in _SINGULAR:
        return f"{toks[first - 1].text!r} does not go with {name!r}"
    if last + 1 < len(toks) and toks[last + 1].low in DETERMINERS - {"other", "such"}:
        return f"{toks[last + 1].text!r} does not go after {name!r}"
    left = look_left(toks, first)
    if left.role in ("existential", "inverted") and toks[left.boundary].low in BE_HAVE_DO:
        return f"{toks[left.boundary].text!r} does not agree with {name!r}"
    if left.role not in ("subject", "opened", "led"):
        return ""
    for token in toks[last + 1 : last + 5]:
        if (
            token.kind == "punct"
            or token.low in DETERMINERS
            or token.low in CLAUSE_OPENERS
            or token.low in PREPOSITIONS
        ):
            return ""
        if token.low in BE_HAVE_DO:
            return f"{token.text!r} does not agree with {name!r}"
    return ""
