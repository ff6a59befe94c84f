"""The numbers that the write rules measure against, as a plain value for the pure core."""

from __future__ import annotations

from firewall.values import NamedTuple


class Limits(NamedTuple):
    """See firewall/policy/rules.py for units and meaning of each."""

    preset: str = "full"
    floor_from: int = 1000
    word_floor: float = 0.85
    block_below: float = 0.5
    small_from: int = 50
    small_floor: float = 0.5
    delta_cap: int = 300
    growth_keeps: float = 0.97
    growth_cap: int = 10_000
    survival: float = 0.7
    small_survival: float = 0.4
    survival_block_below: float = 0.3
    attempts: int = 3
    window_attempts: int = 10
    window_days: float = 7.0
    max_bytes: int = 64_000_000
    lock_seconds: float = 10.0
