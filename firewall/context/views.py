"""The MATCH view of a text: what a reader would take it for, with a way back to the text.

References are decoded, escapes and the markup inside words resolved, compatibility forms decomposed,
invisible characters gone, look-alike letters turned Latin, case folded. A view never reaches a prompt: it turns
`x²` into `x2`. Letters are decomposed, not composed, so that a character's fold hangs on no neighbour and the
way back is exact.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import regex

from firewall.context import scan
from firewall.context.confusables import ALTERNATE, BEFORE_CASE, LATIN, SAME
from firewall.context.invisible import decoded
from firewall.context.properties import is_invisible

_MARKS = regex.compile(r"\p{M}+")


# But hamza and madda (U+0653 to U+0655), which make another letter of the one below.
_OPTIONAL = regex.compile(
    r"(?V1)[[\p{Mn}&&[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\u0610-\u061a\u064b-\u065f\u0670]]--[\u0653-\u0655]]"
)
_STRESS = re.compile(
    "(?<=[АаЕеЁёИиОоУуЫыЭэЮюЯяІіЇїЄєΑαΕεΗηΙιΟοΥυΩω])[\u0300\u0301]|(?<=[Ee\u0415\u0435])\u0308|(?<=[Ii])\u0307"
)
_TONOS = re.compile("[\u0300\u0301\u0313\u0314\u0342\u0345]")
"""What tells how to say a Cyrillic word, and the dot of the Turkish capital of i, where they are written apart."""


def is_stress(text: str, at: int) -> bool:
    """Is `text[at]` a mark that is no part of how a word is spelled?"""
    return _STRESS.match(text, at) is not None


def fold_char(char: str) -> str:
    """The fold of one character; marks of letters stay, invisible characters become nothing."""
    if char.isspace():
        return "\n" if char in "\n\r\v\x85\u2028\u2029" else " "
    if "\x20" <= char < "\x7f":
        return char.lower()
    if char in BEFORE_CASE:
        return BEFORE_CASE[char]
    if char == "\u0640" or ("\u0591" <= char <= "\u08ff" and _OPTIONAL.fullmatch(char)):
        return ""  # the vowels of Hebrew, Arabic and Syriac, and what stretches a word, are no part of its spelling
    if is_invisible(char) or "\u20d0" <= char <= "\u20f0" or ("\u0300" <= char <= "\u036f" and char not in _spelling()):
        return ""  # strokes through a letter, lines under it and rings around it are no part of its spelling
    if char in SAME:
        char = SAME[char]
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    if "\u0370" <= char <= "\u03ff" or "\u1f00" <= char <= "\u1fff":  # Greek capitals have no accents
        folded = _TONOS.sub("", folded)
    folded = "".join(LATIN.get(c, c) for c in folded if c == char or not (is_invisible(c) or _OPTIONAL.match(c)))
    return "".join(_PUNCTUATION.get(c, c) for c in folded)


@lru_cache(maxsize=1)
def _spelling() -> frozenset[str]:
    """The marks that letters of Latin, Greek and Cyrillic are spelled with: those of Unicode's own composed letters."""
    blocks = (0xC0, 0x300), (0x370, 0x530), (0x1E00, 0x2000)
    letters = [chr(code) for low, high in blocks for code in range(low, high)]
    marks = frozenset("".join(unicodedata.normalize("NFD", letter) for letter in letters))
    return marks - frozenset(map(chr, range(0x334, 0x339)))


_PUNCTUATION = {"’": "'", "‘": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‐": "-",
                "‑": "-", "–": "-", "—": "-", "−": "-", "…": "...", "⁄": "/", "∕": "/"}  # fmt: skip


class Folds(dict[int, str | None]):
    """The table of a view for `str.translate`, filled as characters are met. None drops a character.

    None and not an empty text: only so does `translate` take its fast way through ASCII.
    """

    def __init__(self, drop: str, marks: bool, *, second: bool = False) -> None:
        self.drop = frozenset(drop)
        self.marks = marks
        if second:
            self.update({ord(char): latin for char, latin in ALTERNATE.items()})

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        folded = "" if char in self.drop else fold_char(char)
        if folded in self.drop and char not in "\u2013\u2014":  # a sign in another form; a dash is no hyphen
            folded = ""
        if not self.marks and len(folded) and not folded.isascii():
            folded = _MARKS.sub("", folded)
            folded = "".join(LATIN.get(c, c) for c in folded)
        if self.drop and folded.isspace():
            folded = ""
        self[code] = folded or None
        return self[code]


WORDS = Folds(drop="", marks=False)
"""For rules about phrases: blanks stay, marks on letters go (`précédent` is `precedent`)."""
WORDS_TOO = Folds(drop="", marks=False, second=True)
"""As WORDS, with letters that look like two Latin ones read the other way."""
for _flag in range(26):  # flags spell, but a flag is no word that a lane bans
    WORDS[0x1F1E6 + _flag] = WORDS_TOO[0x1F1E6 + _flag] = chr(97 + _flag)
SQUEEZED = Folds(drop="*`~\\", marks=True)
"""For terms: blanks, emphasis and escapes go, so that a term is found however it is torn apart."""
LOOSE = Folds(drop="*`~\\-_./|+$\u00b7:=\u2022\u2192\"'()[]\u2013\u2014", marks=True)
"""For terms of more words and spelled-out ones: what may stand between words instead of a blank goes too."""
_EITHER = frozenset(ALTERNATE)


class _Same(dict[int, str | None]):
    """Every character stays."""

    def __missing__(self, code: int) -> str:
        return chr(code)


PLAIN = _Same()
"""For a view that only takes something out."""


class View:
    """`text` is the folded text; `place` leads from it back to the text it was made of.

    `edits` are (start, end, replacement) of the source, in order, made before folding.
    """

    __slots__ = ("_at", "_edits", "_folds", "_highs", "_shifts", "_source", "text")

    def __init__(
        self, source: str, folds: dict[int, str | None], edits: list[tuple[int, int, str]] | None = None
    ) -> None:
        self._edits = edits or []
        self._source = edited(source, self._edits) if edits else source
        self._folds = folds
        self.text = self._source if folds is PLAIN else folded(self._source, folds)
        self._at: Sequence[int] | None = None
        self._highs: list[int] = []
        self._shifts: list[int] = []

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that `text[start:end]` was made of. `start < end`."""
        if self._folds is PLAIN:
            return self._unedited(start, False), self._unedited(end, True)
        if self._at is None:  # rarely needed, so made when it is
            folds = self._folds
            lengths = {char: len(folds[ord(char)] or "") for char in set(self._source)}
            at = accumulate(map(lengths.__getitem__, self._source), initial=0)
            self._at = range(len(self._source) + 1) if set(lengths.values()) <= {1} else list(at)
        first = bisect_right(self._at, start) - 1
        last = bisect_right(self._at, end - 1)
        return self._unedited(first, False), self._unedited(last, True)

    def _unedited(self, offset: int, is_end: bool) -> int:
        """Where `offset` of the edited source lies in the source; in a replacement, the edge of what it replaced."""
        if not self._edits:
            return offset
        if not self._highs:
            shift = 0
            for start, end, new in self._edits:
                shift += len(new) - (end - start)
                self._shifts.append(shift)
                self._highs.append(end + shift)
        at = bisect_left(self._highs, offset) if is_end else bisect_right(self._highs, offset)
        shift = self._shifts[at - 1] if at else 0
        if at < len(self._edits):
            start, end, _ = self._edits[at]
            if offset > start + shift or (offset == start + shift and not is_end):
                return end if is_end else start
        return offset - shift


_ASCII = bytes(range(128))
_SOME = 24
"""Different characters up to which replacing each costs less than `translate` beyond ASCII."""

_BEYOND = re.compile(r"([^\x00-\x7f]+)")
_APART = 50
"""Characters in a row from which on a stretch of ASCII is worth a call of its own."""


def wide(text: str) -> frozenset[str]:
    """The characters of `text` beyond ASCII, each once."""
    if text.isascii():
        return frozenset()
    return frozenset(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def folded(text: str, folds: dict[int, str | None]) -> str:
    """`text.translate(folds)`, which is ten times as fast in ASCII: a few other characters are replaced before."""
    new = {char: folds[ord(char)] or "" for char in wide(text)}
    changed = [char for char, fold in new.items() if fold != char]
    if len(changed) <= _SOME:
        settled = [char for char in changed if all(folds[ord(c)] == c for c in new[char])]
        for char in settled:
            text = text.replace(char, new[char])
        plain = None if text.isascii() or len(settled) < len(changed) else _plain_folds(folds)
        if plain:  # nothing beyond ASCII changes any more
            return text.encode("utf-8", "surrogatepass").translate(*plain).decode("utf-8", "surrogatepass")
    parts = [] if text.isascii() else _BEYOND.split(text)
    if 0 < len(parts) * _APART < len(text):
        return "".join([part.translate(folds) for part in parts])
    return text.translate(folds)


def _plain_folds(folds: dict[int, str | None]) -> tuple[bytes, bytes] | None:
    """What `folds` does to ASCII, for `bytes.translate`: a table, and what goes; None if one becomes more."""
    new = [folds[code] or "" for code in range(128)]
    table = "".join(fold or "\0" for fold in new)
    gone = bytes(code for code, fold in enumerate(new) if not fold)
    return (table.encode() + bytes(range(128, 256)), gone) if len(table) == 128 and table.isascii() else None


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += (text[at:start], new)
        at = end
    return "".join([*parts, text[at:]])


_REFERENCE = re.compile(
    r"&(?:amp;)*(?:#0*[0-9]{1,7}(?![0-9])|#[xX]0*[0-9A-Fa-f]{1,6}(?![0-9A-Fa-f])|[A-Za-z][A-Za-z0-9]{1,31});?"
)
_AMPS = re.compile(r"^(?:amp;)+")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODED = re.compile(
    r"(?:%(?:25){0,3}|=|\\x|\\u00|\\U000000)([2-7][0-9A-Fa-f])|\\[xu]\{0{0,4}([2-7][0-9A-Fa-f])\}"
    r"|=(?<=[A-Za-z]=)\r?\n(?=[A-Za-z=])"  # a line of quoted-printable that goes on
)
_IN_WORD = re.compile(  # every branch begins with a character of its own, so that the engine skips to the next one
    r"[*`~](?<=\w[*`~])[*`~]{0,2}(?=\w)|<(?<=\w<)(?:[^<>\s]{0,40}>|!--.{0,80}?-->)(?=\w)"
    r"|\[(?<=\w\[)\]\([^()\s]{0,80}\)(?=\w)",
    re.DOTALL,
)


_MAY_CODE = r"(?:%|=|\\x|\\u00|\\U000000|\\[xu]\{0*)[2-7][0-9A-Fa-f]|[A-Za-z]=\r?\n[A-Za-z=]"
_MAY_STAND_IN_WORD = r"[\w?][*`~]{1,3}[\w?]|[\w?]<|[\w?]\[\]\("  # a question mark stands for what is not ASCII


def match_view(text: str, folds: dict[int, str | None] = WORDS) -> View:
    """The view for rules about phrases."""
    return View(text, folds, edits_of(text, words=True))


def read_twice(text: str) -> bool:
    """Are there letters in `text` that look like two Latin ones?"""
    return not _EITHER.isdisjoint(wide(text))


def squeezed_view(text: str, folds: dict[int, str | None] = SQUEEZED) -> View:
    """The view for terms."""
    return View(text, folds, edits_of(text, words=False))


def edits_of(text: str, *, words: bool) -> list[tuple[int, int, str]]:
    """What changes before characters are folded one by one: references, escapes, markup inside words."""
    edits: list[tuple[int, int, str]] = []
    if "&" in text:
        for match in _REFERENCE.finditer(text):
            name = match.group()
            if name.startswith("&amp;") and len(name) > 5:  # a reference to a reference, however often
                name = "&" + (_AMPS.sub("", name[1:]) or "amp;")
            char = decoded(name)
            if char != match.group():
                edits.append((*match.span(), char))
    if words and any(map(text.__contains__, ("%", "=", "\\"))) and scan.has(_MAY_CODE, text):
        edits += coded_in(text)
    if words and "\\" in text:
        edits += [(m.start(), m.end(), m.group(1)) for m in _ESCAPE.finditer(text)]
    if any(c in text for c in ("*", "`", "~", "<", "[](")) and scan.has(_MAY_STAND_IN_WORD, text):
        edits += [(m.start(), m.end(), "") for m in _IN_WORD.finditer(text)]
    if not (words or text.isascii()) and any(map(text.__contains__, "\u0300\u0301\u0307\u0308")):
        edits += [(m.start(), m.end(), "") for m in _STRESS.finditer(text)]
    return in_order(edits)


def coded_in(text: str) -> list[tuple[int, int, str]]:
    """The escapes of addresses, mail and strings in `text` as edits: what each stands for in its place."""
    return [(*m.span(), chr(int(m[1] or m[2], 16)) if m.lastindex else "") for m in _CODED.finditer(text)]


def in_order(edits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """`edits` in order, without those that overlap an earlier one."""
    if len(edits) < 2:
        return edits
    edits.sort()
    kept = edits[:1]
    for edit in edits[1:]:
        if edit[0] >= kept[-1][1]:
            kept.append(edit)
    return kept
