"""Finding a lane's banned terms in a text: as words in any script, however they are torn apart.

Text and terms are squeezed (blanks, emphasis, invisible characters gone, look-alikes Latin) and matched in
one linear pass; each hit is then judged where it stands in the text: what tore it apart must be nothing a
reader sees or a line break, and no letter may go on from it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from firewall.context.confusables import ALTERNATE, LATIN
from firewall.context.forms import forms_of
from firewall.context.readings import (
    all_marked,
    coded,
    same_accents,
    set_apart,
    unmarked,
    with_flags_as_letters,
    without_margins,
)
from firewall.context.seams import SIGNS, SPELLED, aside, other_script, torn_loosely, torn_well, with_one_break
from firewall.context.views import (
    LOOSE,
    SQUEEZED,
    Folds,
    View,
    fold_char,
    is_stress,
    read_twice,
    squeezed_view,
)
from firewall.text.words import count_words
from firewall.values import NamedTuple


class Hit(NamedTuple):
    """`term` as the policy writes it stands at `text[start:end]`."""

    term: str
    start: int
    end: int


class Terms(NamedTuple):
    """Terms ready to be looked for in one view; `seams` holds what stands between the kept characters of each form."""

    automaton: Any
    terms: tuple[str, ...]
    seams: tuple[tuple[str, ...], ...]
    folds: Folds


class Prepared(NamedTuple):
    """`close` are the terms as they are written; `loose` those that other signs than blanks may part, or None."""

    close: Terms
    loose: Terms | None


_DIGITS = re.compile(r"[013457@$](?<=[A-Za-z][013457@$])(?=[A-Za-z])")
_SECOND = str.maketrans(ALTERNATE)
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
HUMP = 4
"""Letters from which on a term is looked for in names such as `getZephyrId`: shorter ones are parts of many a name."""
_TURNED = 8
"""Letters from which on a term is looked for in rot13 too; shorter words turn into other words."""
_LEET, _LEET_TOO = str.maketrans("013457@$", "oieastas"), str.maketrans("013457@$", "oleastas")
_LIVING = frozenset(("CYRILLIC", "GREEK", "ARMENIAN", "HEBREW", "ARABIC", "GEORGIAN", "HANGUL"))


@lru_cache(maxsize=64)
def prepare(terms: tuple[str, ...], inflected: bool = False) -> Prepared | None:
    """`terms` ready to be looked for, or None where there are none."""
    forms = [(term, form) for term in terms for form in (forms_of(term) if inflected else (term,))]
    forms += [(term, form.translate(_ROT13)) for term, form in forms if form.isascii() and _letters_of(form) >= _TURNED]
    close = _terms(forms, SQUEEZED)
    loose = _terms([(term, form) for term, form in forms if _may_part(form.strip())], LOOSE)
    return Prepared(close, loose) if close else None


def _letters_of(form: str) -> int:
    return sum(map(str.isalpha, form))


def _may_part(form: str) -> bool:
    """May signs part it? Words that blanks part, and plain words long enough to be spelled out; not `node.js`."""
    if form[0] in SIGNS or form[-1] in SIGNS:
        return False
    signs = any(c in SIGNS for c in form)
    return any(c.isspace() for c in form) or (not signs and len(form) >= SPELLED)


def _terms(forms: list[tuple[str, str]], folds: Folds) -> Terms | None:
    import ahocorasick_rs

    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for term, form in forms:
        squeezed, seams = _squeeze(form, folds)
        if squeezed:
            found.setdefault(squeezed, (term, seams))
    if not found:
        return None
    names, seams_of = zip(*found.values(), strict=True)
    return Terms(ahocorasick_rs.AhoCorasick(list(found)), names, seams_of, folds)


def find(text: str, terms: Prepared | None, homoglyphs: str = "mixed") -> Iterator[Hit]:
    """Each place where a term stands as a word, in order of where it ends.

    `homoglyphs` says where a look-alike letter counts as the Latin one: "mixed" in words that hold Latin letters
    too, and in words of look-alikes alone where the text has no other word of their script; "any" everywhere,
    "off" nowhere.
    """
    if terms is None:
        return
    text = with_one_break(no_surrogates(text))
    said: set[Hit] = set()
    for hit in _readings(text, terms, homoglyphs):
        if hit not in said:
            said.add(hit)
            yield hit


def _readings(text: str, terms: Prepared, homoglyphs: str) -> Iterator[Hit]:
    yield from _find(text, terms.close, homoglyphs)
    if terms.loose:
        yield from _find(text, terms.loose, homoglyphs)
    if homoglyphs != "off":
        yield from _alike(text, terms.close, homoglyphs)
    for view in (*coded(text), *set_apart(text)):
        for hit in _find(view.text, terms.close, homoglyphs):
            yield Hit(hit.term, *view.place(hit.start, hit.end))
    for view, phrases in without_margins(text):  # a hyphen at a line's end may be the term's or the line's: both ways
        for some in (terms.close, terms.loose if phrases else None):
            for hit in _find(view.text, some, homoglyphs) if some else ():
                yield Hit(hit.term, *view.place(hit.start, hit.end))
    flags = with_flags_as_letters(text)
    for hit in _find(flags, terms.close, homoglyphs) if flags else ():
        if all(c > "\U0001f1e5" for c in text[hit.start : hit.end]):
            yield hit
    if not text.isascii() and (bare := unmarked(text)):
        for hit in _find(bare.text, terms.close, homoglyphs):
            low, high = bare.place(hit.start, hit.end)
            if all_marked(text[low:high]):
                yield Hit(hit.term, low, high)


def _alike(text: str, terms: Terms, homoglyphs: str) -> Iterator[Hit]:
    """Hits in other readings of look-alike letters and digits. All have the text's length, so places are the same."""
    if read_twice(text):
        for hit in _find(text.translate(_SECOND), terms, homoglyphs):
            if alike_enough(text, hit.start, hit.end, hit.term, homoglyphs):
                yield hit
    if _DIGITS.search(text):
        for digits in (_LEET, _LEET_TOO):
            for hit in _find(text.translate(digits), terms, homoglyphs):
                if not text[hit.start : hit.end].isdigit():
                    yield hit


def _find(text: str, terms: Terms, homoglyphs: str) -> Iterator[Hit]:
    view = squeezed_view(text, terms.folds)
    good = torn_loosely if terms.folds is LOOSE else torn_well
    for index, start, end in terms.automaton.find_matches_as_indexes(view.text, overlapping=True):
        if _inside_word(view, text, start, end):
            continue
        low, high = view.place(start, end)
        if start and view.place(start - 1, start)[1] > low:
            continue  # it begins or ends within what one character stands for, such as a ligature
        if end < len(view.text) and view.place(end, end + 1)[0] < high:
            continue
        term = terms.terms[index]
        if not good(text[low:high], terms.seams[index]) or not _bounded(text, low, high) or aside(text, low, high):
            continue
        if alike_enough(text, low, high, term, homoglyphs) and same_accents(text[low:high], term):
            yield Hit(term, low, high)


def _inside_word(view: View, text: str, start: int, end: int) -> bool:
    """A quick no: a mark goes on from the hit, or, in plain text (squeezed it is itself), a letter."""
    if end < len(view.text) and view.text[end] > "\x7f" and unicodedata.category(view.text[end])[0] == "M":
        return True
    if len(view.text) != len(text) or not text.isascii():
        return False
    if start > 0 and text[start].isalnum() and text[start - 1].isalnum() and not _hump(text, start, end, start):
        return True
    return end < len(text) and text[end - 1].isalnum() and text[end].isalnum() and not _hump(text, start, end, end)


def _hump(text: str, low: int, high: int, at: int) -> bool:
    """Does a word of a name such as `getZephyrId` or `HTTPServer` begin at `text[at]`, an edge of a hit?"""
    before, after = text[at - 1], text[at]
    if high - low < HUMP or not after.isupper():
        return False
    return not before.isupper() or (at + 1 < len(text) and text[at + 1].islower())


def no_surrogates(text: str) -> str:
    """The automaton takes no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


def _squeeze(term: str, folds: Folds) -> tuple[str, tuple[str, ...]]:
    """The squeezed form of `term`, and what stands between each two characters that stay: a blank or nothing."""
    kept: list[str] = []
    seams: list[str] = []
    gap = ""
    written = term.strip()
    for at, char in enumerate(written):
        if is_stress(written, at):
            continue
        fold = folds[ord(char)]
        if not fold:
            gap += " " if char.isspace() or char in SIGNS else ""
            continue
        if kept:
            seams.append(gap)
        kept.append(fold)
        seams.extend([""] * (len(fold) - 1))
        gap = ""
    return "".join(kept), tuple(seams)


def _bounded(text: str, low: int, high: int) -> bool:
    """No letter, mark or digit goes on from the hit, seen through what nobody sees."""
    begins = low > 0 and _hump(text, low, high, low)
    ends = high < len(text) and _hump(text, low, high, high)
    return (begins or not _goes_on(text, low, -1)) and (ends or not _goes_on(text, high, 1))


def _goes_on(text: str, edge: int, step: int) -> bool:
    inner = text[edge] if step < 0 else text[edge - 1]
    if not _wordlike(inner) or count_words(inner + inner) > 1:  # signs, and scripts without spaces
        return False
    at = edge - 1 if step < 0 else edge
    while 0 <= at < len(text) and abs(at - edge) < 64:
        char = text[at]
        if fold_char(char) == "" or char in "*`~" or (step > 0 and is_stress(text, at)):
            at += step
            continue
        return _wordlike(char) and not other_script(inner, char)
    return False


def _wordlike(char: str) -> bool:
    """A letter, a digit or a mark; the small or ringed number of a footnote goes on from no word."""
    if char < "\x80":
        return char.isalnum()
    kind = unicodedata.category(char)
    return (char.isalnum() and kind != "No") or kind[0] == "M"


def alike_enough(text: str, low: int, high: int, term: str, homoglyphs: str) -> bool:
    """Does the policy take the look-alike letters of this hit for those of the term?"""
    piece = text[low:high]
    if homoglyphs == "any" or piece.isascii():
        return True
    foreign = [c for c in piece.casefold() if c in LATIN]
    if not foreign or all(c in unicodedata.normalize("NFD", term.casefold()) for c in foreign):
        return True
    if homoglyphs == "off":
        return False
    return any("a" <= c.lower() <= "z" for c in _word_around(text, low, high)) or _disguise(text, foreign)


def _disguise(text: str, foreign: list[str]) -> bool:
    """Are these look-alikes, which make up a word, the only letters of their script in `text`?

    Honest Cyrillic or Greek has letters that look like no Latin one. Scripts that few people write need no Latin
    text around them to be suspicious.
    """
    scripts = {unicodedata.name(c, "?").split()[0] for c in foreign}
    letters = _letters(text)
    if scripts & _LIVING and not any("a" <= c.lower() <= "z" for c in letters):
        return False
    return not any(
        c > "\x7f" and c.isalpha() and c.casefold() not in LATIN and unicodedata.name(c, "?").split()[0] in scripts
        for c in letters
    )


@lru_cache(maxsize=2)
def _letters(text: str) -> frozenset[str]:
    return frozenset(text)


def _word_around(text: str, low: int, high: int) -> str:
    """The word that the hit is, with up to 64 more letters on each side."""
    before = re.search(r"\w{0,64}$", text[max(low - 64, 0) : low])
    after = re.match(r"\w{0,64}", text[high : high + 64])
    return (before.group() if before else "") + text[low:high] + (after.group() if after else "")
