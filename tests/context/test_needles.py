"""The quick way to the rules against orders loses nothing: where a rule matches, its needs stand."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from firewall.context import gate, injection, scan
from firewall.context.needles import Needles
from firewall.context.needs import branches, needs_of
from firewall.context.views import match_view

EXAMPLES = [match_view(rule.finds).text for rule in injection.rules()]
_SIGNS_OF_GATES = (
    *"aZ0 9\n.|_-", "ignore", "Ignore", "1gnore", "SNOITCURTSNI", "vtaber", "rules", "all", "previous",
    "A.", "b-", "c ", "so.", "of.", "key: ", "sk-", "Abcdefgh12345678", "\n 3. ", "> ", "abcdefghijklmnopqrstuv",
    "DE44", "0x41, ", "12 ",
)  # fmt: skip
WORDS = sorted({word for text in EXAMPLES for word in text.split()})


@functools.cache
def needles() -> Needles:
    """Of all rules."""
    return Needles([rule.pattern for rule in injection.rules()], injection.LONGEST + 10)


@functools.cache
def compiled() -> list[Any]:
    """The rules in their order."""
    return [re2.compile(pattern) for pattern in needles().rules]


def inside(text: str) -> None:
    """Every match of every rule lies in one of the stretches that the rule is tried in."""
    stretches: dict[int, list[tuple[int, int]]] = {}
    for rule, low, high in needles().regions(text):
        stretches.setdefault(rule, []).append((low, high))
    for rule, pattern in enumerate(compiled()):
        for match in pattern.finditer(text):
            start, end = match.span()
            if end - start <= injection.LONGEST:
                assert any(low <= start and end <= high for low, high in stretches.get(rule, ())), (rule, match.group())


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_of_a_rule_lies_where_it_is_tried(example: str) -> None:
    inside(example)
    inside("x" * 500 + ". " + example + " " + "y " * 300)


@given(
    st.lists(
        st.sampled_from(WORDS) | st.sampled_from([". ", "! ", "\n", "\n\n", ", ", "é", "的", '"', "1. "]), max_size=60
    )
)
@settings(max_examples=150)
def test_words_of_orders_in_any_order_lie_where_rules_are_tried(words: list[str]) -> None:
    inside(" ".join(words))


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=6), st.data())
@settings(max_examples=100)
def test_orders_cut_and_mixed_lie_where_rules_are_tried(texts: list[str], data: st.DataObject) -> None:
    pieces = []
    for text in texts:
        low = data.draw(st.integers(0, len(text)))
        pieces.append(text[low : data.draw(st.integers(low, len(text)))])
    inside(data.draw(st.sampled_from([" ", ". ", "\n", ""])).join(pieces))


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\bignor(?:e|ing)\b", {" ignore ", " ignoring "}),
        (r"\b(?:a|b)\s+cat", {" cat"}),
        (r"x?(?:dog)+[a-z]*bird\.", {"bird "}),
        (r"(?:one\s+two|three)", {"one ", "three"}),
        (r"[sz]ing(?:ular)?", {"sing", "zing"}),
        (r"(?:maybe)?sure|[^.]*never", {"never"}),
    ],
)
def test_what_a_match_must_hold(pattern: str, needs: set[str]) -> None:
    assert needs in [set(need) for branch in branches(pattern) for need in needs_of(branch)]


@pytest.mark.parametrize("pattern", [r"[a-z]+", r"(?:abc)?", r"\b\s+"])
def test_a_pattern_that_needs_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="nothing"):
        needs_of(pattern)


@given(st.lists(st.sampled_from(_SIGNS_OF_GATES), max_size=12).map("".join))
def test_what_one_scan_calls_quiet_no_gate_stops(text: str) -> None:
    """The one scan is taken instead of three; it may say no too often, and yes never wrongly."""
    if gate.quiet(text):
        assert not gate.loud(text)
        assert not scan.has(injection.ODD, text.lower())
        assert not scan.has(injection.NUMBERED, text)


@pytest.mark.parametrize(
    "text", ["1gnore it", "I.G.N.O.R.E. A.L.L. O.F it", "SNOITCURTSNI", "so.Ignore.all.of it", "a\n 2. b"]
)
def test_other_readings_are_not_quiet(text: str) -> None:
    assert not gate.quiet(text)
