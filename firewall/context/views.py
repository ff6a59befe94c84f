"""The MATCH view of a text: what a reader would take it for, with a way back to the text.

References are decoded, escapes and the markup inside words resolved, compatibility forms decomposed,
invisible characters gone, look-alike letters turned Latin, case folded. A view never reaches a prompt: it turns
`x²` into `x2`. Letters are decomposed, not composed, so that a character's fold hangs on no neighbour and the
way back is exact.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

import regex

from firewall.context.confusables import LATIN
from firewall.context.invisible import decoded, is_invisible

_MARKS = regex.compile(r"\p{M}+")


def fold_char(char: str) -> str:
    """The fold of one character; marks of letters stay, invisible characters become nothing."""
    if char.isspace():
        return "\n" if char in "\n\r\v\x85\u2028\u2029" else " "
    if "\x20" <= char < "\x7f":
        return char.lower()
    if is_invisible(char):
        return ""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    folded = "".join(LATIN.get(c, c) for c in folded if c == char or not is_invisible(c))
    return "".join(_PUNCTUATION.get(c, c) for c in folded)


_PUNCTUATION = {"’": "'", "‘": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‐": "-",
                "‑": "-", "–": "-", "—": "-", "−": "-", "…": "...", "⁄": "/", "∕": "/"}  # fmt: skip


class _Folds(dict[int, str]):
    """The table of a view for `str.translate`, filled as characters are met."""

    def __init__(self, drop: str, marks: bool) -> None:
        self.drop = frozenset(drop)
        self.marks = marks

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = "" if char in self.drop else fold_char(char)
        if not self.marks and len(folded) and not folded.isascii():
            folded = _MARKS.sub("", folded)
            folded = "".join(LATIN.get(c, c) for c in folded)
        if self.drop and folded.isspace():
            folded = ""
        self[code] = folded
        return folded


WORDS = _Folds(drop="", marks=False)
"""For rules about phrases: blanks stay, marks on letters go (`précédent` is `precedent`)."""
SQUEEZED = _Folds(drop="*`~\\", marks=True)
"""For terms: blanks, emphasis and escapes go, so that a term is found however it is torn apart."""


class _Same(dict[int, str]):
    """Every character stays."""

    def __missing__(self, code: int) -> str:
        return chr(code)


PLAIN = _Same()
"""For a view that only takes something out."""


class View:
    """`text` is the folded text; `place` leads from it back to the text it was made of.

    `edits` are (start, end, replacement) of the source, in order, made before folding.
    """

    __slots__ = ("_at", "_edits", "_folds", "_source", "text")

    def __init__(self, source: str, folds: dict[int, str], edits: list[tuple[int, int, str]] | None = None) -> None:
        self._edits = edits or []
        self._source = edited(source, self._edits) if edits else source
        self._folds = folds
        self.text = self._source.translate(folds)
        self._at: list[int] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that `text[start:end]` was made of. `start < end`."""
        if self._at is None:  # rarely needed, so made when it is
            folds = self._folds
            self._at = list(accumulate((len(folds[ord(c)]) for c in self._source), initial=0))
        first = bisect_right(self._at, start) - 1
        last = bisect_right(self._at, end - 1)
        return self._unedited(first, False), self._unedited(last, True)

    def _unedited(self, offset: int, is_end: bool) -> int:
        shift = 0
        for start, end, new in self._edits:
            low = start + shift
            if offset < low or (offset == low and is_end):
                break
            high = low + len(new)
            if offset < high or (is_end and offset == high):
                return end if is_end else start
            shift += len(new) - (end - start)
        return offset - shift


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
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_IN_WORD = re.compile(r"(?<=\w)(?:[*`~]{1,3}|<[^<>\s]{0,40}>|\[\]\([^()\s]{0,80}\)|<!--.{0,80}?-->)(?=\w)", re.DOTALL)


def match_view(text: str) -> View:
    """The view for rules about phrases."""
    return View(text, WORDS, edits_of(text, words=True))


def squeezed_view(text: str) -> View:
    """The view for terms."""
    return View(text, SQUEEZED, edits_of(text, words=False))


def edits_of(text: str, *, words: bool) -> list[tuple[int, int, str]]:
    """What changes before characters are folded one by one: references, escapes, markup inside words."""
    edits: list[tuple[int, int, str]] = []
    if "&" in text:
        for match in _REFERENCE.finditer(text):
            name = match.group()
            while name.startswith("&amp;") and len(name) > 5:
                name = "&" + name[5:]
            char = decoded(name)
            if char != match.group():
                edits.append((*match.span(), char))
    if words and "\\" in text:
        edits += [(m.start(), m.end(), m.group(1)) for m in _ESCAPE.finditer(text)]
    if any(c in text for c in ("*", "`", "~", "<", "[](")):
        edits += [(m.start(), m.end(), "") for m in _IN_WORD.finditer(text)]
    if len(edits) > 1:
        edits.sort()
        kept = edits[:1]
        for edit in edits[1:]:
            if edit[0] >= kept[-1][1]:
                kept.append(edit)
        return kept
    return edits
