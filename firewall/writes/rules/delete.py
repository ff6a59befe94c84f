"""delete: an artifact may not go without a person's yes, unless its words stand elsewhere whole, for a reader to see."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "delete"
STRUCTURAL = True
MOVED_ENOUGH = 0.97
"""Share of the words that must stand whole in other artifacts; the rest are headings and the like."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds the delete of a file that has anything in it, or whose mark has."""
    if facts.proposed is not None or facts.disk is None:
        return []
    words = measures.before
    lost = max(reference.words - reference.kept + reference.hidden for reference in measures.all_references)
    if words and not facts.loss_only and lost <= (1 - MOVED_ENOUGH) * words:
        return []
    what = (
        f"{len(facts.disk)} bytes"
        if facts.loss_only
        else f"{lost} words that no other guarded file has, paragraph by paragraph"
    )
    message = (
        f"Deleting {facts.path} would lose {what}. Only a person's yes does that; move the words first, in a call of its"
        " own, or keep it."
    )
    return [Finding(NAME, Outcome.HOLD, message, {"words": words, "moved": words - lost, "lost": lost})]


def _moved(text: str) -> dict[tuple[str, ...], int]:
    from firewall.text.units import units

    return {unit.words: 1 for unit in units(text)}


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("a chapter", lorem(1200), None, True),
        example("a note", "Buy lamps.", None, True),
        example("an empty file is still somebody's", "", None, True),
        example("half of it moved", lorem(400), None, True, elsewhere=_moved(lorem(200))),
        example("all of it moved", lorem(400), None, False, elsewhere=_moved(lorem(400))),
        example(
            "all of it moved, out of sight", lorem(400), None, True, elsewhere=_moved(lorem(400)), shown_elsewhere={}
        ),
        example("a write is no delete", "one", "two", False),
        example("nothing there", None, None, False),
    )
