"""Is what a pattern found a use of the word in prose, or part of something else? Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from firewall.text.markdown import MARKUP, OPAQUE

_QUOTES = {
    '"': '"',
    "'": "'",
    "\u2018": "\u2019",
    "\u201a": "\u2018",
    "\u201c": "\u201d",
    "\u201e": "\u201c",
    "\u00ab": "\u00bb",
    "\u2039": "\u203a",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
_CONTRACTED = re.compile(r"'(?:t|ll|re|ve|d|m)\b", re.IGNORECASE)
_PLURAL_IN_BRACKETS = re.compile(r"\(e?s\)")
_UNSPACED = re.compile(
    r"[\u0590-\u06ff\u0750-\u077f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_INDEX = re.compile(r"\[(?:0\]|[\"':-])")
_LETTERS = re.compile(r"[^\W\d_]+")
_PATH = re.compile(
    r"^[\w-]+\.[a-z]{2,}(?:\.[a-z]{2,})*/|^(?:src|lib|docs?|pkg|cmd|usr|bin|dist|vendor|node_modules)/"
    r"|^[\"'(\[]*(?:~|\.{1,2})?/|/.*/|\\|\.\w+$|:"
)
_REACH = 48
"""Characters on each side that are looked at. A path longer than that still shows its last slashes."""


def is_use(block: str, folded: str, raw: str, start: int, end: int, *, exact_case: bool) -> bool:
    """Does `block[start:end]` use the word?

    `block` is the masked text of a prose block, `folded` the same with plain apostrophes and hyphens, `raw`
    its source.

    Not a use: part of a longer word or compound ("solid-state"), an acronym ("LEAD") unless the whole
    block is in capitals, a file name, path, flag, variable or call ("state.py", "/var/state", "state()"),
    a word quoted by itself ("the word 'state'"), or a contraction ("can't" is not "can").
    """
    if not exact_case and block[start].isupper() and _shouted(block[start:end]) and _has_small(block):
        return False
    before, after = folded[start - 1 : start], folded[end : end + 1]
    if (not start or before.isspace()) and (not after or after.isspace()):
        return True  # most words stand between spaces, and then there is no more to ask
    left = _seen(folded, raw, max(0, start - _REACH), start)
    right = _seen(folded, raw, end, end + _REACH)
    if _bound(folded[start]) and not _free_before(left, right, folded[start:end]):
        return False
    if _bound(folded[end - 1]) and not _free_after(left, right, folded[start:end]):
        return False
    return not _quoted_alone(block, start, end)


@lru_cache(maxsize=2)
def _has_small(block: str) -> bool:
    """Is there a small letter? Asked once a block: one in capitals throughout is looked through to its end."""
    return any(c.islower() for c in block)


def _shouted(text: str) -> bool:
    """Does the first word begin with two capitals, LEAD or APIs? The one letter of "A number of" says nothing."""
    first = _LETTERS.search(text)
    return first is not None and len(first.group()) > 1 and first.group()[:2].isupper()


def _seen(folded: str, raw: str, start: int, end: int) -> str:
    """A stretch without its markup; a tag's brackets part words, code and math do not."""
    text = folded[start:end]
    if OPAQUE in text:
        pairs = zip(text, raw[start:end], strict=True)
        text = "".join(" " if char == OPAQUE and was in "<>" else char for char, was in pairs)
    return text.replace(MARKUP, "")


def _bound(char: str) -> bool:
    """Must this first or last character of a term stand at a border of words?"""
    return _word(char)


def _word(char: str) -> bool:
    """Does it go on a word? Letters of scripts without spaces, or whose particles hang on other words, do not."""
    return (char.isalnum() and not _UNSPACED.match(char) and not "\uac00" <= char <= "\ud7a3") or char in ("_", OPAQUE)


def _free_before(left: str, right: str, word: str) -> bool:
    if not left or left[-1].isspace():
        return True
    char, before = left[-1], left[-2:-1]
    if char == "/":
        return not _path(left, right, word)
    if char == "-":  # a word with a dash before it is a compound, two dashes are a long dash or a flag
        return before == "-" and bool(left[-3:-2].strip(" -"))
    if char == ".":
        return before == "."
    if char in "':":
        return not (before and _word(before)) and before != ":"
    if char == ">" and before in "-=":  # an arrow of code: x->leverage
        return not _word(left[-3:-2] or " ")
    if char == "#" and before == "#" and not left.strip("#"):
        return True  # a heading glued to its signs; one sign may be a hashtag's
    return not _word(char) and char not in "@#$\\=&"


def _free_after(left: str, right: str, word: str) -> bool:
    if not right or right[0].isspace():
        return True
    char, after = right[0], right[1:2]
    if char == "/":
        return not _path(left, right, word)
    if char == "-":
        return after == "-"
    if char == "'":
        return _CONTRACTED.match(right) is None
    if right.startswith("://"):
        return False
    if char in ".:":
        return not (after and _word(after)) and after != ":"
    if char == "@":
        return not (after and _word(after))
    if char == "(":
        return _PLURAL_IN_BRACKETS.match(right) is not None
    if char == "[":  # leverage[0] and leverage["x"] are code, leverage[1] may name a source
        return _INDEX.match(right) is None
    if char in "#<>!-":  # leverage#12, leverage<T>, leverage>=2
        return not (after and (_word(after) or after == "="))
    return not _word(char) and char not in "=\\"


def _path(left: str, right: str, word: str) -> bool:
    """Is the run of characters around a slash a path, not "and/or"?"""
    chunk = re.split(r"\s", left)[-1] + word + re.split(r"\s", right)[0].rstrip(".,;:!?)")
    return _PATH.search(chunk) is not None


def _quoted_alone(block: str, start: int, end: int) -> bool:
    """Is the word all that stands between a pair of quotation marks?"""
    before = start - 1
    while before >= 0 and block[before] == MARKUP:
        before -= 1
    closing = _QUOTES.get(block[before]) if before >= 0 else None
    if closing is None:
        return False
    after = end
    while after < len(block) and block[after] in MARKUP + ".,;:!?":
        after += 1
    return after < len(block) and block[after] == closing
