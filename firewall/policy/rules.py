"""[rules]: the numbers of the write firewall. Words are those of firewall.text.words."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from firewall.policy.base import Section

LOWER: dict[str, Any] = {"stricter": "lower"}
HIGHER: dict[str, Any] = {"stricter": "higher"}


class Rules(Section):
    """Limits of the write rules; sources in firewall/writes/rules/."""

    preset: Literal["full", "article"] = Field(
        default="full",
        description='"article": only the 85% floor and the 300-word cap, beside what guards bytes',
    )
    floor_from: int = Field(
        default=1000,
        ge=1,
        description="words from which the long floors and the delta cap hold",
        json_schema_extra=LOWER,
    )
    word_floor: float = Field(
        default=0.85,
        gt=0,
        le=1,
        description="share of the mark's words that a long text keeps",
        json_schema_extra=HIGHER,
    )
    block_below: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="share of the words below which a loss is blocked, not held",
        json_schema_extra=HIGHER,
    )
    small_from: int = Field(
        default=50,
        ge=1,
        description="words from which the small floor and the small survival hold",
        json_schema_extra=LOWER,
    )
    small_floor: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="share of the words that a shorter text keeps",
        json_schema_extra=HIGHER,
    )
    delta_cap: int = Field(
        default=300,
        ge=1,
        description="words net that a non-structural write may add to or take from a long text",
        json_schema_extra=LOWER,
    )
    growth_keeps: float = Field(
        default=0.97,
        gt=0,
        le=1,
        description="share of the mark's words, in order, that makes a change growth",
        json_schema_extra=HIGHER,
    )
    growth_cap: int = Field(
        default=10_000, ge=1, description="words that a file may grow by in a window", json_schema_extra=LOWER
    )
    survival: float = Field(
        default=0.7,
        gt=0,
        le=1,
        description="share of a long text's words that must survive",
        json_schema_extra=HIGHER,
    )
    small_survival: float = Field(
        default=0.4,
        gt=0,
        le=1,
        description="share of a shorter text's words that must survive",
        json_schema_extra=HIGHER,
    )
    survival_block_below: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="survival below which a rewrite is blocked, not held",
        json_schema_extra=HIGHER,
    )
    attempts: int = Field(
        default=3, ge=1, description="failed attempts in a row that trip a file", json_schema_extra=LOWER
    )
    window_attempts: int = Field(
        default=10,
        ge=1,
        description="failed attempts in a window, however interleaved, that trip a file",
        json_schema_extra=LOWER,
    )
    window_days: float = Field(
        default=7.0,
        gt=0,
        description="days after which what is on disk renews an older baseline",
        json_schema_extra=HIGHER,
    )
    max_bytes: int = Field(
        default=64_000_000,
        ge=1,
        description="largest proposal that is judged, in bytes",
        json_schema_extra=LOWER,
    )
    lock_seconds: float = Field(default=10.0, gt=0, description="how long to wait for another writer of the same file")
