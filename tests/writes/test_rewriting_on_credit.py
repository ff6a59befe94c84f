"""Rewriting a text paragraph by paragraph: words that any two texts share are no credit."""

from __future__ import annotations

import random

from stet_kit import Book

from firewall.text.diff import compare, surviving_words

WHO = "the keeper|a lamp|the old engineer|every ship|the night clerk|a new wick|the harbour|one of the pilots".split(
    "|"
)
DOES = "keeps|lights|measures|forgets|repairs|watches|counts|writes down".split("|")
WHAT = "the oil|its own log|the broken glass|a second lamp|the long night|the last boat|what was lost|the tide".split(
    "|"
)
WHEN = "before the bell rings|when nobody asks|at the end of the shift|in the order they came|as the book says".split(
    "|"
)


def paragraph(seed: int) -> str:
    """Six sentences of a small world, so that two of them share many a word by chance."""
    pick = random.Random(seed)
    made = [f"{pick.choice(WHO)} {pick.choice(DOES)} {pick.choice(WHAT)} {pick.choice(WHEN)}" for _ in range(6)]
    return " ".join(sentence[0].upper() + sentence[1:] + "." for sentence in made)


def joined(parts: list[str]) -> bytes:
    return ("\n\n".join(parts) + "\n").encode()


def test_most_paragraphs_stay_though_each_is_rewritten_alone(book: Book) -> None:
    old = [paragraph(n) for n in range(40)]
    book.put("ch.md", joined(old))
    now = list(old)
    for n in range(40):
        tried = [paragraph(1000 + n) if i == n else part for i, part in enumerate(now)]
        with book.open() as proxy:
            if proxy.check(book.root / "ch.md", joined(tried)).verdict.allowed:
                assert proxy.write(book.root / "ch.md", joined(tried)).committed
                now = tried
    kept = sum(a == b for a, b in zip(old, now, strict=True))
    assert 25 <= kept < 40, "a rewrite of some is an honest edit"


def test_what_is_left_of_a_paragraph_counts_where_it_is_half_of_it_or_a_row() -> None:
    unit, other = tuple(f"a{n}" for n in range(40)), tuple(f"b{n}" for n in range(40))
    rest = [f"x{n}" for n in range(40)]
    scattered = [word for pair in zip(unit[::2], rest[:20], strict=True) for word in pair]
    assert surviving_words([unit, other], [*scattered, *other]) == 60, "half of it"
    assert surviving_words([unit, other], [*scattered[2:], *other]) == 40, "19 of 40, no two in a row"
    assert surviving_words([unit, other], [*rest, *unit[:8], *other]) == 48, "a sentence of it"
    assert surviving_words([unit, other], [*rest, *unit[:7], *other]) == 40


def test_copy_editing_splitting_and_merging_lose_next_to_nothing() -> None:
    old = [paragraph(n) for n in range(20)]
    edited = [part.replace("the ", "The ", 1) + " So it goes." for part in old]
    merged = [" ".join(old[n : n + 2]) for n in range(0, 20, 2)]
    split = [half for part in old for half in (part[: len(part) // 2], part[len(part) // 2 :])]
    words = sum(len(part.split()) for part in old)
    for new, most in ((edited, 20), (merged, 0), (split, 45)):
        assert compare(joined(old).decode(), joined(new).decode()).lost <= most, (most, words)
