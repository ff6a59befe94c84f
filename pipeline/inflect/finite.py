"""A pronoun and the verb behind it, where the pronoun alone says which form is right. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.inflect.closed import BE_HAVE_DO, CLAUSE_OPENERS, is_adverb
from pipeline.inflect.lexicon import is_base_verb
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, third

_ONE = frozenset(("he", "she", "it"))
_OTHERS = frozenset(("i", "we", "they"))
"""`you` is left out: it may be an object, behind which nouns stand."""


def clash_of_verbs(before: list[Token], after: list[Token], alternatives: tuple[str, ...]) -> str:
    """A verb of `after` that a pronoun does not go with, where the verb of `before` in its place did; or empty."""
    heads = {words[0].lower() for words in map(str.split, alternatives) if words}
    for (name, old), (again, new) in zip(_verbs(before), _verbs(after), strict=False):
        if name != again or old.low == new.low:
            continue
        was, now = base_of_third(old.low) is not None, base_of_third(new.low) is not None
        bare = is_base_verb(new.low) or third(new.low) in heads
        if (name in _ONE and was and not now and bare) or (name in _OTHERS and not was and now):
            return f"{new.text!r} does not go with {name!r}"
    return ""


def _verbs(toks: list[Token]) -> Iterator[tuple[str, Token]]:
    """Each pronoun that is a subject, with the first word behind it that is no adverb."""
    for number, token in enumerate(toks):
        if token.low not in _ONE | _OTHERS or (token.low == "it" and not _opens(toks, number)):
            continue
        word = next((t for t in toks[number + 1 :] if not is_adverb(t.low)), None)
        if word is not None and word.kind == "word" and word.low not in BE_HAVE_DO:
            yield token.low, word


def _opens(toks: list[Token], number: int) -> bool:
    """May a clause begin at the token?"""
    before = toks[number - 1] if number else None
    return before is None or before.kind == "punct" or before.low in CLAUSE_OPENERS | {"that", "which", "but"}
