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
from typing import Any, NamedTuple

from firewall.context.confusables import LATIN
from firewall.context.views import PLAIN, SQUEEZED, View, edited, edits_of, fold_char, squeezed_view
from firewall.text.words import count_words


class Hit(NamedTuple):
    """`term` as the policy writes it stands at `text[start:end]`."""

    term: str
    start: int
    end: int


class Terms(NamedTuple):
    """Terms ready to be looked for. `seams` holds, for each form, what stands between its kept characters."""

    automaton: Any
    terms: tuple[str, ...]
    seams: tuple[tuple[str, ...], ...]


_ENDINGS = ("", "s", "es", "'s", "ed", "d", "ing", "er", "ers", "ly")
_HYPHENATED = re.compile(r"(?<=\w)[-\u2010\u00ad]\r?\n[ \t>]*(?=\w)")
_BREAK = re.compile(r"-?[ \t>]*\r?\n[ \t>]*")
_SPACE = re.compile(r"[\s>]+")


@lru_cache(maxsize=64)
def prepare(terms: tuple[str, ...], inflected: bool = False) -> Terms | None:
    """`terms` ready to be looked for, or None where there are none."""
    import ahocorasick_rs

    forms: dict[str, tuple[str, tuple[str, ...]]] = {}
    for term in terms:
        for form in _forms(term) if inflected else (term,):
            squeezed, seams = _squeeze(form)
            if squeezed:
                forms.setdefault(squeezed, (term, seams))
    if not forms:
        return None
    automaton = ahocorasick_rs.AhoCorasick(list(forms))
    found = list(forms.values())
    return Terms(automaton, tuple(name for name, _ in found), tuple(seams for _, seams in found))


def find(text: str, terms: Terms | None, homoglyphs: str = "mixed") -> Iterator[Hit]:
    """Each place where a term stands as a word, in order of where it ends.

    `homoglyphs` says where a look-alike letter counts as the Latin one: "mixed" in words that hold Latin
    letters too, "any" everywhere, "off" nowhere.
    """
    if terms is None:
        return
    text = _no_surrogates(text)
    yield from _find(text, terms, homoglyphs)
    if _HYPHENATED.search(text):  # a hyphen at a line's end may be the term's or the line's: look both ways
        breaks = [(m.start(), m.end(), "") for m in _HYPHENATED.finditer(text)]
        joined = View(text, PLAIN, breaks)
        for hit in _find(joined.text, terms, homoglyphs):
            yield Hit(hit.term, *joined.place(hit.start, hit.end))


def _find(text: str, terms: Terms, homoglyphs: str) -> Iterator[Hit]:
    view = squeezed_view(text)
    for index, start, end in terms.automaton.find_matches_as_indexes(view.text, overlapping=True):
        if _inside_word(view, text, start, end):
            continue
        low, high = view.place(start, end)
        term = terms.terms[index]
        if not _torn_well(text[low:high], terms.seams[index]) or not _bounded(text, low, high):
            continue
        if _alike_enough(text, low, high, term, homoglyphs):
            yield Hit(term, low, high)


def _inside_word(view: View, text: str, start: int, end: int) -> bool:
    """A quick no: a mark goes on from the hit, or, in plain text (squeezed it is itself), a letter."""
    if end < len(view.text) and view.text[end] > "\x7f" and unicodedata.category(view.text[end])[0] == "M":
        return True
    if len(view.text) != len(text) or not text.isascii():
        return False
    before = start > 0 and view.text[start].isalnum() and view.text[start - 1].isalnum()
    return before or (end < len(text) and view.text[end - 1].isalnum() and view.text[end].isalnum())


def _no_surrogates(text: str) -> str:
    """The automaton takes no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


def _forms(term: str) -> Iterator[str]:
    """The regular English forms of a term; of a phrase, those of its last word."""
    for ending in _ENDINGS:
        yield term + ending
    if len(term) > 3 and term[-1] in "eE":
        yield from (term[:-1] + ending for ending in ("ing", "ed", "er"))
    if len(term) > 2 and term[-1] in "yY" and term[-2] not in "aeiouAEIOU":
        yield from (term[:-1] + ending for ending in ("ies", "ied", "ier"))
    if len(term) > 2 and term[-1] not in "aeiouwxyAEIOUWXY" and term[-2] in "aeiouAEIOU":
        yield from (term + term[-1] + ending for ending in ("ing", "ed", "er"))


def _squeeze(term: str) -> tuple[str, tuple[str, ...]]:
    """The squeezed form of `term`, and the characters dropped between each two that stay."""
    kept: list[str] = []
    seams: list[str] = []
    gap = ""
    for char in term.strip():
        fold = SQUEEZED[ord(char)]
        if not fold:
            gap += " " if char.isspace() else ""
            continue
        if kept:
            seams.append(gap)
        kept.append(fold)
        seams.extend([""] * (len(fold) - 1))
        gap = ""
    return "".join(kept), tuple(seams)


def _torn_well(piece: str, seams: tuple[str, ...]) -> bool:
    """Is `piece` torn apart only as its term is, or by what nobody sees, or by a line break?"""
    if "&" not in piece and not any(seams) and piece.isalnum():
        return True
    at = -1  # index of the seam before the next kept character
    gap = ""
    for char in _plain(piece):
        fold = SQUEEZED[ord(char)]
        if not fold:
            gap += char if char.isspace() else ""
            continue
        if at >= 0 and at < len(seams) and not _seam(gap, seams[at]):
            return False
        gap = ""
        at += len(fold)
    return True


def _seam(gap: str, wanted: str) -> bool:
    if wanted:
        return bool(_SPACE.fullmatch(gap)) and gap.count("\n") < 3
    return not gap or bool(_BREAK.fullmatch(gap))


def _plain(piece: str) -> str:
    """`piece` with references decoded and markup inside words gone."""
    return edited(piece, edits_of(piece, words=False))


def _bounded(text: str, low: int, high: int) -> bool:
    """No letter, mark or digit goes on from the hit, seen through what nobody sees."""
    return not (_goes_on(text, low, -1) or _goes_on(text, high, 1))


def _goes_on(text: str, edge: int, step: int) -> bool:
    inner = text[edge] if step < 0 else text[edge - 1]
    if not _wordlike(inner) or count_words(inner + inner) > 1:  # signs, and scripts without spaces
        return False
    at = edge - 1 if step < 0 else edge
    while 0 <= at < len(text) and abs(at - edge) < 64:
        char = text[at]
        if fold_char(char) == "" or char in "*`~":
            at += step
            continue
        return _wordlike(char)
    return False


def _wordlike(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _alike_enough(text: str, low: int, high: int, term: str, homoglyphs: str) -> bool:
    """Does the policy take the look-alike letters of this hit for those of the term?"""
    piece = text[low:high]
    if homoglyphs == "any" or piece.isascii():
        return True
    foreign = [c for c in piece.casefold() if c in LATIN]
    if not foreign or all(c in term.casefold() for c in foreign):
        return True
    if homoglyphs == "off":
        return False
    return any("a" <= c.lower() <= "z" for c in _word_around(text, low, high))


def _word_around(text: str, low: int, high: int) -> str:
    while low > 0 and text[low - 1].isalnum():
        low -= 1
    while high < len(text) and text[high].isalnum():
        high += 1
    return text[low:high]
