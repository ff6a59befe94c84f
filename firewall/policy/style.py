"""[style]: ceilings and phrases for the style scanner (latches/style)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from firewall.policy.base import Section


class Apart(Section):
    """Two terms that must not stand near each other."""

    words: list[str] = Field(min_length=2, max_length=2, description="the two terms")
    within: int = Field(default=25, ge=1, description="words between them up to which they are too near")


class Style(Section):
    """House style for prose.

    A term is a word or a phrase, and its inflected forms count with it; write "=term" for that one form
    only. A term with a capital letter is matched as written, every other in any case.
    """

    ceilings: dict[str, int] = Field(
        default={}, description='most uses of a word in one document, {"telemetry" = 3}'
    )
    per_thousand: dict[str, float] = Field(
        default={}, description='most uses of a word in 1,000 words of prose, {"robust" = 0.5}'
    )
    banned: list[str] = Field(default=[], description="phrases that may not stand in prose at all")
    alternatives: dict[str, list[str]] = Field(
        default={}, description='what may replace a word, {"telemetry" = ["measurements"]}'
    )
    number: dict[str, Literal["singular", "plural"]] = Field(
        default={}, description='number of an alternative whose form does not show it, {"data" = "plural"}'
    )
    apart: list[Apart] = Field(
        default=[], description='terms to keep apart, [{ words = ["robust", "seamless"], within = 25 }]'
    )
    headings: bool = Field(default=True, description="whether headings are scanned")
    quotes: bool = Field(default=True, description="whether block quotes are scanned")
