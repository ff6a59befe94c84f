"""One micro-pass on a 2,500-word chapter without the model's time, beside the article's own algorithm.

Run with `pytest tests/bench/bench_micropass.py -m bench -s -n0`. Prints times and ratios; judges nothing.
The target is 10 ms for a pass: scan, cut, verify, splice and scan again.
"""

from __future__ import annotations

import re
import time
import timeit
from collections.abc import Callable
from functools import partial

import pytest

from firewall.policy.style import Style
from firewall.text.words import count_words
from latches.style import Scanner
from pipeline.micropass import MemoryRecorder, polish
from pipeline.micropass.judge import House, judge, scan
from pipeline.micropass.window import cut
from pipeline.models.base import DraftTask, EditTask, Reply
from pipeline.models.offline import OfflineModel
from pipeline.models.offline_editor import edit_sentence

pytestmark = pytest.mark.bench

_STYLE = Style(
    banned=["utilize", "delve into", "in order to", "leverage", "robust", "seamless"],
    ceilings={"telemetry": 3, "pump": 400, "crew": 400},
    alternatives={"telemetry": ["measurements"], "utilize": ["use"], "robust": ["sturdy"]},
)
_PLAIN = (
    "The crew of hut {} checks the pump at night, and writes down what the gauge shows. "
    "Nobody trusts a reading that has no time beside it, so `clock.set()` runs first. "
    "See [the plan](plan.md#{}) for the order of the valves. "
)
_BAD = "Engineers review this telemetry to verify throughput."


class Instant:
    """An editor whose answer is known before it is asked."""

    name = "instant"

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        return 0.0

    def draft(self, task: DraftTask) -> Reply:
        raise NotImplementedError

    def edit(self, task: EditTask) -> Reply:
        return Reply(task.sentence.replace("this telemetry", "these measurements"), "end_turn", self.name)


def chapter(bad: int, words: int = 2_500) -> str:
    """A chapter with headings, lists and a table, and `bad` sentences over the ceiling spread over it."""
    parts = ["# The night shift\n\nTelemetry is old. Telemetry is cheap. Telemetry is ours.\n"]
    places = {round((n + 1) * words / (bad + 1) / 46) for n in range(bad)}
    number = 0
    while sum(map(count_words, parts)) < words:
        number += 1
        text = _PLAIN.format(number, number)
        if number in places:
            text += _BAD + " "
        if number % 9 == 0:
            text += f"\n\n| valve | state |\n|---|---|\n| {number} | open |\n\n## Part {number}\n\n- one\n- two"
        parts.append("\n" + text.rstrip() + "\n")
    return "".join(parts)


def yardstick(document: str, target: str, most: int) -> str:
    """The article's pass: split on full stops, count by substring, replace the first equal sentence."""
    count = 0
    for sentence in re.split(r"(?<=[.!?])\s+", document):
        count += len(re.findall(re.escape(target), sentence, re.IGNORECASE))
        if count > most:
            return document.replace(sentence, sentence.replace("this telemetry", "these measurements"), 1)
    return document


def milliseconds(call: Callable[[], object]) -> float:
    return min(timeit.repeat(call, number=5, repeat=7)) / 5 * 1000


def test_one_pass() -> None:
    text = chapter(1)
    house = House(Scanner(_STYLE), True)
    view = scan(text, house)
    (violation,) = view.found
    window = cut(view.doc, violation)
    assert window is not None
    answer = edit_sentence(window.task)
    done = polish(text, _STYLE, Instant())
    assert done.text == text.replace(_BAD, "Engineers review these measurements to verify throughput.")
    whole = milliseconds(partial(polish, text, _STYLE, Instant()))
    base = milliseconds(partial(yardstick, text, "telemetry", 3))
    print(f"\nchapter of {count_words(text)} words, {len(text.encode())} bytes")
    print(f"  one pass, whole (polish)       {whole:8.2f} ms   {whole / base:6.1f} x the article's")
    print(f"    scan                         {milliseconds(partial(scan, text, house)):8.2f} ms")
    print(f"    cut                          {milliseconds(partial(cut, view.doc, violation)):8.2f} ms")
    judged = milliseconds(partial(judge, view, window, violation, answer, house))
    print(f"    verify, splice, scan again   {judged:8.2f} ms")
    print(f"    rule-based editor, a sentence{milliseconds(partial(edit_sentence, window.task)):8.2f} ms")
    print(f"  the article's algorithm        {base:8.2f} ms")


def test_many_passes_and_replays() -> None:
    for bad in (5, 20):
        text = chapter(bad)
        records = MemoryRecorder()
        done = polish(text, _STYLE, Instant(), recorder=records)
        assert len(done.edits) == bad
        fresh = milliseconds(partial(polish, text, _STYLE, Instant()))
        replay = milliseconds(partial(polish, text, _STYLE, Instant(), recorder=records))
        print(f"\n{bad} edits: {fresh:.1f} ms, {fresh / bad:.2f} ms each; from records {replay / bad:.2f} ms each")


def test_documents_full_of_findings() -> None:
    """What an edit costs must not grow with the number of findings; offline, the editor's own work included."""
    style = Style(banned=["leverage"], alternatives={"leverage": ["use"]})
    kinds = (("table", "| a | b |\n|---|---|\n", "| We leverage it | b |\n"), ("list", "", "- We leverage it.\n"))
    for name, head, row in kinds:
        print(f"\n{name}")
        for count in (100, 400, 1_600):
            text = f"# T\n\n{head}{row * count}"
            began = time.process_time()
            done = polish(text, style, OfflineModel(), limit=count)
            taken = time.process_time() - began
            assert len(done.edits) == count
            print(f"  {count:5} findings in {len(text):6} bytes {taken:7.2f} s   {taken / count * 1000:5.2f} ms each")
