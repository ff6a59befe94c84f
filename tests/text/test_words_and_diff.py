"""Words in every script, windows that hold the whole change, units that are found again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.text.diff import changed_window, common_words, compare
from firewall.text.markdown import MARKUP, OPAQUE, parse, prose_blocks
from firewall.text.outline import outline
from firewall.text.units import units
from firewall.text.words import count_words, word_spans, words

TEXTS = st.text(st.sampled_from("ab .,\n#-|`*我们ไทยe\u0301한"), max_size=200)
PARAGRAPHS = st.lists(
    st.lists(st.sampled_from("lamp oil wick night day dusk dawn".split()), min_size=5, max_size=9), max_size=8
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("one two  three\n", 3),
        ("我们重启了服务", 7),
        ("我们重启了服务。", 7),
        ("重启 server 两次", 5),
        ("안녕 하세요", 2),
        ("สวัสดี", 4),
        ("naïve café\u00a0au lait", 4),
        ("1,000 words", 2),
    ],
)
def test_words_of_every_script(text: str, count: int) -> None:
    assert count_words(text) == count


@given(st.text(st.characters(max_codepoint=0x2FF), max_size=100))
def test_spaced_scripts_count_as_split_does(text: str) -> None:
    assert words(text) == text.split()


@given(TEXTS)
def test_spans_are_the_words(text: str) -> None:
    assert [text[a:b] for a, b in word_spans(text)] == words(text)
    assert len("".join(words(text))) == sum(not c.isspace() for c in text)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_outside_the_window_the_texts_are_the_same(head: str, old: str, new: str, tail: str) -> None:
    before, after = head + old + tail, head + new + tail
    window = changed_window(before, after)
    assert before[: window.start] == after[: window.start]
    assert before[window.old_end :] == after[window.new_end :]
    assert window.start <= window.old_end <= len(before)
    assert window.start <= window.new_end <= len(after)
    change = compare(before, after)
    assert count_words(after) == count_words(before) - change.removed + change.added
    assert 0 <= change.lost <= change.removed


@given(TEXTS)
def test_nothing_changed_is_nothing_lost(text: str) -> None:
    assert compare(text, text)[1:4] == (0, 0, 0)


@given(PARAGRAPHS, st.randoms(use_true_random=False))
def test_paragraphs_in_another_order_lose_nothing(paragraphs: list[list[str]], chance: random.Random) -> None:
    old = "\n\n".join(" ".join(p) for p in paragraphs)
    turned = paragraphs[:]
    chance.shuffle(turned)
    assert compare(old, "\n\n".join(" ".join(p) for p in turned)).lost == 0


@given(PARAGRAPHS, PARAGRAPHS)
def test_added_paragraphs_lose_nothing(paragraphs: list[list[str]], more: list[list[str]]) -> None:
    old = "\n\n".join(" ".join(p) for p in paragraphs)
    new = "\n\n".join(" ".join(p) for p in [*more, *paragraphs])
    assert compare(old, new).lost == 0


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_common_words_is_the_longest_common_subsequence(left: list[str], right: list[str]) -> None:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    assert common_words(left, right) == table[-1][-1]


@given(TEXTS)
def test_units_hold_all_words_but_list_markers(text: str) -> None:
    held = [w for u in units(text) for w in u.words]
    everything = words(text)
    remaining = iter(everything)
    assert all(any(word == w or w.endswith(word) for w in remaining) for word in held)


@given(TEXTS)
def test_a_parse_keeps_offsets(text: str) -> None:
    doc = parse(text)
    for node in doc.walk():
        assert 0 <= node.start <= node.end <= len(text)
    for block in prose_blocks(doc):
        assert len(block.text) == block.end - block.start
        for shown, real in zip(block.text, text[block.start : block.end], strict=True):
            assert shown in (real, OPAQUE, MARKUP, " ")


def test_the_outline_names_the_parts() -> None:
    text = (
        "---\ntitle: x\n---\n\n# A\n\nText[^1].\n\n```py\ncode\n```\n\n| a |\n|---|\n| 1 |\n\n"
        "![i](p.png)\n\n[^1]: note\n\n~~~\nopen"
    )
    found = outline(text)
    assert found.headings == ("A",)
    assert (found.fences, found.tables, found.images.total(), found.unclosed) == (2, 1, 1, True)
    assert found.keys == {"title"}
    assert found.notes == {"1"}
    assert "code" in found.code
