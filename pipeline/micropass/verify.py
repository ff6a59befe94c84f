"""Is an editor's answer the same sentence with the fault taken out, and nothing else? Pure.

A model's words are data: every answer, whoever gave it and however often it was right before, passes all
of these checks or is rejected with the first reason, which is fed back once.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import regex
from rapidfuzz.distance import LCSseq

from firewall.text.markdown import MARKUP, OPAQUE
from firewall.text.words import count_words, words
from latches.style.written import read_as
from pipeline.inflect.clash import clash
from pipeline.inflect.kin import kin
from pipeline.micropass.breaks import line_breaks
from pipeline.micropass.kept import reject_kept
from pipeline.micropass.window import Locked, Window, locked_spans

LENGTH = 0.30
"""An answer's length may differ by this share of the original's (issue 6, micro-pass)."""
SURVIVAL = 0.6
"""Share of the sentence's other words that must come back, in whatever inflection. Our own number: less,
and an answer is another sentence, such as a refusal, that happens to fit in length."""

FAR = 4
"""Times the sentence's length beyond which an answer is not read at all: it could be a book."""

_PREAMBLE = re.compile(
    r"^\W*(sure|certainly|of course|okay|ok|absolutely|sorry|as an ai|here(?:['\u2019]s| is| are)"
    r"|i(?:['\u2019]ve| have|['\u2019]m| am| can| cannot| can['\u2019]t| could| will| would)"
    r"|(?:the )?(?:rewritten|revised|corrected|edited|updated) (?:sentence|version|text))(?!\w)",
    re.IGNORECASE,
)
_NEGATIONS = re.compile(
    r"(?<!\w)(?:not|no|never|none|nor|neither|without|nothing|nobody|nowhere|cannot|hardly|scarcely|barely|\w+n['\u2019]t)"
    r"(?!\w)",
    re.IGNORECASE,
)
_NUMBER_WORDS = re.compile(
    r"(?<!\w)(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?"
    r"|billions?|dozens?|half|halves|thirds?|quarters?|twice|thrice|once|first|second|double|triple)(?!\w)",
    re.IGNORECASE,
)
_FREE = frozenset(",'\u2019\u2018-\u2010\u2011")
_AROUND = frozenset("\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb")
_HIDDEN = regex.compile(
    rf"(?V1)[[\p{{DI}}\p{{C}}\p{{Z}}\u2800\ufffd{OPAQUE}{MARKUP}]--[\n\r ]]"
    r"|(?<=\p{Latin}\p{M}{0,4})[\p{Mn}\p{Me}]"
)
"""Default_Ignorable_Code_Point and the general categories C and Z (Unicode); `regex` knows the first, `re` does not."""
_WORDS = re.compile(r"[^\W_](?:[\w'\u2019-]*[^\W_])?")


def reject_form(window: Window, answer: str) -> str:
    """Why `answer` cannot stand for the window's sentence, judged without looking at the document.

    Empty when it may. The caller has taken the white space around the answer away.
    """
    if not answer:
        return "the answer is empty"
    if len(answer) > FAR * len(window.sentence) + FAR * max(map(len, (window.task.target, *window.task.alternatives))):
        return _length(window, _Given(answer, ""))
    strange = _invisible(answer) - _invisible(" ".join((window.sentence, *window.task.alternatives)))
    if strange:
        return f"the answer holds the character U+{ord(next(iter(strange))):04X}, which the sentence does not"
    start, end = window.at
    gone = _invisible(window.sentence[:start] + window.sentence[end:]) - _invisible(answer)
    if gone:
        return f"the character U+{ord(next(iter(gone))):04X} of the sentence must stay"
    foreign = _scripts(answer) - _scripts(" ".join((window.sentence, *window.task.alternatives)))
    if foreign:
        return f"the answer holds {min(foreign).lower()} letters, which the sentence does not"
    if "  " in answer and "  " not in window.sentence:
        return "the answer holds two spaces in a row, which the sentence does not"
    opening = _PREAMBLE.match(answer)
    if opening and not _PREAMBLE.match(window.sentence):
        first = opening.group(1).casefold()
        if not any(a.casefold().startswith(first) for a in window.task.alternatives):
            return f"the answer opens with {opening.group(1)!r}: give the sentence alone"
    if answer[0] in _AROUND and answer[0] != window.sentence[0] and answer[-1] != window.sentence[-1]:
        return f"the answer stands in {answer[0]!r}: give the sentence alone, with nothing around it"
    if line_breaks(answer) != window.breaks:
        return "the line breaks differ: keep them where they are"
    at = 0
    for mark in window.marks:
        found = answer.find(mark, at)
        if found < 0:
            return f"{mark!r} must come back unchanged and in its place"
        at = found + len(mark)
    return ""


def reject_prose(window: Window, answer: str, prose: str) -> str:
    """Why `answer`, whose masked prose in the document is `prose`, changes more than it may; or empty."""
    given = _Given(answer, prose)
    for check in (_names_and_numbers, _punctuation, _words_kept, _length, _survival, _first_letter):
        reason = check(window, given)
        if reason:
            return reason
    reason = reject_kept(window, answer, prose)
    return reason or clash(window.prose, prose, window.task.alternatives, dict(window.task.number))


class _Given(NamedTuple):
    """An answer and its masked prose."""

    text: str
    prose: str


def _rest(window: Window) -> str:
    """The sentence's prose without the target."""
    start, end = window.at
    return window.prose[:start] + " " + window.prose[end:]


def _names_and_numbers(window: Window, given: _Given) -> str:
    new: Locked = locked_spans(given.text, given.prose)
    allowed = {w.group().casefold() for a in window.task.alternatives for w in _WORDS.finditer(a)}
    opening = _WORDS.search(window.prose)
    if opening:
        allowed.add(opening.group().casefold())
    for what, ours, spans in (("number", window.numbers, new.numbers), ("name", window.names, new.names)):
        theirs = [given.text[s:e] for s, e in spans]
        lost = _not_in_order(ours, theirs)
        if lost:
            return f"the {what} {lost!r} must come back unchanged and in its place"
        for extra in (Counter(theirs) - Counter(ours)).elements():
            if not all(w.group().casefold() in allowed for w in _WORDS.finditer(extra)):
                return f"the {what} {extra!r} is not in the sentence"
    return ""


def _punctuation(window: Window, given: _Given) -> str:
    ours, theirs = _marks(_rest(window)), _marks(given.prose)
    lost = _not_in_order(ours, theirs)
    if lost:
        return f"the {_named(lost)} must stay where it is"
    spare = Counter(_marks(" ".join((window.task.target, *window.task.alternatives))))
    extra = Counter(theirs) - Counter(ours) - spare
    if extra:
        return f"the answer adds a {_named(next(iter(extra)))}: give the sentence alone, with nothing around it"
    return ""


def _words_kept(window: Window, given: _Given) -> str:
    for what, pattern in (("negation", _NEGATIONS), ("number word", _NUMBER_WORDS)):
        ours, theirs = _found(pattern, _rest(window)), _found(pattern, given.prose)
        spare = _found(pattern, window.task.target)
        for alternative in window.task.alternatives:
            spare |= _found(pattern, alternative)
        lost, extra = ours - theirs, theirs - ours - spare
        if lost:
            return f"the {what} {next(iter(lost))!r} must stay"
        if extra:
            return f"the {what} {next(iter(extra))!r} is not in the sentence"
    return ""


def _length(window: Window, given: _Given) -> str:
    sentence, target = window.sentence, window.task.target
    for what, size in (("words", count_words), ("characters", len)):
        old = size(sentence)
        options = [old, *(old - size(target) + size(a) for a in window.task.alternatives)]
        low, high = min(options) * (1 - LENGTH), max(options) * (1 + LENGTH)
        new = size(given.text)
        if not low <= new <= high:
            return f"{old} -> {new} {what}; {math.ceil(low)} to {math.floor(high)} would pass"
    return ""


def _survival(window: Window, given: _Given) -> str:
    ours, theirs = _keys(_rest(window)), _keys(given.prose)
    kept = LCSseq.similarity(ours, theirs)
    need = math.ceil(SURVIVAL * len(ours))
    if kept < need:
        return f"{kept} of the sentence's {len(ours)} other words are left; {need} must stay"
    return ""


def _keys(prose: str) -> list[str]:
    """Its words in order, as keys under which inflected forms meet; letters of unspaced scripts one by one."""
    return [kin(unit) for word in _WORDS.finditer(prose) for unit in words(word.group())]


def _first_letter(window: Window, given: _Given) -> str:
    ours, theirs = _letter(window.prose), _letter(given.prose)
    if ours.isupper() and theirs.islower():
        return "the sentence begins with a capital letter"
    if ours.islower() and theirs.isupper():
        opening = _WORDS.search(given.prose)
        alternatives = " ".join(window.task.alternatives)
        if opening and not re.search(rf"(?<!\w){re.escape(opening.group())}(?!\w)", alternatives):
            return "the sentence begins with a small letter"
    return ""


def _letter(prose: str) -> str:
    """The first letter or digit or opaque thing."""
    return next((c for c in read_as(prose) if c.isalnum() or c == OPAQUE), "")


def _marks(prose: str) -> list[str]:
    """The punctuation and symbols of masked prose in order; commas, apostrophes and hyphens are free."""
    return [
        c
        for c in prose
        if not (c.isalnum() or c.isspace() or c in _FREE or c == OPAQUE) and unicodedata.category(c)[0] in "PS"
    ]


def _not_in_order(wanted: Sequence[str], given: Sequence[str]) -> str:
    """The first of `wanted` that is not in `given` after the ones before it, or empty."""
    at = iter(given)
    return next((w for w in wanted if w not in at), "")


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(_plain(m.group()) for m in pattern.finditer(text))


def _plain(word: str) -> str:
    low = word.lower().replace("\u2019", "'")
    return "not" if low == "cannot" or low.endswith("n't") else low


def _invisible(text: str) -> Counter[str]:
    """What shows no mark of its own, odd spaces, marks set upon Latin letters, and the parser's own stand-ins."""
    return Counter() if text.isascii() and text.isprintable() else Counter(_HIDDEN.findall(text))


def _scripts(text: str) -> set[str]:
    """The scripts of its letters, by the first word of their Unicode names: LATIN, CYRILLIC, CJK …"""
    if text.isascii():
        return {"LATIN"}
    return {unicodedata.name(c, "?").split()[0] for c in set(text) if c.isalpha()} | {"LATIN"}


def _named(mark: str) -> str:
    return unicodedata.name(mark, "mark").lower() + f" {mark!r}"
