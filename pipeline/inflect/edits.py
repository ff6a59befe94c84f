"""Single edits for agreement: a determiner, a verb. Pure."""

from __future__ import annotations

from typing import NamedTuple

from pipeline.inflect.clause import finites
from pipeline.inflect.closed import BE_HAVE_DO, QUANTITIES
from pipeline.inflect.lexicon import third_person
from pipeline.inflect.phrase import Left, Right, look_left
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third

_SHARES = frozenset("most some all half any more rest plenty lots".split())
_OTHER_SHARES = frozenset("much none lot majority part percent each one little less quarter third".split())

Edits = list[tuple[int, int, str]]


class Change(NamedTuple):
    """How to replace a noun: in which number (`sg` or `pl`), with which other edits.

    `edits` are (start, end, text) in the prose, none of them inside the noun.
    """

    number: str
    edits: tuple[tuple[int, int, str], ...]


def determiner_edit(toks: list[Token], left: Left, table: dict[str, str], right: Right) -> Edits | None:
    """The edit that makes the determiner agree, none, or None when it is uncertain whose it is."""
    if left.determiner < 0:
        return []
    token = toks[left.determiner]
    made = table.get(token.low)
    if made is None:
        return []
    if left.role in ("either", "beside"):
        return None
    if token.low == "that" and left.determiner == 0 and right.kind == "finite" and finites(toks, right.at + 1):
        return None  # "That telemetry is cheap surprises nobody."
    if token.low == "that" and left.determiner > 0:
        before = toks[left.determiner - 1]
        if left.role not in ("governed", "led") and before.low not in ("all", "is", "are") and before.kind != "punct":
            return [] if right.kind == "finite" else None  # "we know that telemetry is late"
    return [(token.start, token.end, like(token.text, made))]


def verb_edit(toks: list[Token], at: int, table: dict[str, str]) -> Edits:
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


def share_of(toks: list[Token], left: Left) -> Left | None:
    """`most of the telemetry`: whose verb agrees with the noun behind `of`. None for other quantities."""
    at = left.boundary
    if at < 1 or toks[at].low != "of":
        return left
    quantity = toks[at - 1].low
    if quantity in QUANTITIES or quantity in _OTHER_SHARES:
        return None
    if quantity in _SHARES:
        whole = look_left(toks, at - 1)
        role = whole.role if whole.determiner < 0 or toks[whole.determiner].low == "the" else "unknown"
        return None if role == "unknown" else Left(left.determiner, whole.boundary, role)
    return left
