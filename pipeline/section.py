"""The work of one section: draft, shape latch, bounded repair, style. Deterministic but for its steps.

Every model call and every look at the disk is a step of the durable record, so that the same work run
again after a kill comes to the same point without paying for what it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from firewall.policy.style import Style
from firewall.text.markdown import parse
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from latches.repair import insert, place, stays
from latches.rhythm import rhythm
from latches.schema import missing, verify
from latches.style import Scanner
from pipeline.chapter import body_fault, section_text, without_own_heading
from pipeline.micropass import polish
from pipeline.models.base import DraftTask, EditTask, Model, Reply, Usage
from pipeline.models.choose import OFFLINE

ATTEMPTS = 3
"""Drafts and repairs of a section before it is staged for a person (DESIGN: the third failure trips)."""

Json = dict[str, Any]
Step = Callable[[str, Callable[[], Json]], Json]


class Work(NamedTuple):
    """What a section is written with. `elsewhere` is the text of the rest of its chapter."""

    task: DraftTask
    writer: Model
    editor: Model
    style: Style
    elsewhere: Callable[[], str]


class _Draft(NamedTuple):
    """A body and what stands against it; `missing` are (element, what would satisfy it)."""

    body: str
    findings: tuple[Finding, ...]
    missing: tuple[tuple[str, str], ...]


def write_section(work: Work, step: Step) -> Json:
    """The section as JSON: `fit` or not, its text, findings by gate, attempts, micro-passes, usage, notes.

    Raises ModelError, BreakerOpen, BudgetExceeded and NoPrice out of the models.
    """
    log = _Log()
    rest = str(step("elsewhere", lambda: {"text": work.elsewhere()})["text"])
    draft = _drafted(work, step, log, rest)
    fit = not draft.findings
    text = draft.body
    if fit:
        text = _polished(work, step, log, text, rest)
    return log.to_json(fit, text)


def _drafted(work: Work, step: Step, log: _Log, rest: str) -> _Draft:
    """The first draft that nothing stands against, or the last one when the attempts are used up.

    A draft that would make its chapter a metronome is asked for again once, and of the two the one that does so
    least is taken, with a finding. That is style: no reason to keep a section out, or to pay for it three times.
    """
    task = work.task
    draft = _Draft("", (), ())
    fit: tuple[int, _Draft] | None = None
    for attempt in range(1, ATTEMPTS + 1):
        reply = _recorded(step, f"draft-{attempt}", partial(work.writer.draft, task))
        log.count(reply, attempt)
        unfinished = _unfinished(reply)
        if unfinished is not None:
            log.found("model", (unfinished,), attempt)
            draft = draft._replace(findings=(unfinished,))
            task = task._replace(refused=unfinished.message)
            if reply.stop_reason == "refusal":  # asking again for the same thing gets the same answer
                break
            continue
        body = _mended(task, reply.text) if task.missing else reply.text.strip()
        draft = _judged(body, work, log, attempt)
        if not draft.findings:
            beats = worsened(rest, work.task.plan.title, draft.body, work.style)
            log.found("style", beats, attempt)
            again = fit is None and work.writer.name != OFFLINE  # which gives the same answer to the same notes
            if fit is None or len(beats) < fit[0]:
                fit = len(beats), draft
            if not beats or not again:
                break
            task = work.task._replace(refused=beats[0].message)
        elif draft.missing:
            task = work.task._replace(draft=draft.body, missing=draft.missing)
        else:
            task = work.task._replace(refused=draft.findings[0].message)
    return draft if fit is None else fit[1]


def worsened(rest: str, title: str, body: str, style: Style) -> tuple[Finding, ...]:
    """The limits of rhythm that a chapter breaks with a section and not, or less, without it.

    `rest` is the chapter without the section.
    """
    before = {str(f.evidence["measure"]): f.evidence["measured"] for f in rhythm(parse(rest), style)}
    doc = parse(f"{rest.rstrip()}\n\n{section_text(title, body)}")
    return tuple(f for f in rhythm(doc, style) if before.get(str(f.evidence["measure"])) != f.evidence["measured"])


def _mended(task: DraftTask, addition: str) -> str:
    """The draft with what it lacked put in where the first missing element belongs, every byte else kept.

    At the end, where it would break the blocks around it there.
    """
    if not addition.strip():
        return task.draft
    doc = parse(task.draft)
    done = insert(task.draft, place(doc, task.plan, task.missing[0][0]), addition)
    if stays(task.draft, done):
        return done.text
    return insert(task.draft, len(task.draft), addition).text


def _unfinished(reply: Reply) -> Finding | None:
    """Why the answer is none, told from its stop reason alone."""
    if reply.whole:
        return None
    reason = reply.stop_reason
    evidence = {"stop_reason": reason, "model": reply.model}
    if reason == "refusal":
        said = reply.notes[-1] if reply.notes else f"{reply.model} refused."
        return Finding("model-refused", Outcome.BLOCK, f"{said} Nothing of it is used.", evidence)
    if reason is None:
        message = f"{reply.model}'s answer was cut off before it ended. Nothing of it is used."
        return Finding("model-cut", Outcome.BLOCK, message, evidence)
    message = f"{reply.model} stopped for {reason!r} and not because it had finished. Nothing of it is used."
    return Finding("model-unfinished", Outcome.BLOCK, message, evidence)


def _judged(body: str, work: Work, log: _Log, attempt: int) -> _Draft:
    """What stands against a draft: first whether it is a section at all, then its shape."""
    body, had_heading = without_own_heading(work.task.plan.title, body)
    if had_heading:
        message = "The draft began with the section's own heading, which was taken off."
        log.found("latch", (Finding("own-heading", Outcome.REDACT, message),), attempt)
    fault = body_fault(body)
    if fault:
        finding = Finding("section-form", Outcome.BLOCK, fault)
        log.found("latch", (finding,), attempt)
        return _Draft(body, (finding,), ())
    verdict = verify(body, work.task.plan)
    against = tuple(f for f in verdict.findings if f.outcome >= Outcome.HOLD)
    log.found("latch", verdict.findings, attempt)
    return _Draft(body, against, missing(verdict))


def _polished(work: Work, step: Step, log: _Log, body: str, rest: str) -> str:
    """The body after the micro-pass; as it was where that would have broken its shape."""
    uses = uses_of(work.style, rest)
    ceilings = {term: max(0, most - uses.get(term, 0)) for term, most in work.style.ceilings.items()}
    style = work.style.model_copy(update={"ceilings": ceilings})
    hits = Scanner(style).scan(body, honour_off=False)  # a model wrote it: its own `stet: off` counts for nothing
    log.found("style", (Finding(h.rule, Outcome.HOLD, h.message, {"term": h.term}) for h in hits), 0)
    result = polish(body, style, _RecordedEditor(work.editor, step), honour_off=False)
    log.micropasses += len(result.edits)
    log.rejected += result.attempts
    log.usage(result.usage)
    log.notes.update(dict.fromkeys(result.notes))
    log.found("micropass", result.findings, 0)
    if not result.edits:
        return body
    broken = body_fault(result.text) or not verify(result.text, work.task.plan).allowed
    if broken:
        message = "The style edits would have broken the section's shape, so it was left as it was."
        log.found("micropass", (Finding("shape-broken", Outcome.HOLD, message),), 0)
        log.micropasses = 0
        return body
    return result.text


def uses_of(style: Style, text: str) -> dict[str, int]:
    """How often each word with a ceiling stands in the prose of `text`, whatever the ceiling."""
    bare = Style(ceilings=dict.fromkeys(style.ceilings, 0), headings=style.headings, quotes=style.quotes)
    return dict(Counter(hit.term for hit in Scanner(bare).scan(text)))


class _RecordedEditor:
    """An editor whose answers are steps."""

    def __init__(self, editor: Model, step: Step) -> None:
        self.name = editor.name
        self._editor = editor
        self._step = step
        self._asked = 0

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        """What the editor says."""
        return self._editor.worst_cost_usd(task)

    def draft(self, task: DraftTask) -> Reply:
        """An editor drafts nothing."""
        raise NotImplementedError(task.plan.title)

    def edit(self, task: EditTask) -> Reply:
        """The recorded answer, or the editor's."""
        self._asked += 1
        return _recorded(self._step, f"edit-{self._asked}", lambda: self._editor.edit(task))


def _recorded(step: Step, name: str, call: Callable[[], Reply]) -> Reply:
    def do() -> Json:
        reply = call()
        return {**reply._asdict(), "usage": reply.usage._asdict(), "notes": list(reply.notes)}

    raw = step(name, do)
    return Reply(**{**raw, "usage": Usage(**raw["usage"]), "notes": tuple(raw["notes"])})


class _Log:
    """What happened on the way."""

    def __init__(self) -> None:
        self.attempts = self.micropasses = self.rejected = self.calls = 0
        self.input_tokens = self.output_tokens = 0
        self.cost: float | None = 0.0
        self.notes: dict[str, None] = {}
        self.findings: list[Json] = []

    def count(self, reply: Reply, attempt: int) -> None:
        """Book a draft."""
        self.attempts = attempt
        self.usage(reply.usage)
        self.notes.update(dict.fromkeys(reply.notes))

    def usage(self, usage: Usage) -> None:
        """Book tokens and cost."""
        self.calls += usage.requests
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cost = None if self.cost is None or usage.cost_usd is None else self.cost + usage.cost_usd

    def found(self, gate: str, findings: Any, attempt: int) -> None:
        """Book what a gate found."""
        self.findings += [{"gate": gate, "attempt": attempt, **finding.to_json()} for finding in findings]

    def to_json(self, fit: bool, text: str) -> Json:
        """The section's record."""
        return {
            "fit": fit,
            "text": text,
            "words": count_words(text),
            "attempts": self.attempts,
            "micropasses": self.micropasses,
            "rejected": self.rejected,
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost,
            "notes": list(self.notes),
            "findings": self.findings,
        }
