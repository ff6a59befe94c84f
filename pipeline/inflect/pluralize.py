"""Make one singular noun of a sentence plural, with everything that agrees with it; or say that it cannot
be done for certain. Pure."""

from __future__ import annotations

from pipeline.inflect.clause import (
    NEW_CLAUSE,
    finites,
    fronted,
    is_sentence,
    is_simple,
    may_be_third,
    thirds_after,
    verb_or_noun,
)
from pipeline.inflect.closed import (
    BACK_REFERENCES,
    BE_HAVE_DO,
    CLAUSE_OPENERS,
    DETERMINERS,
    EITHER_WAY,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    SINGULAR_ONLY,
    TO_PLURAL,
    TO_SINGULAR_VERB,
    is_adverb,
)
from pipeline.inflect.edits import Change, Edits, determiner_edit, share_of, verb_edit
from pipeline.inflect.lexicon import is_base_verb, is_noun, only_verb, third_person
from pipeline.inflect.phrase import AUXILIARIES, BE, COORDINATORS, Left, Right, look_left, look_right
from pipeline.inflect.tokens import Token

_BARE_VERB_TAKERS = frozenset(
    "let lets make makes made help helps see sees watch watches hear hears have has had".split()
)
_SUBJECTS = frozenset(("subject", "opened", "told"))


def pluralized(toks: list[Token], first: int, last: int) -> Change | None:
    """Replace the singular noun `toks[first..last]` by a plural one. None where agreement is in doubt.

    The change may say `sg` all the same: after `a` or `each`, and where the noun only modifies the next.
    """
    left = look_left(toks, first)
    shared = share_of(toks, left)
    if left.role == "unknown" or shared is None:
        return None
    after = last + 1
    if after < len(toks) and toks[after].low == "'s":
        return _possessive(toks, left, after)
    if left.determiner >= 0 and toks[left.determiner].low in SINGULAR_ONLY:
        # "on each node telemetry is kept": whose determiner is it?
        return None if left.role == "beside" and left.determiner + 1 < first else Change("sg", ())
    right = look_right(toks, after)
    if right.kind in ("other", "ing", "adverb"):
        return None
    if right.kind in ("word", "maybe") or (right.kind == "base" and toks[right.at].low not in AUXILIARIES):
        reading = _compound(toks, left, right, after)
        if reading == "noun":
            return Change("sg", ())
        if reading == "":
            return None
        right = Right("finite" if right.kind == "maybe" else right.kind, right.at)
    edits = determiner_edit(toks, left, TO_PLURAL, right)
    if edits is None or any(t.low in BACK_REFERENCES for t in toks):
        return None
    return _agreeing(toks, shared, right, edits)


def _compound(toks: list[Token], left: Left, right: Right, after: int) -> str:
    """Is the word that follows the head of a compound ("noun"), a verb ("verb"), or unclear (empty)?"""
    low = toks[right.at].low
    if right.kind == "maybe":
        opener = toks[left.boundary].low if left.boundary >= 0 else ""
        reading = verb_or_noun(toks, right.at, opener) if left.role != "either" else ""
        if reading == "noun" or reading == "verb":
            told = left.role in _SUBJECTS or left.role in ("governed", "before")
            return reading if reading == "noun" or told else ""
        plain = left.role == "object" and not any(t.low in NEW_CLAUSE for t in toks[:after])
        return "noun" if plain and is_noun(low) and right.at == after and not _takes_bare(toks, left) else ""
    if left.boundary >= 0 and toks[left.boundary].low in ("let", "lets") and is_base_verb(low):
        return "verb"
    if left.role == "inverted":
        behind = look_right(toks, right.at + 1)
        bare = toks[left.boundary].low not in BE and behind.kind in ("end", "link")
        return "verb" if bare and is_base_verb(low) else ""
    if right.kind == "base" and only_verb(low):
        return "verb"
    if right.at != after or not is_noun(low):
        return ""
    if not is_base_verb(low):
        return "noun"
    follower = toks[right.at + 1] if right.at + 1 < len(toks) else None
    if follower is None or follower.low in DETERMINERS or follower.low in PRONOUNS or _takes_bare(toks, left):
        return ""
    held = left.determiner >= 0 and not any(t.low in NEW_CLAUSE for t in toks[:after])
    finite = right.at + 1 < len(toks) and may_be_third(toks, right.at + 1)
    return "noun" if held or finite or (left.boundary < 0 and left.role == "subject") else ""


def _takes_bare(toks: list[Token], left: Left) -> bool:
    """`let telemetry flow`, `voice and telemetry share`: is a bare verb to be expected after the noun?"""
    return left.boundary >= 0 and toks[left.boundary].low in _BARE_VERB_TAKERS | {"and", "or"}


def _agreeing(toks: list[Token], left: Left, right: Right, edits: Edits) -> Change | None:
    """The change for a head noun, with the verbs that agree with it."""
    subject = left.role in _SUBJECTS
    if left.role in ("inverted", "existential"):
        if right.kind == "finite":
            return None
        made = verb_edit(toks, left.boundary, BE_HAVE_DO)
        sure = made or toks[left.boundary].low in MODALS
        return _coordinated(toks, left, right, edits + made) if sure else None
    if right.kind == "relative":
        return _relative(toks, left, right, edits)
    if right.kind == "finite":
        if left.role == "governed":
            return Change("pl", tuple(edits))
        if _sent_by_another(toks, left):
            return Change("pl", tuple(edits))
        if fronted(toks, left, right.at):
            return Change("pl", tuple(edits)) if toks[right.at].low not in BE else None
        clause = left.role == "before" and finites(toks[: left.boundary]) and toks[right.at].low not in AUXILIARIES
        if not subject and not clause:
            return None
        return _coordinated(toks, left, right, edits + verb_edit(toks, right.at, BE_HAVE_DO))
    if right.kind == "base":  # a plural verb behind a singular noun: it has more than one subject
        several = left.boundary >= 0 and toks[left.boundary].low == "and"
        return Change("pl", tuple(edits)) if several or fronted(toks, left, right.at) else None
    if right.kind == "past":
        participle = toks[right.at].low not in MODALS  # "collected at night" may be no verb of the clause
        if participle and left.role not in ("object", "governed", "led") and thirds_after(toks, right.at + 1):
            return None
        return _coordinated(toks, left, right, edits)
    if _modifies_behind_and(toks, right.at):
        return None
    if left.role in ("object", "governed", "led") or (left.role == "told" and not thirds_after(toks, right.at)):
        return Change("pl", tuple(edits))
    return _distant(toks, left, right, edits)


def _distant(toks: list[Token], left: Left, right: Right, edits: Edits) -> Change | None:
    """A subject with something between it and its verb: `Telemetry from the probe shows drift.`"""
    if not thirds_after(toks, right.at):
        return Change("pl", tuple(edits))
    if right.at < len(toks) and toks[right.at].low == "and" and _plural_verb_behind(toks, right.at):
        return Change("pl", tuple(edits))
    verbs = finites(toks, right.at)
    if len(verbs) == 2 and verbs[1] == verbs[0] + 1 and not only_verb(toks[verbs[1]].low):
        verbs.pop()  # "shows drift": no bare verb agrees with this subject, so it is a noun
    sole = len(verbs) == 1 and left.boundary < 0 and left.role == "subject"
    between = (toks[right.at].low in PREPOSITIONS or toks[right.at].low == "for") and is_simple(toks, right.at)
    if sole and between and is_sentence(toks) and may_be_third(toks, verbs[0]):
        return Change("pl", tuple(edits + verb_edit(toks, verbs[0], BE_HAVE_DO)))
    return None


def _relative(toks: list[Token], left: Left, right: Right, edits: Edits) -> Change | None:
    """`telemetry that arrives late`, and the verb of the main clause behind it."""
    inner = look_right(toks, right.at + 1)
    subject = left.role in _SUBJECTS
    if inner.kind in ("finite", "maybe"):
        if not subject and left.role != "object":
            return None
        edits = edits + verb_edit(toks, inner.at, BE_HAVE_DO)
    elif inner.kind not in ("link", "past"):
        return None
    if left.role in ("object", "governed", "led"):
        return Change("pl", tuple(edits))
    verbs = finites(toks, inner.at + 1)
    if not any(may_be_third(toks, at) for at in verbs):
        return Change("pl", tuple(edits))
    opening = left.boundary < 0 and left.role == "subject" and inner.kind in ("finite", "maybe")
    if opening and len(verbs) == 1 and is_simple(toks, inner.at + 1) and is_sentence(toks):
        return Change("pl", tuple(edits + verb_edit(toks, verbs[0], BE_HAVE_DO)))
    return None


def _coordinated(toks: list[Token], left: Left, right: Right, edits: Edits) -> Change | None:
    """Verbs that share the subject with the one just handled: `arrives late and fills the queue`."""
    if left.role in ("object", "governed", "led"):
        return Change("pl", tuple(edits))
    own = {start for start, _, _ in edits}
    other_clause = False
    opener = toks[left.boundary].low if left.boundary >= 0 else ""
    for at in range(right.at + 1, len(toks)):
        low, comma = toks[at].low, toks[at].text == ","
        if comma and (opener in EITHER_WAY or opener in CLAUSE_OPENERS - COORDINATORS):
            sure = at + 1 < len(toks) and third_person(toks[at + 1].low) == "verb"
            return None if sure else Change("pl", tuple(edits))  # "When telemetry stops, the pump …"
        if low in COORDINATORS or comma:
            step = at + 1
            while step < len(toks) and (is_adverb(toks[step].low) or toks[step].low in COORDINATORS):
                step += 1
            if step >= len(toks) or not may_be_third(toks, step):
                continue
            behind = toks[step + 1].low if step + 1 < len(toks) else ""
            sure = third_person(toks[step].low) == "verb" or (behind in DETERMINERS and not comma)
            if other_clause or not sure:
                return None
            edits = edits + verb_edit(toks, step, BE_HAVE_DO)
            own.add(toks[step].start)
        elif low in NEW_CLAUSE or (may_be_third(toks, at) and toks[at].start not in own):
            other_clause = True
    return Change("pl", tuple(edits))


def _sent_by_another(toks: list[Token], left: Left) -> bool:
    """`The board that sends telemetry is old`: does the verb behind belong to what the relative refers to?"""
    at = left.boundary
    return left.role == "object" and at >= 2 and toks[at - 1].low in ("that", "which", "who")


def _possessive(toks: list[Token], left: Left, at: int) -> Change | None:
    """`telemetry's value`: the owner's number is nobody's business but the determiner's."""
    if at + 1 >= len(toks) or not is_noun(toks[at + 1].low) or any(t.low in BACK_REFERENCES for t in toks):
        return None
    if left.determiner >= 0 and toks[left.determiner].low in SINGULAR_ONLY:
        return Change("sg", ())
    edits = determiner_edit(toks, left, TO_PLURAL, Right("other", at))
    if edits is None:
        return None
    mark = toks[at]
    return Change("pl", (*edits, (mark.start, mark.end, mark.text[0])))


def _modifies_behind_and(toks: list[Token], at: int) -> bool:
    """`telemetry and log data`: does the noun share a head that comes later?"""
    if at + 2 >= len(toks) or toks[at].low not in ("and", "or"):
        return False
    return toks[at + 1].kind == "word" and is_noun(toks[at + 2].low) and toks[at + 1].low not in DETERMINERS


def _plural_verb_behind(toks: list[Token], at: int) -> bool:
    """`telemetry and the logs are`: does a plural verb follow the second subject at once?"""
    return any(t.low in TO_SINGULAR_VERB or t.low in MODALS for t in toks[at + 2 : at + 5])
