"""The holes of the article's sanitizer and lane check, each closed, and the laws of cleaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall.context import LaneViolation, Passage, as_data, make_passage, sanitize
from firewall.policy.lanes import Lane
from firewall.verdict import Outcome

PIECES = [
    "<", ">", "</", "<b>", "</b>", "<scr", "ipt>", "<script>", "</script>", "<!--", "-->", "`", "```", "\n",
    "\n\n", "    ", " ", "word", "[cite: 1]", "[source: x]", "^[3]", "[", "]", "(u)", "\\text{", "}", "{",
    "$", "x", "List<T>", "&#8203;", "&lt;", "\r\n", "é", "\u200b", "\ud800", "【4:0†n】", "a <b",
    "<div hidden>", "</div>", "> ",
]  # fmt: skip


def soup() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


@given(soup())
def test_cleaning_twice_is_cleaning_once_and_never_grows(raw: str) -> None:
    once, findings = sanitize(raw)
    assert sanitize(once).text == once
    assert len(once) <= len(raw)
    if once != raw:
        assert findings, "something went without being named"
    if not findings:
        assert once == raw


@given(soup())
def test_what_is_left_is_the_raw_text_less_the_spans_of_the_findings(raw: str) -> None:
    once, findings = sanitize(raw)
    if any(f.outcome is Outcome.BLOCK and f.rule == "nested" for f in findings):
        assert once == ""
        return
    gone = [False] * len(raw)
    for f in findings:
        assert 0 <= f.start <= f.end <= len(raw)
        if f.outcome is Outcome.REDACT:
            for i in range(f.start, f.end):
                gone[i] = True
    assert once == "".join(c for c, g in zip(raw, gone, strict=True) if not g)


@pytest.mark.parametrize(
    "text",
    [
        "use `<div>` and `[cite: 1]` here",
        "```html\n<script>x</script>\n[source: 4]\n\n\n\n\n```\n",
        "Run:\n\n    echo <b>hi</b> [cite: 1]\n",
        "~~~\n<!-- tpl -->\n~~~\n",
        "let p: `raw_ptr<int>`",
    ],
)
def test_code_is_left_as_it_is(text: str) -> None:
    assert sanitize(text) == (text, ())


def test_the_body_of_a_script_goes_with_its_tags() -> None:
    assert sanitize("a<script>steal()</script>b<style>p{}</style>c").text == "abc"


def test_a_split_tag_does_not_come_together_again() -> None:
    assert "script" not in sanitize("a <scr<b>ipt>steal()</scr</b>ipt> b").text


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("fact [cite: 1]. Next [cite: 2, 3] one", "fact. Next one"),
        ("`x = items[1]` and [1](/p/1) and fact [cite: 1]", "`x = items[1]` and [1](/p/1) and fact"),
        ("fact^[3] and 【4:0†TEst W1q1.pdf】 and 【注】", "fact and and 【注】"),
        (r"as \mathrm{TPS} \ge 14, \text{two words}", r"as TPS \ge 14, two words"),
        ("a\n\n<div>\n\n</div>\n\nb", "a\n\nb"),
        ("a\n\n\n\n\nb <b>c</b>", "a\n\n\n\n\nb c"),
        ('<a title="x>y">t</a>', "t"),
    ],
)
def test_noise_goes(raw: str, clean: str) -> None:
    assert sanitize(raw).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "List<T> and Array<Object> and x<y and y>z",
        "if a <b and c> d then p<q",
        "<bob@example.com> <https://x.example/y>",
        "costs $50 to $100 in $HOME; $x^2$ and $\\text{rate}$",
        "a[1], [^2], [2024 report](u), [source](u) and [cite](u)\n\n[source: x]: /u",
        "def f():\n    pass\n\n\ndef g():\n    pass\n",
        "docker run <image>",
        "RFC 0000\n\n\n\n\nA page break, then text.\n \n \n \n\f\nMore.\n\n\n\n",
    ],
)
def test_what_only_looks_like_noise_stays(text: str) -> None:
    clean, findings = sanitize(text)
    assert clean == text
    assert all(f.rule == "contact" for f in findings)


LANES = {
    "public": Lane(banned=["exec", "internal_ip", "C++"], reads=["public", "press"]),
    "infra": Lane(),
    "shut": Lane(reads=[]),
}


def passage(raw: str, *, lane: str = "public", reader: str = "public") -> Passage:
    return make_passage(raw, source="s1", lane=lane, index_version="7", reader=reader, policy=LANES)


@pytest.mark.parametrize("raw", ["run EXEC now", "ex\u200bec", "the `internal_ip` of it", "I like C++ a lot"])
def test_a_banned_term_blocks_and_says_where(raw: str) -> None:
    with pytest.raises(LaneViolation) as caught:
        passage(f"first line\n{raw}")
    assert caught.value.exit_status == 1
    assert "line 2" in caught.value.message
    assert "s1" in caught.value.message
    assert "first" not in caught.value.message


@pytest.mark.parametrize("raw", ["an executive decision", "internal ip", "C is fine"])
def test_a_term_inside_another_word_is_no_term(raw: str) -> None:
    assert passage(raw).text == raw


def test_a_lane_reads_only_what_it_may() -> None:
    assert passage("ok", lane="press").lane == "press"
    assert passage("ok", lane="infra", reader="infra").source == "s1"
    for lane, reader in (("infra", "public"), ("public", "infra"), ("shut", "shut"), ("public", "nowhere")):
        with pytest.raises(LaneViolation):
            passage("ok", lane=lane, reader=reader)


def test_only_the_firewall_makes_a_passage() -> None:
    with pytest.raises(TypeError):
        Passage(object(), text="", source="", lane="", sha256="", index_version="", findings=())
    assert "secret words" not in repr(passage("secret words"))


def test_data_cannot_close_its_envelope() -> None:
    first = as_data("</data> & <x>", 'a"b')
    body = first.splitlines()
    assert body[1] == "&lt;/data&gt; &amp; &lt;x&gt;"
    assert body[0].count('"') == 2
    assert as_data("x", "n") != as_data("x", "n")
