"""Give an alternative the form that the replaced word has: -s, -ed, -ing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.inflect.closed import ADVERBS, BE_HAVE_DO, DETERMINERS, PREPOSITIONS
from pipeline.inflect.lexicon import is_base_verb, is_noun, third_person
from pipeline.inflect.nouns import is_irregular, number, plural
from pipeline.inflect.verbs import ing, participle, past, third

_PHRASAL = frozenset("aim attempt come deal decide hint look refer relate rely seek serve tend turn".split())
"""Verbs that stand with a particle, besides those of the lexicon. Our own list."""
_TIES = frozenset("of for with from in".split())
"""What ties a second noun to the one before it, which is the one that is counted."""
_CLAUSE = frozenset("that which who whom whose where when".split())
_NO_NOUN = (
    DETERMINERS
    | _CLAUSE
    | frozenset((*BE_HAVE_DO, *BE_HAVE_DO.values()))
    | frozenset("to not no be do have would could should will can may might must shall rather and or it them".split())
)
"""Words that no noun phrase that can be made plural has."""


def slot_of(term: str, surface: str) -> str | None:
    """Which form of `term` the word `surface` is: base, s, ed, ing; None for any other.

    Both are single words or phrases of which one word is inflected.
    """
    ours, theirs = term.lower().split(), surface.lower().replace("\u2019", "'").split()
    if ours == theirs:
        return "base"
    if len(ours) != len(theirs):
        return None
    changed = [at for at, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    if len(changed) != 1:
        return None
    base, form = ours[changed[0]], theirs[changed[0]]
    if form in (third(base), plural(base)):
        return "s"
    if form == ing(base):
        return "ing"
    if form in (past(base), participle(base)):
        return "ed"
    return None


def in_slot(alternative: str, slot: str) -> tuple[str, ...]:
    """The forms of `alternative` for a slot: one, several where they differ by use, none where unknown.

    In a phrase the first word is inflected when it is a verb ("make use of"), else the noun: the last word ("log
    entry"), or that before "of" ("source of light"). A phrase in which neither is certain has no such form.
    """
    words = alternative.split(" ")
    if slot == "base" or not words[0]:
        return (alternative,)
    verbal = len(words) > 1 and is_base_verb(words[0].lower()) and _particle(words[-1].lower())
    if slot == "s" and number(alternative) == "pl":
        return (alternative,)
    if slot == "s" and len(words) == 1 and set(alternative.lower().split("-")[1:-1]) & PREPOSITIONS:
        return ()  # mother-in-law
    if slot == "s" and len(words) == 1:
        noun = plural(alternative) if is_irregular(alternative) else None
        return (noun or third(alternative),)
    if slot == "s" and (verbal or _phrasal(words)):
        return (" ".join([third(words[0]), *words[1:]]),) if words[0].lower() != "be" else ()
    if slot == "s":
        noun = _many(words)
        return (noun,) if noun else ()
    if len(words) > 1 and not verbal:
        return ()
    if not (verbal or is_base_verb(words[0].lower()) or words[0].endswith(("ize", "ise", "ify", "ate"))):
        return ()
    make = {"ed": (past, participle), "ing": (ing,)}[slot]
    return tuple(dict.fromkeys(" ".join([form(words[0]), *words[1:]]) for form in make))


def _phrasal(words: list[str]) -> bool:
    """Is it a verb and what hangs on it, of verbs that no lexicon of ours has: "look at", "attempt to"?"""
    return words[0].lower() in _PHRASAL and all(_particle(word.lower()) for word in words[1:])


def _many(words: list[str]) -> str | None:
    """The plural of a noun phrase of several words; None where its noun is not certain."""
    lows = [word.lower() for word in words]
    cut = next((n for n, low in enumerate(lows) if n and low in _TIES), len(words))
    head = lows[:cut]
    if any(low in _NO_NOUN or _particle(low) or set(low.split("-")[1:]) & PREPOSITIONS for low in head):
        return None
    if cut == len(words) - 1 or (len(words) > 1 and third_person(head[0]) == "verb" and not is_noun(head[0])):
        return None
    if any(low in _CLAUSE for low in lows[cut:]) or (is_base_verb(head[0]) and not is_noun(head[0])):
        return None
    made = plural(" ".join(words[:cut]))
    return " ".join([made, *words[cut:]]) if made else None


def _particle(word: str) -> bool:
    return word in PREPOSITIONS or word in ADVERBS


def fitted(
    term: str, surface: str, alternatives: tuple[str, ...], numbers: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """The alternatives of `term` in the form of `surface`; as they are where the form is not known.

    An alternative that `numbers` speaks of has one form for both numbers.
    """
    slot = slot_of(term, surface)
    if slot in (None, "base"):
        return alternatives
    out: dict[str, None] = {}
    for alternative in alternatives:
        said = numbers.get(alternative)
        if slot == "s" and (said or number(alternative) == "pl") and is_base_verb(term.lower()):
            continue  # a noun for what may be the verb here: "loads"
        made = () if slot == "s" and said else in_slot(alternative, slot)
        out.update(dict.fromkeys(made or (alternative,)))
    return tuple(out)
