"""safeguard_bullets: the list of the notes that says what stops it from happening again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.compose.labels import SAFEGUARDS
from pipeline.compose.notes import Unit
from pipeline.compose.parts.pros_cons_breakdown import labelled_lists
from pipeline.compose.parts.timeline_steps import has_timeline, timed
from pipeline.compose.piece import Piece, part, piece

_CUE = re.compile(
    r"\b(?:safeguard|guard|prevent|protect|mitigat|countermeasure|precaution|correct|harden|remed)\w*|"
    r"\baction items?\b|\bnever again\b|\bhappen(?:ing)? again\b|\bcoming? back\b|\bfollow-?ups?\b|"
    r"\bwhat (?:we|has|have|was|came|is)\b[^.]{0,20}\b(?:changed?|did|done|put|of it)\b|\bput in place\b|"
    r"\bin place since\b|\bsince then\b|\bafterwards\b",
    re.IGNORECASE,
)


def find(unit: Unit) -> Iterator[Piece]:
    """Bullets under such a label; in a unit that tells what happened, the last bullets under any label."""
    argued = {items.place for _, _, items in labelled_lists(unit)}
    story = has_timeline(unit)
    lists = [b for b in unit.blocks if b.kind == "bullets" and b.place not in argued and not timed(b)]
    for block in lists:
        at = unit.blocks.index(block)
        above = unit.blocks[at - 1] if at and unit.blocks[at - 1].kind == "paragraph" else None
        cued = bool(_CUE.search(above.text if above else unit.heading))
        if not cued and not (story and block is lists[-1]):
            continue
        score = 3.0 * cued + 2.0 * story + min(len(block.items), 5) / 5
        if above is None:
            label = f"**{SAFEGUARDS}**\n\n"
            yield piece("safeguard_bullets", [part(block, "list", label + block.text)], score, block)
            continue
        for own, better in ((above.text, 0.5), (f"**{SAFEGUARDS}.** {above.text}", 0.0)):
            parts = [part(above, "prose", own), part(block, "list", block.text)]
            yield piece("safeguard_bullets", parts, score + better, above, block)
