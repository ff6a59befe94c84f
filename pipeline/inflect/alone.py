"""Does a word stand by itself in running text, or does what is beside it make a name, a call or a sum of it? Pure."""

from __future__ import annotations

import re

from firewall.text.markdown import MARKUP, OPAQUE
from latches.style.written import INLINE_TAGS

_BEFORE = frozenset(" \t\r\n\u00a0(,;:!?\u2014\u2026\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb")
_AFTER = frozenset(" \t\r\n\u00a0).,;:!?\u2014\u2026\"'\u2018\u2019\u201c\u201d\u00ab\u00bb")
"""What may stand beside a word of running text; an en dash is not among it, as in `pump\u2013word ratio`."""
_NO_PROSE = rf"</?(?:{INLINE_TAGS}|br|img|code|kbd|var|q)(?:\s[^<>]{{0,300}})?/?>|\[\^[^\[\]\s]{{1,80}}\]"
"""What is no prose and makes no larger word: an element of the page's own text, the mark of a note."""
_ENDS_BEFORE = re.compile(rf"(?:{_NO_PROSE})[*_~]{{0,3}}\Z")
_BEGINS_AFTER = re.compile(rf"[*_~]{{0,3}}(?:{_NO_PROSE})")
_VALUE = r"true|false|null|nil|none|yes|no|on|off|[-+]?\d[\w.]*|[\[{]"
_ASSIGNED = re.compile(rf"\s{{0,9}}(?::?=|[-=]>|<-|[+*/&|^%<>!-]=)|:[ \t]{{0,9}}(?:{_VALUE})(?!\w)", re.IGNORECASE)
"""Behind a word: it is given a value, as in a program or in settings."""
_GIVEN = re.compile(r"(?:[=<>!]=?|->|<-)\s{0,9}\Z")
_CALLED = re.compile(r"\w\([^()]{0,200}\Z")
_NEAR = 210
"""Characters before a word in which what calls it is sought."""


def stands_alone(prose: str, sentence: str, start: int, end: int) -> bool:
    """Is `sentence[start:end]`, whose masked text is `prose`, a word of running text and no part of anything?

    False for `high-word`, `word[0]`, `word<T>`, `word: true`, `word = 3`, `call(word)`: where it may be code it is
    taken for code. Signs of Markdown beside it, as in `_word_`, are masked and looked through.
    """
    first, last = start, end
    while first and prose[first - 1] == MARKUP:
        first -= 1
    while last < len(prose) and prose[last] == MARKUP:
        last += 1
    left, right = prose[first - 1 : first], prose[last : last + 1]
    if left in (OPAQUE, "]") and _ENDS_BEFORE.search(sentence, max(0, first - 400), first):
        left = ""
    if right in (OPAQUE, "[") and _BEGINS_AFTER.match(sentence, last):
        right = ""
    if left == "|" and prose[first - 2 : first - 1] == OPAQUE:  # [[page|what it shows]]
        left = ""
    # Behind markup a letter is one of a script without spaces: the scanner takes others for parts of the word.
    if left and left not in _BEFORE and not (first < start and left.isalpha()):
        return False
    if right and right not in _AFTER and not prose.startswith("]]", last) and not (end < last and right.isalpha()):
        return False
    near = max(0, start - _NEAR)
    return not (_ASSIGNED.match(prose, end) or _GIVEN.search(prose, near, start) or _CALLED.search(prose, near, start))
