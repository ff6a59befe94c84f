"""What a page's animations make of an element in the end: one that fades out is hidden, one that fades in is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Frames = Mapping[float, Mapping[str, str]]
"""The declarations of each key frame, by its percentage."""

_TIME = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))(ms|s)")
_LONG = 60.0
"""Seconds of an animation that a reader does not wait for."""
_MOST = 1000
"""Characters of what names animations that are read."""


def places_of(selectors: str) -> list[float]:
    """The percentages that the selectors of a key frame name."""
    out = []
    for one in selectors.split(","):
        one = one.strip()
        share = {"from": "0", "to": "100"}.get(one, one.removesuffix("%"))
        if re.fullmatch(r"\d{1,3}(?:\.\d{1,9})?", share):
            out.append(float(share))
    return out


def animated(style: Mapping[str, str], frames: Mapping[str, Frames]) -> dict[str, str]:
    """`style` as the animations that it names leave it; `frames` are those of the page."""
    out = dict(style)
    for tokens in _named(style):
        found = next((frames[token] for token in tokens if token in frames), None)
        if found:
            out.update(_left(tokens, found))
    return out


def _named(style: Mapping[str, str]) -> list[list[str]]:
    """The words of each animation that `style` asks for."""
    short = (style.get("animation") or style.get("-webkit-animation", ""))[:_MOST]
    parts = [part.split() for part in re.sub(r"\([^()]{0,200}\)", "", short).split(",")]
    named = (style.get("animation-name") or style.get("-webkit-animation-name", ""))[:_MOST]
    if named:
        parts = [[name.strip()] for name in named.split(",")]
    others = [style.get(f"animation-{one}", "")[:_MOST] for one in _LONGHANDS]
    return [[*part, *(word for other in others for word in other.split(",")[0].split())] for part in parts]


_LONGHANDS = ("duration", "delay", "fill-mode", "iteration-count", "direction", "play-state")


def _left(tokens: Sequence[str], frames: Frames) -> Mapping[str, str]:
    """What one animation, of which `tokens` say how it runs, sets for good."""
    times = [float(m[1]) / (1000 if m[2] == "ms" else 1) for m in map(_TIME.fullmatch, tokens) if m]
    lasts, waits = [*times, 0.0, 0.0][:2]
    first, last = frames.get(0.0, {}), frames.get(100.0, {})
    count = next((float(token) for token in tokens if token.isdigit()), 1.0)
    if "reverse" in tokens or "alternate-reverse" in tokens:
        first, last = last, first
    before = "backwards" in tokens or "both" in tokens
    if "paused" in tokens or (before and waits >= _LONG):
        return first
    if "infinite" in tokens or lasts * count >= _LONG:
        return dict(set(first.items()).intersection(*(one.items() for one in frames.values()))) if last else {}
    if "forwards" in tokens or "both" in tokens:
        return first if "alternate" in "".join(tokens) and count % 2 == 0 else last
    return {}
