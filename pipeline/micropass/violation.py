"""What the style scanner found, as the micro-pass needs it. Pure."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firewall.text.markdown import Document
from latches.style import Scanner, StyleHit
from latches.style.written import read_as
from pipeline.inflect.forms import fitted

_IN_A_SENTENCE = frozenset(("ceiling", "density", "banned", "apart"))
"""Rules whose findings stand in a sentence; the others are about comments, which no editor touches."""


class Violation(NamedTuple):
    """One place where the prose of a document breaks the house style.

    `term` is the word or phrase as the policy writes it; `start` and `end` are character offsets of the
    form of it that stands in the document. `alternatives` have that form, where it is known which it is;
    `number` are those of which the policy says whether they are singular or plural.
    """

    rule: str
    term: str
    start: int
    end: int
    message: str
    alternatives: tuple[str, ...]
    number: tuple[tuple[str, str], ...] = ()


def violations(
    source: str, scanner: Scanner, *, at: int | None, honour_off: bool
) -> tuple[Document, tuple[Violation, ...]]:
    """The document, filled where `Scanner.scan_parsing` says, and all violations that stand in a sentence, in order."""
    doc, hits = scanner.scan_parsing(source, at, honour_off=honour_off)
    return doc, tuple(of_hit(hit, source, scanner) for hit in hits if hit.rule in _IN_A_SENTENCE)


def of_hit(hit: StyleHit, source: str, scanner: Scanner) -> Violation:
    """What a finding of `scanner` in `source` is to the micro-pass."""
    said = scanner.style.number
    forms = fitted(hit.term.removeprefix("="), read_as(source[hit.start : hit.end]), hit.alternatives, said)
    number = tuple((form, str(said[form])) for form in forms if form in said)
    return Violation(hit.rule, hit.term, hit.start, hit.end, hit.message, forms, number)


def counts(found: tuple[Violation, ...]) -> Counter[tuple[str, str]]:
    """How often each (rule, term) is broken."""
    return Counter((v.rule, v.term) for v in found)
