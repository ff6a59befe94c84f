"""The metronome measures: what a beat is, by hand, and which limit it breaks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firewall.policy.style import Style
from firewall.text.markdown import parse
from firewall.verdict import Outcome
from latches.rhythm import measure, rhythm

SUBJECTS = "A We One Each Our This That Every Some They Many Few Both Most None All".split()


def sentence(length: int, number: int = 0) -> str:
    return " ".join([SUBJECTS[number % len(SUBJECTS)], *["word"] * (length - 1)]) + "."


def paragraphs(*lengths: list[int]) -> str:
    out, number = [], 0
    for each in lengths:
        out.append(" ".join(sentence(n, number + k) for k, n in enumerate(each)))
        number += len(each)
    return "\n\n".join(out)


def held(source: str, style: Style | None = None) -> list[str]:
    return [str(f.evidence["measure"]) for f in rhythm(parse(source), style or Style())]


VARIED = paragraphs([4, 18, 9], [30], [6, 12], [3], [22, 8, 15, 5], [11], [7, 19], [25, 4])
METRONOME = paragraphs(*[[12, 12, 12]] * 8)


def test_a_varied_chapter_passes() -> None:
    assert held(VARIED) == []


def test_a_metronome_is_held_with_what_was_measured() -> None:
    found = rhythm(parse(METRONOME), Style())
    assert {f.evidence["measure"] for f in found} == {"sentence_variation", "paragraph_variation"}
    assert all(f.outcome == Outcome.HOLD for f in found)
    assert "24 sentences are almost of one length: they deviate by 0%" in " ".join(f.message for f in found)


def test_variation_is_deviation_by_mean() -> None:
    m = measure(parse(paragraphs(*[[5, 15]] * 8)))
    assert m.sentence_variation == pytest.approx(0.5)
    assert m.paragraph_variation == pytest.approx(0.0)
    assert (m.sentences, m.paragraphs) == (16, 8)


def test_too_little_text_is_not_judged() -> None:
    m = measure(parse(paragraphs([12, 12], [12, 12])))
    assert m.sentence_variation is None
    assert m.paragraph_variation is None
    assert held(paragraphs([12, 12], [12, 12])) == []


def test_code_quotes_tables_and_headings_have_no_beat() -> None:
    noise = (
        "\n\n```\n"
        + "a b c. " * 50
        + "\n```\n\n> "
        + "Same words here. " * 20
        + "\n\n## Head\n\n| "
        + "a b. " * 9
        + "|\n|---|\n"
    )
    assert measure(parse(VARIED + noise)).sentences == measure(parse(VARIED)).sentences


def test_a_run_of_one_opener_is_found_where_it_begins() -> None:
    source = f"{VARIED}\n\nThe first. The second thing. The third one is long. the fourth here. Then end."
    finding = rhythm(parse(source), Style())[0]
    assert finding.evidence["measure"] == "opener_run"
    assert finding.evidence["measured"] == 4
    assert source[finding.start :].startswith("The first.")
    assert held(source, Style(max_opener_run=4)) == []


def test_sentences_that_begin_with_code_are_no_run() -> None:
    assert held(f"{VARIED}\n\n`a` is one. `b` is two here. `c` is three. `d` is four. `e` is five.") == []


def test_paragraphs_that_begin_alike() -> None:
    lengths = [20, 5, 30, 11, 40, 8, 25, 16]
    source = "\n\n".join("In this " + sentence(n, k) for k, n in enumerate(lengths))
    assert "same_openers" in held(source)
    assert measure(parse(source)).same_openers == 1.0


def test_lists_of_one_size_and_bullets_with_bold_labels() -> None:
    three = "- one\n- two\n- three\n\n***\n\n"
    assert held(three * 4) == ["same_lists"]
    assert held(three * 3 + "- one\n- two\n") == []
    assert held(three * 3) == []
    bold = "".join(f"- **Thing {n}:** words\n" for n in range(9))
    assert held(bold) == ["bold_bullets"]
    assert held(bold + "- plain\n" * 4) == []
    assert measure(parse("- **a** - b\n- **a**: b\n- **a.** b\n- **a** b\n" * 2)).bold_bullets == 0.75


@pytest.mark.parametrize(
    ("headings", "template"),
    [
        (["Understanding a", "Understanding b", "Understanding c", "Ends", "Other"], "Understanding …"),
        (["Locks: the basics", "Leases: how", "Logs: why", "Ends", "Other"], "… : …"),
        (["What is it?", "How so?", "And why?", "Ends", "Other"], "… ?"),
        (["Summary", "Summary", "Summary", "Ends", "Other"], "summary"),
        (["1. Setting up", "2. Setting out", "3. Setting in", "4. Ends", "5. Other"], "Setting …"),
    ],
)
def test_headings_after_one_template(headings: list[str], template: str) -> None:
    source = "# Title\n\n" + "\n\n".join(f"## {h}" for h in headings)
    m = measure(parse(source))
    assert m.same_headings == pytest.approx(0.6)
    assert m.template == template
    assert held(source) == ["same_headings"]
    assert held(source, Style(max_same_headings=0.6)) == []


def test_headings_of_their_own_pass() -> None:
    source = "\n\n".join(
        f"## {h}" for h in ("Watching", "The queue is a table", "Retries", "Who wakes whom?", "Leases: an end")
    )
    assert held(source) == []


@pytest.mark.parametrize("number", ["1.1 {}", "1.1. {}", "2a) {}", "1-1 {}", "A.1 {}", "Chapter 3: {}"])
def test_no_number_before_a_heading_is_its_template(number: str) -> None:
    titles = ("Lamps", "How wicks burn", "Oil", "Trouble at night", "Spare parts")
    assert held("\n\n".join("## " + number.format(title) for title in titles)) == []


@pytest.mark.parametrize("number", ["I. A", "A cat", "III Other"])
def test_numbers_before_headings_are_not_words(number: str) -> None:
    measure(parse(f"## {number}\n"))


@given(st.lists(st.lists(st.integers(2, 40), min_size=1, max_size=6), max_size=20))
@settings(max_examples=100, deadline=None)
def test_measures_are_shares_and_never_fail(lengths: list[list[int]]) -> None:
    m = measure(parse(paragraphs(*lengths)))
    assert m.sentences == sum(len(each) for each in lengths)
    for share in (m.same_openers, m.same_lists, m.bold_bullets, m.same_headings):
        assert share is None or 0 <= share <= 1
    for variation in (m.sentence_variation, m.paragraph_variation):
        assert variation is None or variation >= 0


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_is_measured(text: str) -> None:
    rhythm(parse(text), Style())


def test_limits_of_nothing_hold_nothing() -> None:
    loose = Style(
        min_sentence_variation=0, min_paragraph_variation=0, max_opener_run=99, max_same_openers=1, max_same_lists=1,
        max_bold_bullets=1, max_same_headings=1,
    )  # fmt: skip
    assert held(METRONOME + "\n\nThe a. The b. The c. The d. The e.", loose) == []


def test_a_beat_of_two_strokes_is_held() -> None:
    ticking = paragraphs(*[[4, 14], [3, 22, 7]] * 10)
    assert set(held(ticking)) == {"sentence_beat", "paragraph_beat"}
    assert "as long as the one 2 before it" in " ".join(f.message for f in rhythm(parse(ticking), Style()))
    assert held(ticking, Style(min_sentence_variation=0, min_paragraph_variation=0)) == []
    assert held(paragraphs(*[[4, 14], [3, 22, 7]] * 3)) == []


@pytest.mark.parametrize("around", ["> {}", "<p>{}</p>"])
def test_a_text_of_quotations_or_of_html_has_a_beat(around: str) -> None:
    text = "\n\n".join(around.format("We lit the lamps of the whole long street.") for _ in range(30))
    assert {"sentence_variation", "paragraph_variation", "opener_run"} <= set(held(text))


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_list_is_judged_alike_whatever_its_blank_lines(gap: str) -> None:
    steps = gap.join(f"- Open the {what}." for what in ("lid", "box", "door", "tap slowly"))
    assert held(steps) == []
    assert held(gap.join(f"- We lit lamp {n}." for n in range(30))) == ["same_bullets"]
    words = "a few more words than the last one had in all of it so far".split()
    assert held(gap.join(f"- We lit lamp {' '.join(words[: n % 13])}." for n in range(30))) == []
