"""The rule-based editor: replaces one word, with agreement, or declines.

It never guesses. Whatever it cannot decide from closed classes, small lexicons and word order, it
declines with an empty answer, and the sentence stays as it was.
"""

from __future__ import annotations

import re

from firewall.text.markdown import MARKUP, OPAQUE, parse
from latches.style.unread import read_blocks
from latches.style.written import read_as
from pipeline.inflect.alone import stands_alone
from pipeline.inflect.bare import uninflected
from pipeline.inflect.clause import use_of_ed
from pipeline.inflect.counting import count_kept
from pipeline.inflect.fixed import is_fixed
from pipeline.inflect.frame import frame_kept
from pipeline.inflect.lexicon import NOUNS_AND_VERBS, is_base_verb, is_past
from pipeline.inflect.nouns import is_mass, plural, singular
from pipeline.inflect.nouns import number as noun_number
from pipeline.inflect.part import fits, one_whole, use_of, verb_base
from pipeline.inflect.phrase import look_left, look_right
from pipeline.inflect.pluralize import pluralized
from pipeline.inflect.singularize import singularized
from pipeline.inflect.surface import capitalized, mended_article, rewrapped
from pipeline.inflect.tokens import Token, tokens
from pipeline.inflect.verbs import irregular_base, looks_ed, looks_ing, participle, past
from pipeline.models.base import EditTask

_QUOTES = frozenset("\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb")


_MOST = 50
"""Uses of one word in a sentence beyond which it is none: each is read for its grammar anew."""
_MASS_DETERMINERS = frozenset(("much", "little", "less", "more", "all", "enough", "some", "any", "no"))
_NUMBERS = {"singular": "sg", "plural": "pl"}
Fitting = tuple[str, list[tuple[int, int, str]]]


def edit_sentence(task: EditTask) -> str:
    """The sentence of `task` with the uses of its target that must go replaced, or "" to decline.

    Alternatives are tried in their order. A task that comes back with a reason why the last answer was
    rejected is declined: the same rules would give the same answer.
    """
    task = _as_read(task)
    if task.refused or not task.target.strip():
        return ""
    number = dict(task.number)
    for alternative in task.alternatives:
        if not alternative.strip() or alternative.strip() != alternative:
            continue
        edited = _with(task, alternative, _NUMBERS.get(number.get(alternative, "")))
        if edited:
            return edited
    return ""


def _as_read(task: EditTask) -> EditTask:
    """The task with its target as it is read: `lever&shy;age` has the grammar of `leverage`."""
    target = read_as(task.target)
    if target == task.target:
        return task
    sentence, at = task.sentence, []
    for place in sorted(task.at) or [m.start() for m in re.finditer(re.escape(task.target), sentence)]:
        start = place + len(sentence) - len(task.sentence)
        if not sentence.startswith(task.target, start):
            return task
        sentence = sentence[:start] + target + sentence[start + len(task.target) :]
        at.append(start)
    return task._replace(sentence=sentence, target=target, at=tuple(at))


def _with(task: EditTask, alternative: str, plurality: str | None) -> str:
    """The sentence with `alternative` for each use of the target that must go, or ""."""
    sentence, rounds = task.sentence, 0
    target = " ".join(task.target.split())
    at = 0
    asked = sorted(task.at)
    if len(asked) > _MOST:
        return ""
    while not task.at or asked:
        prose = _prose(sentence, task.locked)
        toks = tokens(prose)
        span = _find(toks, target, asked.pop(0) if asked else at)
        if span is None:
            break
        alone = stands_alone(prose, sentence, *_ends(toks, span))
        edits = _replace(sentence, toks, span, alternative, plurality, task) if alone else None
        if edits is None:
            return ""
        at = _moved(toks[span[1]].end, edits)
        asked = [_moved(place, edits) for place in asked]
        for start, end, text in sorted(edits, reverse=True):
            sentence = sentence[:start] + text + sentence[end:]
        rounds += 1
    return sentence if rounds else ""


def _moved(place: int, edits: list[tuple[int, int, str]]) -> int:
    """Where a place is after edits; one that stood in an edit is behind it."""
    return place + sum(len(text) - (end - start) for start, end, text in edits if start < place)


def _prose(sentence: str, locked: tuple[str, ...]) -> str:
    """The sentence with what is no prose masked, as in `firewall.text.markdown`."""
    blocks = read_blocks(parse(sentence))
    if len(blocks) == 1 and blocks[0].kind == "paragraph":
        prose = MARKUP * blocks[0].start + blocks[0].text
        prose += MARKUP * (len(sentence) - len(prose))
    else:
        prose = sentence
    at = 0
    for span in locked:  # what only the whole document shows to be code or a link
        found = sentence.find(span, at)
        if found < 0:
            continue
        at = found + len(span)
        if any(c in (MARKUP, OPAQUE) for c in prose[found:at]):
            continue
        if not any(c.isalnum() for c in span):
            prose = prose[:found] + MARKUP * len(span) + prose[at:]
        elif any(c in span for c in "`]<$&{"):
            prose = prose[:found] + OPAQUE * len(span) + prose[at:]
    return prose


def _find(toks: list[Token], target: str, start: int) -> tuple[int, int] | None:
    """The tokens (first, last) of the next occurrence of `target` at or after character `start`."""
    wanted = [t.low for t in tokens(target)]
    if not wanted:
        return None
    for first in range(len(toks) - len(wanted) + 1):
        if toks[first].start >= start and all(toks[first + n].low == w for n, w in enumerate(wanted)):
            return first, first + len(wanted) - 1
    return None


def _replace(
    sentence: str,
    toks: list[Token],
    span: tuple[int, int],
    alternative: str,
    plurality: str | None,
    task: EditTask,
) -> list[tuple[int, int, str]] | None:
    """The edits (start, end, text) that replace one occurrence and mend what hangs on it; None to decline."""
    first, last = span
    start, end = toks[first].start, toks[last].end
    surface = sentence[start:end]
    if any(c in (MARKUP, OPAQUE) for c in surface) or _mentioned(toks, first, last):
        return None
    fitting = _fit(toks, span, alternative, plurality, task)
    if fitting is None:
        return None
    word, edits = fitting
    capital = capitalized(toks, first, surface, word)
    if capital is None:
        return None
    word = capital
    fixed = mended_article(toks, first, word)
    if fixed is None:
        return None
    edits = [*edits, *fixed]
    broken = rewrapped(sentence, end, surface, word)
    if broken is None:
        return None
    return [*edits, (start, end + broken[1], broken[0])]


def _ends(toks: list[Token], span: tuple[int, int]) -> tuple[int, int]:
    return toks[span[0]].start, toks[span[1]].end


def _mentioned(toks: list[Token], first: int, last: int) -> bool:
    """Is the occurrence quoted as a word: "telemetry"?"""
    before = toks[first - 1].text if first else ""
    after = toks[last + 1].text if last + 1 < len(toks) else ""
    return before in _QUOTES and after in _QUOTES and bool(before)


def _fit(
    toks: list[Token], span: tuple[int, int], alternative: str, plurality: str | None, task: EditTask
) -> Fitting | None:
    """The alternative in the form that the place asks for, with the edits for agreement; None to decline."""
    first, last = span
    target = " ".join(t.low for t in toks[first : last + 1])
    word = _verb_form(toks, first, target, alternative)
    if (
        word is None
        or uninflected(toks, first, target, word, plurality)
        or not fits(toks, first, last, word)
        or not count_kept(toks, first, last, word)
        or is_fixed(toks, first, last)
        or not frame_kept(toks, first, last, word)
    ):
        return None
    ours, theirs = noun_number(target), plurality or noun_number(word)
    if ours is None or theirs is None:
        return word, []
    if "?" in (ours, theirs):
        return None
    if ours == theirs:
        if ours == "pl" or not is_mass(target) or is_mass(word):
            return word, []
        use = use_of(toks, first) if first == last and (verb_base(target) or target in NOUNS_AND_VERBS) else "noun"
        if use == "noun":
            return _countable(toks, first, last, word, task)
        return (word, []) if use == "verb" else None
    if _carried_on(task) or one_whole(toks, first):
        return None
    if ours == "sg":
        change = pluralized(toks, first, last)
        one = (singular(word) or (word if plurality else None)) if change and change.number == "sg" else word
    elif is_mass(word) or plurality:
        change, one = singularized(toks, first, last), word
    else:
        return None
    if change is None or one is None:
        return None
    return one, list(change.edits)


def _countable(toks: list[Token], first: int, last: int, word: str, task: EditTask) -> Fitting | None:
    """A countable noun for a mass noun: where no article stands it must be plural."""
    left, right = look_left(toks, first), look_right(toks, last + 1)
    change = pluralized(toks, first, last)
    if left.determiner >= 0 and toks[left.determiner].low not in _MASS_DETERMINERS:
        return word, []
    if change is None or one_whole(toks, first):
        return None
    if change.number == "sg" and right.at == last + 1:
        return word, []
    many = plural(word)
    if many is None or _carried_on(task):
        return None
    return many, list(change.edits)


def _carried_on(task: EditTask) -> bool:
    """Does the next sentence point back with a pronoun that a changed number would orphan?"""
    following = tokens(task.after)
    return bool(following) and following[0].low in ("it", "its", "they", "their", "these", "those")


def _verb_form(toks: list[Token], first: int, target: str, alternative: str) -> str | None:
    """-ing for -ing and the right one of past and participle for -ed; None where that is unclear."""
    head, _, rest = alternative.partition(" ")
    low = target.split()[0]
    if looks_ing(low) and not looks_ing(head.lower()):
        return None
    base = irregular_base(head.lower())
    if not (looks_ed(low) or (is_past(low) and not is_base_verb(low))) or looks_ing(head.lower()):
        return alternative
    if base is None or past(base) == participle(base):
        return alternative if base or looks_ed(head.lower()) else None
    use = use_of_ed(toks, first)
    if use is None:
        return None
    return " ".join(filter(None, ((participle if use == "participle" else past)(base), rest)))
