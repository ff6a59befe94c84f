"""Change the number of one noun in a sentence, and everything that agrees with it; or say that it cannot be
done for certain. Pure."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.inflect.closed import (
    BACK_REFERENCES,
    BE_HAVE_DO,
    CLAUSE_OPENERS,
    DETERMINERS,
    EITHER_WAY,
    MODALS,
    PLURAL_BACK_REFERENCES,
    PLURAL_NUMBERS,
    PLURAL_ONLY,
    PRONOUNS,
    QUANTITIES,
    QUESTION_WORDS,
    SINGULAR_ONLY,
    TO_PLURAL,
    TO_SINGULAR,
    TO_SINGULAR_VERB,
    is_adverb,
)
from pipeline.inflect.lexicon import is_base_verb, is_noun, is_past, only_verb, third_person
from pipeline.inflect.phrase import (
    AUXILIARIES,
    COORDINATORS,
    Left,
    Right,
    look_left,
    look_right,
    thirds_after,
)
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, looks_ed, third

_SHARES = frozenset(
    "most some all much none half any more plenty lots lot majority rest part percent each one".split()
)
_NEW_CLAUSE = frozenset("that which who when if because while until how whether where".split())
_BARE_VERB_TAKERS = frozenset(
    "let lets make makes made help helps see sees watch watches hear hears have has had".split()
)


class Change(NamedTuple):
    """How to replace a noun: in which number (`sg` or `pl`), with which other edits.

    `edits` are (start, end, text) in the prose, none of them inside the noun.
    """

    number: str
    edits: tuple[tuple[int, int, str], ...]


def pluralized(toks: list[Token], first: int, last: int) -> Change | None:
    """Replace the singular noun `toks[first..last]` by a plural one. None where agreement is in doubt.

    The change may say `sg` all the same: after `a` or `each`, and where the noun only modifies the next.
    """
    left = look_left(toks, first)
    if left.role == "unknown" or _taken_by_quantity(toks, left):
        return None
    after = last + 1
    if after < len(toks) and toks[after].low == "'s":
        return _possessive(toks, left, after)
    if left.determiner >= 0 and toks[left.determiner].low in SINGULAR_ONLY:
        return Change("sg", ())
    right = look_right(toks, after)
    edits = _determiner(toks, left, TO_PLURAL)
    if edits is None or right.kind in ("other", "ing", "adverb"):
        return None
    if right.kind == "word" or (right.kind == "base" and not only_verb(toks[right.at].low)):
        if left.role == "inverted" and is_base_verb(toks[right.at].low):
            return _finish(toks, left, edits + _verb_at(toks, left.boundary), right)
        taken = left.boundary >= 0 and toks[left.boundary].low in _BARE_VERB_TAKERS | {"and"}
        fits = is_noun(toks[right.at].low) and right.at == after
        return Change("sg", ()) if fits and not (taken and is_base_verb(toks[right.at].low)) else None
    if right.kind == "maybe":
        reading = _verb_or_noun(toks, right.at) if left.role in ("subject", "opened") else ""
        if reading == "noun" and is_noun(toks[right.at].low):
            return Change("sg", ())
        if reading != "verb":
            return None
        right = Right("finite", right.at)
    if any(t.low in BACK_REFERENCES for t in toks):
        return None
    if left.role in ("inverted", "existential"):
        if right.kind == "finite":
            return None
        return _finish(toks, left, edits + _verb_at(toks, left.boundary), right)
    return _agreeing(toks, left, right, edits)


def _agreeing(
    toks: list[Token], left: Left, right: Right, edits: list[tuple[int, int, str]]
) -> Change | None:
    """The change for a head noun, with the verbs that follow it."""
    governed = left.role == "governed"
    if right.kind == "relative":
        inner = look_right(toks, right.at + 1)
        if inner.kind == "maybe":
            inner = Right("finite", inner.at)
        if inner.kind == "finite":
            if governed or left.role in ("governed?", "opened"):
                return None
            edits = edits + _verb_at(toks, inner.at)
        elif inner.kind not in ("link", "past"):
            return None
        if left.role == "subject" and thirds_after(toks, inner.at + 1, coordinated=False):
            return None
        return Change("pl", tuple(edits))
    if right.kind == "finite":
        if governed:
            return Change("pl", tuple(edits))
        if left.role == "governed?":
            return None
        return _finish(toks, left, edits + _verb_at(toks, right.at), right)
    if right.kind == "base" and left.role in ("subject", "opened"):
        return None
    if right.kind == "past":
        participle = toks[right.at].low not in MODALS  # "collected at night" may be no verb of the clause
        if participle and left.role != "object" and thirds_after(toks, right.at + 1, coordinated=False):
            return None
        return _finish(toks, left, edits, right)
    if _modifies_behind_and(toks, right.at):
        return None
    if left.role in ("subject", "opened") and thirds_after(toks, right.at, coordinated=False):
        return None
    return Change("pl", tuple(edits))


def _finish(toks: list[Token], left: Left, edits: list[tuple[int, int, str]], right: Right) -> Change | None:
    """Verbs that share the subject with the one just handled: `arrives late and fills the queue`."""
    if left.role in ("object", "governed") and right.kind != "finite":
        return Change("pl", tuple(edits))
    other_clause = False
    opener = toks[left.boundary].low if left.boundary >= 0 else ""
    for at in range(right.at + 1, len(toks)):
        low = toks[at].low
        if toks[at].text == "," and (opener in EITHER_WAY or opener in CLAUSE_OPENERS - COORDINATORS):
            sure = at + 1 < len(toks) and third_person(toks[at + 1].low) == "verb"
            return None if sure else Change("pl", tuple(edits))  # "When telemetry stops, the pump …"
        if low in COORDINATORS or toks[at].text == ",":
            step = at + 1
            while step < len(toks) and (is_adverb(toks[step].low) or toks[step].low in COORDINATORS):
                step += 1
            kind = third_person(toks[step].low) if step < len(toks) and toks[step].kind == "word" else ""
            if kind == "verb" and not other_clause:
                edits = edits + _verb_at(toks, step)
            elif kind:
                return None
        elif low in _NEW_CLAUSE:
            other_clause = True
        elif third_person(low) and toks[at - 1].low not in DETERMINERS:
            other_clause = other_clause or toks[at].start not in {start for start, _, _ in edits}
    return Change("pl", tuple(edits))


def singularized(toks: list[Token], first: int, last: int) -> Change | None:
    """Replace the plural noun `toks[first..last]` by a mass noun. None where agreement is in doubt."""
    left = look_left(toks, first)
    if left.role == "unknown" or _taken_by_quantity(toks, left):
        return None
    if any(t.low in PLURAL_BACK_REFERENCES for t in toks) or any(
        t.low in PLURAL_NUMBERS for t in toks[:first]
    ):
        return None
    before = toks[first - 1] if first else None
    if before is not None and before.kind == "number":
        return None
    if left.determiner >= 0 and toks[left.determiner].low in (PLURAL_ONLY | {"a", "an"}) - set(TO_SINGULAR):
        return None
    after = last + 1
    if after < len(toks) and toks[after].text in ("'", "\u2019"):
        return None
    edits = _determiner(toks, left, TO_SINGULAR)
    right = look_right(toks, after)
    if edits is None or right.kind in ("other", "ing", "adverb", "maybe", "finite"):
        return None
    if right.kind == "word":
        low = toks[right.at].low
        return Change("sg", ()) if is_noun(low) and not is_base_verb(low) and right.at == after else None
    if left.role in ("inverted", "existential"):
        made = _verb_at(toks, left.boundary, TO_SINGULAR_VERB)
        return Change("sg", tuple(edits + made)) if made and right.kind in ("end", "link") else None
    if right.kind == "base":
        low = toks[right.at].low
        if left.role != "subject" or any(t.low in COORDINATORS for t in toks[right.at :]):
            return None
        verb = TO_SINGULAR_VERB.get(low) or (third(low) if only_verb(low) else None)
        if verb is None:
            return None
        return Change("sg", (*edits, (toks[right.at].start, toks[right.at].end, verb)))
    if right.kind == "relative" or (left.role == "subject" and right.kind not in ("past", "end")):
        return None
    if left.role == "governed?" or _modifies_behind_and(toks, right.at):
        return None
    return Change("sg", tuple(edits))


def _determiner(toks: list[Token], left: Left, table: dict[str, str]) -> list[tuple[int, int, str]] | None:
    """The edit that makes the determiner agree, none, or None when it is uncertain what it is."""
    if left.determiner < 0:
        return []
    token = toks[left.determiner]
    if token.low == "that" and left.determiner > 0:
        before = toks[left.determiner - 1]
        sure = left.role == "governed" or before.low in ("all", "is", "are") or before.kind == "punct"
        if not sure:
            return None
    made = table.get(token.low)
    if made is None:
        return []
    return [(token.start, token.end, like(token.text, made))]


def _verb_at(toks: list[Token], at: int, table: dict[str, str] = BE_HAVE_DO) -> list[tuple[int, int, str]]:
    """The edit that gives the verb at `at` the other number; nothing for a verb that shows none."""
    token = toks[at]
    made = table.get(token.low)
    if made is None and table is BE_HAVE_DO and third_person(token.low):
        made = base_of_third(token.low)
    return [(token.start, token.end, like(token.text, made))] if made else []


def like(model: str, word: str) -> str:
    """`word` with the capitals of `model`: none, the first, or all."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _possessive(toks: list[Token], left: Left, at: int) -> Change | None:
    """`telemetry's value`: the owner's number is nobody's business but the determiner's."""
    if at + 1 >= len(toks) or not is_noun(toks[at + 1].low) or any(t.low in BACK_REFERENCES for t in toks):
        return None
    if left.determiner >= 0 and toks[left.determiner].low in SINGULAR_ONLY:
        return Change("sg", ())
    edits = _determiner(toks, left, TO_PLURAL)
    if edits is None:
        return None
    mark = toks[at]
    return Change("pl", (*edits, (mark.start, mark.end, mark.text[0])))


def _taken_by_quantity(toks: list[Token], left: Left) -> bool:
    """`an amount of …`, `most of the …`: words that choose by number, or pass it on to the verb."""
    at = left.boundary
    return at >= 1 and toks[at].low == "of" and toks[at - 1].low in QUANTITIES | _SHARES


def _modifies_behind_and(toks: list[Token], at: int) -> bool:
    """`telemetry and log data`: does the noun share a head that comes later?"""
    if at + 2 >= len(toks) or toks[at].low not in ("and", "or"):
        return False
    return toks[at + 1].kind == "word" and is_noun(toks[at + 2].low) and toks[at + 1].low not in DETERMINERS


def _verb_or_noun(toks: list[Token], at: int) -> str:
    """Is the word in -s at `at`, right after a singular noun, its verb or the head of a compound?"""
    base = base_of_third(toks[at].low)
    if at + 1 >= len(toks) or base is None or not is_base_verb(base):
        return ""
    follower = toks[at + 1]
    if follower.low == "that":
        behind = toks[at + 2].low if at + 2 < len(toks) else ""
        if is_base_verb(behind) or behind in AUXILIARIES or looks_ed(behind) or is_past(behind):
            return ""
        return "verb"
    if follower.low in DETERMINERS or follower.low in QUESTION_WORDS or follower.low in PRONOUNS:
        return "verb"
    if follower.low in AUXILIARIES and follower.low not in BE_HAVE_DO:
        return "noun"
    for t in range(at + 1, len(toks)):
        low, before = toks[t].low, toks[t - 1].low
        if toks[t].kind != "word" or before in DETERMINERS:
            continue
        if low in AUXILIARIES or third_person(low) or is_base_verb(low) or is_past(low) or looks_ed(low):
            return ""
    return "verb"
