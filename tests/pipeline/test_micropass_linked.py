"""A heading that a link leads to keeps its words, and with them its anchor."""

from __future__ import annotations

import pytest
from editors import by_rules

from firewall.policy.style import Style
from firewall.text.markdown import parse
from latches.checks.links import links
from pipeline.micropass import polish

STYLE = Style(banned=["leverage"], alternatives={"leverage": ["use"]})


@pytest.mark.parametrize(
    "link",
    [
        "See [above](#how-we-leverage-it).",
        "See [above](<#how-we-leverage-it>).",
        "See [above].\n\n[above]: #how-we-leverage-it",
        "See [above](guide.md#how-we-leverage-it).",
        'See <a href="#how-we-leverage-it">above</a>.',
    ],
)
@pytest.mark.parametrize("heading", ["## How we leverage it", "How we leverage it\n---", "- ## How we *leverage* it"])
def test_it_is_left_with_a_finding_and_the_model_is_not_asked(heading: str, link: str) -> None:
    text = f"# T\n\n{heading}\n\nWe leverage it. {link}\n"
    done = polish(text, STYLE, by_rules())
    assert done.text == text.replace("We leverage it. ", "We use it. ")
    (left,) = done.findings
    assert "#how-we-leverage-it" in left.message
    assert done.calls == 1
    assert not links(parse(done.text))


@pytest.mark.parametrize("wanted", ["how-we-leverage-it-1", "how-we-leverage-it"])
def test_of_headings_alike_none_changes_what_another_is_called(wanted: str) -> None:
    text = f"## How we leverage it\n\n## How we leverage it\n\nSee [it](#{wanted}).\n"
    assert polish(text, STYLE, by_rules()).text == text


@pytest.mark.parametrize("link", ["See [above](#t).", "See [above](#x).", "See `how-we-leverage-it`."])
def test_other_headings_are_mended(link: str) -> None:
    text = f"# T\n\n## How we leverage it {{#x}}\n\n{link}\n"
    assert polish(text, STYLE, by_rules()).text == text.replace("leverage it {", "use it {")
