"""Terms as people write them: glued to another script, with stress, points and stretching, over any line break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.context.lanes import banned
from firewall.policy.lanes import Lane


def hits(text: str, term: str) -> list[str]:
    return [text[h.start : h.end] for h in banned(text, Lane(banned=[term]))]


@pytest.mark.parametrize(
    "text",
    [
        "zephyrの計画", "計画zephyrを", "zephyr는 비밀", "비밀zephyr는", "ZEPHYRคือ", "zephyr計画", "ゼファーzephyrズ",
        "الzephyr", "בzephyr",
        "zephyrको", "第zephyr章",
    ],
)  # fmt: skip
def test_a_latin_term_beside_another_script_is_a_word(text: str) -> None:
    assert [hit.lower() for hit in hits(text, "zephyr")] == ["zephyr"]


@pytest.mark.parametrize(("term", "text"), [("계획", "zephyr계획"), ("أمل", "Xأمل"), ("計画", "zephyr計画s")])
def test_and_so_is_a_term_of_that_script(term: str, text: str) -> None:
    assert hits(text, term) == [term]


@pytest.mark.parametrize(
    ("term", "text", "hit"),
    [
        ("секрет", "их секре́т тут", "секре́т"),
        ("секрет", "секре\u0300т", "секре\u0300т"),
        ("вода", "вода́ тут", "вода"),
        ("вода́", "вода тут", "вода"),
        ("أمل", "أَمَل", "أَمَل"),
        ("أمل", "أمـــل", "أمـــل"),
        ("أَمَل", "أمل", "أمل"),
        ("مدرسة", "مَدْرَسَةٌ", "مَدْرَسَةٌ"),
        ("שקד", "שָׁקֵד", "שָׁקֵד"),
        ("שקד", "\ufb2aקד", "\ufb2aקד"),
        ("İzmir", "İZMİR", "İZMİR"),
        ("izmir", "I\u0307ZMI\u0307R", "I\u0307ZMI\u0307R"),
        ("zephyr", "a ze{}phyr", "ze{}phyr"),
        ("zephyr", "a ze==ph==yr", "ze==ph==yr"),
        ("zephyr", "==ze==phyr", "ze==phyr"),
        ("zephyr", "ze^ph^yr", "ze^ph^yr"),
        ("机密", "这 是 机 密 文 件", "机 密"),
        ("İzmir", "izmir", "izmir"),
    ],
)
def test_marks_that_spell_nothing_do_not_hide_a_term(term: str, text: str, hit: str) -> None:
    assert [h.rstrip("\u064c") for h in hits(text, term)] == [hit.rstrip("\u064c")]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("cafe", "a café"),
        ("cafe", "a cafe\u0301"),
        ("секрет", "секре́ты"),
        ("й", "и"),
        ("امل", "أمل"),
        ("أمل", "مأمل"),
        ("획", "계획은"),
        ("ix", "ﬃx"),
        ("가", "각 하나"),
        ("exec", "execу"),
        ("exec", "ехеcutive"),
        ("zephyr", "zephyrы"),
        ("zephyr", "ze\n\n\nphyr"),
        ("zephyr", "zephyr2 and 2zephyr"),  # as `http2` is no `http`; a pattern of the lane may name both
        ("zephyr", "f'{ze}phyr', ze==phyr, ze^phyr"),  # a template and operators of code
        ("机密", "手机 密码"),
    ],
)
def test_what_is_another_word_stays_one(term: str, text: str) -> None:
    assert hits(text, term) == []


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_any_line_break_may_part_a_term(end: str) -> None:
    for gap in (end, f"-{end}", f"{end}> "):
        assert hits(f"a ze{gap}phyr b", "zephyr") == [f"ze{gap}phyr"]
    assert hits(f"one{end}word", "one word") == [f"one{end}word"]


@pytest.mark.parametrize(
    "text",
    [
        "Ƶephyr",
        "zephɏr",
        "zɇphyr",
        "zeꝑhyr",
        "zephyɍ",
        "Ⱬephyr",
        "ƶɇᵽⱨɏɍ",
        "ᵶephyr",
        "zepⱨyr",
        "zeꝓhyr",
        "zephұr",
        "ɀephyr",
    ],
)
def test_letters_with_strokes_are_their_letters(text: str) -> None:
    assert hits(f"the {text} plan", "zephyr") == [text]


@given(st.text(st.sampled_from("zephyr секрт\u0301\u0307iI\r\n\v\u2028أملـَ計"), max_size=40))
def test_a_hit_is_a_place_in_the_text_as_it_stands(text: str) -> None:
    for term in ("zephyr", "секрет", "أمل"):
        for hit in banned(f"{text} {term}", Lane(banned=[term])):
            assert 0 <= hit.start < hit.end <= len(text) + 1 + len(term)
        assert any(h.end == len(text) + 1 + len(term) for h in banned(f"{text} {term}", Lane(banned=[term])))
