"""A lane's terms in text that arrives in pieces, as a model writes it: a term split over pieces is found.

Text is let go only when nothing that begins in it can still become a term: so much is held back that the longest
term fits, however it is torn apart, and the word that goes on from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from firewall.context.clean import clean
from firewall.context.errors import LaneViolation
from firewall.context.lanes import banned, violations
from firewall.context.screen import screen_of
from firewall.context.terms import Hit
from firewall.policy.lanes import Lane

_TORN = 4  # characters that one letter of a term may take with what stands between it and the next
_EDGE = 128  # and what is looked at behind a term for a letter that goes on from it
_ENCODED = 400  # a term in an encoding is no longer than this, or it is found only in whole texts
_MARKED = 600  # what is held back more where there may be markup: a tag within a term is no longer than this
_MARKUP = re.compile("[<\\[\\\\^&{\u3010\ue200]")


def guarded_stream(
    chunks: Iterable[str], rules: Lane, *, lane: str = "", source: str = "a stream", every: int = 256
) -> Iterator[str]:
    """The text of `chunks` in pieces of about `every` characters, as long as it holds nothing that `rules` ban.

    Raises LaneViolation at the first term or pattern, before any of it is let go; line and offset count from the
    start of the stream. Patterns of the lane see some hundred characters at once.
    """
    held = max((len(term) for term in rules.banned), default=0) * _TORN + _EDGE + _ENCODED
    seen = ""  # what was let go but is needed to see where words begin, and what is held back
    free = 0  # how much of `seen` was let go
    gone = lines = 0  # characters and line ends before `seen`
    for piece, last in _gathered(chunks, every):
        seen += piece
        back = held + (_MARKED if _MARKUP.search(seen) else 0)
        end = len(seen) if last else _word_edge(seen, free, len(seen) - back)
        for hit in _hits(seen, rules) if end > free else ():
            if hit.start < end:
                line = lines + seen.count("\n", 0, hit.start) + 1
                raise LaneViolation(term=hit.term, lane=lane, source=source, line=line, offset=gone + hit.start)
        if end > free:
            yield seen[free:end]
        keep = max(end - back, 0)
        lines += seen.count("\n", 0, keep)
        gone += keep
        seen, free = seen[keep:], end - keep


def _hits(text: str, rules: Lane) -> Iterator[Hit]:
    """The terms in `text` as it stands and, where there may be markup in it, as it reads without."""
    yield from banned(text, rules)
    if (rules.banned or rules.patterns) and _MARKUP.search(text):
        yield from violations(clean(text, screen_of(rules)), rules, text)


def _gathered(chunks: Iterable[str], every: int) -> Iterator[tuple[str, bool]]:
    """`chunks` in pieces of at least `every` characters, and whether it is the last one."""
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        parts.append(chunk)
        length += len(chunk)
        if length >= every:
            yield "".join(parts), False
            parts, length = [], 0
    yield "".join(parts), True


def _word_edge(text: str, low: int, high: int) -> int:
    """Where the last word before `high` begins, `low` if that is nearer; a word of 400 characters is none."""
    if high <= low:
        return low
    at = max(text.rfind(blank, max(low, high - 400), high) for blank in " \n\t")
    return at + 1 if at >= 0 else high
