"""[rules]: the numbers of the write firewall. Words are those of firewall.text.words."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Rules(Section):
    """Limits of the write rules; sources in firewall/writes/rules/."""

    floor_from: int = Field(
        default=1000, ge=1, description="words from which the floor and the delta cap hold"
    )
    word_floor: float = Field(
        default=0.85, gt=0, le=1, description="share of the mark's words that must stay"
    )
    delta_cap: int = Field(
        default=300, ge=1, description="words net that a non-structural write may add or remove"
    )
    attempts: int = Field(default=3, ge=1, description="failed attempts in a row that trip an artifact")
    window_days: float = Field(
        7.0, gt=0, description="days after which an older disk state renews the baseline"
    )
    max_bytes: int = Field(default=64_000_000, ge=1, description="largest proposal that is judged, in bytes")
    lock_seconds: float = Field(
        10.0, gt=0, description="how long to wait for another writer of the same file"
    )
