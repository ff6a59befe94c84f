"""A word is found however Markdown writes it: with references, soft hyphens, markup inside; at its exact place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firewall.policy.style import Style
from firewall.text.markdown import parse, prose_blocks
from latches.style import Scanner, scan
from latches.style.scan import _uses_in, _uses_read
from latches.style.written import odd_places, read_as, written

STYLE = Style(banned=["leverage", "in order to", "state", "API"], ceilings={"pump": 1})


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("We &#108;everage it.", "&#108;everage"),
        ("We &#x6C;everage it.", "&#x6C;everage"),
        ("We lever\u00adage it.", "lever\u00adage"),
        ("We lever&shy;aged it.", "lever&shy;aged"),
        ("We lever\u200bage\u2060s it.", "lever\u200bage\u2060s"),
        ("We **L**everage it.", "L**everage"),
        ("We lever*age* it.", "lever*age"),
        ("We lever~~age~~ it.", "lever~~age"),
        ("We l<b>ever</b>age it.", "l<b>ever</b>age"),
        ("We lever<wbr>age it.", "lever<wbr>age"),
        ("We lever<wbr/>\u00adage it.", "lever<wbr/>\u00adage"),
        ("We [lever](x.md)age it.", "lever](x.md)age"),
        ("We act in&nbsp;order to go.", "in&nbsp;order to"),
        ("We act in or\u00adder to go.", "in or\u00adder to"),
        ("The A&#80;I is old.", "A&#80;I"),
        ("\u6211\u4eec**leverage**\u5b83\u3002", "leverage"),
        ("| lever&shy;age |\n|---|\n| x |", "lever&shy;age"),
        ("> [!NOTE]\n> lever&shy;age", "lever&shy;age"),
        ("Caf\u00e9 \U0001f680 lever&shy;age", "lever&shy;age"),
        ("# lever\u00adage", "lever\u00adage"),
    ],
)
def test_it_is_found_with_its_exact_place(text: str, surface: str) -> None:
    source = f"# T\n\nPlain.\n\n{text}\n\nPlain.\n"
    (hit,) = scan(source, STYLE)
    assert source[hit.start : hit.end] == surface


@pytest.mark.parametrize(
    "text",
    [
        "We lever\u00adaging\u00adly go.",
        "A solid&#45;state drive, a state&shy;ment, a **state**ment, in&shy;order to.",
        "The word &quot;state&quot; and &ldquo;leverage&rdquo;.",
        "`lever\u00adage` and `&#108;everage`.",
        "<code>lever&shy;age</code> and [[lever&shy;age]] and {{ lever&shy;age }}.",
        "![lever&shy;age](x.png) https://x.example/lever*age",
        "```\nlever\u00adage\n```",
        "&Lopf;everage and &unknown;leverage_x and lever<br>age",
        "The lead&shy;er sta&amp;te.",
        "Snake_lever*age*_case.",
    ],
)
def test_what_is_read_as_another_word_or_is_no_prose_is_not(text: str) -> None:
    assert scan(text, STYLE) == []


def test_uses_written_both_ways_are_counted_together() -> None:
    (hit,) = scan("The pump and the pu\u00admp.\n", STYLE)
    assert hit.measured == 2
    assert scan("The pu&shy;mp stands.\n", STYLE) == []


def test_a_part_of_a_word_with_a_soft_hyphen_is_not_taken_for_the_word() -> None:
    assert scan("The lever\u00adage is long.\n", Style(banned=["lever"])) == []


def test_signs_of_other_kinds_change_nothing() -> None:
    source = "A*b & c, leverage &amp; state &lt; **x** [y](z) <b>leverage</b> a_b~c~.\n"
    assert [source[h.start : h.end] for h in scan(source, STYLE)] == ["leverage", "state", "leverage"]


TEXTS = st.text(
    alphabet=st.sampled_from(list("leverage state \n*_~&;#108<b>/[]()`-'\u00ad\u200b|\u6211A")), max_size=80
)
WAYS = st.sampled_from(
    ["{}", "&#{n};", "&#x{x};", "\u00ad{}", "&shy;{}", "<wbr>{}", "<b>{}</b>", "\u200b{}", "&ZeroWidthSpace;{}"]
)


@given(
    st.lists(WAYS, min_size=8, max_size=8), st.sampled_from(["", "We ", "\u00e9 ", "- ", "> [!TIP]\n> ", "\U0001f680 "])
)
@settings(max_examples=100)
def test_any_letter_may_be_written_in_any_of_these_ways(ways: list[str], before: str) -> None:
    letters = "leverage"
    word = letters[0] if "#" not in ways[0] else ways[0].format(n=ord("l"), x=f"{ord('l'):x}")
    for letter, way in zip(letters[1:], ways[1:], strict=True):
        word += way.format(letter, n=ord(letter), x=f"{ord(letter):x}")
    source = f"{before}{word} it.\n"
    (hit,) = scan(source, STYLE)
    surface = source[hit.start : hit.end]
    assert word.startswith(surface)
    assert read_as(surface) == letters
    assert hit.start == len(before)


@given(TEXTS)
@settings(max_examples=150)
def test_places_hold_in_any_text(source: str) -> None:
    for hit in scan(source, STYLE):
        assert read_as(source[hit.start : hit.end]).strip()
        assert not source[hit.start].isspace()


@given(TEXTS)
@settings(max_examples=150)
def test_a_block_without_such_signs_reads_as_it_is_written(source: str) -> None:
    scanner = Scanner(STYLE)
    if odd_places(source):
        return
    for block in prose_blocks(parse(source)):
        raw = source[block.start : block.end]
        assert list(_uses_read(block, raw, scanner.terms)) == list(_uses_in(block, raw, scanner.terms))
        read = written(block, raw)
        assert [block.text[a:b] for a, b in zip(read.starts, read.ends, strict=True)] == list(read.text)
