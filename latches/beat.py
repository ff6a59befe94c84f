"""Lengths that come again in order: short, long, short, long. Pure."""

from __future__ import annotations

from statistics import fmean

BEAT = 0.9
"""Share of lengths that come again after some number of steps from which on a text has a beat. Our own number:
600 texts of programs' documentation have none."""
BEAT_SENTENCES = 24
BEAT_LENGTH = 6
"""Longest beat that is looked for, in sentences or paragraphs."""
BEAT_WORDS = 5
"""Mean length in words below which lengths say nothing: short lines of talk are alike."""


def beat_of(lengths: list[int], least: int) -> tuple[int, float]:
    """(after how many the lengths come again, for what share); (0, 0) where they do not, or are all alike anyway."""
    if len(lengths) < least or fmean(lengths) < BEAT_WORDS or _again(lengths, 1) >= BEAT:
        return 0, 0.0
    best = max(range(2, min(BEAT_LENGTH, len(lengths) // 3) + 1), key=lambda step: _again(lengths, step), default=0)
    share = _again(lengths, best) if best else 0.0
    return (best, share) if share >= BEAT else (0, 0.0)


def _again(lengths: list[int], step: int) -> float:
    """Share of lengths that are, within a twentieth, that of the one `step` before."""
    pairs = list(zip(lengths, lengths[step:], strict=False))
    return sum(abs(a - b) * 20 <= max(a, b) for a, b in pairs) / len(pairs)
