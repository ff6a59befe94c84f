"""Words written with references, soft hyphens or markup inside are mended whole, or left with a finding."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules

from firewall.policy.style import Style
from pipeline.micropass import polish
from pipeline.models.base import EditTask

STYLE = Style(
    banned=["leverage", "in order to"],
    alternatives={"leverage": ["use"], "in order to": ["to"]},
)


def once(task: EditTask) -> str:
    """The alternative in the place that is named."""
    at = task.at[0]
    return task.sentence[:at] + task.alternatives[0] + task.sentence[at + len(task.target) :]


@pytest.mark.parametrize("editor", [by_rules, lambda: Scripted(once)], ids=["rules", "scripted"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We &#108;everage it.", "We use it."),
        ("We lever\u00adage it, and `lever\u00adage` stays.", "We use it, and `lever\u00adage` stays."),
        ("It lever&shy;ages a pump &amp; a lamp.", "It uses a pump &amp; a lamp."),
        ("We act in&nbsp;order to go.", "We act to go."),
        ("\u6211\u4eec**leverage**\u5b83\u3002", "\u6211\u4eec**use**\u5b83\u3002"),
    ],
)
def test_the_whole_of_it_is_replaced(before: str, after: str, editor: object) -> None:
    source = f"# T\n\n{before} We stay.\n"
    assert polish(source, STYLE, editor()).text == source.replace(before, after)  # type: ignore[operator]


@pytest.mark.parametrize("word", ["**L**everage", "lever*age*", "l<b>ever</b>age", "lever<wbr>age", "[lever](x)age"])
def test_markup_inside_a_word_is_left_and_no_model_is_asked(word: str) -> None:
    source = f"We {word} it.\n"
    done = polish(source, STYLE, by_rules())
    assert (done.text, done.calls) == (source, 0)
    assert "markup" in done.findings[0].message


def test_the_first_letter_of_a_sentence_may_be_a_reference() -> None:
    source = "&#76;everage it now.\n"
    assert polish(source, STYLE, Scripted("use it now.", "Use it now.")).text == "Use it now.\n"
