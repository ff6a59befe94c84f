"""[style]: ceilings and phrases for the style scanner (latches/style)."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Style(Section):
    """House style for prose."""

    ceilings: dict[str, int] = Field(
        default={}, description='most uses of a word in one document, {"telemetry" = 3}'
    )
    banned: list[str] = Field(default=[], description="phrases that may not stand in prose at all")
    alternatives: dict[str, list[str]] = Field(
        default={}, description='what may replace a word, {"telemetry" = ["measurements"]}'
    )
