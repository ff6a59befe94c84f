"""Every word that a composed section has of its own. All else stands in a passage; a test holds that."""

from __future__ import annotations

from typing import Final

PROS: Final = "Pros"
CONS: Final = "Cons"
ROOT_CAUSE: Final = "Root cause"
SAFEGUARDS: Final = "Safeguards"
QUESTION: Final = "Q:"
ANSWER: Final = "A:"
YES: Final = "yes"
NO: Final = "no"
SOURCE: Final = "Source:"

LABELS: Final = (PROS, CONS, ROOT_CAUSE, SAFEGUARDS, QUESTION, ANSWER, YES, NO, SOURCE)
