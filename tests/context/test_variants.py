"""Variation selectors: those of sequences that Unicode lists stay, no others, and of registered ones a few."""

from __future__ import annotations

import random
import unicodedata

import pytest

from firewall.context import sanitize
from firewall.context.properties import is_invisible

PICKS = random.Random(17)


@pytest.mark.parametrize("word", ["مرحبا", "नमस्ते", "漢字文", "∀∃∈", "ᠮᠣᠩ", "plain", "한국어", "ܫܠܡܐ", "𓀀𓁐"])
@pytest.mark.parametrize(
    "selectors", ["".join(map(chr, range(0xFE00, 0xFE0E))), "\ufe0e\ufe0f", "".join(map(chr, range(0xE0100, 0xE0120)))]
)
def test_no_selector_after_each_letter(word: str, selectors: str) -> None:
    raw = "".join(c + PICKS.choice(selectors) for c in word * 4)
    clean, findings = sanitize(raw)
    assert clean == word * 4
    assert {f.rule for f in findings} == {"invisible"}


@pytest.mark.parametrize("selector", ["\U000e0100", "&#xE0101;", "&#917762;"])
def test_registered_variants_are_few(selector: str) -> None:
    clean, _ = sanitize("".join(c + selector for c in "漢字文"))
    assert not any(map(is_invisible, clean))
    assert "E010" not in clean
    assert sanitize(clean).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "渡邉\U000e0100さん",
        "葛\U000e0100城市と辻\U000e0101",
        "東京都葛\U000e0101飾区の人口は、四十万人を超えている。" * 3,
        "、\ufe00。\ufe01！\ufe00",
        "0\ufe00 ０\ufe00",
        "a ∩\ufe00 b",
        "\U0001d4ac\ufe01",
        "ꡖ\ufe00",
        "ᠠ\u180b",
        "လ\ufe00",
        "侮\ufe00 and 侮\ufe01",
        "☎\ufe0e ☎\ufe0f 1\ufe0f\u20e3 ©\ufe0f ㊗\ufe0f 〰\ufe0f",
        "👁\ufe0f\u200d🗨\ufe0f 🏳\ufe0f\u200d🌈 👮🏻\u200d♀\ufe0f ❤\ufe0f\u200d🔥",
    ],
)
def test_variants_that_are_listed_stay(text: str) -> None:
    assert sanitize(text) == (text, ())


def test_variants_of_compatibility_ideographs_are_numbered_in_their_order() -> None:
    assert unicodedata.normalize("NFD", "\ufa30") == unicodedata.normalize("NFD", "\U0002f805") == "侮"
    assert sanitize("侮\ufe02").text == "侮"
