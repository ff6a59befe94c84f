"""The micro-pass: scan, cut one sentence out, have it edited, verify, splice, scan the whole again.

It ends, whatever the editor answers: an edit is taken only when the document then breaks the style in
fewer places, and a violation that no edit was taken for is set aside for good. Effects are those of the
editor and the recorder that the caller gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from firewall.policy.style import Style
from firewall.verdict import Finding, Outcome
from latches.style import Scanner
from pipeline.micropass.breaks import rewrapped
from pipeline.micropass.judge import House, scan
from pipeline.micropass.left import Left
from pipeline.micropass.linked import targets
from pipeline.micropass.local import Text, Whole, begin
from pipeline.micropass.quotes import requoted
from pipeline.micropass.record import Record, Recorder, record_key
from pipeline.micropass.splice import digest
from pipeline.micropass.verify import FAR
from pipeline.micropass.violation import Violation
from pipeline.micropass.window import Window, in_braces, in_pieces
from pipeline.models.base import EditTask, Model, Reply, Usage
from pipeline.prompts import edit_prompt

REJECTIONS = 3
"""Rejected answers for one violation after which its sentence stays as it was (issue 6, micro-pass)."""
CALLS = 500
"""Model calls in one `polish` unless the caller says otherwise: a stop against cost, far from any style."""

GIVEN_UP = "micropass-given-up"
DECLINED = "micropass-declined"
NO_SENTENCE = "micropass-no-sentence"
OUT_OF_CALLS = "micropass-limit"
_LEFT = {"given-up": GIVEN_UP, "declined": DECLINED, "limit": OUT_OF_CALLS}

_LINKED = "a link leads to #{}, and other words of this heading make another anchor"
_IN_PIECES = "markup stands inside the word, and would stand inside another"
_IN_BRACES = "it stands in braces, where it may be a name in a program"

_NONCE = re.compile(r"\bdata-[0-9a-f]{16}\b")


class Edit(NamedTuple):
    """One sentence changed.

    `start` is its offset in the text as it was before this edit and after those before it. `replayed` is true
    when a record answered in the model's place.
    """

    rule: str
    term: str
    start: int
    before: str
    after: str
    replayed: bool

    def to_json(self) -> dict[str, object]:
        """The edit as a JSON object."""
        return dict(self._asdict())


class Polished(NamedTuple):
    """What came of a document.

    `text` is the document with its `edits` made, in the order they were made. `findings` name each
    violation that stayed, with its sentence's place in `text` and why. `attempts` counts rejected answers,
    `calls` the times a model was asked, `usage` what those calls cost, `notes` what models had to say.
    """

    text: str
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    attempts: int
    calls: int
    usage: Usage
    notes: tuple[str, ...]

    @property
    def given_up(self) -> tuple[Finding, ...]:
        """Findings of violations given up in this run after rejected answers: failed edits, each one."""
        return tuple(f for f in self.findings if f.rule == GIVEN_UP and not f.evidence.get("replayed"))


def polish(
    source: str,
    style: Style,
    editor: Model,
    *,
    recorder: Recorder | None = None,
    limit: int = CALLS,
    honour_off: bool = True,
    watch: Callable[[int, int], None] | None = None,
    elsewhere: Callable[[], Mapping[str, str]] = dict,
) -> Polished:
    """Take style violations out of the Markdown `source`, one sentence at a time.

    `recorder` keeps settled violations between runs, so that a second one asks no model. `limit` bounds
    the model calls. `honour_off` false ignores `stet: off` comments, for text that no person read.
    `watch` is told, before each question, how many edits were made and how many findings stand.
    `elsewhere` says which anchors of this document links in other files lead to, and in which file one such link
    stands; it is asked once at most, where the words of a heading would change.
    Raises ModelError from the editor; what was accepted before that is in the recorder.
    """
    house = House(Scanner(style), honour_off)
    view = scan(source, house)
    anchored = cache(lambda: {**elsewhere(), **dict.fromkeys(targets(source), "")})
    run = _Run(digest(style.model_dump_json()), editor, recorder, limit, watch, anchored)
    text = run.through(begin(view, house, anchored))
    if not text.stands():  # what the last scan finds is what holds: do it again with a scan after each edit
        run.again()
        text = run.through(Whole(view, house, anchored))
    return run.result(text.source)


class _Answer(NamedTuple):
    """What one violation led to: an accepted sentence with its document, or a record of why none."""

    record: Record
    text: Text | None
    replayed: bool


class _Run:
    """The running state of one `polish`."""

    def __init__(
        self,
        policy: str,
        editor: Model,
        recorder: Recorder | None,
        limit: int,
        watch: Callable[[int, int], None] | None,
        anchored: Callable[[], Mapping[str, str]],
    ) -> None:
        self.policy, self.editor, self.recorder, self.limit, self.watch = policy, editor, recorder, limit, watch
        self.anchored = anchored
        self.again()
        self.notes: dict[str, None] = {}
        self.attempts = self.calls = 0
        self.usage = Usage(requests=0)

    def again(self) -> None:
        """Begin with the document anew; what was asked stays counted."""
        self.edits: list[Edit] = []
        self.left = Left()

    def through(self, text: Text) -> Text:
        """The document with every violation settled, one after another."""
        while (violation := text.next(self.left)) is not None:
            if self.watch:
                self.watch(len(self.edits), text.standing)
            window = text.cut(violation)
            if window is None:
                self.leave(violation, (violation.start, violation.end), Record("", reason="it lies in no one sentence"))
                continue
            anchor = text.anchor(window)
            if anchor or in_pieces(window) or in_braces(window):
                apart = _IN_PIECES if in_pieces(window) else _IN_BRACES
                reason = _linked(anchor, self.anchored()[anchor]) if anchor else apart
                self.leave(violation, (window.start, window.end), Record("declined", reason=reason))
                continue
            answer = self.settle(text, window, violation)
            if answer.text is None:
                self.leave(violation, (window.start, window.end), answer.record, answer.replayed)
            else:
                self.took(window, violation, answer)
                text = answer.text
        return text

    def settle(self, text: Text, window: Window, violation: Violation) -> _Answer:
        """A record's answer if it still passes; else the editor's, which is then recorded."""
        twins = text.twins(window)
        key = record_key(
            sentence=window.sentence,
            rule=f"{violation.rule}:{violation.term}",
            policy=self.policy,
            prompt=_canonical(window.task) + (twins.scope() if twins else ""),
            model=self.editor.name,
        )
        kept = self.recorder.get(key) if self.recorder else None
        if kept is not None and kept.outcome != "accepted":
            return _Answer(kept, None, True)
        if kept is not None:
            after, _ = text.judge(window, violation, kept.text)
            if after is not None:
                return _Answer(kept, after, True)
        answer = self.ask(text, window, violation)
        if self.recorder and answer.record.outcome != "limit":
            self.recorder.put(key, answer.record)
        return answer

    def ask(self, text: Text, window: Window, violation: Violation) -> _Answer:
        """Ask until an answer passes, the editor declines, or three were rejected.

        The reason of a rejection goes with the next question, and only with that one.
        """
        reason = ""
        for _ in range(REJECTIONS):
            if self.calls >= self.limit:
                return _Answer(Record("limit", reason=f"{self.limit} model calls were made"), None, False)
            reply = self.editor.edit(window.task._replace(refused=reason))
            self.count(reply)
            said = laid_out(window.sentence, reply.text.strip())
            if reply.stop_reason == "refusal":
                return _Answer(Record("declined", reason="the model refused"), None, False)
            if not reply.whole:
                reason = f"the answer was cut off ({reply.stop_reason or 'its stream ended early'})"
            elif not said:
                why = f"the editor declined to mend it, told that {reason}" if reason else "the editor declined"
                return _Answer(Record("declined", reason=why), None, False)
            else:
                after, reason = text.judge(window, violation, said)
                if after is not None:
                    return _Answer(Record("accepted", text=said), after, False)
            self.attempts += 1
        return _Answer(
            Record("given-up", reason=f"{REJECTIONS} answers were rejected, the last because {reason}"),
            None,
            False,
        )

    def count(self, reply: Reply) -> None:
        """Add a reply to the totals. A cost that is not known makes the sum unknown."""
        self.calls += 1
        self.notes.update(dict.fromkeys(reply.notes))
        ours, theirs = self.usage, reply.usage
        cost = None
        if ours.cost_usd is not None and theirs.cost_usd is not None:
            cost = ours.cost_usd + theirs.cost_usd
        self.usage = Usage(
            ours.input_tokens + theirs.input_tokens,
            ours.output_tokens + theirs.output_tokens,
            cost,
            ours.requests + theirs.requests,
        )

    def took(self, window: Window, violation: Violation, answer: _Answer) -> None:
        """Book an accepted edit, and move what was left in behind it."""
        text = answer.record.text
        self.edits.append(Edit(violation.rule, violation.term, window.start, window.sentence, text, answer.replayed))
        self.left.edited(window.start, window.end, len(text) - len(window.sentence))

    def leave(self, violation: Violation, place: tuple[int, int], record: Record, replayed: bool = False) -> None:
        """Leave a violation in, with a finding."""
        finding = Finding(
            _LEFT.get(record.outcome, NO_SENTENCE),
            Outcome.HOLD,
            f"{violation.message} The sentence stays as it was: {record.reason}.",
            {"rule": violation.rule, "term": violation.term, "reason": record.reason, "replayed": replayed},
        )
        self.left.add((violation.rule, violation.term), *place, finding)

    def result(self, text: str) -> Polished:
        """Everything, with the findings at their places in the final text."""
        findings = self.left.findings()
        return Polished(text, tuple(self.edits), findings, self.attempts, self.calls, self.usage, tuple(self.notes))


def laid_out(sentence: str, answer: str) -> str:
    """`answer` with the line breaks and quotation marks of `sentence`; one far too long is none, and stays as it is."""
    if len(answer) > FAR * len(sentence):
        return answer
    return requoted(sentence, rewrapped(sentence, answer))


def _linked(anchor: str, file: str) -> str:
    where = f" in {file}" if file else ""
    return f"a link{where} leads to #{anchor}, and other words of this heading make another anchor"


def _canonical(task: EditTask) -> str:
    """The whole prompt of a task, without the random names of its envelopes."""
    prompt = edit_prompt(task)
    return _NONCE.sub("data-", f"{prompt.system}\n\n{prompt.user}")
