"""Put a mass noun for one plural noun of a sentence, with everything that agrees with it; or say that it
cannot be done for certain. Pure."""

from __future__ import annotations

from pipeline.inflect.clause import finites
from pipeline.inflect.closed import (
    PLURAL_BACK_REFERENCES,
    PLURAL_NUMBERS,
    PLURAL_ONLY,
    TO_SINGULAR,
    TO_SINGULAR_VERB,
)
from pipeline.inflect.edits import Change, Edits, determiner_edit, share_of, verb_edit
from pipeline.inflect.lexicon import is_base_verb, is_noun, only_verb
from pipeline.inflect.phrase import AUXILIARIES, BE, COORDINATORS, Left, Right, look_left, look_right
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import third


def singularized(toks: list[Token], first: int, last: int) -> Change | None:
    """Replace the plural noun `toks[first..last]` by a mass noun. None where agreement is in doubt."""
    left = look_left(toks, first)
    if left.role in ("unknown", "either", "before") or share_of(toks, left) is not left:
        return None
    if any(t.low in PLURAL_BACK_REFERENCES for t in toks) or _counted(toks, left, first):
        return None
    after = last + 1
    if after < len(toks) and toks[after].text in ("'", "\u2019"):
        return None
    right = look_right(toks, after)
    edits = determiner_edit(toks, left, TO_SINGULAR, right)
    if edits is not None and right.kind == "finite" and left.role == "governed":
        return Change("sg", tuple(edits))
    if edits is None or right.kind in ("other", "ing", "adverb", "maybe", "finite", "relative"):
        return None
    if right.kind == "word":
        low = toks[right.at].low
        return Change("sg", ()) if is_noun(low) and not is_base_verb(low) and right.at == after else None
    if left.role in ("inverted", "existential"):
        made = verb_edit(toks, left.boundary, TO_SINGULAR_VERB)
        bare = right.kind == "base" and only_verb(toks[right.at].low)  # "do metrics arrive"
        return Change("sg", tuple(edits + made)) if made and (bare or right.kind in ("end", "link")) else None
    if right.kind == "base":
        return _agreeing(toks, left, right, edits)
    if left.role == "object" and toks[left.boundary].low in BE:
        return None  # "these are logs"
    if left.role in ("object", "governed", "led"):
        plain = not (right.at < len(toks) and toks[right.at].low in ("and", "or"))
        return Change("sg", tuple(edits)) if plain or not is_noun(_low(toks, right.at + 2)) else None
    if left.role == "told":
        return None if finites(toks, right.at) else Change("sg", tuple(edits))
    return Change("sg", tuple(edits)) if not finites(toks, right.at + 1) and right.kind in ("past", "end") else None


def _low(toks: list[Token], at: int) -> str:
    return toks[at].low if at < len(toks) else ""


def _counted(toks: list[Token], left: Left, first: int) -> bool:
    """Do a number or a counting determiner ask for a plural?"""
    if any(t.low in PLURAL_NUMBERS for t in toks[:first]) or (first and toks[first - 1].kind == "number"):
        return True
    counting = (PLURAL_ONLY | {"a", "an", "each", "every", "one", "another"}) - set(TO_SINGULAR)
    return left.determiner >= 0 and toks[left.determiner].low in counting


def _agreeing(toks: list[Token], left: Left, right: Right, edits: Edits) -> Change | None:
    """The change for a subject, with the one verb behind it."""
    low = toks[right.at].low
    if left.role not in ("subject", "opened", "told") or _low(toks, left.boundary) in ("and", "or"):
        return None
    if any(t.low in COORDINATORS or t.text == "," for t in toks[right.at :]):
        return None
    verb = TO_SINGULAR_VERB.get(low) or (third(low) if only_verb(low) and low not in AUXILIARIES else None)
    if verb is None:
        return None
    return Change("sg", (*edits, (toks[right.at].start, toks[right.at].end, verb)))
