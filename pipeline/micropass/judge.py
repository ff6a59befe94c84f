"""A document as it was scanned, and an editor's answer judged in its place there. Pure."""

from __future__ import annotations

from typing import NamedTuple

from firewall.text.markdown import Document
from latches.style import Scanner
from pipeline.micropass.outline import drift
from pipeline.micropass.splice import digest, splice
from pipeline.micropass.verify import reject_form, reject_prose
from pipeline.micropass.violation import Violation, counts, violations
from pipeline.micropass.window import Prose, Window


class House(NamedTuple):
    """The house style, ready to scan with. `honour_off`: do `stet: off` comments count?"""

    scanner: Scanner
    honour_off: bool


class View(NamedTuple):
    """A document that was scanned whole: `sha256` is its digest, `found` what breaks the style.

    `doc` has all top-level blocks; filled are those with something found, and the one that was edited last.
    """

    source: str
    sha256: str
    doc: Document
    found: tuple[Violation, ...]
    prose: Prose


def scan(source: str, house: House) -> View:
    """`source` parsed and scanned."""
    return _view(source, None, house)


def _view(source: str, at: int | None, house: House) -> View:
    doc, found = violations(source, house.scanner, at=at, honour_off=house.honour_off)
    return View(source, digest(source), doc, found, Prose(doc))


def judge(view: View, window: Window, violation: Violation, answer: str, house: House) -> tuple[View | None, str]:
    """The document with `answer` in the window's place, scanned whole; or None and why it is rejected.

    An answer passes only when the document then breaks the style in fewer places: that is why a
    micro-pass ends.
    """
    reason = reject_form(window, answer)
    if reason:
        return None, reason
    source = splice(view.source, view.sha256, window.start, window.end, answer)
    end = window.start + len(answer)
    after = _view(source, window.start, house)
    moved = drift(view.doc, after.doc, window.start, window.end, end)
    if moved:
        return None, f"the markup changed: {moved}"
    block = after.prose.at(window.start)
    if block is None or end > block.end:
        return None, "the answer is no prose in its place"
    if (window.start, end) not in after.prose.sentences(block):
        return None, "the answer is not exactly one sentence"
    reason = reject_prose(window, answer, block.text[window.start - block.start : end - block.start])
    if reason:
        return None, reason
    ours, theirs = counts(view.found), counts(after.found)
    if theirs[violation.rule, violation.term] >= ours[violation.rule, violation.term]:
        return None, f"{window.task.target!r} is still there"
    worse = theirs - ours
    if worse:
        rule, term = next(iter(worse))
        return None, f"the answer breaks the style itself: {term!r} ({rule})"
    return after, ""
