# ruff: noqa: E501 (a line is printed on one line)
"""The latches: planning a book, linting, verifying, sentences. Beside the article's own ways, written anew.

Run with `pytest tests/bench -m bench -s -n0 -o python_files='bench_*.py'`. Prints rates and ratios; judges nothing.
"""

from __future__ import annotations

import re
import timeit
from collections.abc import Callable
from pathlib import Path

import pytest

from firewall.policy.style import Style
from firewall.text.markdown import parse
from firewall.text.sentences import sentences
from latches.blueprint import SectionPlan
from latches.rhythm import rhythm
from latches.schema import verify
from latches.shapes import SHAPES
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign
from latches.style import Scanner

pytestmark = pytest.mark.bench

WORDS = (
    "leverage delve robust seamless tapestry testament realm landscape crucial pivotal underscore foster navigate unlock "
    "elevate empower streamline moreover furthermore plethora myriad holistic synergy paradigm utilize".split()
)
PHRASES = [
    *(
        "in order to",
        "at the end of the day",
        "it is important to note",
        "game changer",
        "cutting-edge",
        "in conclusion",
    ),
    *(
        "when it comes to",
        "due to the fact that",
        "a wide range of",
        "needless to say",
        "very unique",
        "in today's world",
    ),
]
STYLE = Style(banned=[*WORDS, *PHRASES], ceilings={"telemetry": 3, "state": 5, "lead": 2, "just": 4, "simply": 2})


def notes() -> list[str]:
    """The sample book's source notes: prose as people write it, with the noise that retrieval brings."""
    folder = Path(__file__).parents[2] / "samples" / "night-shift" / "notes"
    return [path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))]


def seconds(call: Callable[[], object]) -> float:
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    return min(timer.repeat(3, number)) / number


def rate(call: Callable[[], object], texts: list[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6 / seconds(call)


def regex_linter(text: str, patterns: list[re.Pattern[str]]) -> int:
    """The article's way: each word by its own regex over the raw text, code and links and all."""
    return sum(len(pattern.findall(text)) for pattern in patterns)


@pytest.mark.parametrize(
    ("kind", "every"), [("no finding", 0), ("a finding in ten documents", 10), ("a finding in each document", 1)]
)
def test_lint(kind: str, every: int) -> None:
    texts = [text for text in notes() * 5 if not Scanner(STYLE).scan(text)]
    spoilt = [
        text.replace("\n\n", "\n\nWe utilize it in order to win. ", 3) if every and n % every == 0 else text
        for n, text in enumerate(texts)
    ]
    scanner = Scanner(STYLE)
    patterns = [re.compile(rf"\b{re.escape(term)}\b", re.IGNORECASE) for term in [*STYLE.banned, *STYLE.ceilings]]
    hits = sum(len(scanner.scan(text)) for text in spoilt)
    ours = rate(lambda: [scanner.scan(text) for text in spoilt], spoilt)
    theirs = rate(lambda: [regex_linter(text, patterns) for text in spoilt], spoilt)
    print(
        f"\nlint, {kind}: {ours:.1f} MB/s ({hits} findings in {len(spoilt)}), a regex a word {theirs:.1f} MB/s, ratio {ours / theirs:.1f}"
    )
    assert bool(hits) is bool(every)


def test_lint_when_every_tenth_word_is_one() -> None:
    text = "\n\n".join(
        "The gate was robust and we had to utilize it as best as anyone could do. " * 8 for _ in range(60)
    )
    scanner = Scanner(STYLE)
    print(f"\nlint, every eighth word a finding: {rate(lambda: scanner.scan(text), [text]):.1f} MB/s")
    assert len(scanner.scan(text)) == 960


def article_plan(chapters: list[int]) -> list[str]:
    out = []
    for size in chapters:
        left: list[str] = []
        for _ in range(size):
            left = left or [shape.name for shape in SHAPES]
            out.append(left.pop(0))
    return out


@pytest.mark.parametrize("chapters", [[4] * 3, [5] * 10, [6] * 50])
def test_plan(chapters: list[int]) -> None:
    spec = StructureSpec(
        "Book",
        tuple(
            ChapterSpec(f"C{c}", tuple(SectionSpec(f"S{s}") for s in range(size))) for c, size in enumerate(chapters)
        ),
    )
    ours, theirs = seconds(lambda: assign(spec)), seconds(lambda: article_plan(chapters))
    count = sum(chapters)
    print(
        f"\nplan {count} sections: {ours * 1e3:.2f} ms, the article's fixed order {theirs * 1e3:.3f} ms, ratio {ours / theirs:.0f}"
    )
    assert len(assign(spec).sections) == count


def test_sentences_and_parse() -> None:
    texts = notes()
    docs = [parse(text) for text in texts]
    parsing = rate(lambda: [parse(text) for text in texts], texts)
    finding = rate(lambda: [sentences(doc) for doc in docs], texts)
    naive = rate(lambda: [re.split(r"(?<=[.!?])\s+", text) for text in texts], texts)
    print(
        f"\nparse {parsing:.1f} MB/s; sentences with offsets {finding:.1f} MB/s; the article's split, no offsets {naive:.0f} MB/s"
    )
    assert all(sentences(doc) for doc in docs)


def test_verify_a_chapter_of_2500_words() -> None:
    text = "\n\n".join(notes())
    words = text.split(" ")
    chapter = " ".join(words[:2_500])
    elements = tuple(element for shape in SHAPES for element in shape.elements)
    plan = SectionPlan(1, 1, 1, "", "", "all", elements, 2_500)
    doc = parse(chapter)
    judging, measuring = seconds(lambda: verify(chapter, plan)), seconds(lambda: rhythm(doc, STYLE))
    print(f"\nverify 2,500 words for all twelve elements: {judging * 1e3:.1f} ms; rhythm {measuring * 1e3:.1f} ms")
    assert verify(chapter, plan).checks
