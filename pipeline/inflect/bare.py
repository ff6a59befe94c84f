"""Phrases that stand in their bare form where another is asked for. Pure."""

from __future__ import annotations

from pipeline.inflect.closed import DETERMINERS, PREPOSITIONS
from pipeline.inflect.nouns import is_mass
from pipeline.inflect.nouns import number as noun_number
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third

_BARE = frozenset("to not will would can could may might must shall should".split())
"""Words after which a verb is bare."""
_CLAUSE = frozenset(("that", "which", "who"))


def uninflected(toks: list[Token], first: int, target: str, word: str, plurality: str | None) -> bool:
    """Does a phrase stand in its bare form where the target has one of its own, or "be" where a verb is finite?"""
    head, _, rest = word.lower().partition(" ")
    if not rest or plurality:
        return False
    low = target.split()[0]
    if head == "be":
        return not first or toks[first - 1].low not in _BARE
    if " " in target and noun_number(target) == noun_number(word) is not None:
        return False
    if base_of_third(low) is None and noun_number(target) != "pl":
        return False
    plain = is_mass(word) and not any(w in PREPOSITIONS or w in DETERMINERS for w in word.lower().split())
    many = noun_number(word) in ("pl", "?") and not _CLAUSE & set(rest.split())
    return not (plain or many or base_of_third(head) is not None)
