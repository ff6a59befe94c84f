"""root_cause_analysis: the paragraph of the notes that says why it happened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.compose.labels import ROOT_CAUSE
from pipeline.compose.notes import Unit
from pipeline.compose.parts.timeline_steps import has_timeline
from pipeline.compose.piece import Piece, part, piece

_LABEL = re.compile(r"^\W*(?P<label>(?:the )?(?:root |underlying )?causes?)\W*[:.]\W*\s", re.IGNORECASE)
_CUES = (
    (re.compile(r"\b(?:root|underlying|real|actual) cause\b", re.IGNORECASE), 4.0),
    (re.compile(r"^\W*(?:the )?cause\b|^\W*what caused\b|^\W*why it happened\b", re.IGNORECASE), 3.0),
    (re.compile(r"\bit happened because\b|\bcaused by\b|\bcause of\b", re.IGNORECASE), 3.0),
    (re.compile(r"\bbecause\b|\bdue to\b|\bled to\b|\bcaused\b", re.IGNORECASE), 1.0),
)


def find(unit: Unit) -> Iterator[Piece]:
    """Paragraphs that name a cause; in a unit that tells what happened, a mere "because" will do."""
    story = has_timeline(unit)
    for block in unit.blocks:
        if block.kind != "paragraph" or block.text.rstrip().endswith(":"):
            continue
        weight = max((w for cue, w in _CUES if cue.search(block.text)), default=0.0)
        if weight < (1.0 if story else 3.0):
            continue
        label = _LABEL.match(block.text)
        texts: tuple[str, ...]
        if label is None:
            texts = (block.text, f"**{ROOT_CAUSE}.** {block.text}")
        else:
            said = block.text[label.end() :]
            texts = (f"**{label['label'][:1].upper()}{label['label'][1:]}:** {said}",)
        for better, text in zip((0.5, 0.0), texts, strict=False):
            yield piece("root_cause_analysis", [part(block, "prose", text)], weight + 2 * story + better, block)
