"""Cleaning a text on its way to a prompt: take out what is noise or hidden, say what went, keep the rest.

The result is the raw text less the removed spans, so it never grows and nothing in it is rewritten. A pass
looks at the text as it stands, and passes repeat until one finds nothing, so what a removal puts together
is looked at again and cleaning twice is cleaning once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from firewall.context import citations, html, latex
from firewall.context.code import Code
from firewall.context.spans import Kept, Removal, merged, without
from firewall.text.markdown import OPAQUE
from firewall.verdict import Finding, Outcome

MAX_PASSES = 12
"""Passes after which a text counts as nested on purpose; honest text needs two or three."""

_QUIET = re.compile(r"[<\[\\【\ue200]|\n[ \t]*\r?\n[ \t]*\r?\n")
_BLANKS = re.compile(r"\r?\n(?:[ \t]*\r?\n){2,}")


class Cleaned(NamedTuple):
    """`text` is the raw text less what was removed; each finding's offsets point into the raw text."""

    text: str
    findings: tuple[Finding, ...]


def sanitize(text: str) -> Cleaned:
    """`text` without citation marks, HTML tags, LaTeX wrappers and runs of blank lines; code is left alone.

    A text nested deeper than MAX_PASSES comes out empty, with a finding that blocks.
    """
    return cleaned_with_map(text)[0]


def cleaned_with_map(text: str) -> tuple[Cleaned, Kept]:
    """As `sanitize`, with the map from the clean text's offsets to the raw ones."""
    kept = Kept(len(text))
    if not _QUIET.search(text):
        return Cleaned(text, ()), kept
    findings: list[Finding] = []
    current = text
    for _ in range(MAX_PASSES):
        removals = _pass(current, kept)
        if not removals:
            return Cleaned(current, tuple(findings)), kept
        for r in removals:
            evidence = {"length": r.end - r.start, **dict(r.evidence)}
            raw = kept.raw(r.start, r.end)
            findings.append(Finding(r.rule, Outcome.REDACT, r.message, evidence, *raw))
        spans = merged((r.start, r.end) for r in removals)
        current = without(current, spans)
        kept.cut(spans)
    findings.append(
        Finding(
            "nested",
            Outcome.BLOCK,
            f"After {MAX_PASSES} passes there was still something to remove. Text that is not nested on "
            "purpose needs two or three.",
            {"passes": MAX_PASSES},
        )
    )
    kept.cut([(0, len(current))])
    return Cleaned("", tuple(findings)), kept


def _pass(text: str, kept: Kept) -> list[Removal]:
    """What goes out of `text` now, in order. Blank lines go last, when nothing else does."""
    code = Code(text)
    masked = code.mask(text)
    removals = list(html.find(masked))
    prose = _mask(masked, latex.math_spans(masked))
    removals += citations.find(prose)
    removals += latex.find(prose)
    if not removals:
        removals += _blank_lines(masked, kept)
    removals.sort()
    return removals


def _blank_lines(masked: str, kept: Kept) -> list[Removal]:
    """Runs of three blank lines and more shrink to one; of two, only where something was removed.

    Two blank lines are how many people set off a section or a function, so alone they are no noise.
    """
    out = []
    for run in _BLANKS.finditer(masked):
        start, end = run.span()
        if run.group().count("\n") < 4 and not kept.was_cut(start, end):
            continue
        first = masked.index("\n", masked.index("\n", start) + 1) + 1
        out.append(Removal(first, end, "blank-lines", "A run of blank lines was shortened to one."))
    return out


def _mask(text: str, spans: list[tuple[int, int]]) -> str:
    parts = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], OPAQUE * (end - start)]
        at = end
    return "".join([*parts, text[at:]]) if spans else text
