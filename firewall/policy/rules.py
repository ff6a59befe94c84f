"""[rules]: the numbers of the write firewall. Words are those of firewall.text.words."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from firewall.policy.base import Section

LOWER: dict[str, Any] = {"stricter": "lower"}
HIGHER: dict[str, Any] = {"stricter": "higher"}


class Rules(Section):
    """Limits of the write rules; sources in firewall/writes/rules/."""

    floor_from: int = Field(
        default=1000,
        ge=1,
        description="words from which the floor and the delta cap hold",
        json_schema_extra=LOWER,
    )
    word_floor: float = Field(
        default=0.85,
        gt=0,
        le=1,
        description="share of the mark's words that must stay",
        json_schema_extra=HIGHER,
    )
    delta_cap: int = Field(
        default=300,
        ge=1,
        description="words net that a non-structural write may add or remove",
        json_schema_extra=LOWER,
    )
    attempts: int = Field(
        default=3,
        ge=1,
        description="failed attempts in a row that trip an artifact",
        json_schema_extra=LOWER,
    )
    window_days: float = Field(
        default=7.0,
        gt=0,
        description="days after which an older disk state renews the baseline",
        json_schema_extra=HIGHER,
    )
    max_bytes: int = Field(
        default=64_000_000,
        ge=1,
        description="largest proposal that is judged, in bytes",
        json_schema_extra=LOWER,
    )
    lock_seconds: float = Field(
        default=10.0, gt=0, description="how long to wait for another writer of the same file"
    )
