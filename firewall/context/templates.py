"""Is a mark of a chat template, such as `[INST]`, one that prose explains, or the frame of an order?

A mention stands within a sentence that speaks of such marks, and the sentence goes on behind it; or in quotation marks
of its own. A frame begins a line or stands behind a sentence, and an order follows. A mention is reported and left.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"<\|[^|<>]*\|>|\[/?inst\]|<</?sys>>|###? ?\w+ ?:|\{ ?\"role\" ?: ?\"\w+\"?")
_SPEAKS = re.compile(
    r"\b(?:tokens?|tokeni[sz]\w+|tags?|markers?|marks?|delimiters?|templates?|formats?|strings?|head(?:er|ing)s?|vocabulary|turns?"
    r"|sequences?|wraps?|wrapped|separat\w+|arrays?|messages|objects?|json|fields?|prompts?|roles?|chatml|llama|mistral|emit\w*"
    r"|syntax|special|characters?|escap\w+|strip\w*|pars\w+|literal(?:ly)?)\b"
)
# How a sentence goes on behind a word that it mentions; an order begins otherwise.
_ON = (
    r"(?:and|or|nor|und|oder|et|ou|y|e|ed|en|och|og|ve|oraz|are|is|was|were|means?|opens?|closes?|starts?|begins?|ends?|tells|appears?|occurs?|comes?"
    r"|follows?|precedes?|stands?|splits?|separates?|replaces?|wraps?|works?|counts?|tokens?|tags?|markers?|marks?"
    r"|delimiters?|strings?|headers?|sequences?|symbols?|pairs?|blocks?|sections?|turns?|in|to|for|with|without"
    r"|around|before|after|at|as|by|on|of|from|into|between|inside|within|then|instead|which|that|when|where|if"
    r"|while|but|so|because|followed|plus|versus|vs|should|must be|can|may|itself|not|only|exactly|literally)\b"
)
_BEHIND = re.compile(
    r"(?:system|user|assistant|tool)?[\"'`)\]*_]{0,3}"
    rf"(?:[,;)|]|\s{{0,40}}\||[.?](?:\s|$)|\s{{0,40}}$|\s{{0,40}}\n[ \t]{{0,40}}\n|\s?(?:\.\.\.|/|\+)|\s{_ON})"
)
_PAIRED = re.compile(
    rf"(?:{_MARK.pattern})[\"'`*_]{{0,3}}\s(?:and|or|und|oder|et|ou|y|e|ed|en|och|og|ve|oraz)\s[\"'`*_]{{0,3}}$"
)
"""A mark that prose has just named another one with."""
_VERB = re.compile(
    r"[\"'`)\]*_]{0,3}\s(?:is|are|was|marks?|means|opens?|closes?|starts?|begins?|ends?|tells|stands?|separates?)\b"
)
_CONTENT = re.compile(r"\s?,\s?\"content\"\s?:\s?(?:\"[^\"\s]{0,20}(?:\s[^\"\s]{1,20}){0,2}\"|[a-z_.]{1,20})\s?\}")
_ENDS = re.compile(r"(?<!\.)[.!?](?=\s)|\n\s*\n")
_SENTENCE = 240


def mentioned(text: str, start: int, end: int) -> bool:
    """Does prose speak of the mark at `text[start:end]`, a match of the rule for marks, instead of using it?"""
    mark = text[start:end]
    if _MARK.fullmatch(mark) is None:
        return False
    around = text[start - 1 : start] + text[end : end + 1]
    if around in ('""', "''", "``", "()"):
        return True
    low = max(start - _SENTENCE, 0)
    for match in _ENDS.finditer(text, low, start):
        low = match.end()
    before = text[low:start]
    stop = _ENDS.search(text, end, end + _SENTENCE)
    behind = text[end : stop.start() if stop else end + _SENTENCE]
    if not (_SPEAKS.search(before) or _SPEAKS.search(behind)):
        return False
    if mark[0] == "{" and behind.lstrip()[:1] == ",":
        content = _CONTENT.match(text, end)
        return content is not None and any(map(str.isalpha, before))
    if not any(map(str.isalnum, before)):
        return _VERB.match(text, end) is not None or (
            before.rstrip()[-1:] == "|" and _BEHIND.match(text, end) is not None
        )
    return _PAIRED.search(before) is not None or _BEHIND.match(text, end) is not None
