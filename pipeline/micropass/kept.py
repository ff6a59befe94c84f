"""What an answer must keep besides names and numbers: what stands masked, apostrophes, commas, and its words. Pure.

Where the policy names alternatives, the editor replaces and mends agreement: every other word of content comes
back, and none is new. Where it names none, the sentence has to be said in another way, within bounds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from firewall.text.words import words
from pipeline.inflect.closed import BE_HAVE_DO, DETERMINERS
from pipeline.inflect.kin import kin
from pipeline.inflect.verbs import base_of_third
from pipeline.micropass.same_words import reject_words
from pipeline.micropass.window import Window, locked_spans, uses

NEW_WORDS = 3
"""Words of content that may be new, beyond as many as the target has, where no alternative is named. Our own number."""
COMMAS = 1
"""Commas that may come or go."""

_WORDS = re.compile(r"[^\W\d_](?:[\w'\u2019-]*[^\W_])?")
_APOSTROPHE = re.compile(r"['\u2019\u2018]")
_SHORT = frozenset(word for word in (*BE_HAVE_DO, *BE_HAVE_DO.values(), "don't", "doesn't") if "'" in word)
_DASH = re.compile(r"(?<![^\W_])[-\u2010\u2011]|[-\u2010\u2011](?![^\W_])")
_OWNED = re.compile(r"(?:[^\W\d_]['\u2019]s(?!\w)|s['\u2019](?=\s))")
_PERSONS = frozenset("i we you he she me us him my our your his mine ours yours myself ourselves yourself".split())
_FREE = (
    frozenset(
        "a an the of to it its itself they their them themselves that which who and or this these those there as with "
        "for such".split()
    )
    | frozenset(DETERMINERS)
    | frozenset((*BE_HAVE_DO, *BE_HAVE_DO.values()))
)
"""Words that agreement may bring or take: of closed classes, and none that speaks of a person."""


def reject_kept(window: Window, answer: str, prose: str) -> str:
    """Why `answer`, whose masked prose is `prose`, does not keep what it must; or empty."""
    reason = _masked(window, answer, prose) or _forms(window, answer)
    if reason:
        return reason
    return next(filter(None, (check(window, prose) for check in _CHECKS)), "") or reject_words(window, answer, prose)


def _masked(window: Window, answer: str, prose: str) -> str:
    """Code, links, addresses and markup come back, and none is new: an address makes no node of its own."""
    theirs = [answer[s:e] for s, e in locked_spans(answer, prose).marks]
    extra = Counter(theirs) - Counter(window.marks)
    return f"the answer adds {next(iter(extra))!r}" if extra else ""


def _forms(window: Window, answer: str) -> str:
    """A ligature or a wide letter is one that only looks like another."""
    known = set(window.sentence).union(*window.task.alternatives)
    odd = next((c for c in answer if c not in known and unicodedata.normalize("NFKC", c) != c), "")
    return f"the answer holds the character U+{ord(odd):04X}, which the sentence does not" if odd else ""


def _apostrophes(window: Window, prose: str) -> str:
    known = {w for text in (window.sentence, *window.task.alternatives) for w in text.casefold().split()}
    for word in prose.split():
        plain = word.casefold().replace("\u2019", "'").strip(".,;:!?()")
        if _APOSTROPHE.search(word) and word.casefold() not in known and plain not in _SHORT:
            if _OWNED.search(word + " ") and len(_APOSTROPHE.findall(word)) == 1:
                continue
            return f"the apostrophe in {word!r} is not in the sentence"
    return ""


def _commas(window: Window, prose: str) -> str:
    named = [window.task.target, *window.task.alternatives]
    free = {*_keys(named), *_FREE}
    ours, theirs = _before_commas(window.prose, free), _before_commas(prose, free)
    spare = sum(text.count(",") for text in named)
    moved = sum(((ours - theirs) + (theirs - ours)).values())
    if max(moved, abs(window.prose.count(",") - prose.count(","))) > COMMAS + spare:
        return "the commas differ: keep them where they are"
    return ""


def _before_commas(prose: str, free: set[str]) -> Counter[str]:
    """Each comma by the word before it, as its key; those after words that may change are left out."""
    found = (m.group(1) for m in re.finditer(r"([\w'\u2019]+)\W?,", prose))
    return Counter(key for word in found if word.casefold() not in free for key in _keys([word]) if key not in free)


def _uses(window: Window, prose: str) -> str:
    left = len(uses(window.task.target, prose))
    if left < window.staying:
        return f"{window.task.target!r} must go only where it is too much; {window.staying} may stand, {left} are left"
    return ""


def _compounds(window: Window, prose: str) -> str:
    known = set(_lowered(window.sentence, *window.task.alternatives))
    for word in _lowered(prose):
        if "-" in word and word not in known:
            return f"the compound {word!r} is not in the sentence"
    if len(_DASH.findall(prose)) > len(_DASH.findall(window.prose)):
        return "the answer adds a dash"
    return ""


def _persons(window: Window, prose: str) -> str:
    ours = Counter(w for w in _lowered(window.prose) if w in _PERSONS)
    theirs = Counter(w for w in _lowered(prose) if w in _PERSONS)
    changed = (ours - theirs) or (theirs - ours - Counter(_lowered(*window.task.alternatives)))
    return f"{next(iter(changed))!r} must stay as it is: another person is another meaning" if changed else ""


def _content(window: Window, prose: str) -> str:
    start, end = window.at
    rest = window.prose[:start] + " " + window.prose[end:]
    free = {*_keys(window.task.alternatives), *_keys([window.task.target])}  # that the target is gone is asked later
    ours, theirs = Counter(_keys([rest])), Counter(_keys([prose]))
    new = [key for key in (theirs - ours).elements() if key not in free]
    if not window.task.alternatives:
        room = NEW_WORDS + len(window.task.target.split())
        return f"{len(new)} words are new; {room} may be" if len(new) > room else ""
    if new:
        return f"{_spelled(new[0], prose)!r} is not in the sentence: replace the word and mend the grammar, no more"
    lost = [key for key in (ours - theirs).elements() if key not in free]
    return f"{_spelled(lost[0], rest)!r} must stay" if lost else ""


def _spelled(key: str, text: str) -> str:
    """A word of `text` that has the key."""
    return next((word for word in _lowered(text) if key in _keys([word])), key)


def _keys(texts: Iterable[str]) -> list[str]:
    """Words of content, as keys under which inflected forms meet."""
    found = (word for word in _lowered(*texts) if word not in _FREE and word not in _PERSONS)
    units = (unit for word in found for unit in words(word) if len(unit) > 1 or not unit.isascii())
    bare = (unit.removesuffix("'s") for unit in units)
    return [kin(base_of_third(unit) or unit) for unit in bare]


def _lowered(*texts: str) -> list[str]:
    return [m.group().casefold().replace("\u2019", "'") for text in texts for m in _WORDS.finditer(text)]


_CHECKS = (_uses, _apostrophes, _commas, _compounds, _persons, _content)
