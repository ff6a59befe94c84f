"""A section of which the notes grow keeps what it said: a target length is aimed at, and no cliff to fall from."""

from __future__ import annotations

import pytest
from grounding_kit import passage

from firewall.text.words import count_words
from firewall.verdict import Outcome
from latches.blueprint import SectionPlan
from latches.checks.length import LONGEST, SHORTEST, length
from pipeline.compose.cite import Citer
from pipeline.compose.notes import read_notes
from pipeline.compose.section import compose

NOTE = """\
# Rain barrels

A rain barrel takes the water of one roof and keeps it for the dry weeks. Ours stands behind the shed, on four bricks,
and its tap is high enough for a can. In May it is full after two nights of rain.

Compared with the mains, its water is warmer and has no chalk in it. Beans like that, and so do the ferns that stand
in the hall. The barrel costs nothing once it stands.

What it holds depends on the roof. A steep roof brings less than a flat one of the same length, and moss drinks the
first of every rain.

| roof | litres in May | litres in July |
|---|---|---|
| shed | 400 | 90 |
| house, south | 900 | 210 |
| house, north | 950 | 260 |

To clean it, let it run empty in November and take the lid off. Scrub it with a broom and no soap, rinse it twice and
turn it over until March, since ice breaks the seam. A barrel that was left standing lost its bottom in one night.
"""
MORE = " We look at the tap on the first of each month."


def _written(note: str, target: int) -> str:
    plan = SectionPlan(1, 1, 1, "Water", "Rain barrels", "sketch", ("running_text",), target, "scene")
    passages = (passage(note, "notes/rain.md:1"),)
    return compose(read_notes(passages, plan.title), plan, Citer(1, passages))


@pytest.mark.parametrize("lines", range(16))
def test_a_note_may_grow_by_a_few_lines(lines: int) -> None:
    body = _written(NOTE.rstrip() + MORE * lines + "\n", 190)
    assert not [f for f in length(body, 190) if f.outcome >= Outcome.HOLD]
    assert "| shed | 400 | 90 |" in body
    if lines < 5:  # the whole note is nearer to the target than the note without its last paragraph
        assert "turn it over until March" in body


@pytest.mark.parametrize("target", range(100, 380, 5))
def test_what_passes_as_a_whole_is_never_left_too_short(target: int) -> None:
    body = _written(NOTE, target)
    assert SHORTEST * target <= count_words(body) <= LONGEST * target
