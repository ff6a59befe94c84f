"""What stands around a noun: its determiner, what governs it, and which verb would change with it.

No parser: closed classes, small lexicons and word order. Each question has a third answer, "cannot tell".
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.inflect.closed import (
    ADVERBS,
    BE_HAVE_DO,
    CLAUSE_OPENERS,
    DETERMINERS,
    EITHER_WAY,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    TO_SINGULAR_VERB,
    is_adverb,
)
from pipeline.inflect.lexicon import is_base_verb, is_past, only_verb, third_person
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import looks_ed, looks_ing

BE = frozenset("is are was were be been being am isn't aren't wasn't weren't".split())
AUXILIARIES = BE | MODALS | frozenset(BE_HAVE_DO) | frozenset(TO_SINGULAR_VERB) | frozenset(("have", "do"))
COORDINATORS = frozenset(("and", "or", "but", "nor", "then"))
_LINKING = frozenset("become becomes became remain remains seem seems appear appears".split())
_MENTIONS = frozenset(
    "word words term terms name names named called topic label labelled keyword phrase".split()
)


class Left(NamedTuple):
    """Left of a noun. `role` is subject, object, governed, inverted, existential or unknown.

    `determiner` and `boundary` are token indexes or -1. Inverted and existential: the verb that agrees
    stands at `boundary`. Governed: a preposition takes the noun, so no verb agrees with it.
    """

    determiner: int
    boundary: int
    role: str


def look_left(toks: list[Token], first: int) -> Left:
    """What stands left of the noun whose first token is `first`."""
    determiner, at = -1, first - 1
    chain: list[Token] = []
    while at >= 0:
        token = toks[at]
        if token.kind != "word":
            break
        if token.low in DETERMINERS and not (token.low == "one" and chain):
            determiner = at
            at -= 1
            while at >= 0 and toks[at].low in ("all", "both", "such", "half", "not", "only", "even", "of"):
                if toks[at].low == "of":
                    break
                at -= 1
            break
        if _stops(token.low):
            break
        chain.append(token)
        at -= 1
    return Left(determiner, at, _role(toks, at, determiner, chain))


def _stops(low: str) -> bool:
    """Does this word end the noun phrase to its right?"""
    return (
        low in PREPOSITIONS
        or low in CLAUSE_OPENERS
        or low in EITHER_WAY
        or low in PRONOUNS
        or low in AUXILIARIES
        or low == "'s"
        or only_verb(low)
        or third_person(low) != ""
    )


def _role(toks: list[Token], at: int, determiner: int, chain: list[Token]) -> str:
    if chain and chain[0].low in _MENTIONS:
        return "unknown"
    if determiner >= 0 and toks[determiner].low in ("which", "what", "whose"):
        return "subject"
    if at < 0 or toks[at].kind == "punct":
        return "object" if determiner < 0 and _verb_in(chain) else "subject"
    word = toks[at].low
    before = toks[at - 1].low if at else ""
    opening = at == 0 or toks[at - 1].kind == "punct" or before in CLAUSE_OPENERS or before in QUESTION_WORDS
    if word in BE:
        if before in ("there", "here"):
            return "existential"
        if opening or before in ("nor", "neither", "so"):
            return "inverted" if word in BE_HAVE_DO else "unknown"
        return "object" if word in ("are", "were") else "unknown"
    if word in AUXILIARIES:
        if opening or before in ("nor", "neither", "so"):
            return "inverted"
        return "object" if word in ("has", "have", "had") and determiner >= 0 else "unknown"
    if word in PREPOSITIONS:
        return "governed"
    if word in EITHER_WAY:
        return "opened" if opening else "governed?"
    if word in CLAUSE_OPENERS:
        return "object" if determiner < 0 and _verb_in(chain) else "subject"
    if word in _LINKING or word in _MENTIONS or word == "'s":
        return "unknown"
    if word in PRONOUNS:
        return "object" if chain else "unknown"
    return "object"


def _verb_in(chain: list[Token]) -> bool:
    """Is the word next to the noun a verb with a subject before it: `Engineers review telemetry`?

    `chain` holds the words left of the noun, nearest first.
    """
    words = [t.low for t in chain if not is_adverb(t.low)]
    if len(words) < 2:
        return False
    verb, subject = words[0], words[1]
    if looks_ed(verb) or is_past(verb):
        return is_plural_looking(subject)
    return is_base_verb(verb) and is_plural_looking(subject)


def is_plural_looking(low: str) -> bool:
    """Does the word end like a plural noun?"""
    return (low.endswith("s") and not low.endswith(("ss", "us", "is"))) or low in ("people", "men", "women")


class Right(NamedTuple):
    """Right of a noun: `kind` of what follows, and the index of the token that decides, or -1.

    Kinds: end, link (preposition, conjunction, comma …), finite (a singular verb), maybe (a word in -s that
    may be one), past (a verb without number), base, relative, word, other.
    """

    kind: str
    at: int


def look_right(toks: list[Token], after: int) -> Right:
    """What follows at token index `after`; adverbs are stepped over when a verb comes behind them."""
    at = after
    while at < len(toks) and toks[at].kind == "word" and is_adverb(toks[at].low):
        at += 1
    if at >= len(toks):
        return Right("end", at)
    token = toks[at]
    if token.kind == "punct":
        if token.text == "," and at == after and at + 1 < len(toks) and toks[at + 1].low in ("which", "who"):
            return Right("relative", at + 1)
        return Right(
            "link" if token.text in ",;:()\u2013\u2014" else "end" if token.text in ".!?\u2026" else "other",
            at,
        )
    if token.kind != "word":
        return Right("other", at)
    low = token.low
    if low in ("that", "which", "who"):
        return Right("relative", at)
    third = third_person(low)
    if third == "verb" or low in BE_HAVE_DO:
        return Right("finite", at)
    if low in AUXILIARIES:
        return Right("past" if low in MODALS else "base", at)
    if (
        low in PREPOSITIONS
        or low in EITHER_WAY
        or low in CLAUSE_OPENERS
        or low in PRONOUNS
        or low in DETERMINERS
    ):
        return Right("link", at)
    if third == "maybe":
        return Right("maybe", at)
    if at > after and not (only_verb(low) or is_base_verb(low) or is_past(low) or looks_ed(low)):
        return Right("adverb" if toks[after].low in ADVERBS else "other", after)
    if is_past(low) and not is_base_verb(low):
        return Right("past", at)
    if looks_ed(low):
        return Right("past", at)
    if looks_ing(low):
        return Right("ing", at)
    if only_verb(low):
        return Right("base", at)
    return Right("word", at)


def thirds_after(toks: list[Token], start: int, *, coordinated: bool) -> int:
    """How many words from index `start` on may be singular verbs that no clause opener accounts for.

    An opener ("when", "because", "until", "that") brings a clause with a verb of its own, and takes one off.
    With `coordinated` so does "and" before a determiner or pronoun.
    """
    open_verbs = found = 0
    for at in range(start, len(toks)):
        low, before = toks[at].low, toks[at - 1].low if at else ""
        if low in CLAUSE_OPENERS - COORDINATORS or low in EITHER_WAY or low in ("that", "which", "who"):
            open_verbs += 1
        elif low in COORDINATORS and coordinated and at + 1 < len(toks):
            follower = toks[at + 1].low
            open_verbs += follower in DETERMINERS or follower in PRONOUNS
        elif toks[at].kind == "word" and third_person(low) and before not in DETERMINERS:
            if open_verbs:
                open_verbs -= 1
            else:
                found += 1
    return found
