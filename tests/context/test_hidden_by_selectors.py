"""Selectors that ask where an element stands or what a reader does, and animations: what they hide goes."""

from __future__ import annotations

import time

import pytest

from firewall.context import sanitize
from firewall.context.animation import animated, places_of
from firewall.context.tree import Place, stands
from firewall.verdict import Outcome

HIDDEN = [
    "<style>p:first-child{display:none}</style><p>hid</p>",
    "<style>p:nth-child(n){display:none}</style><p>hid</p>",
    "<style>p:not(:hover){display:none}</style><p>hid</p>",
    "<style>p::first-line{color:white}</style><p>hid</p>",
    "<style>p{animation:k 1s both}@keyframes k{to{opacity:0}}</style><p>hid</p>",
    "<style>body{display:none}</style><p>hid</p>",
    "<style>html{visibility:hidden}</style><p>hid</p>",
    "<style>:root{display:none}</style>hid",
    "<style>p:nth-of-type(2n+1){display:none}</style><p>hid</p>",
    "<style>li:last-child{display:none}</style><ul><li>shown</li><li>hid</li></ul>",
    "<style>p:only-child{opacity:0}</style><div><p>hid</p></div>",
    "<style>p:is(:nth-child(1)){display:none}</style><p>hid</p>",
    "<style>p:not(.x,:focus){display:none}</style><p>hid</p>",
    "<style>p:has(b){display:none}</style><p>hid <b>x</b></p>",
    "<style>*|p{display:none}</style><p>hid</p>",
    "<style>p:read-only{display:none}</style><p>hid</p>",
    "<style>p:not(:first-child){display:none}</style><p>shown</p><p>hid</p>",
    "<style>p{animation:k 1s infinite}@keyframes k{from,to{opacity:0}}</style><p>hid</p>",
    "<style>p{animation:k 1s 9999s both}@keyframes k{from{opacity:0}}</style><p>hid</p>",
    "<style>p{animation-name:k;animation-fill-mode:forwards}@keyframes k{100%{font-size:0}}</style><p>hid</p>",
    '<style>@-webkit-keyframes k{to{opacity:0}}</style><p style="animation:1s forwards k">hid</p>',
    "<style>p{opacity:0!important;animation:k 1s forwards}@keyframes k{to{opacity:1}}</style><p>hid</p>",
    "<style>input:valid ~ p{display:none}</style><input><p>hid</p>",
    "<style>#t:checked ~ .x{display:none}</style><input id=t type=checkbox checked><p class=x>hid</p>",
    "<style>div:empty + p{display:none}</style><div></div><p>hid</p>",
    "<style>p:not(:has(img)){display:none}</style><p>hid</p>",
    "<style>p:where(:not(:hover)){display:none}</style><p>hid</p>",
    "<style>:not(b):nth-last-child(1){display:none}</style><p>hid</p>",
    "<style>div:first-child .x{display:none}</style><div><p class=x>hid</p></div>",
    "<style>p:lang(en){display:none}</style><p>hid</p>",
    "<style>tr:nth-child(even) td{display:none}</style><table><tr><td>shown</td></tr><tr><td>hid</td></tr></table>",
]
SHOWN = [
    "<style>.menu:hover .label{display:none}</style><div class=menu><p class=label>shown</p></div>",
    "<style>.a:hover{display:none}</style><p class=a>shown</p>",
    "<style>.fade{opacity:0;animation:in 1s forwards}@keyframes in{to{opacity:1}}</style><p class=fade>shown</p>",
    "<style>p{animation:in 1s both}@keyframes in{from{opacity:0}to{opacity:1}}</style><p>shown</p>",
    "<style>#t:checked ~ .x{display:none}</style><input id=t type=checkbox><p class=x>shown</p>",
    "<style>.x:is(.a:nth-child(1),.b){display:none}</style><p class=x>shown</p>",
    "<style>p:empty{display:none}</style><p>shown</p>",
    "<style>p::before{display:none}</style><p>shown</p>",
    "<style>p:first-letter{font-size:0}</style><p>shown</p>",
    "<style>p:nth-child(2){display:none}</style><p>shown</p>",
    "<style>p:last-child{display:none}</style><p>shown</p><div>x</div>",
    "<style>p:-moz-foo{display:none}</style><p>shown</p>",
    "<style>p{animation:b 1s infinite}@keyframes b{50%{opacity:0}}</style><p>shown</p>",
    "<style>.nav:first-child .x{display:none}</style><p class=x>shown</p>",
    "<style>li:not(:last-child)::after{display:none}</style><ul><li>shown<li>too</ul>",
    "<style>p:not(:first-child){display:none}</style><p>shown</p>",
    "<style>body{background:#111}p{color:#fff}</style><p>shown</p>",
    "<style>p{animation:k 1s}@keyframes k{to{opacity:0}}</style><p>shown</p>",
    '<style>.x:not(.y){display:none}</style><p class="x y">shown</p>',
    "<style>p:target{display:none}</style><p>shown</p>",
    "<style>.d:focus-within > .x{display:none}</style><div class=d><p class=x>shown</p></div>",
    "<style>body{background:linear-gradient(#000,#333);color:#fff}</style><body><p>shown</p></body>",
    "<style>p:root{display:none}</style><p>shown</p>",
    "<style>@media print{p:first-child{display:none}}</style><p>shown</p>",
    "<style>ul li:nth-child(odd){color:white;background:black}</style><ul><li>shown</li></ul>",
]


@pytest.mark.parametrize("page", HIDDEN)
def test_what_is_hidden_goes_with_a_finding(page: str) -> None:
    text, findings = sanitize(page)
    assert "hid" not in text
    assert ("shown" in text) == ("shown" in page)
    assert any(f.rule == "html-hidden" for f in findings)
    assert sanitize(text).text == text


@pytest.mark.parametrize("page", SHOWN)
def test_what_a_reader_sees_stays(page: str) -> None:
    assert "shown" in sanitize(page).text


@pytest.mark.parametrize(
    ("asked", "met"),
    [
        (":child(1)", [1]),
        (":child(2n)", [2, 4, 6, 8]),
        (":child(odd)", [1, 3, 5, 7]),
        (":child(3n + 2)", [2, 5, 8]),
        (":child(-n+3)", [1, 2, 3]),
        (":child(n+7)", [7, 8]),
        (":child(0n+4)", [4]),
        (":child(-2)", []),
    ],
)
def test_the_formula_of_a_place(asked: str, met: list[int]) -> None:
    assert [at for at in range(1, 9) if stands(asked, Place(at, 1, 1, 1))] == met
    assert stands(":child(n of .x)", Place(1, 1, 1, 1)) is None


def test_key_frames_say_what_is_left() -> None:
    assert places_of("from, 50%, to, x, -3%") == [0.0, 50.0, 100.0]
    frames = {"k": {0.0: {"opacity": "0"}, 100.0: {"opacity": "1"}}}
    for how, left in (
        ("k 1s", "0.5"), ("k 1s forwards", "1"), ("k 1s both reverse", "0"), ("k 1s 2 alternate both", "0"),
        ("other 1s, 1s both k", "1"), ("k 1s 100s both", "0"), ("k 1s paused", "0"), ("k 1s infinite", "0.5"),
    ):  # fmt: skip
        assert animated({"opacity": "0.5", "animation": how}, frames)["opacity"] == left, how


def test_many_places_and_rules_get_a_verdict_in_time() -> None:
    for page in (
        "<style>p:nth-child(2n){color:red}</style>" + "<p>x" * 20_000,
        "<style>"
        + "".join(f"p:nth-child({i}) b{{color:red}}" for i in range(2000))
        + "</style>"
        + "<p>x<b>y</b>" * 2000,
        "<style>" + "p:not(" * 5000 + "{color:red}</style><p>x",
        "<style>p{animation:" + "k 1s," * 5000 + "k}@keyframes k{to{color:red}}</style>" + "<p>x" * 50,
    ):
        start = time.process_time()
        found = sanitize(page).findings
        assert time.process_time() - start < 30
        assert {f.rule for f in found if f.outcome is Outcome.BLOCK} <= {"limit"}
