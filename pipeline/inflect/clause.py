"""Which words of a sentence may be its finite verbs, and whose. Pure."""

from __future__ import annotations

from pipeline.inflect.closed import (
    BE_HAVE_DO,
    CLAUSE_OPENERS,
    DETERMINERS,
    EITHER_WAY,
    PLURAL_NUMBERS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SUBJECT_PRONOUNS,
    TO_SINGULAR_VERB,
    is_adverb,
)
from pipeline.inflect.lexicon import is_base_verb, is_noun, is_past, only_verb, third_person
from pipeline.inflect.phrase import AUXILIARIES, COORDINATORS, Left, is_plural_looking
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, looks_ed

NEW_CLAUSE = frozenset("that which who what when if because while until how whether where".split())


def may_be_third(toks: list[Token], at: int) -> bool:
    """May the word at `at` be a singular verb, seen by itself and the word before it?"""
    low, before = toks[at].low, toks[at - 1].low if at else ""
    if toks[at].kind != "word" or before in DETERMINERS or (before in PREPOSITIONS and before != "to"):
        return False
    kind = third_person(low)
    if kind != "maybe":
        return kind == "verb" or low in BE_HAVE_DO
    base = base_of_third(low)
    return base is not None and (is_base_verb(base) or not is_noun(low))


def may_be_finite(toks: list[Token], at: int) -> bool:
    """May the word at `at` be a finite verb of any number and tense?"""
    low, before = toks[at].low, toks[at - 1].low if at else ""
    if toks[at].kind != "word" or before in DETERMINERS or before == "to":
        return False
    if low in AUXILIARIES or may_be_third(toks, at):
        return True
    if is_past(low) or looks_ed(low):
        return before not in AUXILIARIES
    subject = is_plural_looking(before) or before in PRONOUNS
    if before in PREPOSITIONS or before in AUXILIARIES:
        return False
    return is_base_verb(low) and (subject or only_verb(low))


def thirds_after(toks: list[Token], start: int) -> int:
    """How many words from index `start` on may be singular verbs."""
    return sum(may_be_third(toks, at) for at in range(start, len(toks)))


def finites(toks: list[Token], start: int = 0) -> list[int]:
    """Indexes from `start` on of all words that may be finite verbs."""
    return [at for at in range(start, len(toks)) if may_be_finite(toks, at)]


def is_sentence(toks: list[Token]) -> bool:
    """Does the text end like a sentence? A heading may lack a verb, a sentence may not."""
    return bool(toks) and toks[-1].text in ".!?"


def is_simple(toks: list[Token], start: int) -> bool:
    """Is there but one clause from index `start` on: no comma, conjunction, relative or parenthesis?"""
    for token in toks[start:-1]:
        if token.kind == "punct" and token.text not in "'\u2019-":
            return False
        low = token.low
        if low in COORDINATORS or low in NEW_CLAUSE or low in CLAUSE_OPENERS or low in EITHER_WAY:
            return False
    return True


def verb_or_noun(toks: list[Token], at: int, opener: str) -> str:
    """Is the word in -s at `at`, right after a singular noun, its verb or the head of a compound?

    `opener` is the conjunction that opens the clause, or empty. The answer is verb, noun, or empty where
    it may be either.
    """
    base = base_of_third(toks[at].low)
    if at + 1 >= len(toks) or base is None or (not is_base_verb(base) and is_noun(toks[at].low)):
        return ""
    known = is_base_verb(base)
    step = at + 1
    while step < len(toks) and is_adverb(toks[step].low):
        step += 1
    follower = toks[min(step, len(toks) - 1)]
    if follower.low == "that":
        behind = toks[step + 1].low if step + 1 < len(toks) else ""
        plural = is_base_verb(behind) or behind in AUXILIARIES or looks_ed(behind) or is_past(behind)
        return "verb" if known and not plural else ""
    if follower.low in DETERMINERS or follower.low in QUESTION_WORDS or follower.low in PRONOUNS:
        return "verb" if known else ""
    if follower.low in TO_SINGULAR_VERB or only_verb(follower.low):
        return "noun"
    if follower.kind == "number" or follower.low in PLURAL_NUMBERS:
        return "verb" if known else ""
    end = len(toks)
    if opener in CLAUSE_OPENERS - COORDINATORS:  # the clause ends with the comma, and needs a verb before it
        end = next((n for n in range(at, len(toks)) if toks[n].text == ","), end)
    elif not is_sentence(toks):
        return ""
    if any(n != at and may_be_finite(toks, n) for n in range(at - 1, end)):
        return ""
    return "verb" if end < len(toks) or is_simple(toks, 0) else ""


def use_of_ed(toks: list[Token], at: int) -> str | None:
    """Is the -ed form at `at` a "past" tense or a "participle"? None where it may be either."""
    before = at - 1
    while before >= 0 and (is_adverb(toks[before].low) or toks[before].low == "not"):
        before -= 1
    if before < 0 or toks[before].kind == "punct":
        return "participle" if before < 0 else None
    low = toks[before].low
    if low in AUXILIARIES or low == "having" or low in DETERMINERS or low in PREPOSITIONS or low == "'s":
        return "participle" if low not in TO_SINGULAR_VERB or low in ("are", "were", "have") else None
    if low in SUBJECT_PRONOUNS:
        return "past"
    if low in COORDINATORS:
        return None
    if low in CLAUSE_OPENERS or low in EITHER_WAY:
        return "participle"
    sole = not any(n != at and may_be_finite(toks, n) for n in range(len(toks)))
    return "past" if sole and is_sentence(toks) and is_simple(toks, 0) else None


def fronted(toks: list[Token], left: Left, verb: int) -> bool:
    """`How much telemetry do we keep?`: is the noun an object drawn to the front of a question?"""
    first = left.boundary if left.boundary >= 0 else left.determiner
    if first < 0 or verb >= len(toks) or toks[first].low not in ("how", "which", "what", "whose"):
        return False
    behind = toks[verb + 1].low if verb + 1 < len(toks) else ""
    return toks[verb].low in AUXILIARIES and (behind in PRONOUNS or behind in DETERMINERS)
