"""Alternatives of several words: the right one of them takes the form of the replaced word, or none is written."""

from __future__ import annotations

import pytest
from editors import by_rules

from firewall.policy.style import Style
from pipeline.inflect.forms import in_slot
from pipeline.micropass import polish


def by_rule(sentence: str, word: str, phrase: str) -> str:
    done = polish(sentence + "\n", Style(banned=[word], alternatives={word: [phrase]}), by_rules())
    return done.text.removesuffix("\n")


@pytest.mark.parametrize(
    ("sentence", "word", "phrase", "mended"),
    [
        ("He leverages it.", "leverage", "make use of", "He makes use of it."),
        ("He leveraged it.", "leverage", "make use of", "He made use of it."),
        ("He delves into it.", "delve into", "look at", "He looks at it."),
        ("They delve into it.", "delve into", "look at", "They look at it."),
        ("He underscores it.", "underscore", "point to", "He points to it."),
        ("The lamps are on.", "lamp", "source of light", "The sources of light are on."),
        ("Two lamps hang here.", "lamp", "light bulb", "Two light bulbs hang here."),
        ("Two tapestries hang here.", "tapestry", "piece of cloth", "Two pieces of cloth hang here."),
    ],
)
def test_the_right_word_takes_the_form(sentence: str, word: str, phrase: str, mended: str) -> None:
    assert by_rule(sentence, word, phrase) == mended


@pytest.mark.parametrize(
    ("sentence", "word", "phrase"),
    [
        ("He commences.", "commence", "get going"),
        ("He prefers it.", "prefer", "would rather have"),
        ("He facilitates it.", "facilitate", "make easier"),
        ("He tries.", "try", "do not dare"),
        ("They try.", "try", "be about to"),
        ("He utilizes it.", "utilize", "put to use"),
        ("The keys are here.", "key", "thing that opens"),
        ("The mothers are in.", "mother", "mother-in-law"),
        ("The myriads of lamps are on.", "myriad of", "a lot of"),
    ],
)
def test_where_no_form_is_certain_the_sentence_stays(sentence: str, word: str, phrase: str) -> None:
    assert by_rule(sentence, word, phrase) == sentence


@pytest.mark.parametrize(
    ("phrase", "forms"),
    [
        ("attempt to", ("attempts to",)),
        ("log entry", ("log entries",)),
        ("point of view", ("points of view",)),
        ("check-in", ("check-ins",)),
        ("mother-in-law", ()),
        ("a lot of", ()),
        ("be about to", ()),
        ("would rather have", ()),
    ],
)
def test_a_phrase_has_a_form_in_s_or_none(phrase: str, forms: tuple[str, ...]) -> None:
    assert in_slot(phrase, "s") == forms
