"""What a parser takes for text and an author does not: no finding there, and no edit."""

from __future__ import annotations

import pytest
from editors import Scripted, by_rules

from firewall.policy.style import Style
from latches.style import scan
from pipeline.micropass import polish

STYLE = Style(banned=["leverage"], alternatives={"leverage": ["use"]})


@pytest.mark.parametrize(
    "span",
    [
        *(f"<{n}>leverage</{n}>" for n in "code kbd samp var pre script style tt svg textarea CODE".split()),
        "<math><mi>leverage</mi></math>",
        '<code class="x">a <b>leverage</b></code>',
        "<code>a <code>b</code> leverage</code>",
        "[[leverage]]",
        "[[a|leverage]]",
        "{{ leverage }}",
        "{{ a | leverage }}",
        "{{< leverage >}}",
        "{% leverage %}",
        "{# leverage #}",
        "<% leverage %>",
    ],
)
@pytest.mark.parametrize("around", ["We leverage {} it.\n", "# We leverage {}\n", "| We leverage {} |\n|---|\n"])
def test_names_and_code_are_not_words(span: str, around: str) -> None:
    text = around.replace("{}", span.replace("|", "\\|") if around[0] == "|" else span, 1)
    (hit,) = scan(text, STYLE)
    assert text[hit.start : hit.end] == "leverage"
    assert hit.start == text.index("leverage")
    assert polish(text, STYLE, by_rules()).text == text.replace("leverage", "use", 1)


def test_an_element_that_is_not_closed_reaches_to_the_end_of_its_block() -> None:
    assert len(scan("- <code>leverage\n- leverage\n", STYLE)) == 1


@pytest.mark.parametrize(
    "text", ["`<code>` we leverage `</code>`.\n", "`{{` we leverage `}}`.\n", "<codex>we leverage</codex>\n"]
)
def test_signs_in_code_and_other_elements_hide_nothing(text: str) -> None:
    assert len(scan(text, STYLE)) == 1


@pytest.mark.parametrize("answer", ["We use <kbd>it</kbd> and [[b]].", "We use <kbd>a</kbd> and [[c]].", "We use a."])
def test_an_answer_keeps_them(answer: str) -> None:
    text = "We leverage <kbd>a</kbd> and [[b]].\n"
    done = polish(text, STYLE, Scripted(answer, answer, answer))
    assert done.text == text
    assert done.findings
