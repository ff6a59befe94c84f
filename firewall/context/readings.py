"""The other ways in which a text reads, for terms: escapes undone, margins gone, flags as letters, unseen blanks."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from firewall.context import scan
from firewall.context.views import PLAIN, WORDS, View, coded_in, edits_of, in_order

if TYPE_CHECKING:
    from collections.abc import Callable

_MARGIN = r"[ \t]{0,20}(?:>[ \t>]{0,20}(?:\d{1,3}[.)](?=[ \t]))?|\d{1,3}[.)](?=[ \t])|(?://+|\#+|;+|\*|--)[ \t]{1,4})"
_HYPHENATED = re.compile(rf"(?P<gone>[-\u2010\u00ad](?<=\w[-\u2010\u00ad])\r?\n(?:{_MARGIN})?[ \t>]*(?=\w))")
_PREFIXED = re.compile(rf"\n(?P<gone>{_MARGIN})")
_CELL = re.compile(r"\|[ \t]*\n[ \t]{0,20}\|[ \t]{0,20}(?=\w)")
"""What stands before a line of a quotation, a list or a comment, and between the last cell of a row and the next."""

_MAY_CODE = (
    r"(?:[%=]|\\x|\\u00|\\U000000|\\[xu]\{0*)[2-7][0-9A-Fa-f]|%25|\\[01][0-7]{2}|[A-Za-z]=\r?\n[A-Za-z=]|\\[A-Za-z]+\{"
)
_OCTAL = re.compile(r"\\([01][0-7]{2})(?![0-9])")
_SMALL = re.compile(r"=([2-7][0-9A-Fa-f])")
_COMMAND = re.compile(r"\\[A-Za-z]{2,16}\{|\}")

_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{4}")
_LETTERS = {0x1F1E6 + at: chr(97 + at) for at in range(26)}

_UNSEEN = re.compile(
    "(?<=\\w)[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]+(?=\\w)"
)
_REVERSED = re.compile("\u202e([^\u202c\n\u2029]{2,2000})")


def coded(text: str) -> Iterator[View]:
    """`text` with its escapes as what they stand for: of addresses, of mail, of strings, of TeX."""
    if not any(map(text.__contains__, "%\\=")) or not scan.has(_MAY_CODE, text):
        return
    edits = coded_in(text)
    if "\\" in text:
        edits += [(m.start(), m.end(), chr(int(m[1], 8))) for m in _OCTAL.finditer(text)]
        commands = list(_COMMAND.finditer(text))
        if any(m.group() != "}" for m in commands):
            edits += [(m.start(), m.end(), "") for m in commands]
    if "=" in text:
        edits += [(m.start(), m.end(), chr(int(m[1], 16))) for m in _SMALL.finditer(text)]
    if edits:
        yield View(text, PLAIN, in_order(edits))


def set_apart(text: str) -> Iterator[View]:
    """`text` without the marks that set part of a word apart (`ze==ph==yr`, TeX's `ze{}phyr`), and without the blanks
    between ideographs that each stand alone. `{ze}phyr` stays: in a template it is another word.
    """
    edits = []
    if "{}" in text:
        edits = [(m.start(), m.end(), "") for m in _EMPTY.finditer(text)]
    for mark, part in _PARTS:
        for m in part.finditer(text) if mark in text else ():
            if _wordlike(text[m.start() - 1 : m.start()]) or _wordlike(text[m.end(2) : m.end(2) + 1]):
                edits += [(*m.span(1), ""), (*m.span(2), "")]
    if not text.isascii():
        for run in _ALONE.finditer(text):
            edits += [(at, at + 1, "") for at in range(run.start() + 1, run.end(), 2)]
    if edits:
        yield View(text, PLAIN, in_order(edits))


def _wordlike(char: str) -> bool:
    return char == "_" or char.isalnum()


_EMPTY = re.compile(r"\{\}(?<=\w\{\})(?:\{\}){0,3}(?=\w)")
_PARTS = (("==", re.compile(r"(==)\w{1,40}(?=(==))")), ("^", re.compile(r"(\^)\w{1,40}(?=(\^))")))
_HAN = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_ALONE = re.compile(f"{_HAN}(?<!{_HAN}{_HAN})(?:[ \u3000]{_HAN})+(?!{_HAN})")


def composed(text: str) -> Iterator[View]:
    """`text` with letters and the marks behind them as one character, where there is one."""
    if text.isascii():
        return
    runs = ((m.start(), m.end(), unicodedata.normalize("NFC", m.group())) for m in _MARKED.finditer(text))
    edits = [run for run in runs if len(run[2]) < run[1] - run[0]]
    if edits:
        yield View(text, PLAIN, edits)


_MARKED = re.compile("\\w[\u0300-\u036f]{1,8}")


def cased(text: str) -> Iterator[View]:
    """`text` as the MATCH view has it, but in the case it is written in, for a lane's own patterns.

    A line that ends in a hyphen goes on in the next one, with the hyphen and without.
    """
    edits = edits_of(text, words=True)
    if any(map(text.__contains__, "*`~_")):
        edits += [(m.start(), m.end(), "") for m in _EMPHASIS.finditer(text)]
    if not edits and text.isascii() and "-\n" not in text:
        return
    yield View(text, _CASED, in_order(edits))
    joints = [(m.start() + 1, m.end()) for m in _HYPHENATED.finditer(text)]
    for less in (0, 1) if joints else ():
        joined = in_order([*edits, *((low - less, high, "") for low, high in joints)])
        yield View(text, _CASED, joined)


_EMPHASIS = re.compile(r"(?<=\w)[*`~]{1,3}|[*`~]{1,3}(?=\w)|(?<![^\W_])_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?![^\W_])")


class _Cased(dict[int, str | None]):
    """The fold of the MATCH view less the change of case."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        fold = WORDS[code] or ""
        self[code] = char if code < 0x80 and not char.isspace() else (fold.upper() if char.isupper() else fold) or None
        return self[code]


_CASED = _Cased()


def without_margins(text: str) -> Iterator[tuple[View, bool]]:
    """`text` with what breaks a word or a phrase at the end of a line gone, and whether phrases are meant too."""
    for breaks, phrases in ((_HYPHENATED, False), (_PREFIXED, True)):
        edits = [(*m.span("gone"), "") for m in breaks.finditer(text)]
        if edits:
            yield View(text, PLAIN, edits), phrases
    if "|" in text:  # a row ends in it and the next begins with one
        edits = [(_before(text, m.start()), m.end(), "") for m in _CELL.finditer(text)]
        if edits:
            yield View(text, PLAIN, edits), False


def _before(text: str, at: int) -> int:
    """Where the blanks before `text[at]` begin, of which twenty count."""
    return at - next((n for n in range(min(20, at)) if text[at - n - 1] not in " \t"), min(20, at))


def with_flags_as_letters(text: str) -> str | None:
    """`text`, as long as it was, with the letters that flags are made of, where there are two flags in a row."""
    if text.isascii() or not _FLAG.search(text):
        return None
    return text.translate(_LETTERS)


def unmarked(text: str) -> View | None:
    """`text` without the marks on its letters, or None where it has none."""
    edits = []
    for at in _beyond(text):
        plain = unicodedata.normalize("NFD", text[at])
        bare = "".join(c for c in plain if unicodedata.category(c) != "Mn")
        if len(bare) < len(plain):
            edits.append((at, at + 1, bare))
    return View(text, PLAIN, edits) if edits else None


def _beyond(text: str) -> Iterator[int]:
    return (m.start() for m in _MAY_BE_MARKED.finditer(text))


_MAY_BE_MARKED = re.compile("[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]")


def all_marked(piece: str) -> bool:
    """Has each letter of `piece` a mark, or all but one, as no language writes a word?"""
    letters = [c for c in unicodedata.normalize("NFD", piece) if not c.isspace()]
    bases = sum(c.isalpha() for c in letters)
    with_mark = sum(
        base.isalpha() and unicodedata.category(mark) == "Mn" for base, mark in itertools.pairwise([*letters, " "])
    )
    return bases >= _FEW and with_mark >= bases - 1


_FEW = 4


def same_accents(piece: str, term: str) -> bool:
    """Greek: is `piece`, if it has accents at all, accented as `term` is? Capitals are written without."""
    if term.isascii() or piece.isascii():
        return True
    ours = _greek(piece)
    return "\u0301" not in ours or "\u0301" not in (theirs := _greek(term)) or ours == theirs


def _greek(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in plain if "\u0370" <= c <= "\u03ff" or c == "\u0301").replace("ς", "σ")


def unseen(raw: str) -> Iterator[tuple[str, Callable[[int, int], tuple[int, int]]]]:
    """How `raw` reads where something unseen stands for a blank or turns words round; with the way back to `raw`.

    Cleaning takes both out, and what was two words is one then, or runs backwards.
    """
    if raw.isascii():
        return
    edits = [(m.start(), m.end(), " ") for m in _UNSEEN.finditer(raw)]
    if edits:
        view = View(raw, PLAIN, edits)
        yield view.text, view.place
    for match in _REVERSED.finditer(raw):
        yield match[1][::-1], _mirrored(match.end())


def _mirrored(end: int) -> Callable[[int, int], tuple[int, int]]:
    return lambda low, high: (end - high, end - low)
