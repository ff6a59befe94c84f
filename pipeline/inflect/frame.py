"""What a verb asks for behind it, so that one that asks for something else does not take its place. Pure.

"Provides them with tools" cannot become "offers them with tools", nor "needs to stop" "requires to stop". Where
what stands behind belongs to the verb, the editor declines.
"""

from __future__ import annotations

from pipeline.inflect.closed import DETERMINERS, PRONOUNS, SUBJECT_PRONOUNS, is_adverb
from pipeline.inflect.lexicon import is_base_verb
from pipeline.inflect.part import never_noun, use_of, verb_base
from pipeline.inflect.tokens import Token

_BOUND_TEXT = (
    "account for, adhere to, agree on with to, allow for, amount to, apply to for, ask for, begin with, belong "
    "to, benefit from, call for on upon, care about for, comply with, concentrate on, conform to, connect to "
    "with, consist of, contribute to, convert to into, cope with, correspond to with, deal with, depend on upon, "
    "derive from, differ from in, end with in up, focus on, hope for, insist on, interact with, lead to, link to "
    "with, listen to for on, look for at into like after, map to onto, opt for in out, participate in, pertain "
    "to, point to at, provide for, refer to, relate to, rely on upon, reply to, respond to, result in from, "
    "search for, stand for, start with, stem from, subscribe to, suffer from, talk about to with, think of about, "
    "translate to into, turn into to, wait for on, work on"
)
_BOUND = {verb: frozenset(prepositions) for verb, *prepositions in map(str.split, _BOUND_TEXT.split(","))}
"""Verbs that a preposition right behind completes."""
_TO_DO = frozenset(
    "agree aim appear ask attempt begin choose claim continue dare decide deserve elect expect fail forget hate "
    "have help hope intend learn like love manage need offer opt plan prefer pretend promise refuse remember seek "
    "seem start strive tend threaten try vow wait want wish work".split()
)
"""Verbs right behind which `to` and a verb may stand: "needs to stop"."""
_SAY_THAT = frozenset(
    "accept admit agree argue ask assert assume believe check claim conclude confirm convince decide declare "
    "demand demonstrate deny determine discover doubt ensure estimate expect explain fear feel find forget "
    "guarantee guess hear hope imagine imply indicate inform insist know learn mandate mean mention note notice "
    "observe order point predict promise propose prove read realize recognize recommend remark remember remind "
    "report request require reveal say see show specify state stipulate suggest suppose suspect teach tell think "
    "understand verify warn wish write".split()
)
"""Verbs behind which `that` and a clause may stand."""
_LET_DO = frozenset("feel have hear help let make see watch".split())
"""Verbs with an object and a bare verb behind them: "helps us find it"."""
_FILL_WITH = frozenset(
    "align associate combine equip feed fill furnish load pair present provide replace supply".split()
)
"""Verbs with an object and `with` behind them: "provides them with tools"."""
_FAR = 6
"""Words behind a verb in which what it asks for is sought."""


def frame_kept(toks: list[Token], first: int, last: int, word: str) -> bool:
    """May the verb `word` stand before what stands behind the verb `toks[first..last]`? True for what is no verb."""
    base = verb_base(toks[last].low)
    behind = [t.low for t in toks[last + 1 : last + 1 + _FAR]]
    if first != last or base is None or " " in word or not behind:
        return True
    if use_of(toks, first) == "noun" and not never_noun(toks[last].low):
        return True
    other = verb_base(word.lower()) or word.lower()
    if behind[0] in _BOUND.get(base, ()) and behind[0] not in _BOUND.get(other, ()):
        return False
    if behind[0] == "to" and len(behind) > 1 and is_base_verb(behind[1]) and _only(base, other, _TO_DO):
        return False
    if behind[0] == "that" and _only(base, other, _SAY_THAT) and not _pointing(behind):
        return False
    if _only(base, other, _LET_DO) and _bare_verb(behind):
        return False
    return not (_only(base, other, _FILL_WITH) and "with" in _phrase(behind))


def _only(base: str, other: str, verbs: frozenset[str]) -> bool:
    return base in verbs and other not in verbs


def _pointing(behind: list[str]) -> bool:
    """May `that` belong to a noun: "shows that pump"?"""
    return len(behind) < 3 or not (behind[1] in DETERMINERS or behind[1] in SUBJECT_PRONOUNS or behind[1].endswith("s"))


def _bare_verb(behind: list[str]) -> bool:
    """Does a bare verb follow at once, or behind an object?"""
    words = [word for word in behind if not is_adverb(word)]
    if words and is_base_verb(words[0]) and not words[0].endswith("s"):
        return True
    if len(words) > 1 and words[0] in PRONOUNS and words[0] != "it":
        return is_base_verb(words[1])
    return any(map(is_base_verb, words[1:4])) and not {"to", "with", "by", "in", "of"} & set(words[:3])


def _phrase(behind: list[str]) -> list[str]:
    """The words behind a verb up to the next sign."""
    sign = next((at for at, word in enumerate(behind) if not word[:1].isalnum()), len(behind))
    return behind[:sign]
