"""What may tear a banned term apart: what nobody sees, a line break, and between words the signs that join names."""

from __future__ import annotations

import re

import regex

from firewall.context.confusables import LATIN
from firewall.context.views import LOOSE, SQUEEZED, edited, edits_of, fold_char

_BREAK = re.compile(r"-?[ \t>]*\r?\n[ \t>]*")
_SPACE = re.compile(r"[\s>]+")
SIGNS = "-_./|+\u00b7"
"""What may stand between the words of a term instead of a blank."""
_GAPS = frozenset(SIGNS + ":=\u2022\u2192\"'()[]\u2013\u2014")
_PARTED = re.compile(
    r"_{0,3}[\s>]+_{0,3}|[-_./+\u00b7]{1,3}|[\s>]*\|[\s>|:-]*|[\s>]*\n[\s>]*-\s+|-[ \t]*\n\s*|[ \t]+/[ \t]+"
    r"|[ \t]?(?!\(\)|\[\])[-:=\"'()\[\]\u00b7\u2022\u2192\u2013\u2014]{1,3}[ \t]?[\"'(\[]?"
)
# the last: a colon, a quotation, a dash, but no end of a sentence and no call() of a function
SPELLED = 4
"""Letters from which on a term is looked for spelled out: `Z-e-p-h-y-r`."""


_RETURN = re.compile(r"\r(?!\n)")
_BREAKS = "\v\f\x85\u2028\u2029"
_APART = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Hebrew}\p{Arabic}"
    r"\p{Syriac}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}"
    r"\p{Georgian}\p{Ethiopic}\p{Mongolian}\u30fc\uff70]"
)


def with_one_break(text: str) -> str:
    """`text`, as long as it was, with one character for what breaks a line."""
    if "\r" in text:
        text = _RETURN.sub("\n", text)
    for char in _BREAKS:
        if char in text:
            text = text.replace(char, "\n")
    return text


def other_script(inner: str, outer: str) -> bool:
    """Does the script change to or from one that is never mixed with Latin letters in a word: 계획zephyr는?

    Cyrillic, Greek and what looks like Latin letters is mixed into words to disguise them.
    """
    if outer in LATIN or inner in LATIN:
        return False
    return (_APART.match(inner) is None) != (_APART.match(outer) is None)


def torn_well(piece: str, seams: tuple[str, ...]) -> bool:
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


def torn_loosely(piece: str, seams: tuple[str, ...]) -> bool:
    """Do signs, table cells or list items stand between the words of `piece`, or the same sign between its letters?"""
    gaps: list[str] = []
    gap = last = ""
    apart = True  # are the words apart, and nothing else?
    for char in _plain(piece):
        fold = LOOSE[ord(char)]
        if not fold:
            gap += char if char.isspace() else _sign(char)
            continue
        if last:
            at = len(gaps)
            if at < len(seams):
                hump = not gap and last.islower() and char.isupper()
                good = hump or _PARTED.fullmatch(gap) if seams[at] else not gap or _BREAK.fullmatch(gap)
                apart = apart and bool(good)
            gaps.append(gap)
        gaps.extend([""] * (len(fold) - 1))
        gap, last = "", char
    if apart:
        return True
    inside = {g for g, wanted in zip(gaps, seams, strict=False) if not wanted}
    return len(gaps) >= SPELLED - 1 and len(inside) == 1 and all(gaps) and len(inside.pop()) <= 3


_DASH = re.compile("[\u2013\u2014]")


def aside(text: str, low: int, high: int) -> bool:
    """Is the dash in `text[low:high]` the first of two that set an aside apart: the project – zephyr by name – is?"""
    dash = _DASH.search(text, low, high)
    return dash is not None and dash.group() in re.split(r"[.!?\n]", text[high : high + 100], maxsplit=1)[0]


def _sign(char: str) -> str:
    fold = char if char in "\u2013\u2014" else fold_char(char)
    return fold if fold in _GAPS else ""


def _plain(piece: str) -> str:
    """`piece` with references decoded and markup inside words gone."""
    return edited(piece, edits_of(piece, words=False))
