"""A rough key under which the inflected forms of one word meet: shows and show, this and these."""

from __future__ import annotations

_CLOSED = {
    "are": "be", "is": "be", "was": "be", "were": "be", "am": "be", "been": "be", "being": "be",
    "has": "have", "had": "have", "does": "do", "did": "do", "an": "a", "these": "this", "those": "that",
    "many": "much", "few": "little", "fewer": "less", "they": "it", "them": "it", "their": "its",
    "theirs": "its", "themselves": "itself",
}  # fmt: skip
_CLOSED |= {word: word for word in set(_CLOSED.values())}


def kin(word: str) -> str:
    """The key of `word`. Two different words may share one: it is a measure, never a spelling."""
    low = word.lower().replace("\u2019", "'").removesuffix("'s").removesuffix("n't")
    if low in _CLOSED:
        return _CLOSED[low]
    for ending in ("ies", "ied", "ing", "ed", "es", "s", "y", "e"):
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            return low[: -len(ending)]
    return low
