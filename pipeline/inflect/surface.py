"""What a word looks like in its place: its capitals, the article before it, the line break within it. Pure."""

from __future__ import annotations

import re

from pipeline.inflect.article import article
from pipeline.inflect.edits import like
from pipeline.inflect.tokens import Token

_BREAK = re.compile(r"[ \t]*\r?\n[ \t>]*")
_OPENING = frozenset("([\"'\u2018\u201c")
_SMALL = frozenset(
    ("a", "an", "the", "and", "or", "nor", "but", "as", "at", "by", "for", "in", "of", "on", "to", "via")
)
"""Words that a title keeps small, but for its first. The one that was replaced had a capital, so the first has one."""


def capitalized(toks: list[Token], first: int, surface: str, word: str) -> str | None:
    """`word` with the capitals that its place asks for; None where the target is part of a name."""
    if len(surface) > 1 and surface.isupper():
        return word.upper()
    if not surface[:1].isupper():
        return word
    words = [t for t in toks if t.kind == "word" and t.text[0].isalpha()]
    opening = not any(t.kind != "punct" for t in toks[:first]) or toks[first - 1].text in ".!?:"
    others = [t for t in words if t.start != toks[first].start and len(t.text) > 3]
    title = len(others) > 0 and sum(t.text[0].isupper() for t in others) * 2 > len(others)
    if title and len(words) > 2:
        return " ".join(w if n and w.lower() in _SMALL else like("A", w) for n, w in enumerate(word.split(" ")))
    if not opening:
        return None
    inner = any(c.isupper() for c in word[1:])
    return word if inner else like("A", word)


def mended_article(toks: list[Token], first: int, word: str) -> list[tuple[int, int, str]] | None:
    """The edit that makes a or an fit `word`; None where it cannot be told."""
    at = first - 1
    while at >= 0 and toks[at].text in _OPENING:
        at -= 1
    if at < 0 or toks[at].low not in ("a", "an"):
        return []
    right = article(word.split(" ")[0])
    if right is None:
        return None
    token = toks[at]
    return [] if right == token.low else [(token.start, token.end, like(token.text[0] + "x", right))]


def rewrapped(sentence: str, end: int, surface: str, word: str) -> tuple[str, int] | None:
    """`word` with the line break that stood inside the target, and how many characters after it go.

    A single word for a broken phrase takes the break behind itself, in place of a space.
    """
    breaks = _BREAK.findall(surface)
    if not breaks:
        return word, 0
    if len(breaks) > 1:
        return None
    if " " in word:
        return word.replace(" ", breaks[0], 1), 0
    if sentence[end : end + 1] == " " and sentence[end + 1 : end + 2] not in ("", " ", "\n", "\r"):
        return word + breaks[0], 1
    return None
