"""Give an alternative the form that the replaced word has: -s, -ed, -ing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.inflect.closed import ADVERBS, PREPOSITIONS
from pipeline.inflect.lexicon import is_base_verb
from pipeline.inflect.nouns import is_irregular, number, plural
from pipeline.inflect.verbs import ing, participle, past, third


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

    In a phrase the first word is inflected when it is a verb ("make use of"), else the last ("log entry").
    """
    words = alternative.split(" ")
    if slot == "base" or not words[0]:
        return (alternative,)
    verbal = len(words) > 1 and is_base_verb(words[0].lower()) and _particle(words[-1].lower())
    if slot == "s" and number(alternative) == "pl":
        return (alternative,)
    if slot == "s":
        noun = None if verbal else plural(alternative)
        if noun and (len(words) > 1 or is_irregular(words[0])):
            return (noun,)
        return (" ".join([third(words[0]), *words[1:]]),) if verbal or len(words) == 1 else ()
    if len(words) > 1 and not verbal:
        return ()
    if not (verbal or is_base_verb(words[0].lower()) or words[0].endswith(("ize", "ise", "ify", "ate"))):
        return ()
    make = {"ed": (past, participle), "ing": (ing,)}[slot]
    return tuple(dict.fromkeys(" ".join([form(words[0]), *words[1:]]) for form in make))


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
