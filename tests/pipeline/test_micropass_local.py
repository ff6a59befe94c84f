"""A document with many findings is read block by block: what comes of it is what a scan after each edit gives."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest
from editors import Scripted, by_rules, swap
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from test_micropass_properties import BLOCKS, ODD, PIECES, answers, build, line_ends

from firewall.policy.style import Apart, Style
from firewall.text.markdown import parse, prose_blocks
from firewall.text.parser import events
from firewall.verdict import Finding, Outcome
from pipeline.micropass import MemoryRecorder, Polished, local, nearby, polish
from pipeline.micropass.inert import inert
from pipeline.micropass.left import Left
from pipeline.models.base import EditTask

PLAIN = Style(
    banned=["utilize", "in order to"],
    ceilings={"telemetry": 1, "measurement": 2, "use": 5},
    alternatives={"utilize": ["use", "telemetry"], "telemetry": ["measurements"], "in order to": ["to"]},
)
RICH = PLAIN.model_copy(
    update={"per_thousand": {"use": 100.0, "measurement": 0.0}, "apart": [Apart(words=["use", "telemetry"], within=3)]}
)
MORE = [
    "[a utilize b](utilize it)",
    "[x](we utilize)",
    "{{ utilize }} utilize",
    "**utilize** it *or utilize*",
    "[utilize]",
    "[We utilize it].",
    "(utilize)",
    "$5 utilize $6",
    "&utilize; utilize",
    "www.utilize utilize",
    "We utilize us and US.",
    "A|utilize",
    "1. utilize",
    "~utilize~ utilize",
    "[[utilize]] utilize",
    "UTILIZE it",
    "Utilized. Utilizing e.g. it.",
    "See [above](#we-utilize).",
    "we utilize",
    "telemetry telemetry",
    "\\utilize",
    "utilize:utilize",
    "'utilize' utilize",
]
TAILS = ["", "\n[utilize]: utilize it\n", "\n<!-- stet: off two words -->\n", "\n[x]: /y\n", "\n---\n"]
documents = st.lists(
    st.tuples(st.sampled_from([*BLOCKS, "## {}\n", "{}\n===", "<p>{}</p>", "| {} |\n|---|\n| x |"]),
              st.lists(st.sampled_from([*PIECES, *MORE]), min_size=1, max_size=5)),
    min_size=1, max_size=6,
)  # fmt: skip
Said = list[Callable[[EditTask], str] | str]


def second(task: EditTask) -> str:
    """The last alternative: one that a ceiling holds."""
    return task.sentence.replace(task.target, task.alternatives[-1]) if task.alternatives else ""


wide_answers = st.lists(
    st.one_of(
        st.sampled_from([swap, second]),
        st.sampled_from(ODD),
        st.builds(lambda old, new: lambda task: swap(task).replace(old, new), st.sampled_from(["We", "it", "use", " "]),
                  st.sampled_from(["we", "www", "one", "", "  ", "file", "naïve", "it's", "a-b", "measurement", "x"])),
    ),
    min_size=1, max_size=12,
)  # fmt: skip


def polished(source: str, style: Style, said: Said, many: int) -> tuple[Polished, list[EditTask]]:
    editor = Scripted(*said)
    few = mock.patch.multiple(nearby, LONG=2, AROUND=1)  # sentences around an edit, even in a short block
    with mock.patch.object(local, "MANY", many), few:
        done = polish(source, style, editor, recorder=MemoryRecorder(), watch=lambda edited, standing: None)
    return done, editor.tasks


@given(documents, line_ends, st.one_of(answers, wide_answers), st.sampled_from(TAILS), st.sampled_from([PLAIN, RICH]))
@example([("{}", ["[x](we utilize)"])], "\n", [lambda task: "[x](use)"], "", PLAIN)
@settings(max_examples=80)
def test_it_is_the_same_as_with_a_scan_of_the_whole_after_each_edit(
    parts: list[tuple[str, list[str]]], end: str, said: Said, tail: str, style: Style
) -> None:
    source = build(parts, end) + tail
    by_block = polished(source, style, said, 0)
    by_scan = polished(source, style, said, 10**9)
    assert by_block == by_scan
    event(f"edits: {min(len(by_scan[0].edits), 5)}")


@given(documents, line_ends, wide_answers)
@settings(max_examples=80)
def test_no_second_round_is_needed(parts: list[tuple[str, list[str]]], end: str, said: Said) -> None:
    """What is said at the end of a document that was read by blocks is always what a scan of it finds."""
    with mock.patch.object(local, "MANY", 0), mock.patch.object(local.Local, "stands", _asserted(local.Local.stands)):
        polish(build(parts, end), PLAIN, Scripted(*said))


def _asserted(stands: Callable[[local.Local], bool]) -> Callable[[local.Local], bool]:
    def checked(self: local.Local) -> bool:
        assert stands(self)
        return True

    return checked


def test_where_the_last_scan_finds_something_else_all_is_done_again() -> None:
    source = "".join(f"We utilize it {n}.\n\n" for n in range(20))
    with mock.patch.object(local.Local, "stands", lambda self: False):
        done = polish(source, PLAIN, by_rules())
    again = polish(source, PLAIN, by_rules())
    assert (done.text, done.edits, done.findings) == (again.text, again.edits, again.findings)
    assert done.calls == 2 * again.calls, "what was asked stays counted"


@pytest.mark.parametrize(
    "row", ["| We utilize it | b |\n", "- We utilize it.\n", "We utilize it.\n\n", "> We utilize it.\n\n"]
)
def test_work_grows_with_the_findings_and_not_with_their_square(row: str) -> None:
    style = PLAIN.model_copy(update={"quotes": True, "ceilings": {}})

    def parsed(count: int) -> int:
        source = "# T\n\n" + ("| a | b |\n|---|---|\n" if row[0] == "|" else "") + row * count
        with mock.patch("firewall.text.markdown.events", side_effect=events) as parser:
            assert len(polish(source, style, by_rules()).edits) == count
        return sum(len(call.args[0]) for call in parser.call_args_list)

    assert parsed(160) < 2.5 * parsed(80)


@pytest.mark.parametrize(
    ("raw", "sentence", "answer", "labels"),
    [
        ("[x](we utilize)", "[x](we utilize)", "[x](use)", False),
        ("[we utilize]", "[we utilize]", "[we use]", True),
        ("a &utilize; b", "a &utilize; b", "a &amp; b", False),
        ("a `utilize b", "a `utilize b", "a `use b", False),
        ("We utilize\nit.", "We utilize\nit.", "We use it.", False),
        ("We utilize it.", "We utilize it.", "We *use* it.", False),
        ("We utilize it.", "We utilize it.", "We  it.", False),
        ("utilize:x", "utilize:x", "file:x", False),
        ("Go utilize.x", "Go utilize.x", "Go www.x", False),
        ("A {{ utilize }}", "A {{ utilize }}", "A {{ use }}", False),
        ("A <b utilize", "A <b utilize", "A <b use", False),
        ("- 5 utilize", "5 utilize", "5 6 use", False),
    ],
)
def test_what_may_change_a_sign_is_not_inert(raw: str, sentence: str, answer: str, labels: bool) -> None:
    (block,) = prose_blocks(parse(raw))
    raw = raw[block.start : block.end]
    assert inert(block, raw, raw.index(sentence), sentence, answer, labels=labels) is None


@given(documents, st.sampled_from(["use", "we use it", "naïve", "it's", "ok-ay", "数据"]))
@settings(max_examples=100)
def test_an_inert_change_leaves_every_node_but_its_text(parts: list[tuple[str, list[str]]], new: str) -> None:
    source = build(parts, "\n")
    doc = parse(source)
    for block in prose_blocks(doc):
        raw = source[block.start : block.end]
        at = raw.find("utilize")
        while at >= 0:
            after = raw[:at] + new + raw[at + 7 :]
            if inert(block, raw, 0, raw, after, labels="]:" in source):
                text = source[: block.start] + after + source[block.end :]
                shift, place = len(new) - 7, block.start + at
                theirs = [(n.kind, n.start, n.end) for n in parse(text).walk()]
                ours = [
                    (n.kind, n.start + (shift if n.start > place else 0), n.end + (shift if n.end > place else 0))
                    for n in doc.walk()
                ]
                assert theirs == ours
            at = raw.find("utilize", at + 1)


places = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20), st.integers(-5, 5), st.booleans()), max_size=12)


@given(places)
@settings(max_examples=100)
def test_what_is_left_in_moves_as_when_every_place_is_looked_at(moves: list[tuple[int, int, int, bool]]) -> None:
    ours, plain = Left(), Left()
    plain._tangled = _Always()
    finding = Finding("rule", Outcome.HOLD, "x")
    for start, size, shift, edit in moves:
        if edit:
            for left in (ours, plain):
                left.edited(start, start + size, max(shift, -size))
        elif not ours.holds(("r", "t"), start, start + size):
            for left in (ours, plain):
                left.add(("r", "t"), start, start + size, finding)
        assert ours.findings() == plain.findings()
        assert ours._spans == plain._spans


class _Always(set[tuple[str, str]]):
    """Holds every name: each list is gone through from its beginning."""

    def __contains__(self, name: object) -> bool:
        return True


def test_a_long_paragraph_is_read_around_each_edit_with_the_same_end() -> None:
    source = "We utilize it. They said (as one does) that telemetry is on. In order to go, we rest at 5 p.m. then. " * 9
    whole, _ = polished(source, PLAIN, [swap], 10**9)
    with mock.patch.object(local, "places", side_effect=local.places) as everything:
        near, _ = polished(source, PLAIN, [swap], 1)
    assert (near.text, near.findings) == (whole.text, whole.findings)
    assert everything.call_count == 1
    assert len(near.edits) >= 5


def test_a_word_in_capitals_is_judged_by_its_whole_block() -> None:
    source = "we utilize it. " + "WE UTILIZE IT. " * 20 + "we utilize it.\n"
    assert polished(source, PLAIN, [swap], 1)[0].text == polished(source, PLAIN, [swap], 10**9)[0].text
