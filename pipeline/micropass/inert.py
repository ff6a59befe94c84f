"""Which edits cannot change how a document is parsed, whatever it is? Pure.

Markdown is read by its signs, its line ends and what stands at the beginning of a line. Words of letters in place of
words of letters, inside one line and one stretch of text, between neighbours that make no larger sign with letters,
leave all of that as it was: blocks and inlines are the same, and what stands behind the words moves with them. The
parser classes what stands beside `*` as white space, punctuation or other, and a letter is always other.

An edit that this module does not know to be of that kind may be one all the same; who asks then parses the whole.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from firewall.text.markdown import ProseBlock

_LETTERS = re.compile(r"[^\W\d_]+(?:[ '\u2019-][^\W\d_]+)*")
_WORD_END = re.compile(r"\w")
_BESIDE = frozenset(" \t\r\n.,;!?()*|\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2026\u3001\u3002\uff0c")
"""Neighbours of the words that are no part of a reference (`&amp;`), an address, a tag, a label or a template."""


class Change(NamedTuple):
    """`sentence[start:end]` became `text`, both in whole words."""

    start: int
    end: int
    text: str


def inert(block: ProseBlock, raw: str, at: int, sentence: str, answer: str, *, labels: bool) -> Change | None:
    """The change that `answer` makes of the `sentence` at offset `at` of `block`, if it can leave no sign otherwise.

    `raw` is the block's source. With `labels`, link definitions may stand in the document, so brackets may be labels.
    """
    if any(sign in raw for sign in ("<", "{", "[[")) or (labels and "[" in raw):
        return None
    start, last, new_last = 0, len(sentence), len(answer)
    least = min(last, new_last)
    while start < least and sentence[start] == answer[start]:
        start += 1
    while start and _WORD_END.match(sentence[start - 1]):
        start -= 1
    while last > start and new_last > start and sentence[last - 1] == answer[new_last - 1]:
        last, new_last = last - 1, new_last - 1
    while last < len(sentence) and _WORD_END.match(sentence[last]):
        last, new_last = last + 1, new_last + 1
    old, new = sentence[start:last], answer[start:new_last]
    if not _LETTERS.fullmatch(old) or not _LETTERS.fullmatch(new) or "www" in new.lower():
        return None
    first, end = at + start, at + last
    if block.text[first:end] != old or raw[first:end] != old:
        return None
    if first and raw[first - 1] not in _BESIDE:
        return None
    if raw[:first].rstrip().endswith("]("):  # `[x](two words)` is text, `[x](one)` a link
        return None
    if end < len(raw) and raw[end] not in _BESIDE:
        return None
    return Change(start, last, new)
