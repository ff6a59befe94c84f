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
from pipeline.inflect.lexicon import is_base_verb, is_noun, is_past, only_verb, third_person
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, looks_ed, looks_ing

BE = frozenset("is are was were be been being am isn't aren't wasn't weren't".split())
AUXILIARIES = BE | MODALS | frozenset(BE_HAVE_DO) | frozenset(TO_SINGULAR_VERB) | frozenset(("have", "do"))
COORDINATORS = frozenset(("and", "or", "but", "nor", "then"))
_LINKING = frozenset("become becomes became remain remains seem seems appear appears".split())
_MENTIONS = frozenset("word words term terms name names named called topic label labelled keyword phrase".split())
_SPANS = frozenset(
    "day night morning evening afternoon week weekend month year decade hour minute second time moment season quarter "
    "way case point reason stage step instance occasion session".split()
)
"""Nouns that say when, where or how without a preposition: "each day telemetry arrives"."""
_POINTING = frozenset("each every this that these those another either neither any some no".split())
_OBJECT_PRONOUNS = frozenset("me him us them".split())
_NO_OWNERS = frozenset("it that this there here what who he she let where when how".split())
_CONTENT_TAKERS = frozenset(
    "argue assume believe claim conclude confirm ensure expect feel find guess hear hope imply indicate "
    "know learn mean note notice prove report say see show suggest think understand warn wish".split()
)
"""Verbs after which a whole clause may stand without "that"."""


class Left(NamedTuple):
    """Left of a noun. `determiner` and `boundary` are token indexes or -1.

    Roles: subject; opened (a subject after `when`, `before` … at the start of a clause); object; told (the
    object of a verb like `know`, or the subject of the clause it takes); governed (by a preposition: no
    verb agrees with it); led (so, at the head of a clause); beside (perhaps so, perhaps a subject after "at
    night"); before (after `before` … in mid-sentence: governed or subject); inverted and
    existential (the verb that agrees stands at `boundary`); either (an -ing or -ed form in the phrase makes
    it subject or object); unknown.
    """

    determiner: int
    boundary: int
    role: str


def look_left(toks: list[Token], first: int) -> Left:
    """What stands left of the noun whose first token is `first`."""
    determiner, at = -1, first - 1
    chain: list[Token] = []
    while at >= 0 and toks[at].kind == "word":
        low = toks[at].low
        if low in DETERMINERS and not (low == "one" and chain):
            determiner = at
            at -= 1
            while at >= 0 and toks[at].low in ("all", "both", "such", "half", "not", "only", "even"):
                at -= 1
            while at >= 0 and is_adverb(toks[at].low) and toks[at].low not in CLAUSE_OPENERS:
                at -= 1
            break
        if low == "'s" and at > 0 and toks[at - 1].kind == "word" and toks[at - 1].low not in _NO_OWNERS:
            owner = look_left(toks, at - 1)
            return Left(at, owner.boundary, _role(toks, owner.boundary, at, chain))
        if _stops(low):
            break
        chain.append(toks[at])
        at -= 1
    return Left(determiner, at, _role(toks, at, determiner, chain))


def _stops(low: str) -> bool:
    """Does this word end the noun phrase to its right?"""
    closed = low in PREPOSITIONS or low in CLAUSE_OPENERS or low in EITHER_WAY or low in PRONOUNS
    return closed or low in AUXILIARIES or low == "'s" or only_verb(low) or third_person(low) != ""


def _role(toks: list[Token], at: int, determiner: int, chain: list[Token]) -> str:
    if chain and (chain[0].low in _MENTIONS or _says_when(toks, determiner, chain)):
        return "unknown"
    if determiner >= 0 and toks[determiner].low in ("which", "what", "whose"):
        return "subject"
    word = toks[at].low if at >= 0 and toks[at].kind != "punct" else ""
    if at >= 0 and toks[at].kind in ("opaque", "number"):
        return "unknown"
    shape = _verb_in(chain, determiner >= 0)
    if not word or word in CLAUSE_OPENERS:
        return shape or "subject"
    before = toks[at - 1].low if at else ""
    opening = at == 0 or toks[at - 1].kind == "punct" or before in CLAUSE_OPENERS or before in QUESTION_WORDS
    if word in AUXILIARIES:
        return _after_auxiliary(word, before, opening, determiner, shape)
    if word in PREPOSITIONS:
        if word == "to" and chain and is_base_verb(chain[-1].low):
            return "governed"  # "to store telemetry is cheap"
        if chain and word != "of":
            return "beside"  # "at night telemetry is": whose noun is it?
        return "led" if opening and word != "of" else "governed"
    if word in EITHER_WAY:
        if determiner >= 0 and toks[determiner].low in _POINTING and chain and is_noun(chain[0].low):
            return "unknown"  # "for this run telemetry is kept": whose determiner is it?
        return shape or ("opened" if opening else "before")
    if word in QUESTION_WORDS:
        return "either"
    if word in _LINKING or word in _MENTIONS or word == "'s":
        return "unknown"
    if word in _OBJECT_PRONOUNS:
        return "told"
    if word in PRONOUNS:
        return "object" if chain else "unknown"
    base = base_of_third(word) if third_person(word) else word
    return "told" if base in _CONTENT_TAKERS and not chain_has_verb(chain) else "object"


def _says_when(toks: list[Token], determiner: int, chain: list[Token]) -> bool:
    """Does the determiner belong to a word that says when or how, and not to the noun?"""
    return determiner >= 0 and toks[determiner].low in _POINTING and any(t.low in _SPANS for t in chain)


def _after_auxiliary(word: str, before: str, opening: bool, determiner: int, shape: str) -> str:
    inverted = opening or before in ("nor", "neither", "so")
    if shape:
        return "object" if word not in BE else "unknown"
    if word in BE:
        if before in ("there", "here"):
            return "existential"
        if inverted:
            return "inverted" if word in BE_HAVE_DO else "unknown"
        return "object" if word in ("are", "were") else "unknown"
    if inverted:
        return "inverted"
    return "object" if word in ("has", "have", "had") and determiner >= 0 else "unknown"


def _verb_in(chain: list[Token], determined: bool) -> str:
    """ "object" or "either" when a word between may be the verb that takes the noun, else nothing.

    `chain` holds the words left of the noun, nearest first. The word next to the determiner is an adjective
    or a noun ("the incoming telemetry"); one further right may be a verb ("the pump sending telemetry").
    """
    words = [t.low for t in chain if not is_adverb(t.low)]
    inner = words[:-1] if determined else words
    if len(words) >= 2 and is_base_verb(words[0]) and is_plural_looking(words[1]):
        return "object"  # Engineers review telemetry
    if any(looks_ing(w) for w in inner):
        return "either"
    if any(looks_ed(w) or is_past(w) or is_base_verb(w) for w in (words[:-1])):
        return "either"
    return ""


def chain_has_verb(chain: list[Token]) -> bool:
    """May one of the words be a verb form?"""
    return any(looks_ing(t.low) or looks_ed(t.low) or is_past(t.low) for t in chain)


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
    if token.text == "(":
        closing = next((n for n in range(at, len(toks)) if toks[n].text == ")"), -1)
        return look_right(toks, closing + 1) if closing > 0 else Right("other", at)
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
    if low in PREPOSITIONS or low in EITHER_WAY or low in CLAUSE_OPENERS or low in PRONOUNS or low in DETERMINERS:
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
