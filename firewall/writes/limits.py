"""The numbers that the write rules measure against, as a plain value for the pure core."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """See firewall/policy/rules.py for units and meaning of each."""

    floor_from: int = 1000
    word_floor: float = 0.85
    delta_cap: int = 300
    attempts: int = 3
    window_days: float = 7.0
    max_bytes: int = 64_000_000
    lock_seconds: float = 10.0
