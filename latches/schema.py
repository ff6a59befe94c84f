"""The schema latch: is what a section must have really in it?"""

from __future__ import annotations

from firewall.text.markdown import Document, parse
from firewall.verdict import Finding, Outcome, Verdict, judge
from latches.blueprint import SectionPlan
from latches.elements import ELEMENTS, Options, detect, needs
from latches.elements.base import line_of

MISSING = "missing-element"
"""The rule of a finding about an element that is not there."""


def verify(source: str, plan: SectionPlan) -> Verdict:
    """Judge the Markdown of one section, its own heading or not, against its plan.

    Every finding says what was looked at and the smallest thing that would pass; a missing element is held.
    """
    doc = parse(source)
    findings = [*unclosed_fences(doc)]
    checks = ["unclosed-fence"]
    for name in plan.elements:
        checks.append(f"element:{name}")
        finding = missing_element(doc, name, plan.options_of(name))
        if finding is not None:
            findings.append(finding)
    return judge(findings, checks)


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
    evidence: dict[str, object] = {"element": name, "looked": found.looked, "why": found.why, "needs": need}
    if found.at < 0:
        return Finding(MISSING, Outcome.HOLD, message, evidence)
    evidence["line"] = line_of(doc.source, found.at)
    return Finding(MISSING, Outcome.HOLD, message, evidence, found.at, found.at)


def missing(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """(element, what would satisfy it) for each missing element: what a repair is asked for.

    Findings of other rules cannot be mended by adding something, so they are not in it.
    """
    return tuple((str(f.evidence["element"]), f.message) for f in verdict.findings if f.rule == MISSING)


def unclosed_fences(doc: Document) -> list[Finding]:
    """A fence that is never closed takes in all that follows, so nothing after it can be trusted."""
    out = []
    for node in doc.find("code_block"):
        if node.attrs["closed"]:
            continue
        line = line_of(doc.source, node.start)
        mark = doc.text(node).lstrip()[:3]
        inside = sum(1 for text in doc.text(node).splitlines()[1:] if text.strip())
        message = (
            f"The code fence opened on line {line} is never closed, so {inside} lines to the end are code. "
            f"Close it with a line of {mark} or longer after the code."
        )
        evidence: dict[str, object] = {"line": line, "lines_inside": inside}
        out.append(Finding("unclosed-fence", Outcome.BLOCK, message, evidence, node.start, node.end))
    return out
