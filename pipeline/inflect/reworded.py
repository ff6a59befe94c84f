"""Where no word is named for another: do tense, number and form stay those of the sentence? Pure.

Only what closed classes and the lexicon can tell is refused; a word that they do not know passes.
"""

from __future__ import annotations

from itertools import pairwise

from pipeline.inflect.asked import unasked
from pipeline.inflect.clash import around
from pipeline.inflect.clause import use_of_ed
from pipeline.inflect.closed import CLAUSE_OPENERS, MODALS, PLURAL_NUMBERS, PLURAL_ONLY, is_adverb
from pipeline.inflect.formed import is_verb
from pipeline.inflect.lexicon import is_base_verb, is_past
from pipeline.inflect.nouns import number
from pipeline.inflect.part import verb_base
from pipeline.inflect.tokens import Token
from pipeline.inflect.verbs import base_of_third, looks_ed, looks_ing

_PRESENT = frozenset("is are am has have does do isn't aren't hasn't haven't doesn't don't".split())
_PAST = frozenset("was were had did wasn't weren't hadn't didn't".split())
_BARE_AFTER = MODALS - {"had", "hadn't"} | {"do", "does", "don't", "doesn't"}
_COLLECTIVE = frozenset(
    "police cattle staff crew team public youth personnel folk clergy majority rest half media data offspring".split()
)
"""Nouns with which a plural verb may go, though they end in no -s."""
_CLASHES = {
    **dict.fromkeys(("he", "she", "it"), frozenset("have are do am haven't aren't don't".split())),
    **dict.fromkeys(("we", "they"), frozenset("has is was does am hasn't isn't wasn't doesn't".split())),
    "i": frozenset("has is are does were hasn't isn't aren't doesn't weren't".split()),
}
"""Verbs that never go with a pronoun before them, but for `were` of a wish."""
_WISHES = frozenset("if though wish whether as".split())


def tense_kept(ours: list[str], theirs: list[str]) -> str:
    """Why the auxiliaries beside what was said anew, in small letters, are of another tense; or empty."""
    for mine, other in ((_PRESENT, _PAST), (_PAST, _PRESENT)):
        if mine.intersection(ours) and not other.intersection(ours) and other.intersection(theirs):
            came = next(word for word in theirs if word in other)
            return f"{came!r} is another tense than the sentence has"
    lost = sum(word in _PRESENT or word in _PAST for word in ours) > sum(w in _PRESENT or w in _PAST for w in theirs)
    short = next((w for w in theirs if w.endswith("'s") and w not in ours), "") if lost else ""
    return f"{short!r} shortens what the sentence writes out" if short else ""


def agrees(old: list[Token], new: list[Token]) -> str:
    """What in `new` disagrees for certain, where nothing in `old` did: "they has", "must uses"; or empty."""
    known = {(a.low, b.low) for a, b in pairwise(old)}
    for at, token in enumerate(new):
        step = at + 1
        while step < len(new) and (is_adverb(new[step].low) or new[step].low == "not"):
            step += 1
        if step >= len(new) or (token.low, new[step].low) in known:
            continue
        verb, before = new[step].low, new[at - 1].low if at else ""
        if verb in _CLASHES.get(token.low, ()) and _is_subject(new, at) and before not in _WISHES:
            return f"{new[step].text!r} does not go with {token.text!r}"
        let = token.low == "'s" and before == "let"
        if (token.low in _BARE_AFTER or let) and _slot(verb) in ("s", "ed", "ing"):
            asked = token.low not in ("do", "does", "don't", "doesn't") or step > at + 1 or _slot(verb) != "ing"
            if asked and verb not in {t.low for t in old}:
                return f"{new[step].text!r} is not the form behind {token.text!r}"
    return ""


def reworded(old: list[Token], first: int, new: list[Token], at: int) -> str:
    """Why the one word `new[at]` has another form than the one word `old[first]`, for which it stands; or empty."""
    mine, given = old[first].low, new[at].low
    before, came = (toks[place - 1].low if place else "" for toks, place in ((old, first), (new, at)))
    if before != came and {before, came} <= {"a", "an", "the"} and "the" in (before, came):
        return f"{before!r} must stay as it is, not {came!r}"
    ours, theirs = _slot(mine), _slot(given)
    if ours and theirs and ours != theirs:
        verb = is_verb(old, first, first) if ours in ("base", "s") else use_of_ed(old, first) == "past"
        if verb or (ours == "ing" and came in ("is", "are", "was", "were", "am", "been") and theirs != "ed"):
            return f"{new[at].text!r} is another form of the verb than {old[first].text!r}"
    if number(mine) is None or is_adverb(given) or (ours and is_verb(old, first, first)):
        return ""
    which = number(given)
    if which == "sg" and given in _COLLECTIVE:
        return ""
    if which == "sg" and came in PLURAL_ONLY | PLURAL_NUMBERS and number(mine) == "pl":
        after = new[at + 1].low if at + 1 < len(new) else ""
        if not after or not after.isalpha() or after in _PRESENT or after in _PAST:
            return f"{new[at - 1].text!r} does not go with the singular {new[at].text!r}"
    return around(new, at, at, which) or unasked(old, (first, first), new, (at, at), which)


def _is_subject(toks: list[Token], at: int) -> bool:
    """Is the pronoun a subject for certain? `it` and `you` may be objects."""
    if toks[at].low != "it":
        return True
    before = toks[at - 1] if at else None
    return before is None or before.kind == "punct" or before.low in CLAUSE_OPENERS | {"that", "which", "but"}


def _slot(low: str) -> str:
    """Which form of a verb that we know the word is: base, s, ed or ing; empty where it is none, or more than one."""
    if is_past(low):
        return "" if is_base_verb(low) else "ed"
    if is_base_verb(low):
        return "base"
    if verb_base(low) is None:
        return ""
    if looks_ing(low):
        return "ing"
    if looks_ed(low):
        return "ed"
    return "s" if base_of_third(low) is not None else ""
