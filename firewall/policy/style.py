"""[style]: ceilings and phrases for the scanner (latches/style), limits of rhythm (latches/rhythm)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from firewall.policy.base import Section

Term = Annotated[str, Field(pattern=r"[^\s=]")]
"""A word or phrase: something that is not blank."""


class Apart(Section):
    """Two terms that must not stand near each other."""

    words: list[Term] = Field(min_length=2, max_length=2, description="the two terms")
    within: int = Field(default=25, ge=1, description="words between them up to which they are too near")


class Style(Section):
    """House style for prose.

    A term is a word or a phrase, and its inflected forms count with it; write "=term" for that one form
    only. A term with a capital letter is matched as written, every other in any case.
    """

    ceilings: dict[Term, Annotated[int, Field(ge=0)]] = Field(
        default={}, description='most uses of a word in one document, {"telemetry" = 3}'
    )
    per_thousand: dict[Term, Annotated[float, Field(ge=0)]] = Field(
        default={}, description='most uses of a word in 1,000 words of prose, {"robust" = 0.5}'
    )
    banned: list[Term] = Field(default=[], description="phrases that may not stand in prose at all")
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
    quotes: bool = Field(default=False, description="whether block quotes that are no callouts are scanned")
    min_sentence_variation: float = Field(
        default=0.3, ge=0, description="least deviation of sentence lengths, as a share of the mean"
    )
    min_paragraph_variation: float = Field(default=0.2, ge=0, description="the same for paragraph lengths")
    max_opener_run: int = Field(default=3, ge=1, description="most sentences in a row that begin with the same word")
    max_same_openers: float = Field(
        default=0.4, ge=0, le=1, description="largest share of paragraphs that begin with the same two words"
    )
    max_same_lists: float = Field(
        default=0.75, ge=0, le=1, description="largest share of lists that have the same number of items"
    )
    max_bold_bullets: float = Field(
        default=0.75, ge=0, le=1, description="largest share of bullets that begin with a bold label"
    )
    max_same_headings: float = Field(
        default=0.5, ge=0, le=1, description="largest share of headings made after one template"
    )
