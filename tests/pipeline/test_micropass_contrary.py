"""An answer in other words may not say the contrary, nor move a comma that does not stand beside what changed."""

from __future__ import annotations

from collections import Counter

import pytest
from editors import Scripted
from hypothesis import given
from hypothesis import strategies as st

from firewall.policy.style import Style
from latches.style.inflections import forms
from pipeline.micropass import polish
from pipeline.micropass.contrary import _CONTRARIES, turned_round


def accepted(banned: str, sentence: str, answer: str) -> bool:
    done = polish(sentence + "\n", Style(banned=[banned]), Scripted(answer))
    assert (done.text == answer + "\n") == bool(done.edits)
    return bool(done.edits)


@pytest.mark.parametrize(
    ("banned", "sentence", "answer"),
    [
        ("increase", "The valves increase the flow.", "The valves decrease the flow."),
        ("increase", "The valves increased the flow.", "The valves reduced the flow."),
        ("raise", "They are raising the bar for all.", "They are lowering the bar for all."),
        ("more", "We need more pumps at night.", "We need less pumps at night."),
        ("before", "Open it before the pump starts.", "Open it after the pump starts."),
        ("up", "The crew turns the heat up at night.", "The crew turns the heat down at night."),
        ("robust", "A robust lamp is safe at sea.", "A strong lamp is unsafe at sea."),
        ("robust", "A robust lamp is useful at sea.", "A strong lamp is useless at sea."),
        ("robust", "A robust lamp is invalid here.", "A strong lamp is valid here."),
        ("enable", "The key enables the alarm now.", "The key disables the alarm now."),
        ("allow", "The rules allow smoke in the hut.", "The rules forbid smoke in the hut."),
        ("leverage", "We leverage the best pump here.", "We take the worst pump here."),
        ("leverage", "We leverage the first pump here.", "We take the last pump here."),
    ],
)
def test_the_contrary_is_refused(banned: str, sentence: str, answer: str) -> None:
    assert not accepted(banned, sentence, answer)


@pytest.mark.parametrize(
    ("banned", "sentence", "answer"),
    [
        ("increase", "The valves increase the flow.", "The valves raise the flow."),
        ("leverage", "We leverage the pump at night.", "We take the pump at night."),
        (
            "in order to",
            "We go to the hut at night in order to rest in it.",
            "We go to the hut at night to rest in it.",
        ),
        ("utilize", "Lamps that we utilize go up and down.", "Lamps that we take go up and down."),
        ("tend", "They tend to rest at night.", "They like to rest at night."),
        ("robust", "A robust, cheap lamp is here.", "A sturdy cheap lamp is here."),
    ],
)
def test_other_words_for_the_same_are_not(banned: str, sentence: str, answer: str) -> None:
    assert accepted(banned, sentence, answer)


@pytest.mark.parametrize(
    "answer",
    ["We take it now and we rest then.", "We take it, now, and we rest then.", "We take it now, and we rest, then."],
)
def test_a_comma_elsewhere_stays(answer: str) -> None:
    assert not accepted("utilize", "We utilize it now, and we rest then.", answer)


def test_a_comma_beside_the_change_may_go() -> None:
    assert accepted(
        "indeed", "Indeed, we rest here and sleep well at night.", "So we rest here and sleep well at night."
    )


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("We leverage the lamp so the cat eats the mouse.", "We use the lamp so the mouse eats the cat."),
        ("We leverage it in the morning with him.", "We use it in the evening with him."),
        ("They leverage it.", "It uses them."),
        ("They leverage it.", "They use them."),
        ("We leverage *it* now.", "We *use* it now."),
        ("We leverage *it* now.", "We use it *now*."),
        ("We leverage [it](a.md) now and then.", "We use it [now](a.md) and then."),
        ("We leverage (it) now.", "We use (it now)."),
        ("We leverage it.", "We use, it."),
        ("Mix 5 g salt and leverage 7 g sugar.", "Mix 5 g sugar and use 7 g salt."),
        ("He mixes it and leverages it.", "He mix it and uses it."),
        ("It is leverage that kills rats.", "It is force that kills kids."),
        ("He failed to leverage it.", "He managed to use it."),
        ("Only we leverage it.", "We only use it."),
        ("You need not leverage it.", "You need to use it, not."),
        ("We leverage the lamp (not the oil) today.", "We use not the lamp (the oil) today."),
        ("We never leverage A but leave B.", "We use A but never leave B."),
        ("We leverage it and leverage her.", "We use her and take it."),
    ],
)
def test_other_words_come_back_in_their_order_and_their_markup(sentence: str, answer: str) -> None:
    assert not accepted("leverage", sentence, answer)


@pytest.mark.parametrize(
    ("banned", "sentence", "answer"),
    [
        ("delve", "We delve into the pumps.", "We look at the pumps."),
        ("indeed", "We rest here, indeed, and sleep well.", "We rest here, and sleep well."),
        ("robust", "A robust lamp is here.", "An old lamp is here."),
        ("leverage", "The leverage helps us.", "The tools help us."),
        ("leverage", "The leverage is good.", "The tools are good."),
        ("leverage", "We **leverage** *it* (now).", "We **take up** *it* (now)."),
        ("leverage", "We leverage it and leverage her.", "We use it and take her."),
        ("make use of", "Today we make *use* of it at sea.", "Today we *need* it at sea."),
        ("\u5229\u7528", "\u6211\u4eec\u5229\u7528\u5b83\u3002", "\u6211\u4eec\u4f7f\u7528\u5b83\u3002"),
        ("leverage", "They give it leverage.", "They give it tools."),
    ],
)
def test_the_word_and_what_hangs_on_it_may_be_said_anew(banned: str, sentence: str, answer: str) -> None:
    assert accepted(banned, sentence, answer)


def test_the_list_has_no_word_for_its_own_contrary() -> None:
    assert all(word not in others for word, others in _CONTRARIES.items())


@given(st.sampled_from(sorted(_CONTRARIES)))
def test_it_holds_both_ways_and_in_every_form(word: str) -> None:
    for other in _CONTRARIES[word]:
        assert turned_round(Counter([word]), Counter([other])) == (word, other)
        assert turned_round(Counter([other]), Counter([word])) == (other, word)
        assert turned_round(Counter([word, other]), Counter([other, word])) is None
    assert forms(word) & set(_CONTRARIES)
