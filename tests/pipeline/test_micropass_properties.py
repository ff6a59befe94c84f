"""After any sequence of micro-passes, whatever the editor answers, every byte outside the edited sentences is
as it was, the document's structure is the same, and the style is not worse."""

from __future__ import annotations

from editors import Scripted, swap
from hypothesis import event, given, settings
from hypothesis import strategies as st

from firewall.policy.style import Style
from firewall.text.markdown import parse, prose_blocks
from latches.style import scan
from pipeline.micropass import MemoryRecorder, Polished, polish
from pipeline.micropass.window import places
from pipeline.models.base import EditTask

STYLE = Style(
    banned=["utilize", "in order to"],
    ceilings={"telemetry": 1},
    alternatives={"utilize": ["use"], "telemetry": ["measurements"], "in order to": ["to"]},
)
PIECES = [
    "We utilize telemetry.", "Telemetry utilizes `utilize()`.", "See [telemetry](http://x/telemetry).",
    "Plain.", "数据 utilize 很好。", "🚀 utilize it!", "We **utilize** 3 pumps.",
    "Utilize it (in order to save 4 W).", "In order\nto utilize it, wait.", "It is $x^2$ &amp; utilize.",
    "A *b c.", "x | y", "e.g. utilize v1.2 now.", "“Utilize it,” she said.", "Footnote utilize[^1].",
    "<b>utilize</b> it.", "utilize\tit here", "\\*utilize\\* it.",
]  # fmt: skip
BLOCKS = "{}|# {}|- {}|> {}|1. {}|```\n{}\n```|[^1]: {}|  - {}".split("|")
BLOCKS.append("| a | b |\n|---|---|\n| {} | c |")
ODD = [
    "", "We use it.", "Sure: we use it.",
    "- x\n- y", "```", "| a |", "# Title.", "> quote.", "a. b. c.", "*", "`", "\ufffc",
    "[x](y)", "<script>", "\x00", "We use\n\nit.", "\ud800", "&lt;",
]  # fmt: skip

documents = st.lists(
    st.tuples(st.sampled_from(BLOCKS), st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)),
    min_size=1,
    max_size=5,
)
line_ends = st.sampled_from(["\n", "\r\n"])
answers = st.lists(
    st.one_of(
        st.just(swap),
        st.sampled_from(ODD),
        st.text(max_size=40),
        st.builds(lambda odd: lambda task: swap(task) + odd, st.sampled_from(ODD)),
        st.builds(lambda odd: lambda task: odd + swap(task), st.sampled_from(ODD)),
    ),
    min_size=1,
    max_size=12,
)


def build(parts: list[tuple[str, list[str]]], end: str) -> str:
    return ("\n\n".join(block.format(" ".join(pieces)) for block, pieces in parts) + "\n").replace("\n", end)


def structure(source: str) -> list[tuple[str, str]]:
    """Kinds of all nodes in order, with the text of what no edit may touch."""
    doc = parse(source)
    fixed = ("code", "code_block", "html_block", "inline_math", "inline_html", "metadata", "footnote_reference")
    return [(n.kind, doc.text(n) if n.kind in fixed else "") for n in doc.walk() if n.kind != "text"]


def check(source: str, done: Polished) -> None:
    """Redo the edits by their offsets alone: nothing else may differ."""
    text = source
    for edit in done.edits:
        end = edit.start + len(edit.before)
        assert text[edit.start : end] == edit.before
        whole = [place for block in prose_blocks(parse(text)) for place in places(text, block)]
        assert (edit.start, end) in whole, "what was cut out is one sentence"
        text = text[: edit.start] + edit.after + text[end:]
    assert text == done.text
    assert structure(done.text) == structure(source)
    assert len(scan(done.text, STYLE)) <= len(scan(source, STYLE)) - len(done.edits)
    for finding in done.findings:
        assert 0 <= finding.start < finding.end <= len(done.text)


@given(documents, line_ends, answers)
@settings(max_examples=80)
def test_every_byte_outside_the_edited_sentences_is_unchanged(
    parts: list[tuple[str, list[str]]], end: str, said: list[object]
) -> None:
    source = build(parts, end)
    editor = Scripted(*said)  # type: ignore[arg-type]
    done = polish(source, STYLE, editor)
    check(source, done)
    event(f"edits: {min(len(done.edits), 3)}")
    event(f"rejected: {min(done.attempts, 3)}")
    again = polish(done.text, STYLE, Scripted(*said[::-1]))  # type: ignore[arg-type]
    check(done.text, again)


@given(documents, line_ends, answers)
@settings(max_examples=40)
def test_a_second_run_makes_the_same_bytes_and_no_calls(
    parts: list[tuple[str, list[str]]], end: str, said: list[object]
) -> None:
    source = build(parts, end)
    records = MemoryRecorder()
    first = polish(source, STYLE, Scripted(*said), recorder=records)  # type: ignore[arg-type]

    def never(task: EditTask) -> str:
        raise AssertionError(f"asked about {task.sentence!r}")

    second = polish(source, STYLE, Scripted(never), recorder=records)
    assert second.text == first.text
    assert second.calls == 0
    assert [f._replace(evidence={}) for f in second.findings] == [f._replace(evidence={}) for f in first.findings]


@given(st.text(max_size=300))
@settings(max_examples=80)
def test_any_text_at_all_is_survived(source: str) -> None:
    style = Style(banned=["e", "a"], alternatives={"e": ["o"], "a": ["u"]})
    done = polish(source, style, Scripted(swap))
    text = source
    for edit in done.edits:
        text = text[: edit.start] + edit.after + text[edit.start + len(edit.before) :]
    assert text == done.text
