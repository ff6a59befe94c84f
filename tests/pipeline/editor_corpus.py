"""Reads editor_sentences.txt and its companions: a sentence and the answers that are right, on one line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Case(NamedTuple):
    """One sentence, what must go, what may stand instead, and the answers that are right."""

    sentence: str
    term: str
    alternative: str
    right: tuple[str, ...]


def cases(name: str) -> list[Case]:
    """All cases of the file `name`, in order."""
    out: list[Case] = []
    term = alternative = ""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if line.startswith("== "):
            term, alternative = line.removeprefix("== ").split(" -> ")
        elif " => " in line and not line.startswith("#"):
            sentence, answers = line.split(" => ")
            out.append(Case(sentence, term, alternative, tuple(answers.split(" || "))))
    return out
