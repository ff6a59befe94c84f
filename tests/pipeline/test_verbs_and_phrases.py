"""A word that a phrase, or what stands behind it, holds in place is left by the rule-based editor."""

from __future__ import annotations

import pytest
from editors import by_rules

from firewall.policy.style import Style
from pipeline.inflect.fixed import PHRASES
from pipeline.micropass import polish


def said(sentence: str, term: str, alternative: str) -> str:
    style = Style(banned=[term], alternatives={term: [alternative]})
    return polish(sentence, style, by_rules()).text


@pytest.mark.parametrize(
    ("term", "alternative", "sentence"),
    [
        ("example", "sample", "Take, for example, the pump of the third night."),
        ("instance", "copy", "The pump, for instance, was replaced."),
        ("each", "every", "They replace each other at dawn."),
        ("result", "outcome", "This will result in a loss."),
        ("sense", "meaning", "It makes sense to wait for the tide."),
        ("place", "spot", "The change takes place at night."),
        ("depend", "hang", "All pumps depend on the valve."),
        ("need", "require", "The pumps need to stop at night."),
        ("needs", "requires", "The pump needs to stop at night."),
        ("ensure", "secure", "We ensure that the pump stops."),
        ("help", "aid", "The lamps help us find the valve."),
        ("let", "allow", "The valves let the water pass."),
        ("provide", "offer", "We provide them with tools."),
        ("provides", "offers", "The shed provides the crew with tools."),
        ("consists", "comprises", "The crew consists of four people."),
        ("help", "assist", "They asked for more help at dawn."),
    ],
)
def test_what_holds_a_word_in_place_keeps_it(term: str, alternative: str, sentence: str) -> None:
    assert said(sentence, term, alternative) == sentence


@pytest.mark.parametrize(
    ("term", "alternative", "sentence", "wanted"),
    [
        ("example", "sample", "The example shows a leak.", "The sample shows a leak."),
        ("each", "every", "Each pump stops at night.", "Every pump stops at night."),
        ("need", "require", "They need new valves.", "They require new valves."),
        ("depend", "rely", "All pumps depend on the valve.", "All pumps rely on the valve."),
        ("shows", "reveals", "The log shows that the pump stopped.", "The log reveals that the pump stopped."),
        ("provide", "supply", "We provide them with tools.", "We supply them with tools."),
        ("provide", "offer", "We provide tools.", "We offer tools."),
        ("prior to", "before", "It stopped prior to dawn.", "It stopped before dawn."),
    ],
)
def test_elsewhere_it_is_replaced(term: str, alternative: str, sentence: str, wanted: str) -> None:
    assert said(sentence, term, alternative) == wanted


def test_a_phrase_may_go_as_a_whole() -> None:
    for phrase in (("for", "example"), ("in", "case"), ("a", "bit")):
        assert phrase in PHRASES
    assert said("For example, it stops.", "for example", "for instance") == "For instance, it stops."
