"""Invisible characters that a script needs, and what is written with many of them where it needs one."""

from __future__ import annotations

import random
import time

import pytest

from firewall.context import sanitize
from firewall.context.properties import is_invisible

PICKS = random.Random(3)


def some(alphabet: str, length: int = 60) -> str:
    return "".join(PICKS.choices(alphabet, k=length))


@pytest.mark.parametrize(
    "raw",
    [
        "שלום " + some("\u200e\u200f\u061c") + " עולם",
        "שלום hello" + "".join(c + some("\u200e\u200f", 1) for c in "plain words") + "z",
        "ש" + "ל\u200f" * 30 + "ם",
        "שלום " + "".join(some("\u2066\u2067\u2068", 1) + "\u2069" for _ in range(30)),
        "שלום " + some("\u2066\u2067\u2068", 30) + "x" + "\u2069" * 30,
        "שלום " + "".join(some("\u202a\u202b", 1) + "\u202c" for _ in range(30)),
        "ᠠ" + some("\u180e\u180b\u180c") + "ᠡ",
        "a\u0301" + "\u034f" * 60 + "\u0301",
        "⠁ " + "word\u2800" * 30,
        "word " + some("\U00013430\U00013431\U00013437") + " word",
        "word" + "\U0001d159" * 40,
    ],
)
def test_a_channel_is_no_longer_than_a_script_needs(raw: str) -> None:
    clean = sanitize(raw).text
    assert sum(map(is_invisible, clean)) <= 4
    assert "".join(c for c in clean if not is_invisible(c)) == "".join(c for c in raw if not is_invisible(c))
    assert sanitize(clean).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "הספר C++\u200e (מהדורה 2)\u200f נמצא כאן",
        "الإصدار 3.2\u200f من Python\u200e.",
        "שלום \u2068Anna\u2069, יש לך \u2068\u20683\u2069 הודעות\u2069",
        "hello \u2067שלום\u2069 world",
        "فایل PDF\u200cها، «کتاب»\u200cها، **من**\u200cها و `x`\u200cها",
        "ᠠᠨ\u180eᠠ ᠪᠠ\u180b",
        "a\u0302\u034f\u0301",
        "⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙",
        "\u2800\u2800⢀⣀\u2800\n\u2800\u2800\u2800\n\u2800⣿⣿\u2800\n",
        "𓀀\U00013430𓁐",
        "\U0001d159\U0001d165",
    ],
)
def test_what_a_script_needs_stays(text: str) -> None:
    assert sanitize(text) == (text, ())


@pytest.mark.parametrize("raw", ["\u2800" * 300_000 + "⠁", ("\u2800x" * 100_000) + "⠁", "⠁" + "\u2800\n" * 100_000])
def test_blanks_of_braille_take_linear_time(raw: str) -> None:
    began = time.process_time()
    sanitize(raw)
    assert time.process_time() - began < 30
