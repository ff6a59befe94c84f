"""Sentence boundaries: the marked cases with their offsets, and what must hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_cases import CASES

from firewall.text.markdown import MARKUP, parse, prose_blocks
from firewall.text.sentences import boundaries, sentences

ALL = [(kind, case) for kind, cases in CASES.items() for case in cases]


def unmarked(case: str) -> tuple[str, list[tuple[int, int]]]:
    """The source of a case, and the offsets that its marks stand at."""
    spans: list[tuple[int, int]] = []
    start = at = 0
    for char in case:
        if char == "⟦":
            start = at
        elif char == "⟧":
            spans.append((start, at))
        else:
            at += 1
    return case.replace("⟦", "").replace("⟧", ""), spans


def test_there_are_150_cases_or_more_and_none_twice() -> None:
    sources = [unmarked(case)[0] for _, case in ALL]
    assert len(sources) >= 150
    assert len(set(sources)) == len(sources)


@pytest.mark.parametrize(("kind", "case"), ALL, ids=[f"{kind}-{n}" for n, (kind, _) in enumerate(ALL)])
def test_every_sentence_is_found_at_its_offsets(kind: str, case: str) -> None:
    source, spans = unmarked(case)
    found = [(s.start, s.end) for s in sentences(parse(source))]
    assert [source[a:b] for a, b in found] == [source[a:b] for a, b in spans]
    assert found == spans


def test_a_long_paragraph_loses_nothing_at_the_segmenters_own_chunks() -> None:
    """sentencex's segment() drops text about every 10,000 characters (facts 2.3); boundaries do not."""
    paragraph = "The gate is shut again. " * 12
    source = "\n\n".join(paragraph.strip() for _ in range(60))
    found = sentences(parse(source))
    assert len(found) == 12 * 60
    assert {source[s.start : s.end] for s in found} == {"The gate is shut again."}


def test_one_paragraph_longer_than_a_chunk_keeps_every_border() -> None:
    source = "Word after word goes by, and none is lost. " * 2_000
    found = sentences(parse(source))
    assert len(found) == 2_000
    assert {source[s.start : s.end] for s in found} == {"Word after word goes by, and none is lost."}


def test_a_paragraph_without_a_full_stop_is_one_sentence_in_linear_time() -> None:
    source = "word " * 100_000
    assert len(sentences(parse(source))) == 1


@pytest.mark.parametrize("mark", ["(", "[", '"', "x. ", "1. ", "e.g. ", ".", "(a.) ", "**", "no. A "])
def test_no_mark_makes_it_slow(mark: str) -> None:
    """100 kB of one mark: a quadratic step would take minutes here, and the suite would say so."""
    source = "A " + mark * (100_000 // len(mark)) + " end."
    assert sentences(parse(source))


@pytest.mark.parametrize(
    "text", ["B\u00a0.", "See B\u2009. C", ".B\u3000.", "\ud800 One. Two.", "U.S\u00a0. \udfff", "A\x85. B"]
)
def test_what_makes_the_segmenter_panic_is_kept_from_it(text: str) -> None:
    """sentencex 1.0.32 panics at a capital, a space that is not ASCII, and a full stop; a surrogate raises."""
    assert sentences(parse(text))
    assert boundaries(text)


def test_kinds_and_quotes_are_told() -> None:
    source = "# Head\n\nPara one.\n\n> Quoted.\n\n- item\n\n| a |\n|---|\n| b |\n\n[^1]: note.\n"
    told = [(source[s.start : s.end], s.kind, s.quoted) for s in sentences(parse(source))]
    assert told == [
        ("Head", "heading", False),
        ("Para one.", "paragraph", False),
        ("Quoted.", "paragraph", True),
        ("item", "item", False),
        ("a", "cell", False),
        ("b", "cell", False),
        ("note.", "footnote", False),
    ]


PIECES = st.sampled_from(
    'The cat. |A `code.x` b. |(aside.) |**Bold.** |no. Five |e.g. |Fig. 3 |v1.2.3 |.NET |\n|\n\n|- |# |> |[^1]|”|“|"|'
    "。|好|！|？|B\u00a0.|B\u2009. |\ud800|[x](http://a.b/c.) |$x. y$ |<b>|</b>|1) |… |... |?! |É |\u00a0|\r\n"
    "|😀 |a|B|. | ".split("|")
)


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=200, deadline=None)
def test_sentences_tile_the_prose(source: str) -> None:
    """In order, never overlapping, no white space at their ends, and every letter of prose in exactly one."""
    doc = parse(source)
    found = sentences(doc)
    at = 0
    covered: set[int] = set()
    for s in found:
        assert at <= s.start < s.end <= len(source)
        assert not source[s.start].isspace()
        assert not source[s.end - 1].isspace()
        covered.update(range(s.start, s.end))
        at = s.end
    for block in prose_blocks(doc):
        for offset, char in enumerate(block.text, block.start):
            if not char.isspace() and char != MARKUP:
                assert offset in covered, (source, offset, char)


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_at_all(text: str) -> None:
    doc = parse(text)
    for s in sentences(doc):
        assert 0 <= s.start < s.end <= len(text)
    for start, end in boundaries(text):
        assert text[start:end].strip() == text[start:end] != ""


@given(st.lists(st.sampled_from(["The gate is shut.", "Is it late?", "Go home now!"]), min_size=1, max_size=30))
def test_plain_sentences_come_back_as_they_were_put_in(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [text[a:b] for a, b in boundaries(text)] == parts
