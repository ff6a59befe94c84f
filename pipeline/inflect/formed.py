"""Is a word the form that its place asks for of the one that was named for it? Pure.

A verb that is replaced keeps its form, and so does a noun: the number of another is asked for only where a plural is
named for a singular, or a countable noun for a mass noun. What cannot be told passes.
"""

from __future__ import annotations

from pipeline.inflect.clause import finites, is_sentence, use_of_ed
from pipeline.inflect.closed import PLURAL_NUMBERS, PLURAL_ONLY, SINGULAR_ONLY
from pipeline.inflect.lexicon import is_base_verb, is_past
from pipeline.inflect.nouns import is_mass, number, plural, singular
from pipeline.inflect.part import use_of, verb_base
from pipeline.inflect.phrase import look_left
from pipeline.inflect.pluralize import pluralized
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, irregular_base, looks_ed, looks_ing, participle, past, third

_ONE = SINGULAR_ONLY - {"either", "neither"}
_MANY = PLURAL_ONLY | PLURAL_NUMBERS
_SINGULAR_PRONOUNS = frozenset(("he", "she", "it"))
_OTHER_PRONOUNS = frozenset(("i", "you", "we", "they"))


def misformed(toks: list[Token], first: int, last: int, given: str, named: tuple[str, ...], at: int) -> str:
    """Why `given` is not the form of `named[at]` that may stand for `toks[first..last]`, or empty.

    All are in small letters. `named` are the alternatives as they are offered for this form of the target.
    """
    target, offered = " ".join(t.low for t in toks[first : last + 1]), named[at]
    if given in named:
        return _of_two(toks, first, given, named)
    if _unfitted(target, offered):
        return ""
    said = f"{given!r} is another form than the place of {target!r} asks for: {offered!r}"
    if number(target) is None:
        return said
    if first == last and number(target) == "pl" and base_of_third(target) is not None:
        counted = number(given) != "sg" or not is_mass(given) or _before(toks, first) in _MANY
        return said if counted and not _was_wrong(toks, first, many=True) else ""
    if given == singular(offered):
        return said if _before(toks, first) in _MANY else ""
    head, _, rest = offered.partition(" ")
    if given not in (plural(offered), " ".join(filter(None, (third(head), rest)))):
        return said
    if is_verb(toks, first, last):
        return "" if _was_wrong(toks, first, many=False) else said
    change = pluralized(toks, first, last)
    left = look_left(toks, first)
    one = left.determiner >= 0 and toks[left.determiner].low in _ONE
    return said if one or (change is not None and change.number == "sg") else ""


def is_verb(toks: list[Token], first: int, last: int) -> bool:
    """Is the word certainly a verb here?"""
    if first != last or verb_base(toks[first].low) is None:
        return False
    before = _before(toks, first)
    if before == "'s":
        return first > 1 and toks[first - 2].low == "let"
    if use_of(toks, first) == "verb":
        return True
    if before in _ONE or before in _MANY or not is_sentence(toks) or first == 0:
        return False
    rest = finites(toks)
    return not [at for at in rest if at != first] and look_left(toks, first).boundary < 0


def _before(toks: list[Token], first: int) -> str:
    return toks[first - 1].low if first else ""


def _was_wrong(toks: list[Token], first: int, *, many: bool) -> bool:
    """Did the sentence itself disagree: "he leverage it", "they leverages it"?"""
    return _before(toks, first) in (_OTHER_PRONOUNS if many else _SINGULAR_PRONOUNS)


def _unfitted(target: str, named: str) -> bool:
    """Is the alternative named in a form of its own, since none is known for this one of the target?"""
    ours, theirs = target.split(), named.split()
    if any(map(looks_ing, ours)) and not any(map(looks_ing, theirs)):
        return True
    if any(looks_ed(w) or is_past(w) for w in ours) and not any(looks_ed(w) or is_past(w) for w in theirs):
        return True
    if any(is_past(w) and is_base_verb(w) for w in ours):
        return True
    return base_of_third(ours[-1]) is not None and base_of_third(theirs[-1]) is None and len(ours) == 1


def _of_two(toks: list[Token], first: int, given: str, named: tuple[str, ...]) -> str:
    """Of a past and a participle that are both named, is it the right one: "have took"?"""
    head = given.split(" ")[0]
    base = irregular_base(head)
    if base is None or len(named) < 2 or past(base) == participle(base) or base == head:
        return ""
    use = use_of_ed(toks, first)
    right = {"past": past(base), "participle": participle(base)}.get(use or "", head)
    return "" if right == head or is_base_verb(head) else f"{given!r} should be {right!r} here"
