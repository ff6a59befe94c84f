"""The vocabulary of elements that shapes are made of: one detector a module."""

from __future__ import annotations

from types import ModuleType

from firewall.text.markdown import Document
from latches.elements import (
    callout_box,
    checklist,
    comparison_table,
    faq_block,
    fenced_code_block,
    figure,
    formal_definition,
    inline_annotations,
    key_points,
    mermaid_diagram,
    numbered_steps,
    performance_table,
    pros_cons_breakdown,
    root_cause_analysis,
    running_text,
    safeguard_bullets,
    timeline_steps,
)
from latches.elements.base import Detection, Element, Options

__all__ = ["ELEMENTS", "Detection", "Element", "Options", "detect", "needs"]


def _element(module: ModuleType) -> Element:
    choices = getattr(module, "CHOICES", {})
    return Element(module.NAME, module.OPTIONS, module.needs, module.detect, module.PASS, module.FAIL, choices)


ELEMENTS: dict[str, Element] = {
    element.name: element
    for element in map(
        _element,
        (
            fenced_code_block,
            inline_annotations,
            performance_table,
            comparison_table,
            pros_cons_breakdown,
            callout_box,
            timeline_steps,
            root_cause_analysis,
            safeguard_bullets,
            mermaid_diagram,
            formal_definition,
            faq_block,
            numbered_steps,
            checklist,
            figure,
            running_text,
            key_points,
        ),
    )
}
"""Every element by name."""


def detect(name: str, doc: Document, given: Options = {}) -> Detection:  # noqa: B006 (never changed)
    """Find the element `name` in a document, with the parameters `given` over its defaults."""
    element = ELEMENTS[name]
    return element.detect(doc, {**element.options, **given})


def needs(name: str, given: Options = {}) -> str:  # noqa: B006 (never changed)
    """One sentence: the smallest thing that would satisfy the element `name`."""
    element = ELEMENTS[name]
    return element.needs({**element.options, **given})
