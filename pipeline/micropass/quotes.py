"""Keep the quotation marks and apostrophes of a sentence through an edit. Pure.

Models write the marks that they like. Which ones a document has is its own matter, so where an answer has as many of
them, the sentence's own go back to their places; what cannot be put back is left to the checks.
"""

from __future__ import annotations

import re

_MARK = re.compile("[\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u02bc]")
_WITHIN = re.compile(r"(?<=[^\W_])['\u2019\u2018\u02bc](?=[^\W_])")


def requoted(sentence: str, answer: str) -> str:
    """`answer` with the quotation marks of `sentence`, one for one; as it is where their numbers differ.

    Apostrophes within words are told from marks around them, since either may come or go without the other.
    """
    answer = _put(_WITHIN, sentence, answer)
    return _put(_MARK, _WITHIN.sub("x", sentence), answer, hidden=_WITHIN)


def _put(pattern: re.Pattern[str], sentence: str, answer: str, hidden: re.Pattern[str] | None = None) -> str:
    seen = hidden.sub("x", answer) if hidden else answer
    ours, theirs = pattern.findall(sentence), list(pattern.finditer(seen))
    if len(ours) != len(theirs) or not ours:
        return answer
    out = list(answer)
    for mark, match in zip(ours, theirs, strict=True):
        out[match.start()] = mark
    return "".join(out)
