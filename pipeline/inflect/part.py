"""Noun or verb: what a word with both uses is here, and whether an alternative can be the same. Pure."""

from __future__ import annotations

from pipeline.inflect.closed import (
    BE_HAVE_DO,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
    TO_SINGULAR_VERB,
    is_adverb,
)
from pipeline.inflect.lexicon import NOUNS_AND_VERBS, is_base_verb, is_noun, is_past, third_person
from pipeline.inflect.nouns import is_irregular, is_mass, number, singular
from pipeline.inflect.phrase import AUXILIARIES, is_plural_looking, look_left
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, irregular_base, looks_ed, looks_ing

_PARTICLES = frozenset("up down out off away back apart along together forth".split())
_VERB_ENDINGS = ("ize", "ise", "ify", "ate")
_WHOLE = frozenset("whole entire single sole lone".split())


def fits(toks: list[Token], first: int, last: int, alternative: str) -> bool:
    """May `alternative` stand for `toks[first..last]` as the part of speech that it is here?

    False also for a verb that a particle or an idiom completes: "write down", "used to".
    """
    low = toks[last].low
    both = _is_both(low)
    if first != last or (verb_base(low) is None and not both):
        return True
    if low == "used" and last + 1 < len(toks) and toks[last + 1].low == "to":
        return False
    if looks_ed(low) or (is_past(low) and not is_base_verb(low)):
        return not _completed(toks, last)  # a verb or an adjective, never a noun
    use = use_of(toks, first)
    if use != "noun" and _completed(toks, last):
        return False
    if looks_ing(low) and use == "noun" and not _takes_object(toks, last):
        return False  # "from the beginning", "in writing": no verb any more
    noun, verb = _can_be_noun(alternative), _can_be_verb(alternative)
    if use == "noun":
        return noun or not verb or looks_ing(low)
    if never_noun(low):
        return True
    return verb if use == "verb" else noun and verb


def never_noun(low: str) -> bool:
    """Is a word that may be a form of a verb never a noun?"""
    return not (_is_both(low) or is_noun(low) or is_mass(low))


def _is_both(low: str) -> bool:
    return low in NOUNS_AND_VERBS or base_of_third(low) in NOUNS_AND_VERBS


def _completed(toks: list[Token], last: int) -> bool:
    """Does a particle complete the verb: "write down", "work it out"?"""
    after = [t.low for t in toks[last + 1 : last + 3]]
    return any(w in _PARTICLES for w in after[:1]) or (
        len(after) == 2 and after[0] in PRONOUNS and after[1] in _PARTICLES
    )


def _takes_object(toks: list[Token], last: int) -> bool:
    """Does something follow that an -ing form may take: "by leveraging the cable"?"""
    if last + 1 >= len(toks):
        return False
    after = toks[last + 1]
    return after.kind != "punct" and after.low not in PREPOSITIONS and after.low not in AUXILIARIES


def use_of(toks: list[Token], at: int) -> str:
    """The word noun or verb, by the words around, or empty where they do not tell."""
    after = toks[at + 1].low if at + 1 < len(toks) else ""
    in_s = base_of_third(toks[at].low) is not None
    before = at - 1
    while before >= 0 and is_adverb(toks[before].low) and toks[before].low not in DETERMINERS:
        before -= 1
    low = toks[before].low if before >= 0 else ""
    if low in ("to", *SUBJECT_PRONOUNS) or low in AUXILIARIES or (low in ("that", "which") and in_s):
        return "verb"
    if low in DETERMINERS or low == "'s" or low in PREPOSITIONS or (before >= 0 and toks[before].kind == "number"):
        return "noun"
    left = look_left(toks, at)
    if in_s:
        if before < 0 or left.role == "object" or after in TO_SINGULAR_VERB or after in MODALS:
            return "noun"  # no verb in -s opens a sentence, follows another verb, or has one behind it
        return "verb" if after in DETERMINERS or after in PRONOUNS else ""
    if before >= 0 and is_plural_looking(low) and singular(low):  # "the crews work": a noun and its verb
        if after in BE_HAVE_DO or third_person(after) == "verb":
            return "noun"
        return "verb" if after in DETERMINERS or after in PRONOUNS else ""
    if left.determiner >= 0 and left.role in ("subject", "object", "governed", "led", "told"):
        return "noun"
    return "verb" if after in DETERMINERS or after in PRONOUNS else ""


def one_whole(toks: list[Token], first: int) -> bool:
    """Does a word before the noun speak of it as one: the whole, an entire, a single?"""
    at = first - 1
    while at >= 0 and toks[at].kind == "word" and toks[at].low not in DETERMINERS:
        if toks[at].low in _WHOLE:
            return True
        at -= 1
    return False


def verb_base(low: str) -> str | None:
    """The verb of which the word may be a form, or None."""
    for base in (low, base_of_third(low), irregular_base(low)):
        if base is not None and is_base_verb(base):
            return base
    if looks_ed(low):
        return next((b for b in (low[:-2], low[:-1], low[:-3]) if is_base_verb(b)), None)
    if looks_ing(low):
        return next((b for b in (low[:-3], low[:-3] + "e", low[:-4]) if is_base_verb(b)), None)
    return None


def _can_be_verb(alternative: str) -> bool:
    low = alternative.lower().split(" ")[0]
    return low in NOUNS_AND_VERBS or verb_base(low) is not None or low.endswith(_VERB_ENDINGS)


def _can_be_noun(alternative: str) -> bool:
    low = alternative.lower()
    one = singular(low) if number(low) == "pl" else low
    if one is not None and (is_noun(one.split(" ")[-1]) or is_mass(one) or is_irregular(one) or alternative.isupper()):
        return True
    return number(low) == "pl" and not _can_be_verb(low)
