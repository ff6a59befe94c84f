"""The schema latch: is what a section must have really in it, and does it stand on its own?"""

from __future__ import annotations

from collections.abc import Callable

from firewall.text.markdown import Document, parse
from firewall.verdict import Finding, Outcome, Verdict, judge
from latches.blueprint import SectionPlan
from latches.checks.anchors import unique_anchors
from latches.checks.code import code
from latches.checks.fences import lost_cells, no_tables, unclosed_fences, unclosed_math
from latches.checks.headings import document_headings, glued_headings, section_headings
from latches.checks.length import length
from latches.checks.links import Shelf, links
from latches.elements import ELEMENTS, Options, detect, needs
from latches.elements.base import line_of

MISSING = "missing-element"
"""The rule of a finding about an element that is not there."""


def verify(source: str, plan: SectionPlan, *, body_level: int = 2) -> Verdict:
    """Judge the Markdown of one section, its own heading first or left out, against its plan.

    `body_level` is the level of the section's heading where the text leaves it out. Every finding says
    what was looked at and the smallest thing that would pass. A missing element is held; `missing` makes
    the words of a repair out of those, and nothing can be mended by adding where another rule found
    something.
    """
    doc = parse(source)
    checks: list[tuple[str, Callable[[], list[Finding]]]] = [
        ("unclosed-fence", lambda: unclosed_fences(doc)),
        ("lost-cells", lambda: lost_cells(doc)),
        ("headings", lambda: section_headings(doc, body_level)),
        ("anchors", lambda: unique_anchors(doc)),
        ("code", lambda: code(doc)),
        ("length", lambda: length(_without_heading(doc), plan.target_words)),
    ]
    findings = [finding for _, check in checks for finding in check()]
    names = [name for name, _ in checks]
    for name in plan.elements:
        names.append(f"element:{name}")
        finding = missing_element(doc, name, plan.options_of(name))
        if finding is not None:
            findings.append(finding)
    return judge(findings, names)


def verify_document(source: str, shelf: Shelf | None = None) -> Verdict:
    """Judge a whole Markdown document, whatever its shape. `shelf` are the files it may link to."""
    doc = parse(source)
    checks: list[tuple[str, Callable[[], list[Finding]]]] = [
        ("unclosed-fence", lambda: unclosed_fences(doc)),
        ("lost-cells", lambda: lost_cells(doc) + no_tables(doc)),
        ("unclosed-math", lambda: unclosed_math(doc)),
        ("headings", lambda: document_headings(doc) + glued_headings(doc)),
        ("anchors", lambda: unique_anchors(doc)),
        ("links", lambda: links(doc, shelf)),
        ("code", lambda: code(doc)),
    ]
    return judge((finding for _, check in checks for finding in check()), (name for name, _ in checks))


def missing_element(doc: Document, name: str, options: Options) -> Finding | None:
    """The finding for an element that a document lacks, or None when it is there."""
    if name not in ELEMENTS:
        message = f"The plan asks for {name!r}, which is no element. The elements are {', '.join(ELEMENTS)}."
        return Finding("unknown-element", Outcome.BLOCK, message, {"element": name})
    found = detect(name, doc, options)
    if found.found:
        return None
    need = needs(name, options)
    message = f"{name} is missing. Looked at: {found.looked}; {found.why}. Needed: {need}."
    evidence: dict[str, object] = {
        "element": name, "looked": found.looked, "why": found.why, "needs": need
    }  # fmt: skip
    if found.at < 0:
        return Finding(MISSING, Outcome.HOLD, message, evidence)
    evidence["line"] = line_of(doc.source, found.at)
    return Finding(MISSING, Outcome.HOLD, message, evidence, found.at, found.at)


def missing(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """(element, what would satisfy it) for each missing element: what a repair is asked for.

    Empty when something is wrong that adding cannot mend: an unclosed fence would swallow the repair.
    """
    against = [f for f in verdict.findings if f.outcome >= Outcome.HOLD]
    if any(f.rule != MISSING for f in against):
        return ()
    return tuple((str(f.evidence["element"]), f.message) for f in against)


def _without_heading(doc: Document) -> str:
    """The source less a first heading, which is the section's own and no part of its length."""
    if doc.blocks and doc.blocks[0].kind == "heading":
        return doc.source[doc.blocks[0].end :]
    return doc.source
