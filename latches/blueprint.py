"""What a section must be before it is written: the locked plan that every later step reads."""

from __future__ import annotations

from typing import NamedTuple


class SectionPlan(NamedTuple):
    """One section of the blueprint.

    `number` counts over the whole book from 1. `chapter` and `position` count from 1 inside the book and
    the chapter. `shape` is a shape's name, `elements` its mandatory element names in the shape's order,
    `target_words` the length aimed at, `opener` the way the first paragraph begins.
    """

    number: int
    chapter: int
    position: int
    chapter_title: str
    title: str
    shape: str
    elements: tuple[str, ...]
    target_words: int
    opener: str = ""


class Blueprint(NamedTuple):
    """The locked list of shapes for a book. `hash` is sha256 of its canonical JSON without the hash."""

    book: str
    sections: tuple[SectionPlan, ...]
    hash: str
