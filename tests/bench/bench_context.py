"""The context firewall beside the article's own algorithm, written anew: four regex passes over the text.

Run with `pytest tests/bench/bench_context.py -m bench -s -n0`. Prints ratios and, with `-k figures`, how many of our
own two hundred passages the injection rules find and wrongly block; judges nothing.
"""

from __future__ import annotations

import math
import random
import re
import sys
import timeit
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from firewall.context import sanitize
from firewall.context.lanes import banned
from firewall.policy.lanes import Lane
from firewall.verdict import Outcome

sys.path.append(str(Path(__file__).parents[1] / "context"))
from injection_corpus import ATTACKS, HONEST

pytestmark = pytest.mark.bench

_TAGS = re.compile(r"</?(?:div|span|p|script|style|iframe)[^>]*>", re.IGNORECASE)
_CITES = re.compile(r"\[cite:\s*\d+\]|\[source:\s*[^\]]+\]|\^\[\d+\]", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf)\{([^}]+)\}")
_BLANK = re.compile(r"\n{3,}")

_SENTENCE = "The scheduler keeps old leases before the window closes, as the runbook of shift {} says. "
_NOISE = (
    "<div>The scheduler keeps old leases before the window closes [cite: {0}], and the archive mirrors the last good "
    "copy in the order it came. <b>Every reader</b> guards the backlog [source: notes.md], so the rate is "
    "\\mathrm{{TPS}} at best.^[{0}]</div>\n\n\n\nA slow disk delays cold pages, and "
    "<span class='x'>the review queue</span> drains.\n\n"
)
_DENSE = (
    "A fact [cite: {0}] stands in <span class='x'>running text</span> [source: notes.md], and the rate is "
    "\\mathrm{{TPS}} at best.^[{0}]\n\n\n\n<div>More of it</div>\n\n"
)


def yardstick(text: str) -> str:
    text = _TAGS.sub("", text)
    text = _CITES.sub("", text)
    text = _LATEX.sub(r"\1", text)
    return _BLANK.sub("\n\n", text).strip()


def clean_prose(size: int) -> str:
    paragraphs = (
        "".join(_SENTENCE.format(n * 5 + k) for k in range(5)).rstrip() + "\n\n" for n in range(size // 400 + 1)
    )
    return "".join(paragraphs)[:size]


def varied(size: int) -> str:
    """Sentences of words picked from the honest passages, which are full of what orders are made of: no two alike."""
    picks = random.Random(11)
    words = [word.strip(".,:;?!\"'()") for text in HONEST if text.isascii() for word in text.split()]
    out: list[str] = []
    length = 0
    while length < size:
        sentence = " ".join(picks.choices(words, k=picks.randint(6, 22))).capitalize() + picks.choice(
            [". ", ". ", ".\n\n"]
        )
        out.append(sentence)
        length += len(sentence)
    return "".join(out)[:size]


def noisy(size: int, noise: str = _NOISE) -> str:
    return "".join(noise.format(n) for n in range(size // 150 + 1))[:size]


def seconds(call: Callable[[], object], size: int) -> float:
    """What one call on a text of `size` characters takes at best."""
    return side_by_side([call], size)[0]


def side_by_side(calls: Sequence[Callable[[], object]], size: int) -> list[float]:
    """As `seconds` for each of `calls`, in turns: a machine that slows down for a while slows all of them."""
    number = max(1, 60_000 // size)
    best = [math.inf] * len(calls)
    for _ in range(40):
        for place, call in enumerate(calls):
            best[place] = min(best[place], timeit.timeit(call, number=number) / number)
    return best


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("clean prose, 2 KB", clean_prose(2_000)),
        ("clean prose, 100 KB", clean_prose(100_000)),
        ("clean prose with a typographic quote, 100 KB", clean_prose(100_000).replace("runbook of", "runbook’s", 1)),
        (
            "clean prose with links, 100 KB",
            clean_prose(100_000).replace("the runbook", "[the runbook](https://x.org/a)"),
        ),
        ("varied words about prompts and security, 100 KB", varied(100_000)),
        ("noisy text, 2 KB", noisy(2_000)),
        ("noisy text, 100 KB", noisy(100_000)),
        ("noisy text with code, 100 KB", noisy(100_000, _NOISE + "Call `drain()` once.\n\n")),
        ("a mark every eighteen characters, 100 KB", noisy(100_000, _DENSE)),
        ("a real document, our README", (Path(__file__).parents[2] / "README.md").read_text("utf-8")),
    ],
)
def test_sanitize(kind: str, text: str) -> None:
    ours, theirs = side_by_side([lambda: sanitize(text), lambda: yardstick(text)], len(text))
    print(f"\n{kind}: {ours * 1e6:.0f} us, four regex passes {theirs * 1e6:.0f} us, ratio {ours / theirs:.2f}")
    assert sanitize(text).text


def test_grows_linearly() -> None:
    rates = {}
    for size in (100_000, 1_000_000, 10_000_000):
        text = clean_prose(size)
        rates[size] = seconds(partial(sanitize, text), size) / size * 1e9
    print("\n" + ", ".join(f"{size // 1000} KB: {rate:.2f} ns a character" for size, rate in rates.items()))
    assert len(rates) == 3


def terms(count: int) -> list[str]:
    """Invented words that no prose has."""
    picks = random.Random(7)
    return ["".join(picks.choice("bdfgklmnprstvz") + picks.choice("aeiou") for _ in range(4)) for _ in range(count)]


def test_banned_terms() -> None:
    text = clean_prose(100_000)
    times = {}

    def hits(lane: Lane) -> list[object]:
        return list(banned(text, lane))

    for count in (10, 2_000):
        lane = Lane(banned=terms(count))
        times[count] = seconds(partial(hits, lane), len(text))
        assert len(list(banned(text + f" {lane.banned[-1]}.", lane))) == 1
    print(
        f"\n10 terms {times[10] * 1e6:.0f} us, 2,000 terms {times[2_000] * 1e6:.0f} us on 100 KB, "
        f"ratio {times[2_000] / times[10]:.2f}"
    )


def test_figures_of_the_injection_rules() -> None:
    def blocked(text: str) -> bool:
        return any(f.rule == "injection" and f.outcome is Outcome.BLOCK for f in sanitize(text).findings)

    found, wrong = sum(map(blocked, ATTACKS)), sum(map(blocked, HONEST))
    print(f"\norders to the model found: {found} of {len(ATTACKS)}; honest passages blocked: {wrong} of {len(HONEST)}")
    assert len(ATTACKS) == len(HONEST) == 100
