"""Shapes and openers, as data: which elements a section must have, and how its first paragraph begins."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """A named list of mandatory elements, in the order in which a reader should meet them.

    `options` are parameters of the elements as (element, parameter, value); `latches.elements` says which
    an element takes. `about` is one sentence for whoever writes the section.
    """

    name: str
    elements: tuple[str, ...]
    about: str = ""
    options: tuple[tuple[str, str, int | str], ...] = ()


SHAPES: tuple[Shape, ...] = (
    Shape(
        "deep_code",
        ("fenced_code_block", "inline_annotations", "performance_table"),
        "Show the code, explain it where it stands, and give its measurements.",
    ),
    Shape(
        "comparative_analysis",
        ("comparison_table", "pros_cons_breakdown", "callout_box"),
        "Set the choices side by side, weigh them, and say what must not be overlooked.",
    ),
    Shape(
        "post_mortem",
        ("timeline_steps", "root_cause_analysis", "safeguard_bullets"),
        "Tell what happened and when, why it happened, and what stops it from happening again.",
    ),
    Shape(
        "conceptual_breakdown",
        ("mermaid_diagram", "formal_definition", "faq_block"),
        "Draw the idea, define it, and answer what a reader asks next.",
    ),
)
"""The four shapes of the article that the pattern comes from."""

EVERYDAY: tuple[Shape, ...] = (
    Shape("walkthrough", ("numbered_steps",), "Lead through it step by step, in the order in which it is done."),
    Shape("account", ("running_text",), "Tell it in paragraphs, from the beginning to the end."),
    Shape(
        "sketch",
        ("running_text",),
        "Say it in a paragraph, or in a few.",
        (("running_text", "paragraphs", 1), ("running_text", "words", 15)),
    ),
    Shape("digest", ("key_points",), "Say what matters in a list, with what a reader needs to follow it."),
    Shape("questions", ("faq_block",), "Answer what a reader asks, one question after the other."),
    Shape("weighing", ("pros_cons_breakdown",), "Say what speaks for it and what against it."),
)
"""Shapes for everyday notes. They come into play where the notes fill none of the others, or by a pin."""

OPENERS: dict[str, str] = {
    "claim": "Begin with the section's main point, said flatly.",
    "scene": "Begin with a place, a moment and someone who does something.",
    "question": "Begin with the question that the section answers.",
    "number": "Begin with a measured number from the sources.",
    "contrast": "Begin with two things that differ, and say how.",
    "problem": "Begin with what goes wrong when one does not know this.",
}
"""Ways to begin a section's first paragraph; the text is an instruction for whoever writes it."""
